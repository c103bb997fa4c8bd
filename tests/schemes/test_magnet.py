"""magnet: topics, what "+" is, groups, and the two ways to write an info hash."""

from __future__ import annotations

from base64 import b32encode

import pytest
from support.checks import broken

import urlsm

MAGNET = urlsm.handler("magnet")
HEX = "c12fe1c06bba254a9dc9f519b335aa7c1367a88a"
BASE32 = b32encode(bytes.fromhex(HEX)).decode()
V2 = "1220e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
XT = f"xt=urn:btih:{HEX}"


def test_parts():
    text = f"magnet:?{XT}&dn.1=a+b%2Bc&kt=d+e&tr=udp://x:1+2&tr.1=http%3A//y&xl=010&x.pe=h:1&xt.2=urn%3Asha1%3aA&as&kt="
    assert broken(text) == [("parameter-value-missing", text.index("&as") + 3)]
    found = urlsm.parse(text).parts
    assert found.topics == (f"urn:btih:{HEX}", "urn:sha1:A")
    assert (found.display_name, found.length, found.trackers) == ("a+b+c", 10, ("udp://x:1+2", "http://y"))
    assert found.query_params[1:4] == (("dn.1", "a+b+c"), ("kt", "d e"), ("tr", "udp://x:1+2"))
    assert found.query_params[-2:] == (("as", None), ("kt", ""))
    text = text.replace("&as", "")
    found = urlsm.parts(text)
    assert urlsm.parts(MAGNET.build(**found)) == found
    assert urlsm.equivalent(MAGNET.build(**found), text)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [("magnet-topic-missing", 8)]),
        ("dn=a", [("magnet-topic-missing", 8)]),
        ("XT=urn:a1:b", [("magnet-topic-missing", 8)]),
        ("xt", [("magnet-topic-invalid", 10)]),
        ("xt=", [("magnet-topic-invalid", 11)]),
        ("xt=btih:a", [("magnet-topic-invalid", 11)]),
        ("xt=urn:x:a", [("magnet-topic-invalid", 11)]),
        ("xt=urn:ed2k:%00", [("magnet-topic-invalid", 11)]),
        (f"xt=urn:BTIH:{HEX[1:]}", [("magnet-topic-invalid", 11)]),
        (f"xt=urn:btih:{HEX[1:]}g", [("magnet-topic-invalid", 11)]),
        (f"xt=urn:btih:{BASE32[1:]}1", [("magnet-topic-invalid", 11)]),
        (f"xt=urn:btmh:{V2[:-1]}", [("magnet-topic-invalid", 11)]),
        (f"{XT}&xt.1=x", [("magnet-topic-invalid", 66)]),
        (f"{XT}&xl", [("magnet-length-invalid", 63)]),
        (f"{XT}&xl=-1", [("magnet-length-invalid", 64)]),
        (f"{XT}&xl=1&xl=\u0661", [("character-not-allowed", 69), ("magnet-length-invalid", 69)]),
        (f"{XT}&xl={'9' * 21}", [("magnet-length-invalid", 64)]),
        (
            f"{XT}&&=a&",
            [("parameter-name-missing", 61), ("parameter-name-missing", 62), ("parameter-name-missing", 65)],
        ),
        (f"{XT}&dn=a[b]%", [("character-not-allowed", 65), ("character-not-allowed", 67), ("bad-percent-escape", 68)]),
        (f"xt=urn:btih:{BASE32.lower()}&xt=urn:btmh:{V2}&xt=urn:tree:tiger:a", []),
    ],
)
def test_violations_of_queries(query, found):
    assert sorted(broken(f"magnet:?{query}")) == sorted(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("magnet:#f", [("query-missing", 7)]),
        (f"magnet:/?{XT}", [("path-not-allowed", 7)]),
        (f"magnet://h/x?{XT}", [("authority-not-allowed", 7), ("path-not-allowed", 10)]),
    ],
)
def test_violations(text, found):
    assert broken(text) == found


