"""stun, stuns, turn and turns beyond the vectors: RFC 7064 and RFC 7065 section 3."""

from __future__ import annotations

import pytest
from support.checks import broken, check_build, check_equivalence

import urlsm
from urlsm.errors import SchemeError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("stun:h:", []),
        ("STUN:[v1.a:b]:0", []),
        ("stun:%41.example", []),
        ("stuns::5349", [("host-missing", 6)]),
        ("stun:[::1", [("ip-literal-invalid", 5)]),
        ("stun:[::1]x", [("ip-literal-invalid", 5)]),
        ("stun:[fe80::1%25eth0]:1", [("ip-literal-invalid", 5)]),
        ("stun:::1", [("host-invalid", 5)]),
        ("stun:h:1:2", [("host-invalid", 6)]),
        ("stun:h:3x", [("port-invalid", 8)]),
        ("stun:h:\u0663", [("port-invalid", 7)]),
        ("stun:h i:65536", [("host-invalid", 6), ("port-out-of-range", 9)]),
        ("stun:@h", [("userinfo-not-allowed", 5)]),
        ("stun:u:p@h", [("userinfo-not-allowed", 5)]),
        ("stun:h/", [("path-not-allowed", 6)]),
        ("stun:/x", [("host-missing", 5), ("path-not-allowed", 5)]),
        ("stun:h/x y", [("path-not-allowed", 6), ("character-not-allowed", 8)]),
        ("stun:h?", [("query-not-allowed", 6)]),
        ("stun:h#a b", [("character-not-allowed", 8)]),
        ("stun:h%zz", [("bad-percent-escape", 6)]),
        ("stun://u@:x/y?z", [("authority-not-allowed", 5), ("userinfo-not-allowed", 7), ("host-missing", 9),
                             ("port-invalid", 10), ("path-not-allowed", 11), ("query-not-allowed", 13)]),
        ("turn:h?Transport=UDP", []),
        ("turns:h:?transport=a-b.c_d~1", []),
        ("turn:h?", [("parameter-name-missing", 7)]),
        ("turn:h?=udp", [("parameter-name-missing", 7)]),
        ("turn:h?transport", [("parameter-value-missing", 16)]),
        ("turn:h?transports=udp", [("parameter-unknown", 7)]),
        ("turn:h?transport=u%64p", [("character-not-allowed", 18)]),
        ("turn:h?transport=udp&transport=tcp", [("character-not-allowed", 20), ("character-not-allowed", 30)]),
        ("turn:h?a^%", [("parameter-unknown", 7), ("character-not-allowed", 8), ("bad-percent-escape", 9)]),
        ("turns://h?transport=", [("authority-not-allowed", 6), ("parameter-value-missing", 20)]),
    ],
)  # fmt: skip
def test_violations(text: str, wanted: list[tuple[str, int]]) -> None:
    assert broken(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("turn:H%41:00080?transport=TCP", ("ha", 80, "tcp")),
        ("turn://h:1?transport=tcp", ("h", 1, "tcp")),
        ("turn:u@h/x?y", ("h", None, None)),
        ("turn:?transport=", (None, None, None)),
        ("turn:[::1]:", ("::1", None, None)),
        ("turn:\u00e9?transport=\u00e9", ("\u00e9", None, "%c3%a9")),
    ],
)
def test_parts_of_a_url_are_lenient(text: str, wanted: tuple[object, ...]) -> None:
    parts = urlsm.parse(text).parts
    assert (parts.host, parts.port, parts.transport) == wanted


@pytest.mark.parametrize(
    ("text", "port", "code", "position"),
    [("stun:h:x", None, "port-invalid", 7), ("turns:h:123456?transport=udp", 123456, "port-out-of-range", 8)],
)
def test_a_port_that_is_none_is_for_the_violation_to_tell(
    text: str, port: int | None, code: str, position: int
) -> None:
    url = urlsm.parse(text)
    assert (url.parts.host, url.parts.port) == ("h", port)
    assert [(violation.code, violation.position) for violation in url.violations()] == [(code, position)]
    with pytest.raises(SchemeError):
        urlsm.parts(text)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("stun:h", "STUN:H:3478", True),
        ("stun:h:", "stun:%68#fragment", True),
        ("stuns:h:5349", "stuns:h", True),
        ("turn:h?transport=udp", "turn:h:3478?TRANSPORT=UDP", True),
        ("stuns:h:3478", "stuns:h", False),
        ("turn:h?transport=udp", "turn:h", False),
        ("turn:h?transport=udp", "turn:h?transport=tcp", False),
        ("stun:h:1", "stun:h:2", False),
        ("stun:h", "stuns:h", False),
        ("turn:h", "turns:h", False),
    ],
)
def test_equivalence(a: str, b: str, same: bool) -> None:
    check_equivalence(a, b, same)
    assert broken(urlsm.normalize(a)) == broken(urlsm.normalize(b)) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("TURN:[2001:DB8::1]:3478?Transport=TCP#f", "turn:[2001:db8::1]?transport=tcp#f"),
        ("stun:h/../x", "stun:h/../x"),  # no server, no path either: left alone
        ("stun::3478//x", "stun::3478//x"),
    ],
)
def test_normal_forms(text: str, wanted: str) -> None:
    assert urlsm.normalize(text) == wanted == urlsm.normalize(wanted)


@pytest.mark.parametrize(
    ("scheme", "given", "wanted"),
    [
        ("stun", {"host": "h"}, "stun:h"),
        ("stuns", {"host": "::1", "port": 1}, "stuns:[::1]:1"),
        ("stun", {"host": "a@b/?#\r\n\0\u00e9\udcff%"}, "stun:a%40b%2F%3F%23%0D%0A%00%C3%A9%FF%25"),
        ("turn", {"host": "h", "transport": "udp"}, "turn:h?transport=udp"),
        ("turns", {"host": "h", "port": 5349, "transport": "x~1"}, "turns:h:5349?transport=x~1"),
    ],
)
def test_build(scheme: str, given: dict[str, object], wanted: str) -> None:
    check_build(scheme, given, wanted)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, SchemeError),
        ({"port": 3478}, SchemeError),
        ({"host": "h", "transport": ""}, SchemeError),
        ({"host": "h", "transport": "udp\r\nX"}, SchemeError),
        ({"host": "h", "transport": "u%64p"}, SchemeError),
        ({"host": "h", "port": 65536}, SchemeError),
        ({"host": "h", "transport": "udp#x"}, ValueError),
        ({"host": "h", "username": "u"}, TypeError),
    ],
)
def test_build_refuses(given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        urlsm.handler("turn").build(**given)
