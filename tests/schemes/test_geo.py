"""geo: RFC 5870, beyond the vectors."""

from __future__ import annotations

from decimal import Decimal

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.names.geo import GeoParts

HANDLER = urlsm.handler("geo")


# --- violations ---


@pytest.mark.parametrize("text", ["1,2", "-0,-0.0", "007,1.50,-3", "90,180", "-90,-180", "90.000,180.0"])
def test_coordinates(text):
    assert noted(f"geo:{text}") == []


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("1", 1),
        ("1,", 2),
        (",1", 0),
        ("1,,2", 2),
        ("1,2,", 4),
        ("1,2,3,4", 5),
        ("1.,2", 2),
        (".5,2", 0),
        ("+1,2", 0),
        ("-,2", 1),
        ("--1,2", 1),
        ("1e5,2", 1),
        ("1,2.x", 4),
        ("1, 2", 2),
        ("1,2\n", 3),
        ("nan,inf", 0),
        ("1_0,2", 1),
        ("\u0661,2", 0),
        ("1,0x1", 3),
        ("1,2%3Bu=1", 3),
        ("9" * 400 + ",1", 0),  # no float holds it
        ("1;crs=wgs84", 1),
    ],
)
def test_texts_that_are_not_coordinates(text, position):
    assert noted(f"geo:{text}") == [("geo-coordinates-invalid", 4 + position)]
    if text.isascii() and " " not in text and "\n" not in text:
        with pytest.raises(urlsm.SchemeError) as caught:
            _ = urlsm.parse(f"geo:{text}").parts
        assert (caught.value.code, caught.value.position) == ("geo-coordinates-invalid", 4 + position)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("geo:90.1,2", [("geo-latitude-out-of-range", 4)]),
        ("geo:-91,-181,9999", [("geo-latitude-out-of-range", 4), ("geo-longitude-out-of-range", 8)]),
        ("geo:1,180." + "0" * 40 + "1", [("geo-longitude-out-of-range", 6)]),  # a float is 180
        ("geo:91,2;crs=WGS84", [("geo-latitude-out-of-range", 4)]),
        ("geo:91,999;crs=Moon-1", []),
        ("geo:1,2;crs=a;u=0;b;c=d;e=[]:&+$-_.!~*'()%00", []),
        ("geo:1,2;", [("parameter-name-missing", 8)]),
        ("geo:1,2;;a", [("parameter-name-missing", 8)]),
        ("geo:1,2;=a", [("parameter-name-missing", 8)]),
        ("geo:1,2;a=", [("parameter-value-missing", 10)]),
        ("geo:1,2;crs", [("parameter-value-missing", 11)]),
        ("geo:1,2;crs=", [("parameter-value-missing", 12)]),
        ("geo:1,2;crs=a_b", [("character-not-allowed", 13)]),
        ("geo:1,2;crs=%41", [("character-not-allowed", 12)]),
        ("geo:1,2;u=-0", [("geo-uncertainty-invalid", 10)]),
        ("geo:1,2;u=1.", [("geo-uncertainty-invalid", 10)]),
        ("geo:1,2;u=1e1", [("geo-uncertainty-invalid", 10)]),
        ("geo:1,2;u=inf", [("geo-uncertainty-invalid", 10)]),
        ("geo:1,2;u=" + "9" * 400, [("geo-uncertainty-invalid", 10)]),
        ("geo:1,2;u", [("parameter-value-missing", 9), ("geo-uncertainty-invalid", 9)]),
        ("geo:1,2;U=1;CRS=a", [("parameter-order", 12)]),
        ("geo:1,2;a;crs=b;u=1", [("parameter-order", 10), ("parameter-order", 16)]),
        ("geo:1,2;crs=a;CRS=b", [("parameter-duplicate", 14)]),
        ("geo:1,2;a=1;A=2", [("parameter-duplicate", 12)]),
        ("geo:1,2;a_b=c", [("character-not-allowed", 9)]),
        ("geo:1,2;%61=c", [("character-not-allowed", 8)]),
        ("geo:1,2;a=b/c=d", [("character-not-allowed", 11), ("character-not-allowed", 13)]),
        ("geo:1,2;a=%", [("bad-percent-escape", 10)]),
        ("geo:1,2?x=q", [("query-not-allowed", 7)]),
        ("geo:1,2?q=x&y=z", [("query-not-allowed", 7)]),
        ("geo:1,2?", [("query-not-allowed", 7)]),
        ("geo:1,2?q=", [("query-not-allowed", 7)]),
        ("geo:1,2?q=a b", [("query-not-allowed", 7), ("character-not-allowed", 11)]),
        ("geo:///1,2", [("authority-not-allowed", 4), ("geo-coordinates-invalid", 6)]),
    ],
)
def test_violations(text, wanted):
    assert noted(text) == wanted


