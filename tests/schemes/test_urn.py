"""urn: RFC 8141's equivalence, components, and the namespace identifier."""

from __future__ import annotations

import itertools

import pytest
from support.checks import broken

import urlsm

URN = urlsm.handler("urn")


# RFC 8141 section 3.2: the classes of its examples; only those within one are equivalent
CLASSES = [
    [
        "urn:example:a123,z456",
        "URN:example:a123,z456",
        "urn:EXAMPLE:a123,z456",
        "urn:example:a123,z456?+abc",
        "urn:example:a123,z456?=xyz",
        "urn:example:a123,z456#789",
    ],
    ["urn:example:a123,z456/foo"],
    ["urn:example:a123,z456/bar"],
    ["urn:example:a123,z456/baz"],
    ["urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"],
    ["urn:example:A123,z456"],
    ["urn:example:a123,Z456"],
    ["urn:example:%D0%B0123,z456"],  # Cyrillic, and no a
]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (a, b, first is second)
        for first, second in itertools.product(CLASSES, repeat=2)
        for a, b in itertools.product(first, second)
    ],
)
def test_the_examples_of_section_3_2(a, b, same):
    assert urlsm.equivalent(a, b) is same


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("urn:example:a%2d", "urn:example:a-", False),  # "MUST NOT be decoded"
        ("urn:example:a%2d", "URN:Example:a%2D", True),
        ("urn:example:a?+r?=q#f", "urn:example:a", True),
        ("urn:example:a?x", "urn:example:a", False),  # no component of a URN
        ("urn:example:a?", "urn:example:a", False),
        ("urn:example:a/./b", "urn:example:a/b", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is urlsm.equivalent(b, a) is same


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("URN:EXAMPLE:a%2cB?+c%2dC?=d%2d#e%2d", "urn:example:a%2CB?+c%2DC?=d%2D#e%2D"),
        ("urn:example:a/../b/./c", "urn:example:a/../b/./c"),
        ("urn:example:%41", "urn:example:%41"),
    ],
)
def test_normal_form_keeps_components_and_decodes_nothing(text, normal):
    assert urlsm.normalize(text) == normal
    assert urlsm.normalize(normal) == normal


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("urn:example:a?+r?=q#f", ("example", "a", "r", "q", "f")),
        ("urn:example:a?+r?s?=q?=q?+q", ("example", "a", "r?s", "q?=q?+q", None)),  # the first "?=" ends the first
        ("urn:example:a?=q?+r", ("example", "a", None, "q?+r", None)),
        ("urn:EXAMPLE:A/b:c@d%2f#", ("example", "A/b:c@d%2f", None, None, "")),
        (f"urn:a{'-' * 30}9:x", (f"a{'-' * 30}9", "x", None, None, None)),
    ],
)
def test_parts(text, parts):
    found = urlsm.parts(text)
    assert tuple(dict(found).values()) == parts
    assert urlsm.equivalent(URN.build(**found), text)
    assert urlsm.parts(URN.build(**found)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("urn:", [("urn-nid-invalid", 4), ("urn-nss-missing", 4)]),
        ("urn::x", [("urn-nid-invalid", 4)]),
        ("urn:a-:x", [("urn-nid-invalid", 5)]),
        ("urn:-:x", [("urn-nid-invalid", 4)]),
        (f"urn:{'a' * 32}é:x", [("character-not-allowed", 36), ("urn-nid-invalid", 36)]),
        (f"urn:{'a' * 31}-x:x", [("urn-nid-invalid", 36)]),
        ("urn:a\u0131:x", [("character-not-allowed", 5), ("urn-nid-invalid", 5)]),
        ("urn:example:/a", [("character-not-allowed", 12)]),
        ("urn:example?+r", [("urn-nss-missing", 11)]),
        ("urn:example:a?r", [("urn-component-invalid", 13)]),
        ("urn:example:a?", [("urn-component-invalid", 13)]),
        ("urn:example:a?+?=", [("urn-component-missing", 15), ("urn-component-missing", 17)]),
        ("urn:example:a?+/r?=?q", [("character-not-allowed", 15), ("character-not-allowed", 19)]),
        ("urn:example:a b%zz", [("character-not-allowed", 13), ("bad-percent-escape", 15)]),
        ("urn://example/a", [("authority-not-allowed", 4)]),
        ("urn:example:a#b#c", [("character-not-allowed", 15)]),
    ],
)
def test_violations(text, found):
    assert broken(text) == found


def test_parts_of_a_url_are_lenient():
    assert urlsm.parse("urn:e_x:a b|c").parts.nss == "a b|c"
    assert urlsm.parse("urn:isbn:1?x").parts.q_component is None
    with pytest.raises(urlsm.SchemeError) as caught:
        urlsm.parse("urn:example").parts  # noqa: B018
    assert (caught.value.code, caught.value.position) == ("urn-nss-missing", 11)


def test_assigned_name():
    a, b = urlsm.parts("URN:Example:a%2cb?=q"), urlsm.parts("urn:example:a%2Cb#f")
    assert a.assigned_name == b.assigned_name == "urn:example:a%2Cb"
    assert urlsm.parts("urn:example:a,b").assigned_name != a.assigned_name


@pytest.mark.parametrize(
    "parts",
    [
        {"nid": "x", "nss": "a"},
        {"nid": "example", "nss": ""},
        {"nid": "example"},
        {"nid": "exa:mple", "nss": "a"},
        {"nid": "example", "nss": "a?+r"},
        {"nid": "example", "nss": "a#f"},
        {"nid": "example", "nss": "a\r\nb"},
        {"nid": "example", "nss": "a\0"},
        {"nid": "example", "nss": "a%"},
        {"nid": "example", "nss": "é"},
        {"nid": "example", "nss": "\udcff"},
        {"nid": "example", "nss": "a", "r_component": "r?=q"},
        {"nid": "example", "nss": "a", "r_component": ""},
        {"nid": "example", "nss": "a", "q_component": "q#f"},
        {"nid": "example", "nss": "a", "f_component": "a#b"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        URN.build(**parts)


def test_build():
    assert URN.build(nid="ISBN", nss="0", r_component="r", q_component="q", f_component="f") == "urn:ISBN:0?+r?=q#f"
    with pytest.raises(TypeError):
        URN.build(nid="isbn", nss="0", query="q")


@pytest.mark.slow(1)
def test_long_texts():
    text = "urn:example:" + "a%2c" * (1 << 18) + "?+" + "?=" * (1 << 18)
    assert urlsm.parse(text).parts.nss.endswith("%2c")
    assert urlsm.equivalent(text, text.replace("%2c", "%2C"))
