"""prospero beyond the vectors: every rule with both verdicts, normal forms, build."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.network.prospero import ProsperoParts

PROSPERO = urlsm.handler("prospero")


@pytest.mark.parametrize(
    ("text", "current", "old"),
    [
        ("prospero://h/", [], []),
        ("prospero://h//a/../b", [], []),
        ("prospero://h/a;=", [], []),
        ("prospero://h/a;b=", [], []),
        ("prospero://h/;b=c;b=c", [], []),
        ("prospero://h/a;", [("parameter-value-missing", 15)], None),
        ("prospero://h/a;b;c=", [("parameter-value-missing", 16)], None),
        ("prospero://h/a?b", [("query-not-allowed", 14)], []),
        ("prospero://h/a;b?=c?", [("parameter-value-missing", 16), ("query-not-allowed", 16)], []),
        ("prospero://h/a;b=c/d", [], [("character-not-allowed", 18)]),
        ("prospero://h/a;b/c=", [], [("character-not-allowed", 16)]),
        ("prospero://h/a=b~", [], [("character-not-allowed", 16)]),
        ("prospero://h/a;<=|", [("character-not-allowed", 15), ("character-not-allowed", 17)], None),
        ("prospero://h/a;%=%z", [("bad-percent-escape", 15), ("bad-percent-escape", 17)], None),
        (
            "prospero://h?a",
            [("path-missing", 12), ("query-not-allowed", 12)],
            [("host-invalid", 12), ("path-missing", 14)],
        ),
        ("prospero:a", [("authority-missing", 9), ("path-not-absolute", 9)], None),
        ("prospero://u:p@h/", [("userinfo-not-allowed", 11)], None),
    ],
)
def test_verdicts(text, current, old):
    assert noted(text) == current
    assert noted(text, "rfc1738") == (current if old is None else old)


def test_parts():
    assert urlsm.parts("prospero://h/a?b;c?=d", dialect="rfc1738") == ProsperoParts("h", None, "a?b", (("c?", "d"),))
    assert urlsm.parse("prospero://u@H:1525//a%2Fb%3B;c%3D=%3D=|;d;").parts == ProsperoParts(
        "h", 1525, "/a/b;", (("c=", "==|"), ("d", None), ("", None))
    )


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("PROSPERO://H:1525/", "prospero://h/"),
        ("prospero://h/%2fa%2f../%3b%3d%3f", "prospero://h//a/../%3B=%3F"),
        ("prospero://h/a;%2f%3d%3b=%2f%3d%3b;c%7E", "prospero://h/a;/%3D%3B=/=%3B;c~"),
        ("prospero:/%2Fa", "prospero:/%2Fa"),
        ("prospero://h", "prospero://h"),
    ],
)
def test_normal_form(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("prospero://h/a%3Bb=c", "prospero://h/a;b=c"),
        ("prospero://h/a;b=c;d=e", "prospero://h/a;d=e;b=c"),
        ("prospero://h/a;b%3Dc=", "prospero://h/a;b=c="),
        ("prospero://h//a", "prospero://h/a"),
        ("prospero://h/a/../b", "prospero://h/b"),
        ("prospero://h/a;b=c", "prospero://h/a;B=c"),
    ],
)
def test_what_is_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"host": "h"}, "prospero://h/"),
        ({"host": "h", "object_name": "/a;b?#%\r\né\udcff"}, "prospero://h//a%3Bb%3F%23%25%0D%0A%C3%A9%FF"),
        ({"host": "h", "params": (("a;=/", ";=/"), ("", ""))}, "prospero://h/;a%3B%3D/=%3B=/;="),
        ({"host": "h", "object_name": "n", "params": [["a", "b"]]}, "prospero://h/n;a=b"),
    ],
)
def test_build(parts, text):
    assert PROSPERO.build(**parts) == text
    assert noted(text) == []


@pytest.mark.parametrize(
    "parts",
    [
        {"object_name": "n"},
        {"host": "", "object_name": "n"},
        {"host": "h", "params": (("a", None),)},
        {"host": "h", "object_name": "\ud800"},
        {"host": "h", "params": (("a", "\udfff\ud800"),)},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        PROSPERO.build(**parts)


def test_the_normal_form_of_rfc_1738_escapes_what_that_does_not_allow():
    assert (
        urlsm.normalize("prospero://H/%3d%3f;%3d%7e=%3d%2f%3f", dialect="rfc1738") == "prospero://h/=?;%3D%7E=%3D%2F?"
    )
    assert noted("prospero://h/=?;%3D%7E=%3D%2F?", "rfc1738") == []
