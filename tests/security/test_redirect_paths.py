"""Redirects whose path begins with two slashes after its dot segments are removed."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support import standard
from urlsm import parse, try_parse
from urlsm.security import is_safe_redirect, redirects

HOME = "https://good.example/app/page?q"
BASES = [HOME, "https://good.example/", "https://good.example", "https://good.example/a/b/c/", "https://h//a/b"]


# --- ways to remove dot segments -----------------------------------------------------------------


def remove_dot_segments(path: str) -> str:
    """RFC 3986 section 5.2.4, step by step."""
    output = ""
    while path:
        if path.startswith(("../", "./")):
            path = path.partition("/")[2]
        elif path.startswith("/./") or path == "/.":
            path = "/" + path[3:]
        elif path.startswith("/../") or path == "/..":
            path = "/" + path[4:]
            output = output.rpartition("/")[0]
        elif path in (".", ".."):
            path = ""
        else:
            end = path.find("/", 1) if "/" in path[1:] else len(path)
            output, path = output + path[:end], path[end:]
    return output


def clean(path: str) -> str:
    """Go's path.Clean, by the four rules of its documentation."""
    rooted, kept = path.startswith("/"), []
    for segment in path.split("/"):
        if segment in ("", "."):  # 1. multiple slashes become one; 2. "." elements vanish
            continue
        if segment == ".." and kept and kept[-1] != "..":  # 3. inner ".." elements, and what is before them
            kept.pop()
        elif segment != ".." or not rooted:  # 4. ".." elements that begin a rooted path
            kept.append(segment)
    return "/" * rooted + "/".join(kept) or "."


def by_the_standard(path: str) -> str:
    try:
        url = standard.parse(path, standard.parse("https://home.example/"))
    except standard.Failure:
        return "//"  # a host is missing after them
    return "/" + "/".join(url.path) if url.host == "home.example" else "//"


def by_urljoin(path: str) -> str:
    joined = urljoin("https://home.example/", path)
    return joined.removeprefix("https://home.example") if joined.startswith("https://home.example/") else "//"


READERS = {
    "as it is": str, "URL Standard": by_the_standard, "RFC 3986": remove_dot_segments, "urljoin": by_urljoin,
    "urljoin from a path": lambda path: urljoin("/app/", path) if path[1:2] != "/" else path,
    "posixpath": posixpath.normpath, "Go": clean,
}  # fmt: skip


def merged(path: str, base: str) -> str:
    """RFC 3986 section 5.2.3."""
    return path if path.startswith("/") else parse(base).path.rpartition("/")[0] + "/" + path


def forms(path: str) -> list[str]:
    """The path as it is, with "%2e" for a dot, and decoded once; what it is decoded to stays a path, of which browsers
    drop tabs and line ends."""
    decoded = unquote(path, errors="surrogateescape").replace("?", "%3F").replace("#", "%23")
    texts = (path, decoded, re.sub("[\t\n\r]", "", decoded))
    return [form for text in texts for form in (text, re.sub("(?i)%2e", ".", text))]


def who_sees_two(path: str, base: str) -> set[str]:
    """Return the readers for which the path begins with "//" or "/\\"."""
    if not path:
        return set()
    return {
        name for form in forms(merged(path, base)) for name, read in READERS.items()
        if read(form)[:2] in ("//", "/\\")
    }  # fmt: skip


def is_two_in_two_steps(path: str, base: str) -> bool:
    """Return whether one reader finds this beginning after another (a proxy) has removed the dot segments."""
    path = merged(path, base)
    removed = {read(form) for read in READERS.values() for form in (path, re.sub("(?i)%2e", ".", path))}
    return any(form[:2] in ("//", "/\\") or who_sees_two(form, base) for form in removed)


def test_each_reader_alone_is_needed():
    """The views by reader: the models are not copies of each other."""
    assert who_sees_two("/.//e", HOME) == {"URL Standard", "RFC 3986", "urljoin", "urljoin from a path"}
    assert who_sees_two("/a\\../../..//e", HOME) >= {"URL Standard", "RFC 3986"}
    assert who_sees_two("/a\\../b/../..//e", HOME) == who_sees_two("/a/b\\../..//e", HOME) | {
        "RFC 3986",
        "urljoin",
        "urljoin from a path",
    }
    assert who_sees_two("/x//..//../\\e", HOME) == {"posixpath", "Go"}
    assert who_sees_two("/a//b", HOME) == who_sees_two("/x%2Fy", HOME) == set()
    assert clean("/../a/./b//../c/") == "/a/c" and clean("") == "." and clean("../a") == "../a"
    assert remove_dot_segments("/a/b/c/./../../g") == "/a/g" and remove_dot_segments("mid/content=5/../6") == "mid/6"


# --- texts ---------------------------------------------------------------------------------------

