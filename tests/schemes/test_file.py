"""file: RFC 8089 and RFC 1738, and paths of POSIX and Windows as URLs and back."""

from __future__ import annotations

import os
import sys
from pathlib import PurePosixPath, PureWindowsPath
from urllib.request import url2pathname

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.files.file import File, FileParts

# from Python 3.14 on, for pure paths; and nothing else handles those of another system
as_uri_is_deprecated = pytest.mark.filterwarnings("ignore:pathlib.PurePath.as_uri:DeprecationWarning")
utf8_files = pytest.mark.skipif(sys.getfilesystemencoding() != "utf-8", reason="names of files are not UTF-8 here")


@pytest.mark.parametrize(
    ("text", "current", "strict"),
    [
        ("file:/a", [], [("authority-missing", 5)]),
        ("file:", [("path-missing", 5)], [("authority-missing", 5), ("path-missing", 5)]),
        ("file:c:/a", [("path-not-absolute", 5)], [("authority-missing", 5), ("path-not-absolute", 5)]),
        ("file://h?x", [("path-missing", 8), ("query-not-allowed", 8)], [("host-invalid", 8), ("path-missing", 10)]),
        ("file:///c:/a", [], []),
        ("file:///a//b", [], []),
        ("file:///a:b@c&d=e!$'()*+,", [], []),
        ("file://u:p@h:/a", [("userinfo-not-allowed", 7), ("port-not-allowed", 12)], ...),
        ("file://h_/a", [], [("host-invalid", 8)]),
        ("file://[::1]/a", [], [("host-invalid", 7)]),
        ("file:///a%00", [], []),
        ("file:////", [("path-double-slash", 8)], []),
    ],
)
def test_violations(text, current, strict):
    assert noted(text) == current
    assert noted(text, "rfc1738") == (current if strict is ... else strict)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("file:c|\\a b", FileParts(None, "/c:/a%20b", ("c:", "a b"), True, "C:")),
        ("file:////server/x", FileParts(None, "//server/x", ("", "server", "x"), True, None)),
        ("file:\\\\Server\\x", FileParts("server", "/x", ("x",), False, None)),
        ("file://localhost/x", FileParts(None, "/x", ("x",), True, None)),
        ("file:///c%3A/x", FileParts(None, "/c%3A/x", ("c:", "x"), True, "C:")),
        ("file:///c:x", FileParts(None, "/c:x", ("c:x",), True, None)),
        ("file:///c:", FileParts(None, "/c:", ("c:",), True, "C:")),
        ("file://h/c:/x", FileParts("h", "/c:/x", ("c:", "x"), False, "C:")),
    ],
)
def test_parts_of_a_url_are_those_of_what_the_parser_wrote(text, parts):
    assert urlsm.parse(text).parts == parts


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("file:/a", "file:///a"),
        ("FILE://LOCALHOST/a/%2e/b/../%7Ec", "file:///a/~c"),
        ("file://Server/a", "file://server/a"),
        ("file:///C:/A", "file:///C:/A"),
        ("file:///a%2fb", "file:///a%2Fb"),
        ("file:/.//a", "file:///.//a"),  # "file:////a" would be invalid, and the server a to many
        ("file:///a/..//b", "file:///.//b"),
        ("file:////server/a", "file:////server/a"),
        ("file:a", "file:a"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("file:///a", "file:///A"),
        ("file:///c:/", "file:///C:/"),
        ("file:///a%2Fb", "file:///a/b"),
        ("file:///a/", "file:///a"),
        ("file:///a", "file://h/a"),
        ("file:///.//a", "file:////a"),
    ],
)
def test_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        ({"path": "/a"}, "file:///a"),
        ({"segments": ("a b", "é", "\udcff", "x/%?#;")}, "file:///a%20b/%C3%A9/%FF/x%2F%25%3F%23;"),
        ({"host": "server", "segments": ("",)}, "file://server/"),
        ({"host": "LOCALHOST", "path": "/a", "is_local": True}, "file://LOCALHOST/a"),
        ({"host": "::1", "path": "/a"}, "file://[::1]/a"),
        ({"segments": ("c:", "x"), "drive": "C:"}, "file:///c:/x"),
        ({"segments": ("a\r\nb\0",)}, "file:///a%0D%0Ab%00"),
    ],
)
def test_build(parts, url):
    assert File().build(**parts) == url


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"path": "a"},
        {"path": "//server/a"},
        {"segments": ("", "server")},
        {"path": "/a?b"},
        {"path": "/a#b"},
        {"path": "/a\r\nb"},
        {"path": "/a b"},
        {"host": "u@h", "path": "/a", "is_local": True},
        {"host": "h", "path": "/a", "is_local": True},
        {"path": "/a", "drive": "C:"},
        {"path": "/a", "segments": ("b",)},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        File().build(**parts)


# --- paths ---


