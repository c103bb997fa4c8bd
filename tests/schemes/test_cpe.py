"""cpe: the examples of NISTIR 7695, and what its grammars refuse."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted
from support.seeds import draws, seeded

import urlsm

ANY = ":*" * 5


def attributes(text: str) -> dict[str, str]:
    return {name: value for name, value in dict(urlsm.parts(text)).items() if value is not None and name != "binding"}


@pytest.mark.parametrize(
    ("uri", "formatted", "found"),
    [  # sections 6.1.2.4, 6.1.3.3, 6.2.2.3 and 6.2.3.3; the wildcards stay wildcards, and marks are quoted
        (
            "cpe:/a:microsoft:internet_explorer:8.0.6001:beta",
            "cpe:2.3:a:microsoft:internet_explorer:8.0.6001:beta:*:*:*:*:*:*",
            {"vendor": "microsoft", "product": "internet_explorer", "version": "8.0.6001", "update": "beta"},
        ),
        (
            "cpe:/a:microsoft:internet_explorer:8.%02:sp%01",
            "cpe:2.3:a:microsoft:internet_explorer:8.*:sp?:*:*:*:*:*:*",
            {"vendor": "microsoft", "product": "internet_explorer", "version": "8.*", "update": "sp?"},
        ),
        (
            "cpe:/a:microsoft:internet_explorer:8.%2a:sp%3f",
            r"cpe:2.3:a:microsoft:internet_explorer:8.\*:sp\?:*:*:*:*:*:*",
            {"vendor": "microsoft", "product": "internet_explorer", "version": r"8.\*", "update": r"sp\?"},
        ),
        (
            "cpe:/a:hp:insight:7.4.0.1570:-:~~online~win2003~x64~",
            "cpe:2.3:a:hp:insight:7.4.0.1570:-:*:*:online:win2003:x64:*",
            {
                **{"vendor": "hp", "product": "insight", "version": "7.4.0.1570", "update": "-"},
                **{"sw_edition": "online", "target_sw": "win2003", "target_hw": "x64"},
            },
        ),
        (
            "cpe:/a:hp:openview_network_manager:7.51::~~~linux~~",
            "cpe:2.3:a:hp:openview_network_manager:7.51:*:*:*:*:linux:*:*",
            {"vendor": "hp", "product": "openview_network_manager", "version": "7.51", "target_sw": "linux"},
        ),
        (
            "cpe:/a:foo%5cbar:big%24money_2010:::~~special~ipod_touch~80gb~",
            r"cpe:2.3:a:foo\\bar:big\$money_2010:*:*:*:*:special:ipod_touch:80gb:*",
            {
                **{"vendor": r"foo\\bar", "product": r"big\$money_2010"},
                **{"sw_edition": "special", "target_sw": "ipod_touch", "target_hw": "80gb"},
            },
        ),
        (
            "cpe:/a:foo%7ebar:big%7emoney_2010",
            r"cpe:2.3:a:foo\~bar:big\~money_2010:*:*:*:*:*:*:*:*",
            {"vendor": r"foo\~bar", "product": r"big\~money_2010"},
        ),
    ],
)
def test_the_examples_of_the_document(uri, formatted, found):
    assert noted(uri) == [] == noted(formatted)
    assert attributes(uri) == {"part": "a", **found} == attributes(formatted)
    build = urlsm.handler("cpe").build
    assert build(**{**urlsm.parts(uri), "binding": "2.3"}) == formatted == urlsm.normalize(formatted)
    assert build(**{**urlsm.parts(formatted), "binding": "2.2"}) == uri == urlsm.normalize(uri)
    assert urlsm.equivalent(uri, formatted) and urlsm.equivalent(formatted, uri)
    assert not urlsm.equivalent(uri, formatted.replace(":a:", ":o:"))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("CPE:/A:Foo~Bar:X::::", "cpe:/a:foo%7ebar:x"),
        ("cpe:/a:b:c:1:2:~e~~~~", "cpe:/a:b:c:1:2:e"),  # packed is one value only
        ("cpe:/a:b:c:1:2:~~~~~:de-DE", "cpe:/a:b:c:1:2::de-de"),
        ("cpe:/a:b%5C:c", "cpe:/a:b%5c:c"),
        ("cpe:/", "cpe:/"),
        (f"CPE:2.3:O:Foo:B\\:ar{ANY}:*:*:*", f"cpe:2.3:o:foo:b\\:ar{ANY}:*:*:*"),
        ("cpe:/a:b:c#d", "cpe:/a:b:c#d"),  # not a name
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cpe:", [("cpe-binding-unknown", 4)]),
        ("cpe:2.2:a:b:c", [("cpe-binding-unknown", 4)]),
        ("cpe://a", [("authority-not-allowed", 4)]),
        ("cpe:/-:b", [("cpe-attribute-invalid", 5)]),
        ("cpe:/x:b", [("cpe-attribute-invalid", 5)]),
        ("cpe:/a:b:c:1:2:3:de:x", [("cpe-attribute-count", 19)]),
        ("cpe:/a:b:c:1:2:3:d_e", [("cpe-attribute-invalid", 17)]),
        ("cpe:/a:b:c:1:2:~x", [("cpe-edition-packed", 15)]),
        ("cpe:/a:foo%5cbar:big%24money_2010%07:::", [("cpe-escape", 33)]),  # section 6.1.3.3.6
        ("cpe:/a:foo:bar:12.%02.1234", [("cpe-wildcard", 18)]),  # section 6.1.3.3.8
        ("cpe:/a:%02", [("cpe-wildcard", 7)]),
        ("cpe:/a:%01", []),
        ("cpe:/a:%01%01b%02", []),
        ("cpe:/a:%02%02b", [("cpe-wildcard", 10)]),
        ("cpe:/a:b%2", [("bad-percent-escape", 8)]),
        ("cpe:/a:b%41", [("cpe-escape", 8)]),
        ("cpe:/a:b?c", [("character-not-allowed", 8)]),
        ("cpe:/a:b#c", [("character-not-allowed", 8)]),
        (f"cpe:2.3:a:b:c{ANY}:*:*", [("cpe-attribute-count", 27)]),
        (f"cpe:2.3:a:b:c{ANY}:*:*:*:*", [("cpe-attribute-count", 29)]),
        (f"cpe:2.3:-:b:c{ANY}:*:*:*", []),
        (f"cpe:2.3:x:b:c{ANY}:*:*:*", [("cpe-attribute-invalid", 8)]),
        (f"cpe:2.3:a::c{ANY}:*:*:*", [("cpe-attribute-missing", 10)]),
        (f"cpe:2.3:a:b\\-c:c{ANY}:*:*:*", [("cpe-quoting", 11)]),
        (f"cpe:2.3:a:b c:c{ANY}:*:*:*", [("character-not-allowed", 11)]),
        (f"cpe:2.3:a:b:7.4.*.1570{ANY}:*:*:*", [("cpe-wildcard", 16)]),  # section 6.2.3.3.3
        (f"cpe:2.3:a:**b:c{ANY}:*:*:*", [("cpe-wildcard", 11)]),
        (f"cpe:2.3:a:?:c{ANY}:*:*:*", []),  # section 5.3.2
        ("cpe:2.3:a:b:c:*:*:*:en-us-x:*:*:*:*", [("cpe-attribute-invalid", 20)]),
        ("cpe:2.3:a:b:c:*:*:*:es-419:*:*:*:*", []),
    ],
)
def test_violations(text, found):
    assert noted(text) == found


def test_the_bindings_say_the_same():
    """What one binding holds, the other does: section 7, "both conversions are roundtrip safe"."""
    rng = seeded("cpe")
    build = urlsm.handler("cpe").build
    pieces = ["a", "Z", "0", ".", "-", "_", "%7e", "%24", "%5c", "%3A", "~b"]
    for _ in range(draws(2_000)):
        made = ["".join(rng.choices(pieces, k=rng.randrange(4))) for _ in range(4)]
        made = [rng.choice(["", "", "%01", "%01%01", "%02"]) + one if one.strip("-") else one for one in made]
        packed = "~" + "~".join(one.replace("~", "") for one in (*made, "x"))
        uri = ":".join(["cpe:/a", *made, rng.choice(["", "e", packed]), rng.choice(["", "-", "de"])])
        found = {**urlsm.parts(uri), "binding": "2.3"}
        formatted = build(**found)
        assert dict(urlsm.parts(formatted)) == found
        assert build(**{**urlsm.parts(formatted), "binding": "2.2"}) == urlsm.normalize(uri)
        assert urlsm.equivalent(uri, formatted)
