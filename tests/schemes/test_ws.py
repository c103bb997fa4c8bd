"""ws and wss beyond the vectors: RFC 6455 section 3."""

from __future__ import annotations

import pytest
from support.checks import broken, check_build

import urlsm
from urlsm.errors import SchemeError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ws://[::1]:80/a/b;c=d?e=/?", []),
        ("wss://h:", []),
        ("WSS://H/%41", []),
        ("ws://h/a#", [("fragment-not-allowed", 8)]),
        ("ws://h?#f", [("fragment-not-allowed", 7)]),
        ("wss:///chat", [("host-missing", 6)]),
        ("wss://:443/chat", [("host-missing", 6)]),
        ("ws:h/chat", [("authority-missing", 3)]),
        ("ws://@h/", [("userinfo-not-allowed", 5)]),
        ("ws://u:p w@h/a b?c d", [("userinfo-not-allowed", 5), *[("character-not-allowed", n) for n in (8, 14, 18)]]),
        ("ws://h:8x/%zz", [("port-invalid", 8), ("bad-percent-escape", 10)]),
    ],
)
def test_violations(text: str, wanted: list[tuple[str, int]]) -> None:
    assert broken(text) == wanted


@pytest.mark.parametrize(
    ("text", "resource_name", "secure"),
    [
        ("ws://h", "/", False),
        ("ws://h?", "/", False),
        ("wss://h?x", "/?x", True),
        ("wss://h/a?b?c", "/a?b?c", True),
        ("ws://h//a/%20?", "//a/%20", False),
    ],
)
def test_what_the_handshake_asks_for(text: str, resource_name: str, secure: bool) -> None:
    parts = urlsm.parts(text)
    assert (parts.resource_name, parts.secure) == (resource_name, secure)


def test_parts_of_a_url_are_lenient() -> None:
    parts = urlsm.parse("ws://u@EXAMPLE.org:80/a/../[x]?{y}#z").parts
    assert dict(parts) == {
        "host": "example.org",
        "port": None,
        "path": "/[x]",
        "segments": ("[x]",),
        "query": "{y}",
        "resource_name": "/[x]?{y}",
        "secure": False,
    }


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("ws://h", "WS://H:80/", True),
        ("wss://h:443/%7ea/./b", "wss://h/~a/b", True),
        ("ws://h?x", "ws://h/?x", True),
        ("ws://h:443/", "ws://h/", False),
        ("ws://h/A", "ws://h/a", False),
        ("ws://h/%2F", "ws://h//", False),
        ("ws://h/?a", "ws://h/?A", False),
        ("ws://h/", "wss://h/", False),
    ],
)
def test_equivalence(a: str, b: str, same: bool) -> None:
    assert urlsm.equivalent(a, b) is same
    assert (urlsm.normalize(a) == urlsm.normalize(b)) is same


@pytest.mark.parametrize(
    ("scheme", "given", "wanted"),
    [
        ("ws", {"host": "h"}, "ws://h"),
        ("wss", {"host": "::1", "port": 8080, "path": "/a%20b", "query": "c"}, "wss://[::1]:8080/a%20b?c"),
        ("ws", {"host": "h", "segments": ("a b/c", "\u4f60", "\udcff")}, "ws://h/a%20b%2Fc/%E4%BD%A0/%FF"),
        ("ws", {"host": "h", "resource_name": "/chat?room=1"}, "ws://h/chat?room=1"),
        ("wss", {"host": "h", "resource_name": "/", "secure": True}, "wss://h/"),
        ("ws", {"host": "a@b/\r\n"}, "ws://a%40b%2F%0D%0A"),
    ],
)
def test_build(scheme: str, given: dict[str, object], wanted: str) -> None:
    check_build(scheme, given, wanted)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, SchemeError),
        ({"host": ""}, SchemeError),
        ({"host": "h", "path": "/a\r\nHost: x"}, SchemeError),
        ({"host": "h", "path": "/\0"}, SchemeError),
        ({"host": "h", "query": "\ud800"}, SchemeError),
        ({"host": "h", "path": "/a#b"}, SchemeError),
        ({"host": "h", "resource_name": "@evil.example/"}, SchemeError),
        ({"host": "h", "fragment": "f"}, SchemeError),
        ({"host": "h", "port": 65536}, SchemeError),
        ({"host": "h", "path": "/a?b"}, ValueError),
        ({"host": "h", "path": "evil"}, ValueError),
        ({"host": "h", "resource_name": ".evil"}, ValueError),
        ({"host": "h", "resource_name": ":81/"}, ValueError),
        ({"host": "h", "path": "/a", "segments": ("b",)}, ValueError),
        ({"host": "h", "path": "/a", "resource_name": "/b"}, ValueError),
        ({"host": "h", "secure": True}, ValueError),
        ({"host": "h", "username": "u"}, TypeError),
    ],
)
def test_build_refuses(given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        urlsm.handler("ws").build(**given)
