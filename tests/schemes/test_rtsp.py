"""rtsp, rtsps and rtspu beyond the vectors: RFC 7826 sections 4.2 and 20.2.1, RFC 2326 section 3.2."""

from __future__ import annotations

import pytest
from support.checks import broken, check_build

import urlsm
from urlsm.errors import SchemeError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("rtsp://h?q", []),
        ("rtsp://h/a;/;b/;?a;b;c;d#e;f;g", []),
        ("rtsp://h/;;", [("character-not-allowed", 10)]),
        ("rtsps://h/a;b;c;d/e;f;;g", [("character-not-allowed", 13), ("character-not-allowed", 21)]),
        ("rtsp://u;x=y;z@h_1.example/", []),
        ("rtsps:h/a", [("authority-missing", 6)]),
        ("rtspu://h?q", [("path-missing", 9)]),
        ("rtspu://h/?q#f", []),
        ("rtspu://h#f", []),
        ("rtspu://h/a;b;c", []),
        ("rtspu://192.0.2.1:554/a", []),
        ("rtspu://3com.example:/", []),
        ("rtspu:///a", [("host-missing", 8)]),
        ("rtspu://:554/a", [("host-missing", 8)]),
        ("rtspu:h", [("authority-missing", 6)]),
        ("rtspu://-a.example/", [("host-invalid", 8)]),
        ("rtspu://a-.example/", [("host-invalid", 9)]),
        ("rtspu://a.-b/", [("host-invalid", 10)]),
        ("rtspu://a.b-/", [("host-invalid", 11)]),
        ("rtspu://a..b/", [("host-invalid", 10)]),
        ("rtspu://a.b./", [("host-invalid", 11)]),
        ("rtspu://.a/", [("host-invalid", 8)]),
        ("rtspu://a%41/", [("host-invalid", 9)]),
        ("rtspu://h\n/", [("host-invalid", 9)]),
        ("rtspu://@h/", [("userinfo-not-allowed", 8)]),
        (
            "rtspu://u@h_/a|b?{#^",
            [
                ("userinfo-not-allowed", 8),
                ("host-invalid", 11),
                ("character-not-allowed", 14),
                ("character-not-allowed", 17),
                ("character-not-allowed", 19),
            ],
        ),
    ],
)
def test_violations(text: str, wanted: list[tuple[str, int]]) -> None:
    assert broken(text) == wanted


def test_a_password_is_warned_of() -> None:
    found = [(v.code, v.position, v.severity) for v in urlsm.validate("rtsps://u:p@h", dialect="rfc3986")]
    assert found == [("password-deprecated", 9, "warning")]


def test_parts_of_a_url_are_lenient() -> None:
    parts = urlsm.parse("rtspu://u@h_/a;;b/[c]?{").parts
    assert (parts.username, parts.host, parts.segments, parts.query) == ("u", "h_", ("a;;b", "[c]"), "{")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("rtsp://h", "RTSP://H:554/", True),
        ("rtsps://h:322/%7ea/../b", "rtsps://h/b", True),
        ("rtspu://h:554", "rtspu://h:/", True),
        ("rtsps://h:554/", "rtsps://h/", False),
        ("rtsp://h/a;b", "rtsp://h/a%3Bb", False),
        ("rtsp://h/A", "rtsp://h/a", False),
        ("rtsp://h/", "rtspu://h/", False),
        ("rtsp://u@h/", "rtsp://U@h/", False),
    ],
)
def test_equivalence(a: str, b: str, same: bool) -> None:
    assert urlsm.equivalent(a, b) is same
    for text in (a, b):
        once = urlsm.normalize(text)
        assert urlsm.normalize(once) == once and broken(once) == []


@pytest.mark.parametrize(
    ("scheme", "given", "wanted"),
    [
        ("rtsp", {"host": "h", "segments": ("a;b;c d", ";;", "e/f?#")}, "rtsp://h/a;b%3Bc%20d/;%3B/e%2Ff%3F%23"),
        ("rtsp", {"host": "h", "segments": ("",)}, "rtsp://h/"),
        (
            "rtsps",
            {"username": "a@b:", "password": ":/", "host": "::1", "port": 322},
            "rtsps://a%40b%3A::%2F@[::1]:322",
        ),
        ("rtspu", {"host": "h", "segments": ("a;b;c", "\t\0\udcff"), "query": ""}, "rtspu://h/a;b;c/%09%00%FF?"),
    ],
)
def test_build(scheme: str, given: dict[str, object], wanted: str) -> None:
    check_build(scheme, given, wanted)


@pytest.mark.parametrize(
    ("scheme", "given", "error"),
    [
        ("rtsp", {}, SchemeError),
        ("rtsp", {"host": "h", "path": "/a;b;c"}, SchemeError),
        ("rtsp", {"host": "h", "path": "/\r\nX"}, SchemeError),
        ("rtsp", {"host": "h", "query": "\ud800"}, SchemeError),
        ("rtsp", {"host": "h", "path": "/a?b"}, ValueError),
        ("rtsp", {"host": "h", "path": "@b"}, ValueError),
        ("rtspu", {"host": "::1"}, SchemeError),
        ("rtspu", {"host": "h_"}, SchemeError),
        ("rtspu", {"host": "h\u00e9"}, SchemeError),
        ("rtspu", {"host": "h", "username": ""}, SchemeError),
        ("rtspu", {"host": "h", "query": "q"}, SchemeError),
    ],
)
def test_build_refuses(scheme: str, given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        urlsm.handler(scheme).build(**given)