@pytest.mark.parametrize(
    ("text", "path"),
    [
        # cpython gh-137059, the URL Standard's file host state, RFC 8089 appendix E, dbt-loom#104
        ("file://D:/x/y", "D:\\x\\y"),
        ("file://C:/eggs#ham", "C:\\eggs"),
        ("file://C|/foo", "C:\\foo"),
        ("file:C:/foo", "C:\\foo"),
        ("file:c|/foo", "c:\\foo"),
        ("file://C:\\foo\\bar", "C:\\foo\\bar"),
        ("file:///C:\\foo", "C:\\foo"),
        ("file:C:\\foo?x\\y", "C:\\foo"),
        ("file://C:", "C:\\"),
        ("file:C:", "C:\\"),
        ("FILE://localhost/C|/x", "C:\\x"),
        ("file:\\\\server\\share\\x", "\\\\server\\share\\x"),
        ("file://server\\share", "\\\\server\\share"),
        ("file:/C:/x", "C:\\x"),
        ("file:///C:/a%5Cb", None),
        ("file://C:80/foo", None),
        ("file://server:80/share", None),
        ("file://CC:/foo", None),
        ("file://C:a/b", None),
        ("file:C:foo", None),
        ("file://C%3A/x", None),
    ],
)
def test_a_drive_of_windows_is_no_host(text, path):
    paths = []
    for url in (text, urlsm.try_parse(text)):
        try:
            paths.append(File().to_path(url, windows=True) if url is not None else None)
        except ValueError:
            paths.append(None)
    assert paths == [path, path]  # of a text, and of a URL


def test_on_posix_a_backslash_is_a_character_of_a_name():
    assert File().to_path("file:///a\\b", windows=False) == "/a\\b"
    assert File().to_path("file://C:/x", windows=False) == "/C:/x" == File().to_path("file:C:/x", windows=False)
    with pytest.raises(ValueError, match="has no port"):
        File().to_path("file://localhost:80/x", windows=False)


@pytest.mark.parametrize(
    ("url", "posix", "windows"),
    [
        ("file:///", "/", "\\"),
        ("file:///a%20b/%C3%A9/", "/a b/é/", "\\a b\\é\\"),
        ("file:///%FF", "/\udcff", "\\\udcff"),
        ("file://localhost/a", "/a", "\\a"),
        ("file:///a/../b", "/b", "\\b"),
        ("file:///a%5Cb", "/a\\b", None),
        ("file:///c:/x", "/c:/x", "c:\\x"),
        ("file:///C%3A/x/", "/C:/x/", "C:\\x\\"),
        ("file:///C|/x", "/C:/x", "C:\\x"),
        ("file:///C:", "/C:", "C:\\"),
        ("file://server/share/x%20y", None, "\\\\server\\share\\x y"),
        ("file://server/share", None, "\\\\server\\share"),
        ("file:////server/share/x", "//server/share/x", "\\\\server\\share\\x"),
        ("file://///server/share", "///server/share", "\\\\server\\share"),
        ("file://10.0.0.1/share", None, "\\\\10.0.0.1\\share"),
        # what cannot be
        ("file:///a%2Fb", None, None),
        ("file:///a%00", None, None),
        ("file:///a/b:c", "/a/b:c", None),
        ("file:///C:/a%0A", "/C:/a\n", None),
        ("file:///%3F%3F/C:/x", "/??/C:/x", None),
        ("file://server/", None, None),
        ("file://server//x", None, None),
        ("file://[::1]/share/x", None, None),
        ("file:////./pipe/x", "//pipe/x", "\\\\pipe\\x"),  # the URL parser takes the "." away
        ("file:////%3F/C:/x", "//?/C:/x", None),
        ("file:////C:/x", "//C:/x", None),
    ],
)
def test_to_path(url, posix, windows):
    parts = urlsm.parse(url).parts
    for wanted, for_windows in ((posix, False), (windows, True)):
        if wanted is None:
            with pytest.raises(ValueError):
                parts.to_path(windows=for_windows)
        else:
            assert parts.to_path(windows=for_windows) == wanted


@pytest.mark.parametrize("host", [".", "..", "?", "a\\b", "a/b", "a\0", "c:"])
def test_no_server_is_a_device_or_a_path(host):
    with pytest.raises(ValueError, match="server"):
        FileParts(host, "/share/x", ("share", "x"), False).to_path(windows=True)


@pytest.mark.parametrize("path", ["/%2E%2E/x", "/"])
def test_a_share_has_a_name(path):
    with pytest.raises(ValueError, match="share"):
        urlsm.parts("file://server" + path).to_path(windows=True)


def test_no_path_is_relative():
    for windows in (False, True):
        with pytest.raises(ValueError, match="absolute"):
            File().read_parts(urlsm.split("file:a", dialect="rfc3986")).to_path(windows=windows)