def test_a_fragment_is_ignored():
    (warning,) = urlsm.validate(f"magnet:?{XT}#f", dialect="rfc3986")
    assert (warning.code, warning.severity, warning.position) == ("fragment-ignored", "warning", 8 + len(XT))
    assert urlsm.equivalent(f"magnet:?{XT}", f"magnet:?{XT}#f")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (XT, f"xt=urn:btih:{BASE32}", True),
        (XT, f"xt=URN:BTIH:{HEX.upper()}", True),
        (f"{XT}&dn=a+b", f"%78t=urn%3Abtih%3A{HEX}&dn=a%20b", True),
        (f"{XT}&tr=a+b", f"{XT}&tr=a%2Bb", True),
        (f"{XT}&tr=a+b", f"{XT}&tr=a%20b", False),
        (f"{XT}&dn=a", f"{XT}&dn=A", False),
        (f"{XT}&dn=a%26b", f"{XT}&dn=a&b", False),
        (f"{XT}&dn", f"{XT}&dn=", False),
        ("xt=urn:sha1:A", "xt=urn:sha1:a", False),
        (f"xs=urn:btih:{HEX}", f"xs=urn:btih:{BASE32}", False),
        ("xt=urn:a1:a&xt=urn:a1:b", "xt=urn:a1:b&xt=urn:a1:a", True),
        (f"{XT}&dn=a&tr=x&tr=y&xl=1", f"xl=1&tr=y&{XT}&tr=x&dn=a", True),
        (f"{XT}&dn=a&dn=b", f"{XT}&dn=b&dn=a", False),  # the first name counts
        (f"{XT}&tr=x&tr=x", f"{XT}&tr=x", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(f"magnet:?{a}", f"MAGNET:?{b}") is same
    assert urlsm.equivalent(f"magnet:?{b}", f"magnet:?{a}") is same


def test_normal_form():
    normal = "magnet:?xt=urn%3Aa1:b&dn=a+b%2B.."
    assert urlsm.normalize("MAGNET:?%78t=urn%3aa1:b&dn=a+b%2b%2e.") == normal == urlsm.normalize(normal)
    assert urlsm.equivalent("magnet:", "magnet:?") is False


def test_parts_of_a_url_are_lenient():
    found = urlsm.parse("magnet:?xt=1&&tr=[a]|b&xl").parts
    assert (found.topics, found.trackers, found.length) == (("1",), ("[a]|b",), None)
    assert urlsm.parse("magnet:").parts.query_params == ()
    for length in ("", "=", "=ten", "=-1", "=\u0661", "=" + "9" * 5000):
        found = urlsm.parse(f"magnet:?{XT}&xl{length}&dn=a").parts
        assert (found.length, found.display_name, found.topics) == (None, "a", (f"urn:btih:{HEX}",))
    assert urlsm.parse("magnet:?xl=ten&xl=7").parts.length == 7


def test_build():
    text = MAGNET.build(topics=[f"urn:btih:{HEX}"], display_name="a b+&=é\r\n#", length=7, trackers=["http://t/?a=b&c"])
    assert text == f"magnet:?{XT}&dn=a%20b%2B%26=%C3%A9%0D%0A%23&xl=7&tr=http://t/?a=b%26c"
    assert broken(MAGNET.build(query_params=[("xt", "urn:a1:b"), ("a&=", "\0\udcff")])) == []


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"display_name": "a"},
        {"topics": ("a",)},
        {"topics": ("urn:btih:00",)},
        {"topics": ("urn:a1:b c",)},
        {"topics": ("urn:a1:b",), "length": -1},
        {"topics": ("urn:a1:b",), "length": "1&xt=2"},
        {"topics": ("urn:a1:b",), "query_params": (("xt", "urn:a1:c"),)},
        {"query_params": (("xt", "urn:a1:b"), ("", "x"))},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        MAGNET.build(**parts)


def test_info_hashes():
    found = urlsm.parts(f"magnet:?xt=urn:btih:{BASE32}&xt=urn:btmh:{V2}&xt=urn:sha1:a")
    assert found.info_hashes() == (bytes.fromhex(HEX), bytes.fromhex(V2))


@pytest.mark.slow(1)
def test_long_texts():
    assert urlsm.parts(f"magnet:?{XT}&xl={'0' * (1 << 20)}1").length == 1
    assert broken("magnet:?" + "xt=urn:a1:b&" * (1 << 12) + "xl=" + "1" * (1 << 20))
    assert urlsm.parse(f"magnet:?{'&' * (1 << 16)}").parts.topics == ()