# --- parts ---


def test_parts_of_a_url_are_lenient():
    parts = urlsm.parse("geo:91,-0;u=1;A=%3b%FF;crs=X;u=2?q=1600+Amphitheatre#x").parts
    wanted = GeoParts((91.0, 0.0), "x", 1.0, (("a", ";\udcff"),))
    assert parts == wanted.__replace__(q="1600 Amphitheatre", query_params=(("q", "1600 Amphitheatre"),))
    assert str(parts.coordinates[1]) == "0.0"
    assert urlsm.parse("geo:1,2;crs").parts == GeoParts((1.0, 2.0))
    for uncertainty in ("", "=", "=few", "=-1", "=" + "9" * 400):
        assert urlsm.parse(f"geo:1,2;u{uncertainty};a=b").parts == GeoParts((1.0, 2.0), params=(("a", "b"),))
    with pytest.raises(urlsm.SchemeError) as caught:
        _ = urlsm.parse("geo:1,few").parts
    assert (caught.value.code, caught.value.position) == ("geo-coordinates-invalid", 6)


# --- RFC 5870 section 3.4.4 ---


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("GEO:048.2010,-0.0,183.0", "geo:48.201,0,183"),
        ("geo:1,2;CRS=WGS84;U=06.500;B;a=%5b%2f%41", "geo:1,2;u=6.5;a=[%2FA;b"),
        ("geo:-90.0,12,5", "geo:-90,0,5"),
        ("geo:90,-180", "geo:90,0"),
        ("geo:1,-180.0", "geo:1,180"),
        ("geo:090,-180;crs=Moon", "geo:90,-180;crs=moon"),
        ("geo:1,2#x", "geo:1,2#x"),
        ("geo:01,2;u=x", "geo:01,2;u=x"),
        ("geo:01", "geo:01"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("geo:90,-22.43;crs=WGS84", "geo:90,46", True),  # section 6.4
        ("geo:22.300,-118.44", "geo:22.3,-118.4400", True),
        ("geo:66,30;u=6.500;FOo=this%2dthat", "geo:66.0,30;u=6.5;foo=this-that", True),
        ("geo:47,11;foo=blue;bar=white", "geo:47,11;bar=white;foo=blue", True),
        ("geo:70,20;foo=1.00;bar=white", "geo:70,20;foo=1;bar=white", False),  # not known
        ("geo:22,0;bar=Blue", "geo:22,0;BAR=blue", False),  # not known
        ("geo:1,180", "geo:1,-180#x", True),
        ("geo:1,2", "geo:1,2,0", False),
        ("geo:1,2;u=0", "geo:1,2", False),
        ("geo:90,1", "geo:-90,1", False),
        ("geo:90,1;crs=moon", "geo:90,2;crs=moon", False),
        ("geo:1,180;crs=moon", "geo:1,-180;crs=moon", False),
        ("geo:1.00000000000000000001,2", "geo:1,2", False),  # one float, two numbers
        ("geo:1,2;a", "geo:1,2;b", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is same and urlsm.equivalent(b, a) is same


# --- build ---


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"coordinates": (48.201, -16.3695, 183.0)}, "geo:48.201,-16.3695,183"),
        ({"coordinates": [0, -0.0]}, "geo:0,0"),
        ({"coordinates": (1e-7, 1.5e-5)}, "geo:0.0000001,0.000015"),
        ({"coordinates": (1, 2), "crs": "WGS84", "uncertainty": 0.5}, "geo:1,2;u=0.5"),
        ({"coordinates": (1e22, 2), "crs": "moon"}, "geo:10000000000000000000000,2;crs=moon"),
        ({"coordinates": (1, 2), "params": [("a", "é;=/\r\n\0"), ("b", None)]}, "geo:1,2;a=%C3%A9%3B%3D%2F%0D%0A%00;b"),
        ({"coordinates": (Decimal("0.5"), 2)}, "geo:0.5,2"),
    ],
)
def test_build(parts, text):
    assert HANDLER.build(**parts) == text
    assert urlsm.parts(text).coordinates == tuple(map(float, parts["coordinates"]))


