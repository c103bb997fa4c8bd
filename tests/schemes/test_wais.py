"""wais beyond the vectors: every rule with both verdicts, normal forms, build."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.network.wais import WaisParts

WAIS = urlsm.handler("wais")


@pytest.mark.parametrize(
    ("text", "current", "old"),
    [
        ("wais://h", [("path-missing", 8)], None),
        ("wais://h?a", [("path-missing", 8)], None),
        ("wais://h/?a", [], []),
        ("wais://h/d?", [], []),
        ("wais://h/d?a/b", [], [("character-not-allowed", 12)]),
        ("wais://h/d?a?b", [], [("character-not-allowed", 12)]),
        ("wais://h/d/", [("wais-document-incomplete", 11)], None),
        ("wais://h/d/t/", [], []),
        ("wais://h/d//", [], []),
        ("wais://h/d/t/p%2Fq", [], []),
        ("wais://h/d/t/p/q/r", [], [("character-not-allowed", 14), ("character-not-allowed", 16)]),
        ("wais://h/d/t/p?a", [("query-not-allowed", 14)], None),
        ("wais://h/d/t?a", [("wais-document-incomplete", 12), ("query-not-allowed", 12)], None),
        ("wais://h/d/t=/p", [], [("character-not-allowed", 12)]),
        ("wais://h/d%z", [("bad-percent-escape", 10)], None),
        ("wais://u@h/d", [("userinfo-not-allowed", 7)], None),
        ("wais:d", [("authority-missing", 5)], None),
        ("wais://h/d#", [], [("fragment-not-allowed", 10)]),
    ],
)
def test_verdicts(text, current, old):
    assert noted(text) == current
    assert noted(text, "rfc1738") == (current if old is None else old)


@pytest.mark.parametrize(
    ("rest", "fields"),
    [
        ("", (None, None, None, None)),
        ("/", ("", None, None, None)),
        ("/d%2Fe", ("d/e", None, None, None)),
        ("/d?%3F?/", ("d", "??/", None, None)),
        ("/d/t", ("d", None, "t", None)),
        ("/d/t/", ("d", None, "t", "")),
        ("/d/t%2F/a%2Fb/c?s", ("d", "s", "t/", "a/b/c")),
        ("/d|/%FF", ("d|", None, "\udcff", None)),
    ],
)
def test_parts_of_urls(rest, fields):
    assert urlsm.parse("wais://u@H:210" + rest).parts == WaisParts("h", 210, *fields)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("WAIS://H:210/%64%3d%2f", "wais://h/d=%2F"),
        ("wais://h/d/t%3a%2f/a%2f../b%3b", "wais://h/d/t:%2F/a/../b;"),
        ("wais://h/d?%3f%2F%23", "wais://h/d??/%23"),
        ("wais://h", "wais://h"),
        ("wais:/%2Fd", "wais:/%2Fd"),
    ],
)
def test_normal_form(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("wais://h/d%2Ft%2Fp", "wais://h/d/t/p"),
        ("wais://h/d?", "wais://h/d"),
        ("wais://h/d%3F", "wais://h/d?"),
        ("wais://h/d", "wais://h/D"),
        ("wais://h/d/t/../p", "wais://h/d/p"),
    ],
)
def test_what_is_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"host": "h"}, "wais://h/"),
        ({"host": "h", "database": "a/b?#%é\udcff"}, "wais://h/a%2Fb%3F%23%25%C3%A9%FF"),
        ({"host": "h", "database": "d", "search": "a?#\r\n"}, "wais://h/d?a?%23%0D%0A"),
        ({"host": "h", "database": "d", "document_type": "t/", "document_id": "a/b?"}, "wais://h/d/t%2F/a/b%3F"),
    ],
)
def test_build(parts, text):
    assert WAIS.build(**parts) == text
    assert noted(text) == []
    assert dict(urlsm.parts(text)) == {
        **dict.fromkeys(WaisParts._fields),
        **parts,
        "database": parts.get("database", ""),
    }


@pytest.mark.parametrize(
    "parts",
    [
        {"database": "d"},
        {"host": "h", "database": "d", "document_type": "t"},
        {"host": "h", "database": "d", "document_id": "p"},
        {"host": "h", "database": "d", "document_type": "t", "document_id": "p", "search": "s"},
        {"host": "h", "database": "\ud800"},
        {"host": "", "database": "d"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        WAIS.build(**parts)


def test_the_normal_form_of_rfc_1738_escapes_what_that_does_not_allow():
    assert urlsm.normalize("wais://H/%3d%24/%7e/%2f", dialect="rfc1738") == "wais://h/%3D$/%7E/%2F"
    assert urlsm.normalize("wais://H/d?%2f%3a", dialect="rfc1738") == "wais://h/d?%2F:"
    assert noted("wais://h/%3D$/%7E/%2F", "rfc1738") == noted("wais://h/d?%2F:", "rfc1738") == []
