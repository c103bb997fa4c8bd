"""dns beyond the vectors: every rule with both verdicts, normal forms, build."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form

import urlsm
from urlsm.schemes.network.dns import DnsParts

DNS = urlsm.handler("dns")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dns:", []),
        ("dns:.", []),
        ("dns://h/", []),
        ("dns://[::1]:53/x", []),
        ("dns:a%2Fb%5C.c", []),
        ("dns:a?CLASS=CH;type=type65280", []),
        ("dns:a?%54YPE=%2A", []),
        ("dns:a?type=NSAP-PTR", []),
        ("dns:a#b", []),
        ("dns:///a", [("host-missing", 6)]),
        ("dns://h", [("path-missing", 7)]),
        ("dns://h?type=A", [("path-missing", 7)]),
        ("dns:/a", [("character-not-allowed", 4)]),
        ("dns://h/a/b", [("character-not-allowed", 9)]),
        ("dns:a/b", [("character-not-allowed", 5)]),
        ("dns:a\\b", [("character-not-allowed", 5)]),
        ("dns:a?", [("parameter-name-missing", 6)]),
        ("dns:a?;type=A", [("parameter-name-missing", 6)]),
        ("dns:a?type=A;", [("parameter-name-missing", 13)]),
        ("dns:a?=A", [("parameter-name-missing", 6)]),
        ("dns:a?type", [("parameter-value-missing", 10)]),
        ("dns:a?type=;class=IN", [("parameter-value-missing", 11)]),
        ("dns:a?class=IN;Class=IN", [("parameter-duplicate", 15)]),
        ("dns:a?class=IN;ttl=1", [("parameter-unknown", 15)]),
        ("dns:a?type=A&class=IN", [("character-not-allowed", 12)]),
        ("dns:a?type=A%3BB", [("character-not-allowed", 12)]),
        ("dns:a?type=A%z", [("bad-percent-escape", 12), ("character-not-allowed", 12)]),
        ("dns://h:x/a", [("port-invalid", 8)]),
    ],
)
def test_verdicts(text, wanted):
    assert [(v.code, v.position) for v in urlsm.validate(text, dialect="rfc3986")] == wanted


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("dns:", DnsParts()),
        ("dns://NS.example:53/%2Fa%5C.B%00%FF", DnsParts("ns.example", 53, "/a\\.B\0\udcff")),
        ("dns:a?type=mx;type=A;x=y;class=", DnsParts(None, None, "a", "IN", "MX")),
        ("dns:a?class=ıN", DnsParts(None, None, "a", "ıN", "A")),
        ("dns:/a", DnsParts(None, None, "/a")),
    ],
)
def test_parts_of_urls(text, parts):
    assert urlsm.parse(text).parts == parts


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("DNS:WWW.Example.ORG%2e?type=a;clAss=in", "dns:www.example.org."),
        ("dns://NS:53/A%c3%89%2F%5c.B%3b", "dns://ns/a%C3%89%2F%5C.b;"),
        ("dns:a?type=m%78;class=ch", "dns:a?CLASS=CH;TYPE=MX"),
        ("dns:a?type=mx;x=y", "dns:a?type=mx;x=y"),
        ("dns:a?", "dns:a?"),
        ("dns://h:x/a?type=mx", "dns://h:x/a?TYPE=MX"),
        ("dns:a/../b", "dns:a/../b"),
    ],
)
def test_normal_form(text, normal):
    check_normal_form(text, normal)


def test_what_is_equivalent():
    assert urlsm.equivalent("dns:example?CLASS=IN;TYPE=MX", "dns:EXAMPLE?TYPE=mx")
    for a, b in (
        ("dns:a.b", "dns:a%5C.b"),
        ("dns:a.b", "dns:a.b."),
        ("dns:a", "dns:a?type=NS"),
        ("dns:a", "dns:a?class=CH"),
        ("dns:a", "dns://h/a"),
        ("dns:a", "dns:a?"),
        ("dns:a", "dns:a#b"),
    ):
        assert not urlsm.equivalent(a, b)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({}, "dns:"),
        ({"name": "a/b?#\\.\r\n\0é\udcff"}, "dns:a%2Fb%3F%23%5C.%0D%0A%00%C3%A9%FF"),
        ({"host": "::1", "port": 53, "name": ""}, "dns://[::1]:53/"),
        ({"name": "a", "dns_class": "in", "dns_type": "Txt"}, "dns:a?CLASS=IN;TYPE=TXT"),
        ({"name": "a", "dns_class": "IN", "dns_type": "A"}, "dns:a"),
        ({"name": "a", "dns_type": "255"}, "dns:a?TYPE=255"),
    ],
)
def test_build(parts, text):
    assert DNS.build(**parts) == text


@pytest.mark.parametrize(
    "parts",
    [
        {"port": 53, "name": "a"},
        {"host": "", "name": "a"},
        {"name": "a", "dns_type": ""},
        {"name": "a", "dns_type": "A;CLASS=CH"},
        {"name": "a", "dns_type": "A\r\n"},
        {"name": "a", "dns_class": "ß"},
        {"name": "\ud800"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        DNS.build(**parts)