def test_the_path_of_this_system_by_default():
    parts = urlsm.parts("file:///C:/x")
    assert parts.to_path() == parts.to_path(windows=os.name == "nt")
    path = "C:\\x" if os.name == "nt" else "/x"
    assert File.from_path(path) == File.from_path(path, windows=os.name == "nt")


@pytest.mark.parametrize(
    "path",
    ["/", "/a", "/a b/é~u-1.2_3", "/a;b=c,d!$&'()*+:@", '/%41?#[]"<>^`{|}\\', "/a/../b", "/\n\t\x7f", "/\U0001f600"],
)
@utf8_files
@as_uri_is_deprecated
def test_posix_paths_are_as_pathlib_and_urllib_have_them(path):
    url = File.from_path(PurePosixPath(path))
    assert url == PurePosixPath(path).as_uri() == File.from_path(path, windows=False)
    parts = urlsm.parts(url)
    assert parts.to_path(windows=False) == path
    if os.name != "nt":
        assert url2pathname(parts.path) == path


@pytest.mark.parametrize(
    "path",
    [
        "C:\\",
        "c:\\a b\\é",
        "C:/x/;y,[z]",
        "\\\\server\\share",
        "\\\\server\\share\\",
        "\\\\server\\share\\a b",
        "//Server/c$/x",
        "Z:\\%41#~",
    ],
)
@utf8_files
@as_uri_is_deprecated
def test_windows_paths_are_as_pathlib_has_them(path):
    url = File.from_path(PureWindowsPath(path))
    assert url == PureWindowsPath(path).as_uri() == File.from_path(str(PureWindowsPath(path)), windows=True)
    assert PureWindowsPath(urlsm.parts(url).to_path(windows=True)) == PureWindowsPath(path)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="nturl2path is deprecated")
@pytest.mark.parametrize(
    "rest", ["///C:/a%20b", "///c:/x/", "///C|/x", "//server/share/a", "////server/share/a", "///C:/%25"]
)
def test_windows_paths_are_as_urllib_has_them(rest):
    import nturl2path

    path = urlsm.parse("file:" + rest).parts.to_path(windows=True)
    assert PureWindowsPath(path) == PureWindowsPath(nturl2path.url2pathname(rest))


@pytest.mark.parametrize(
    ("path", "windows", "url"),
    [
        (b"/a\xff", False, "file:///a%FF"),
        ("/a\udcff", False, "file:///a%FF"),
        ("/a//b/", False, "file:///a//b/"),
        ("//a", False, "file:///a"),  # pathlib has file:////a, which RFC 8089 has not
        ("/C:/x", False, "file:///C%3A/x"),
        (b"C:\\\xc3\xa9", True, "file:///C:/%C3%A9"),
        ("\\\\?\\C:\\x", True, "file:///C:/x"),
        ("\\\\?\\unc\\server\\share", True, "file://server/share/"),
        ("\\\\h\\s", True, "file://h/s/"),
    ],
)
def test_from_path(path, windows, url):
    assert File.from_path(path, windows=windows) == url
    assert noted(url) == []


@pytest.mark.parametrize(
    ("path", "windows"),
    [
        ("a", False),
        ("", False),
        ("C:\\a", False),
        ("/a\0", False),
        ("/\ud800", False),
        (b"a", False),
        ("a", True),
        ("\\a", True),
        ("/a", True),
        ("C:", True),
        ("C:a", True),
        ("C:\\a\0", True),
        ("C:\\a?", True),
        ("C:\\a:b", True),
        ("C:\\\ud800", True),
        ("\\\\server", True),
        ("\\\\server\\", True),
        ("\\\\\\share\\x", True),
        ("\\\\.\\pipe\\x", True),
        ("\\\\?\\Volume{0}\\x", True),
        ("\\\\?\\\\\\server\\share", True),
        ("\\\\LocalHost\\share\\x", True),
    ],
)
def test_from_path_refuses(path, windows):
    with pytest.raises(ValueError):
        File.from_path(path, windows=windows)


def test_from_path_takes_paths_only():
    with pytest.raises(TypeError):
        File.from_path(1)  # type: ignore[arg-type]


@given(st.binary())
def test_every_posix_path_comes_back(octets):
    path = b"/" + octets.replace(b"\0", b"").lstrip(b"/")
    url = File.from_path(path, windows=False)
    assert noted(url) == []
    assert urlsm.parts(url).to_path(windows=False).encode("utf-8", "surrogateescape") == path


@given(st.lists(st.text(st.characters(exclude_characters='<>:"/\\|?*', exclude_categories=["Cc", "Cs"]))))
def test_every_windows_path_comes_back(names):
    for start in ("C:\\", "\\\\server\\share\\"):
        path = start + "\\".join(names)
        url = File.from_path(path, windows=True)
        assert noted(url) == []
        assert urlsm.parts(url).to_path(windows=True) == path
