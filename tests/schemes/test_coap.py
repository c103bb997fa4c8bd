"""coap and coaps beyond the vectors: RFC 7252 section 6."""

from __future__ import annotations

import pytest
from support.checks import broken, check_equivalence

import urlsm
from urlsm.errors import SchemeError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("coap://h:/a;b/@:?/?&", []),
        ("coaps://[::ffff:192.0.2.1]:5684", []),
        ("coap://%41/", []),
        ("coap:///a", [("host-missing", 7)]),
        ("coaps://:5684/a", [("host-missing", 8)]),
        ("coap:h", [("authority-missing", 5)]),
        ("coap://@h", [("userinfo-not-allowed", 7)]),
        ("coap://h#", [("fragment-not-allowed", 8)]),
        ("coap://[::1/", [("ip-literal-invalid", 7)]),
        ("coap://h/%4?%&{", [("bad-percent-escape", 9), ("bad-percent-escape", 12), ("character-not-allowed", 14)]),
    ],
)
def test_violations(text: str, wanted: list[tuple[str, int]]) -> None:
    assert broken(text) == wanted


@pytest.mark.parametrize(
    ("text", "uri_path", "uri_query"),
    [
        ("coap://198.51.100.1:61616//%2F//?%2F%2F&?%26", ("", "/", "", ""), ("//", "?&")),  # RFC 7252 section 6.5
        ("coap://h", (), ()),
        ("coap://h/?", (), ("",)),
        ("coap://h/a/?a&&b=%3D&", ("a", ""), ("a", "", "b==", "")),
        ("coap://h//", ("", ""), ()),
        ("coap://h/%FF", ("\udcff",), ()),
    ],
)
def test_options_split_before_they_are_decoded(
    text: str, uri_path: tuple[str, ...], uri_query: tuple[str, ...]
) -> None:
    parts = urlsm.parts(text)
    assert (parts.uri_path, parts.uri_query) == (uri_path, uri_query)
    assert urlsm.equivalent(urlsm.handler("coap").build(**parts), text)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (
            "coap://EXAMPLE.net/.well-known/core?x",
            [(3, b"example.net"), (11, b".well-known"), (11, b"core"), (15, b"x")],
        ),
        ("coap://[2001:db8::2:1]/", []),
        ("coap://192.0.2.1/%FF?%C3%A9", [(11, b"\xff"), (15, b"\xc3\xa9")]),
        (
            "coap://xn--18j4d.example/%E3%81%93%E3%82%93%E3%81%AB%E3%81%A1%E3%81%AF",  # RFC 7252 section 6.5
            [(3, b"xn--18j4d.example"), (11, "\u3053\u3093\u306b\u3061\u306f".encode())],
        ),
    ],
)
def test_options_of_a_request(text: str, options: list[tuple[int, bytes]]) -> None:
    assert urlsm.parts(text).options() == options


def test_parts_of_a_url_are_lenient() -> None:
    parts = urlsm.parse("coap://u@h/a/../[x]|y?{y}&z#f").parts
    assert (parts.host, parts.uri_path, parts.uri_query) == ("h", ("[x]|y",), ("{y}", "z"))


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("coap://example.com:5683/~sensors/temp.xml", "coap://EXAMPLE.com/%7Esensors/temp.xml", True),  # 6.3
        ("coap://EXAMPLE.com:/%7esensors/temp.xml", "coap://EXAMPLE.com/%7Esensors/temp.xml", True),
        ("coap://h", "coap://h/", True),
        ("coap://h/a%3Bb?c%3Dd%2F", "coap://h/a;b?c=d/", True),  # the same options
        ("coap://a%2Bb/", "coap://A+b", False),
        ("coaps://h:5684/x/../y", "coaps://h/y", True),
        ("coap://h/a%2Fb", "coap://h/a/b", False),
        ("coap://h/?a%26b", "coap://h/?a&b", False),
        ("coap://h/?a&b", "coap://h/?b&a", False),
        ("coap://h/?", "coap://h/", False),
        ("coap://h/A", "coap://h/a", False),
        ("coap://h:5684/", "coap://h/", False),
        ("coap://h/", "coaps://h/", False),
    ],
)
def test_equivalence(a: str, b: str, same: bool) -> None:
    check_equivalence(a, b, same)
    assert broken(urlsm.normalize(a)) == broken(urlsm.normalize(b)) == []


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"host": "h"}, "coap://h"),
        ({"host": "::1", "port": 1, "uri_path": ("a/b", "", "c d")}, "coap://[::1]:1/a%2Fb//c%20d"),
        ({"host": "h", "uri_query": ("a&b", "c#d", "?/")}, "coap://h?a%26b&c%23d&?/"),
        ({"host": "h", "uri_query": ("",)}, "coap://h?"),
        ({"host": "h", "uri_path": ("\r\n\0", "\u4f60\udcff%41")}, "coap://h/%0D%0A%00/%E4%BD%A0%FF%2541"),
    ],
)
def test_build(given: dict[str, object], wanted: str) -> None:
    assert urlsm.handler("coap").build(**given) == wanted
    assert urlsm.equivalent(urlsm.handler("coap").build(**urlsm.parts(wanted)), wanted)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"uri_path": ("a",)}, SchemeError),
        ({"host": "h", "path": "/a b"}, SchemeError),
        ({"host": "h", "path": "/a#b"}, SchemeError),
        ({"host": "h", "fragment": ""}, SchemeError),
        ({"host": "h", "port": -1}, SchemeError),
        ({"host": "h", "uri_path": ("",)}, ValueError),  # reads as no option
        ({"host": "h", "uri_path": ("a", "..")}, ValueError),
        ({"host": "h", "uri_path": (".",)}, ValueError),
        ({"host": "h", "path": "/a?b"}, ValueError),
        ({"host": "h", "path": "/a", "uri_path": ("b",)}, ValueError),
        ({"host": "h", "query": "a"}, TypeError),
    ],
)
def test_build_refuses(given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        urlsm.handler("coap").build(**given)


@pytest.mark.parametrize("text", ["coap://[%41/", "coap://%2F%41/", "coap://%5B%41/", "coap://H%21/"])
def test_normal_forms_of_odd_hosts(text):
    normal = urlsm.normalize(text)
    assert urlsm.normalize(normal) == normal and urlsm.equivalent(text, normal)