@pytest.mark.parametrize(
    "parts",
    [
        {"coordinates": None},
        {"coordinates": (1,)},
        {"coordinates": (1, 2, 3, 4)},
        {"coordinates": (91, 0)},
        {"coordinates": (float("nan"), 0)},
        {"coordinates": (0, float("-inf"))},
        {"coordinates": (10**400, 0), "crs": "moon"},
        {"coordinates": ("1\r\n", 2)},
        {"coordinates": ("1;u=2", 2)},
        {"crs": "a;u=1"},
        {"crs": ""},
        {"uncertainty": -1},
        {"uncertainty": float("inf")},
        {"params": [("u", "1")]},
        {"params": [("crs", "moon")]},
        {"params": [("a", "1"), ("A", "2")]},
        {"params": [("a b", "1")]},
        {"params": [("a", "")]},
        {"params": [("a", "\ud800")]},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        HANDLER.build(**{"coordinates": (1, 2), **parts})


# --- Android's query ---


@pytest.mark.parametrize(
    ("query", "q", "point", "label"),
    [
        ("q=91,181(x)", "91,181(x)", None, None),
        ("q=-90,180(x)", "-90,180(x)", (-90.0, 180.0), "x"),
        ("q=34.99,-106.61(Treasure)", "34.99,-106.61(Treasure)", (34.99, -106.61), "Treasure"),  # organicmaps#9075
        ("q=34.99,-106.61", "34.99,-106.61", (34.99, -106.61), None),
        (
            "q=34.99%2C-106.61%28Big+%26+old+%28oak%29%29",
            "34.99,-106.61(Big & old (oak))",
            (34.99, -106.61),
            "Big & old (oak)",
        ),
        ("z=3&q=-0,1()", "-0,1()", (0.0, 1.0), ""),
        ("q=1600+Amphitheatre+Parkway%2C+CA", "1600 Amphitheatre Parkway, CA", None, None),
        ("q=1%2B1", "1+1", None, None),
        ("q=1,2,3", "1,2,3", None, None),
        ("q=1,2(a", "1,2(a", None, None),
        ("q=caf%C3%A9&q=x", "café", None, None),
        ("z=11", None, None, None),
    ],
)
def test_what_androids_query_asks_for(query, q, point, label):
    text = f"geo:0,0?{query}"
    parts = urlsm.parts(text)
    assert (parts.coordinates, parts.q, parts.point, parts.label) == ((0.0, 0.0), q, point, label)
    assert urlsm.parse(text).parts == parts
    built = urlsm.handler("geo").build(**parts)
    assert urlsm.parts(built) == parts and urlsm.equivalent(built, text)
    assert [(found.code, found.severity) for found in urlsm.validate(text)] == [("query-not-allowed", "warning")]


def test_a_point_is_built():
    build = urlsm.handler("geo").build
    built = build(coordinates=(0, 0), point=(34.5, -100.0), label="A+B & c")
    assert built == "geo:0,0?q=34.5,-100(A%2BB%20%26%20c)" and urlsm.parts(built).label == "A+B & c"
    assert build(coordinates=(0, 0), q="a+b") == "geo:0,0?q=a%2Bb"
    with pytest.raises(ValueError, match="label"):
        build(coordinates=(0, 0), label="a")
    assert not urlsm.equivalent("geo:1,2?q=a", "geo:1,2") and urlsm.equivalent("geo:1,2?q=a+b", "geo:1.0,2?q=a%20b")
