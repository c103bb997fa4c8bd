"""git, svn, svn+ssh and rsync, beyond the vectors."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes import PathParts
from urlsm.schemes.supply.repository import GitParts, RsyncParts

EACH = ["git", "svn", "svn+ssh", "rsync"]


@pytest.mark.parametrize("scheme", EACH)
@pytest.mark.parametrize(
    ("rest", "found"),
    [
        ("//h:65535/a%20b/~c", []),
        ("//h/a#b", []),
        ("//[::1]/a", []),
        ("//-oProxyCommand=x/a", [("host-leading-hyphen", 2)]),
        ("/h/a", [("authority-missing", 0)]),
        ("///a", [("host-missing", 2)]),
        ("//h:8o/a", [("port-invalid", 5)]),
        ("//h/a b", [("character-not-allowed", 5)]),
        ("//h/%a", [("bad-percent-escape", 4)]),
    ],
)
def test_what_all_refuse(scheme, rest, found):
    assert noted(f"{scheme}:{rest}") == [(code, position + len(scheme) + 1) for code, position in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("git://h/", []),
        ("git://h/a?b/c", []),
        ("git://h?b", [("path-missing", 7)]),
        ("git://@h/a", [("userinfo-not-allowed", 6)]),
        ("git://h/a%0d%00", [("line-break-encoded", 9), ("nul-encoded", 12)]),
        ("git://h/a?%0A", [("line-break-encoded", 10)]),
        ("svn://u:p@h", [("password-deprecated", 7)]),
        ("svn://h/a@5", []),  # a peg revision
        ("svn://h/a?", [("query-not-allowed", 9)]),
        ("rsync://h/a%0A", []),
        ("rsync://h?", [("query-not-allowed", 9)]),
    ],
)
def test_violations(text, found):
    assert noted(text) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("git://H:9418/~u%20/r", GitParts("h", 9418, "/~u%20/r", ("~u ", "r"), "u ")),
        ("git://h/%7Eu", GitParts("h", None, "/%7Eu", ("~u",), "u")),
        ("git://h/~", GitParts("h", None, "/~", ("~",), "")),
        ("git://h/r?x/y", GitParts("h", None, "/r?x/y", ("r?x", "y"), None)),
        ("git://h/a/~u", GitParts("h", None, "/a/~u", ("a", "~u"), None)),
        ("svn+ssh://u:@h/r", PathParts("u", "", "h", None, "/r", ("r",))),
        ("rsync://h//a", RsyncParts(None, None, "h", None, "//a", ("", "a"), None)),
        ("rsync://u@h/m%2F/a/", RsyncParts("u", None, "h", None, "/m%2F/a/", ("m/", "a", ""), "m/")),
    ],
)
def test_parts(text, parts):
    assert urlsm.parts(text) == parts


def test_parts_of_a_url_are_those_of_what_the_parser_wrote():
    assert urlsm.parse("svn://u:@h:/a/../b|").parts == PathParts("u", None, "h", None, "/b|", ("b|",))
    assert urlsm.parse("git://u@h/r").parts == GitParts("h", None, "/r", ("r",), None)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("GIT://H:9418/a/./%7Eb?%7e", "git://h/a/~b?~"),
        ("git://h/a/", "git://h/a/"),
        ("svn://H:3690/a//", "svn://h/a"),
        ("svn://h/", "svn://h"),
        ("svn+ssh://h:22/a/..", "svn+ssh://h"),
        ("rsync://H:873/m/", "rsync://h/m/"),
        ("rsync://h", "rsync://h"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("git://h/a?b", "git://h/a"),
        ("git://h/a", "git://h/A"),
        ("rsync://h/m", "rsync://h/m/"),  # the directory, and what it holds
        ("svn://h/a%2F", "svn://h/a/"),
        ("svn://h/a", "svn+ssh://h/a"),
        ("svn+ssh://h:3690/a", "svn+ssh://h/a"),
    ],
)
def test_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


@pytest.mark.parametrize(
    ("scheme", "parts", "url"),
    [
        ("git", {"host": "h", "user_dir": "u/é"}, "git://h/~u%2F%C3%A9"),
        ("git", {"host": "h", "segments": ("~u", "r?x")}, "git://h/~u/r%3Fx"),
        ("git", {"host": "::1", "port": 1, "path": "/r?x", "segments": ("r?x",)}, "git://[::1]:1/r?x"),
        ("rsync", {"host": "h", "module": "m %"}, "rsync://h/m%20%25"),
        ("rsync", {"host": "h", "module": "m", "segments": ("m", "\udcff")}, "rsync://h/m/%FF"),
        ("rsync", {"host": "h"}, "rsync://h"),
        ("svn", {"host": "h", "username": "a@b:c", "segments": ("x\r\ny\0",)}, "svn://a%40b%3Ac@h/x%0D%0Ay%00"),
        ("svn+ssh", {"host": "h", "password": "p/"}, "svn+ssh://:p%2F@h"),
    ],
)
def test_build(scheme, parts, url):
    assert urlsm.handler(scheme).build(**parts) == url


@pytest.mark.parametrize(
    ("scheme", "parts"),
    [
        ("git", {"host": "h"}),
        ("git", {"path": "/r"}),
        ("git", {"host": "h", "segments": ("a\nb",)}),
        ("git", {"host": "h", "user_dir": "a\0host=evil"}),
        ("git", {"host": "h", "user_dir": "u", "segments": ("v",)}),
        ("git", {"host": "u@h", "path": "/r#x"}),
        ("rsync", {"host": "h", "module": "m", "path": "/n"}),
        ("rsync", {"host": "h", "path": "/m?x"}),
        ("svn", {"host": "h", "path": "r"}),
        ("svn+ssh", {"host": "h/", "port": "22/x"}),
    ],
)
def test_build_refuses(scheme, parts):
    with pytest.raises(ValueError):
        urlsm.handler(scheme).build(**parts)


def test_git_has_no_user():
    with pytest.raises(TypeError):
        urlsm.handler("git").build(host="h", path="/r", username="u")
