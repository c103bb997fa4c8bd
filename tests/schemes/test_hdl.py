"""hdl beyond the vectors: every rule with both verdicts, normal forms, build."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form

import urlsm
from urlsm.schemes.names.hdl import HdlParts

HDL = urlsm.handler("hdl")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("hdl:a/b", []),
        ("hdl:10.1/a/b?c=d#e", []),
        ("hdl:10.1//", []),
        ("hdl:a%2Fb/c", []),
        ("hdl:", [("hdl-prefix-missing", 4), ("hdl-suffix-missing", 4)]),
        ("hdl:10.1", [("hdl-suffix-missing", 8)]),
        ("hdl:10.1?a", [("hdl-suffix-missing", 8)]),
        ("hdl:.1/a", [("hdl-prefix-invalid", 4)]),
        ("hdl:10./a", [("hdl-prefix-invalid", 7)]),
        ("hdl:10..1/a", [("hdl-prefix-invalid", 7)]),
        ("hdl:10%2e%2E1/a", [("hdl-prefix-invalid", 9)]),  # an escaped dot is a dot
        ("hdl:10..1...2/.", [("hdl-prefix-invalid", 7), ("hdl-prefix-invalid", 10), ("hdl-prefix-invalid", 11)]),
        ("hdl:1|0/a%2", [("character-not-allowed", 5), ("bad-percent-escape", 9)]),
        ("hdl://10.1/a", [("authority-not-allowed", 4)]),
    ],
)
def test_verdicts(text, wanted):
    assert [(v.code, v.position) for v in urlsm.validate(text, dialect="rfc3986")] == wanted


def test_parts():
    assert urlsm.parts("hdl:10.X%2Fy/a%2Fb/c?d%20#e") == HdlParts("10.X/y", "a/b/c", "d%20")
    assert urlsm.parse("hdl:10.1").parts == HdlParts("10.1", "", None)
    assert urlsm.parse("hdl:10.1/a|%FF").parts.suffix == "a|\udcff"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("HDL:10.ABC%c3%89%2f/A%2fB%7E", "hdl:10.abc%C3%89%2F/A/B~"),
        ("hdl:10.1/a/../b/.", "hdl:10.1/a/../b/."),
        ("hdl:/%2Fa", "hdl:/%2Fa"),
        ("hdl://H/%2Fa", "hdl://h/%2Fa"),
    ],
)
def test_normal_form(text, normal):
    check_normal_form(text, normal)


def test_what_is_equivalent():
    assert urlsm.equivalent("hdl:loc.EDU/a", "hdl:LOC.edu/%61")
    for other in ("hdl:loc.edu/A", "hdl:loc%2Fedu/a", "hdl:loc.edu/a?", "hdl:loc.edu/a/", "hdl:loc.edu/a#b"):
        assert not urlsm.equivalent("hdl:loc.edu/a", other)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"prefix": "10.1"}, "hdl:10.1/"),
        ({"prefix": "10/é", "suffix": "/a?#%\r\n\udcff", "query": "b=c"}, "hdl:10%2F%C3%A9//a%3F%23%25%0D%0A%FF?b=c"),
        ({"prefix": "10.ABC", "suffix": "A"}, "hdl:10.ABC/A"),
    ],
)
def test_build(parts, text):
    assert HDL.build(**parts) == text


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"suffix": "a"},
        {"prefix": "", "suffix": "/a"},
        {"prefix": "10.", "suffix": "a"},
        {"prefix": "10", "suffix": "\ud800"},
        {"prefix": "10", "query": "a#b"},
        {"prefix": "10", "query": "a b"},
        {"prefix": "10", "query": "a\n"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        HDL.build(**parts)
