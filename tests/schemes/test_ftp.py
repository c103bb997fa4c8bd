"""ftp: RFC 1738 section 3.2 and RFC 959, beyond the vectors."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm
from urlsm.schemes.files.ftp import Ftp, FtpParts


@pytest.mark.parametrize(
    ("text", "current", "strict"),
    [
        ("ftp://h/a;type=A", [], []),
        ("ftp://h/a;TYPE=d", [], []),  # literals of RFC 822's grammar are case-insensitive
        ("ftp://h/;type=d", [], []),
        ("ftp://h//a//", [], []),
        ("ftp://h", [], []),
        ("ftp://h/a;type=", [("ftp-type-unknown", 15)], [("ftp-type-unknown", 15)]),
        ("ftp://h/a;type=ai", [("ftp-type-unknown", 15)], [("ftp-type-unknown", 15)]),
        ("ftp://h/a;type=%69", [("ftp-type-unknown", 15)], [("ftp-type-unknown", 15)]),
        ("ftp://h/a;type", [("character-not-allowed", 9)], [("character-not-allowed", 9)]),
        ("ftp://h/a;type=i;type=i", [("character-not-allowed", 9)], [("character-not-allowed", 9)]),
        ("ftp://h/a;type=i/b;type=i", [("character-not-allowed", 9)], [("character-not-allowed", 9)]),
        (
            "ftp://h/a<;b;type=x",
            [("character-not-allowed", 9), ("ftp-type-unknown", 18)],
            [("character-not-allowed", 9), ("ftp-type-unknown", 18)],
        ),
        ("ftp://h/a%0D%0ADELE%20b", [("line-break-encoded", 9), ("line-break-encoded", 12)], ...),
        ("ftp://u%0as@h/", [("line-break-encoded", 7)], [("line-break-encoded", 7)]),
        ("ftp://u:p%0D@h/", [("line-break-encoded", 9)], [("line-break-encoded", 9)]),
        ("ftp:/h/a", [("authority-missing", 4)], [("authority-missing", 4)]),
        ("ftp://h/a?b", [("query-not-allowed", 9)], []),
        ("ftp://h?b", [("query-not-allowed", 7)], [("host-invalid", 7)]),
        ("ftp:type=i", [("authority-missing", 4)], [("authority-missing", 4)]),
        ("ftp://u?;&=@h/a?b", [("query-not-allowed", 7)], []),
        ("ftp://h/~u", [], [("character-not-allowed", 8)]),
        ("ftp://h/a:b@c&d=e", [], []),
        ("ftp://h:/", [], [("port-empty", 8)]),
        ("ftp://h_/", [], [("host-invalid", 7)]),
        ("ftp://u~:p~@h/", [], [("character-not-allowed", 7), ("character-not-allowed", 10)]),
    ],
)
def test_violations(text, current, strict):
    assert broken(text) == current
    assert broken(text, "rfc1738") == (current if strict is ... else strict)


@pytest.mark.parametrize(
    ("path", "segments", "typecode"),
    [
        ("/%2Fetc/motd", ("/etc", "motd"), None),
        ("//etc/motd", ("", "etc", "motd"), None),
        ("/a/;type=D", ("a", ""), "d"),
        ("/a;type=x", ("a;type=x",), None),  # no type: not fit to be a command's argument
        ("/a;type=i/b", ("a;type=i", "b"), None),
        ("/a;b", ("a;b",), None),
        ("/%FF", ("\udcff",), None),
    ],
)
def test_a_link_is_read_whatever_its_characters(path, segments, typecode):
    parts = urlsm.parse("FTP://Host.Example" + path).parts
    assert parts == FtpParts(None, None, "host.example", None, path, segments, typecode)


def test_parts_of_a_url_are_those_of_what_the_parser_wrote():
    assert urlsm.parse("ftp://@h").parts == FtpParts(None, None, "h", None, "/", ("",))
    assert urlsm.parse("ftp:\\\\u;x:@h:21\\a\\..\\b c").parts == FtpParts("u;x", None, "h", None, "/b%20c", ("b c",))


@pytest.mark.parametrize(
    ("url", "steps"),
    [
        # the examples of RFC 1738 section 3.2.2
        ("ftp://myname@host.dom/%2Fetc/motd", [("CWD", "/etc"), ("RETR", "motd")]),
        ("ftp://myname@host.dom/etc/motd", [("CWD", "etc"), ("RETR", "motd")]),
        ("ftp://myname@host.dom//etc/motd", [("CWD", ""), ("CWD", "etc"), ("RETR", "motd")]),
        ("ftp://myname@host.dom/%2Fetc%2Fmotd", [("RETR", "/etc/motd")]),
        ("ftp://h/pub/r%C3%A9s;type=A", [("CWD", "pub"), ("TYPE", "A"), ("RETR", "rés")]),
        ("ftp://h/pub;type=d", [("NLST", "pub")]),
        ("ftp://h/pub/;type=d", [("CWD", "pub"), ("NLST", "")]),
        ("ftp://h/pub/;type=i", [("CWD", "pub"), ("NLST", "")]),
        ("ftp://h/pub/", [("CWD", "pub"), ("NLST", "")]),
        ("ftp://h", [("NLST", "")]),
    ],
)
def test_steps(url, steps):
    assert urlsm.parts(url).steps() == tuple(steps)


@pytest.mark.parametrize("path", ["/a%0D%0ADELE%20b", "/a%0A/b", "/a/%0d;type=d"])
def test_no_step_holds_a_line_break(path):
    with pytest.raises(ValueError, match="line break"):
        urlsm.parse("ftp://h" + path).parts.steps()


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("FTP://User@Host.Example:21", "ftp://User@host.example/"),
        ("ftp://h/a/./b/../%7ec;TYPE=I", "ftp://h/a/~c;type=i"),
        ("ftp://h/a;type=X", "ftp://h/a;type=X"),
        ("ftp://h/%2fetc//x", "ftp://h/%2Fetc//x"),
        ("ftp://u%40:p%3Aq@h/", "ftp://u%40:p%3Aq@h/"),
        ("ftp://@h/", "ftp://@h/"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ftp://h/%2Fetc", "ftp://h/etc"),  # the root's, the login directory's
        ("ftp://h/%2Fetc", "ftp://h//etc"),
        ("ftp://h/a", "ftp://h/a;type=i"),
        ("ftp://h/a;type=a", "ftp://h/a;type=i"),
        ("ftp://h/a%3Btype=i", "ftp://h/a;type=i"),
        ("ftp://@h/", "ftp://h/"),
        ("ftp://U@h/", "ftp://u@h/"),
        ("ftp://h/A", "ftp://h/a"),
        ("ftp://h/", "ftp://h:2121/"),
    ],
)
def test_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        ({"host": "h"}, "ftp://h"),
        ({"host": "h", "segments": ("a b", "c;type=i", "é/%")}, "ftp://h/a%20b/c%3Btype=i/%C3%A9%2F%25"),
        ({"host": "h", "segments": ("\udcff",), "typecode": "d"}, "ftp://h/%FF;type=d"),
        ({"host": "h", "typecode": "d"}, "ftp://h/;type=d"),
        ({"host": "h", "segments": ("", "a")}, "ftp://h//a"),
        ({"host": "::1", "port": 2121, "path": "/a;type=i", "typecode": "i"}, "ftp://[::1]:2121/a;type=i"),
        ({"username": "a@b:c", "password": "d@e/f", "host": "h"}, "ftp://a%40b%3Ac:d%40e%2Ff@h"),
        ({"username": "", "host": "h"}, "ftp://@h"),
    ],
)
def test_build(parts, url):
    assert Ftp().build(**parts) == url
    assert {name: urlsm.parts(url)[name] for name in parts} == parts


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"host": "h", "segments": ("a\r\nDELE b",)},
        {"username": "u\nPASS", "host": "h"},
        {"password": "p\r", "host": "h"},
        {"host": "h", "typecode": "x"},
        {"host": "h", "typecode": "i/../b"},
        {"host": "h", "typecode": "i#"},
        {"host": "h", "path": "/a", "typecode": "i"},
        {"host": "h", "path": "/a", "segments": ("b",)},
        {"host": "h", "path": "/a b"},
        {"host": "h", "path": "a"},
        {"host": "h", "path": "/a?b"},
        {"host": "h", "segments": (), "typecode": "i"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        Ftp().build(**parts)
