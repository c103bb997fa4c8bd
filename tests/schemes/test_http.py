"""http, https, shttp and mms beyond the vectors: RFC 9110 section 4.2, and RFC 1738's own http."""

from __future__ import annotations

import pytest
from support.checks import broken, check_build, check_equivalence

import urlsm
from urlsm.errors import SchemeError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("http://h", []),
        ("https://[v7.x:y]:65535?/?:@#/?", []),
        ("http://%C3%A9.example:/;a=b,c//..", []),
        ("mms://u:p@h/a;b?c#d", []),
        ("http:///", [("host-missing", 7)]),
        ("https://u@:1/", [("host-missing", 10)]),
        ("mms:/h", [("authority-missing", 4)]),
        ("shttp://[::1%25x]/", [("ip-literal-invalid", 8)]),
        ("http://[::1]x/", [("ip-literal-invalid", 7)]),
        ("http://h:-1/", [("port-invalid", 9)]),
        ("http://h:" + "0" * 5000 + "80/", []),
        ("http://h:1" + "0" * 5000, [("port-out-of-range", 9)]),
        ("http://h\u00e9 \\:8/|?`#^", [("host-invalid", 8), *[("character-not-allowed", n) for n in (14, 16, 18)]]),
        ("http://a%/%4/?%#%g", [("bad-percent-escape", n) for n in (8, 10, 14, 16)]),
        ("http://h/\ud800\0", [("character-not-allowed", 9)]),
    ],
)
def test_violations(text: str, wanted: list[tuple[str, int]]) -> None:
    assert broken(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("http://h.example:80/a;b:c@d&e=f/$-_.+!*'(),?;:@&=", []),
        ("http://h//", []),
        ("http://1.2.3.4/", []),
        ("http://h/?", []),
        ("http://h?", [("path-missing", 8)]),
        ("http://h:/", [("port-empty", 9)]),
        ("http://@h/", [("userinfo-not-allowed", 7)]),
        ("http://u:p@h/", [("userinfo-not-allowed", 7)]),
        ("http:///", [("host-missing", 7)]),
        ("http:h", [("authority-missing", 5)]),
        ("http://a-.b/", [("host-invalid", 8)]),
        ("http://a.1/", [("host-invalid", 9)]),
        ("http://h/~?a/b?c#d", [("character-not-allowed", 9), ("character-not-allowed", 12),
                                ("character-not-allowed", 14), ("fragment-not-allowed", 16)]),
        ("http://h/%7?%", [("bad-percent-escape", 9), ("bad-percent-escape", 12)]),
    ],
)  # fmt: skip
def test_violations_of_rfc1738(text: str, wanted: list[tuple[str, int]]) -> None:
    assert broken(text, "rfc1738") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("https://u:p@h/", [("userinfo-deprecated", 8)]),
        ("shttp://@h/", [("userinfo-deprecated", 8)]),
        ("mms://u:p@h/", [("password-deprecated", 7)]),
        ("mms://u:@h/", []),
    ],
)
def test_warnings(text: str, wanted: list[tuple[str, int]]) -> None:
    assert [(v.code, v.position) for v in urlsm.validate(text, dialect="rfc3986") if v.severity == "warning"] == wanted


def test_parts_of_a_url_are_lenient() -> None:
    assert dict(urlsm.parse("http://U;x:p=@H:80/a b/../[c]?d|[]#e").parts) == {
        "username": "U;x",
        "password": "p=",
        "host": "h",
        "port": None,
        "path": "/[c]",
        "segments": ("[c]",),
        "query": "d|[]",
    }


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("http://example.com:80/~smith/home.html", "http://EXAMPLE.com:/%7esmith/home.html", True),  # RFC 9110 4.2.3
        ("https://h:443", "https://h/", True),
        ("shttp://h:80?x", "shttp://h/?x", True),
        ("mms://h:1755", "MMS://H/", True),
        ("http://h/a/./b/../c", "http://h/a/c", True),
        ("https://h:80/", "https://h/", False),
        ("http://h/", "https://h/", False),
        ("http://h/a", "http://h/A", False),
        ("http://h/a%2Fb", "http://h/a/b", False),
        ("http://h/a", "http://h/a/", False),
        ("http://h/?", "http://h/", False),
        ("http://h/#a", "http://h/#b", False),
        ("http://u@h/", "http://U@h/", False),
    ],
)
def test_equivalence(a: str, b: str, same: bool) -> None:
    check_equivalence(a, b, same)
    assert broken(urlsm.normalize(a)) == broken(urlsm.normalize(b)) == []


@pytest.mark.parametrize(
    ("scheme", "given", "wanted"),
    [
        ("http", {"host": "h"}, "http://h"),
        ("https", {"host": "::1", "port": 8443, "path": "/a%20b", "query": "c"}, "https://[::1]:8443/a%20b?c"),
        ("http", {"host": "h", "segments": ("a b/c", "\u4f60", "\udcff", "")}, "http://h/a%20b%2Fc/%E4%BD%A0/%FF/"),
        ("shttp", {"host": "a@b/\r\n\0"}, "shttp://a%40b%2F%0D%0A%00"),
        ("mms", {"username": "u:@/", "password": ":\ufffd", "host": "h"}, "mms://u%3A%40%2F::%EF%BF%BD@h"),
    ],
)
def test_build(scheme: str, given: dict[str, object], wanted: str) -> None:
    check_build(scheme, given, wanted)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, SchemeError),
        ({"host": "h", "path": "/a b"}, SchemeError),
        ({"host": "h", "path": "/\r\nHost: x"}, SchemeError),
        ({"host": "h", "query": "\0"}, SchemeError),
        ({"host": "h", "fragment": "\udcff"}, SchemeError),
        ({"host": "h", "port": "80@evil.example"}, ValueError),
        ({"host": "h", "path": "/a?b"}, ValueError),
        ({"host": "h", "path": "/a#b"}, ValueError),
        ({"host": "h", "path": ".evil.example"}, ValueError),
        ({"host": "h", "query": "a#b"}, ValueError),
        ({"host": "h", "path": "/a", "segments": ("b",)}, ValueError),
        ({"host": "h", "password": "\ud800"}, ValueError),  # would read back as U+FFFD
        ({"host": "h", "typecode": "a"}, TypeError),
    ],
)
def test_build_refuses(given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        urlsm.handler("http").build(**given)