TWO = [
    *("//evil.com", "/\\evil.com", "/.//evil.com", "/./\\evil.com", "/x/..//evil.com", "/x/../\\evil.com", "/..//e"),
    *("..//evil.com", ".//../..//e", "../../x/..//e", "x/../..//e", "/a/b/../..//e", "/x//../..//e", "/./././/e"),
    *("/%2e%2e//evil.com", "/%2e//e", "/.%2E//e", "/%2E/\\e", "/x/%2e%2e//e", "%2e%2e//e", "/%2Fevil.com", "/%5Cevil"),
    *("/%2f%2fe", "/.%2F/e", "/x%2f..%2f%2fe", "/x/..%5c/e", "/%2e%2e%2f%2fe", "/%252e%252e//e"),
    *("/%09/e", "/%0a%5ce", "/%0D/e", "/.%09//e", "//", "/x/..//", "/x\\..\\\\e", "/x\\..//e", "/x/..\\/e", "/.//?q"),
    *("/x//..//../\\e", "/x/../%5ce", "/a/.././/e#f", "/%2e%2F%2e%2f%2Fe", "/\u00e9/..//e"),
    *("/%C3%A9/../%5Ce", "/%ff%2f..//e", "/%ff/../%5ce"),
]  # fmt: skip
ONE = [
    *("", "/", "/x", "x", "/a//b", "/a/\\b", "/x?next=//evil.com", "/s?q=..//x", "/x%2Fy", "/x#//e", "?//e", "#/\\e"),
    *("/a/.//b", "/a/b/..//c", "/a\\b", "x//y", "./x", "../x//y", "/a%5Cb", "/a/%2e%2e/b", "/a/%2Fb", "/a%2f%2fb"),
    *("/.;//e", "/..;//e", "/.../x", "/...//e", "/x/..;/\\e", "/%2e%2e", "/%2e%2ex//e", "/\uff0fevil.com"),
    "/%ef%bc%8fe",
    *("/x%3F/../y", "/x/..?//e", "/x/..#//e", "/%255ce", "/%252Fe", "/x%252f%252e%252e//y", "/x/%20//e", "/%20//e"),
    *("/x/%2e%2e%5Ce", "/x/%09/e"),
]  # fmt: skip


@pytest.mark.parametrize("target", TWO, ids=ascii)
def test_two(target):
    for base in (HOME, "https://good.example/", "http://good.example:8080/app/"):
        assert not is_safe_redirect(target, base=base)
    assert who_sees_two(target.partition("?")[0].partition("#")[0], HOME)


@pytest.mark.parametrize("target", [target for target in TWO if target[0] == "/"], ids=ascii)
def test_two_behind_an_authority(target):
    for start in ("https://good.example", "//good.example", "https://other.example"):
        assert not is_safe_redirect(start + target, base=HOME, allowed_hosts=["other.example"])


BY_TWO_STEPS = ["../%2f..", "../%20/../%2fe/..", "/x/../%2f..", "b/../../%2F../e", "/a/../%2f%2e./x"]


@pytest.mark.parametrize("target", ["\\.//evil.com", "\\.\\/e", "\\..//", "\\x/..//e", "\\%2e//e", "\\./\\e"])
@pytest.mark.parametrize("base", [HOME, "https://good.example/", "https://good.example/a//b/c"])
def test_a_backslash_begins_a_path_only_to_browsers(target, base):
    assert try_parse(target, base=base).request_target.startswith("//")
    assert not is_safe_redirect(target, base=base)


@pytest.mark.parametrize("target", BY_TWO_STEPS, ids=ascii)
def test_dot_segments_are_removed_before_the_path_is_decoded_and_after(target):
    base = "https://good.example/a/b"
    assert is_two_in_two_steps(target, base) and not is_safe_redirect(target, base=base)


@pytest.mark.parametrize("target", ONE, ids=ascii)
def test_one(target):
    assert is_safe_redirect(target, base=HOME) and is_safe_redirect(target.encode(), base=HOME)
    assert not who_sees_two(target.partition("?")[0].partition("#")[0], HOME)


def test_the_bases_path_counts_where_it_stays():
    assert is_safe_redirect("..//x", base="https://good.example/a/b/c") and not is_safe_redirect(
        "../..//x", base="https://h/a/b/c"
    )
    home = "https://good.example//app/"
    assert is_safe_redirect("", base=home) and is_safe_redirect("?x", base=home) and is_safe_redirect("/x", base=home)
    assert not is_safe_redirect("x", base=home) and not is_safe_redirect("./x", base=home)
    assert parse("..//evil.com", base=HOME).request_target == "//evil.com"  # the danger


PIECES = [
    *("/", "//", "\\", ".", "..", "/./", "/../", "x", "%2e", "%2E", "%2f", "%5C", "%09", "%25", "2e", "2f", "%3F"),
    *("%23", "..;", "é", "%C3%A9", "%ff", "%0A", "...", " "),
]  # fmt: skip
paths = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(paths, st.sampled_from(BASES))
@example("/x/..\\/e", HOME)
@example("/%25\\/../%09/", HOME)
@example("/..///e", HOME)
@example("..%2f%2fe", HOME)
@example("/%0A/", HOME)
def test_no_path_begins_with_two_to_anybody(path, base):
    seen = who_sees_two(path, base)
    assert not (seen and is_safe_redirect(path, base=base))
    url = try_parse(path, base=base)
    if path and url is not None and is_safe_redirect(path, base=base):
        assert url.request_target[:2] != "//"


@given(paths.filter(lambda path: path[:1] not in ("", "/", "\\", " ")), st.sampled_from(BASES))
@example(".//..//e", HOME)
def test_no_relative_path_that_begins_with_one_is_refused(path, base):
    assert redirects._begins_with_one_slash(path, parse(base)) is not is_two_in_two_steps(path, base)


@given(paths.map("/".__add__).filter(lambda path: path[1:2] not in ("/", "\\")))
@example("/%25//../%09%5C")
def test_no_absolute_path_that_begins_with_one_is_refused(path):
    assert redirects._begins_with_one_slash(path, parse(HOME)) is not is_two_in_two_steps(path, HOME)


@pytest.mark.parametrize("unit", ["/", "../", "%2e%2e/", "%2f", "\\", "./", "x/../", "%5c..", "%09/", "/.", "%"])
def test_a_long_path_takes_no_longer_than_linear(unit):
    assert is_safe_redirect("/x/" + unit * 100_000, base=HOME) in (True, False)
