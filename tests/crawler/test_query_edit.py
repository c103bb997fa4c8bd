"""Queries edited in place, of URLs and texts: every octet that is not edited stays."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import date
from enum import Enum, IntEnum
from functools import partial
from itertools import product
from random import Random
from urllib.parse import quote, quote_plus, unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.generate import any_text
from support.seeds import seeded
from support.times import at_last, least_seconds

from urlsm import URL, QueryParams, parse, try_parse
from urlsm.compat.w3lib import url_query_cleaner
from urlsm.crawler import TRACKERS, canonicalize, only_query_params, profile, set_query_params, without_query_params

SIGNED = (
    "https://bucket.s3.amazonaws.com/k%2Fey?X-Amz-Credential=AK%2f20260101%2Fs3&X-Amz-Date=20260101T000000Z"
    "&X-Amz-Signature=ab+c%20d~%7e;e&&x#f"
)


@pytest.mark.parametrize(
    ("text", "names", "rest"),
    [
        ("http://h/?x=%20+%2f;b&y&utm_source=t", ["utm_*"], "http://h/?x=%20+%2f;b&y"),
        ("http://h/?utm_source=t&a#f?utm_source=t", ["utm_*"], "http://h/?a#f?utm_source=t"),
        ("http://h/?utm_source=t#f", ["utm_*"], "http://h/#f"),
        ("http://h/?a&b&c", ("b",), "http://h/?a&c"),
        ("http://h/?a&b=1&b=2&%62&c", ["b"], "http://h/?a&c"),
        ("http://h/?a+b=1&a%20b&a", ["a b"], "http://h/?a"),
        ("http://h/?%C3%A9=1&é=2&e", ["é"], "http://h/?e"),
        ("?utm_a&", ["utm_*"], "?"),
        ("x?&utm_a", ["utm_*"], "x?"),
        ("x?a=1", ["*"], "x"),
        ("x?=1&a", [""], "x?a"),
        ("x?a&&b&", [""], "x?a&&b&"),  # an empty piece is not a field
        ("x?a&&b", ["*"], "x?"),
        ("x", ["a"], "x"),
        ("x?", ["a"], "x?"),
        ("", ["a"], ""),
        ("#?a", ["a"], "#?a"),
        ("x?a\ud800&b", ["b"], "x?a\ud800"),
    ],
)
def test_without_query_params(text: str, names: list[str], rest: str):
    assert without_query_params(text, names) == rest
    if rest == text:
        assert without_query_params(text, names) is text


def test_only_query_params():
    assert only_query_params("http://h/?b=%2f&a=1&c&b#f", ["b", "z*"]) == "http://h/?b=%2f&b#f"
    assert only_query_params("http://h/?b&&c#f", []) == "http://h/#f"
    for wrong in ("b*", b"b*", [b"b"], 1):
        for function in (only_query_params, without_query_params):
            with pytest.raises(TypeError):
                function("http://h/?b", wrong)


@pytest.mark.parametrize(
    ("text", "parameters", "result"),
    [
        ("http://h/?a=%2f&b=1&c&b=2#f", {"b": "x y"}, "http://h/?a=%2f&b=x+y&c#f"),
        ("http://h/?a", {"b": 1, "c": 2.5}, "http://h/?a&b=1&c=2.5"),
        ("http://h/?a&b&c", {"b": ["1", "2"]}, "http://h/?a&b=1&b=2&c"),
        ("http://h/", [("a", "&"), ("a", "=")], "http://h/?a=%26&a=%3D"),
        ("http://h/?a=1", "a=2&b=%41&c&d=~+*", "http://h/?a=2&b=%41&c&d=~+*"),
        ("x?", {"a": "é"}, "x?a=%C3%A9"),
        ("x?%61=1&&", {"a": 2}, "x?a=2&&"),
        ("x?a&&b", {"": "x"}, "x?a&&b&=x"),
        ("x?a", {}, "x?a"),
        ("é?a", {"a": 1}, "é?a=1"),
    ],
)
def test_set_query_params(text: str, parameters: object, result: str):
    assert set_query_params(text, parameters) == result  # type: ignore[arg-type]


def test_on_a_url():
    u = parse("http://h/p?a=%2f&b=1&c&b=2#f")
    assert str(u.update_query({"b": "x y"}, d=3)) == "http://h/p?a=%2f&b=x+y&c&d=3#f"
    assert str(u.update_query("b=9")) == "http://h/p?a=%2f&b=9&c#f"
    assert str(u.extend_query([("b", 3)], e="'")) == "http://h/p?a=%2f&b=1&c&b=2&b=3&e=%27#f"
    assert str(u.without_query_params("b", "c*")) == "http://h/p?a=%2f#f"
    assert str(u.without_query_params("*")) == "http://h/p#f"
    assert u.update_query() is u and u.extend_query({}) is u and u.update_query(None) is u
    assert u.without_query_params() is u and u.without_query_params("z") is u
    assert str(parse("http://h/?").extend_query(a=1)) == "http://h/?a=1"
    assert str(parse("http://h/").update_query(a=1)) == "http://h/?a=1"
    assert str(parse("data:x").update_query(a=1)) == "data:x?a=1"


class Color(str, Enum):
    RED = "r d"


class Level(IntEnum):
    HIGH = 3


def test_a_member_of_an_enumeration_is_its_value():
    """str() of one is "Color.RED", or depends on the version of Python."""
    u = parse("http://h/?c=1")
    for query in ({"c": Color.RED}, {Color.RED: Color.RED, "c": [Level.HIGH, Color.RED]}, [("c", Color.RED)]):
        pairs = list(query.items()) if isinstance(query, dict) else query
        flat = [(n, one) for n, value in pairs for one in (value if isinstance(value, list) else [value])]
        texts = [(n[:], "3" if one is Level.HIGH else one[:]) for n, one in flat]
        text = "&".join([f"{quote_plus(n)}={quote_plus(value)}" for n, value in texts])
        assert u.with_query(query).query == text
        assert parse("http://h/").update_query(query).query == parse("http://h/").extend_query(query).query == text
        assert set_query_params("x", query) == f"x?{text}"
    assert str(u.update_query(c=Color.RED)) == "http://h/?c=r+d"
    assert str(QueryParams({"c": Color.RED})) == "c=r+d" and QueryParams([("c", Color.RED)])["c"] == "r d"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), [1.5, float("nan")]])
def test_what_no_query_can_say_is_refused(value):
    u = parse("http://h/")
    for edit in (u.with_query, u.update_query, u.extend_query, lambda query: set_query_params("x", query)):
        with pytest.raises(ValueError, match="must be finite, not"):
            edit({"a": value})
        with pytest.raises(ValueError, match="must be finite, not"):
            edit([("b", "c"), ("a", value)])


def test_signed_urls_survive():
    u = parse(SIGNED)
    assert without_query_params(SIGNED + "?utm_x", TRACKERS) == SIGNED + "?utm_x"
    assert str(u.extend_query(utm_source="a").without_query_params("utm_*")) == SIGNED
    assert without_query_params(SIGNED.replace("&X-Amz-Date", "&gclid=1&X-Amz-Date"), TRACKERS) == SIGNED


def test_what_is_refused():
    u = parse("http://h/?a")
    for wrong in ({"a": True}, {"a": [None, b""]}, {1: "a"}, {None: "a"}, [("a", b"b")], 1, b"a=b", ["ab"]):
        for edit in (u.update_query, u.extend_query, lambda query: set_query_params("x", query)):
            with pytest.raises(TypeError):
                edit(wrong)  # type: ignore[arg-type]
    for names in (1, [1], None, [b"a"]):
        with pytest.raises(TypeError):
            without_query_params("x", names)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        u.without_query_params(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        without_query_params(1, "a")  # type: ignore[arg-type]


def test_trackers_have_vendors():
    for name, row in TRACKERS.items():
        assert name.strip() == name and row.vendor and row.source and date.fromisoformat(row.date), name
    assert not {"ref", "source", "cid", "sid", "si", "spm", "_ga", "_gl"} & set(TRACKERS)
    assert len(TRACKERS) > 65
    how = profile("urlsm-1").replace(remove_params=TRACKERS)
    assert canonicalize("http://h/?utm_source=a&id=3&fbclid=b", how) == "http://h/?id=3"


FIELDS = st.lists(st.text("abu_tm%2041+=é;", max_size=8), max_size=8)


@given(any_text(), FIELDS)
def test_the_others_octets_are_identical(prefix: str, fields: list[str]):
    path = prefix.replace("?", "").replace("#", "")
    text = f"{path}?{'&'.join(fields)}#f"
    names = ["utm*", "a"]

    def in_order(some: str) -> list[str]:
        return some[len(path) :].removesuffix("#f").removeprefix("?").split("&")

    named = [field for field in fields if "?" in only_query_params("?" + field, names)]
    others = [field for field in fields if field not in named]
    for result, stay in ((only_query_params(text, names), named), (without_query_params(text, names), others)):
        assert result.startswith(path) and result.endswith("#f")
        assert in_order(result) == (stay or [""])


@given(any_text(), FIELDS, st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=3))
def test_an_edited_url_is_its_text_parsed(base: str, fields: list[str], changes: dict[str, str]):
    u = try_parse(f"http://h/{base.replace('#', '')}?{'&'.join(fields)}#f")
    if u is not None:
        for edited in (
            u.update_query(changes),
            u.extend_query(changes),
            u.without_query_params("u*", "a"),
            u.without_query_params(*changes),
        ):
            again = parse(str(edited))
            assert again == edited and type(edited) is URL
            for name in ("query", "fragment", "path", "host", "port"):
                assert getattr(again, name) == getattr(edited, name)
            updated = u.update_query(changes).query_params
            assert all(updated[name] == value for name, value in changes.items() if value.isprintable())


# --- many names ---


def collisions() -> list[str]:
    """16,384 names of one hash by FNV-1a (its last 22 bits): of 14 blocks, each one of two that lead to one state."""
    blocks, state = [], 0x811C9DC5
    for _ in range(14):
        seen: dict[int, str] = {}
        for block in map("".join, product("abcdefghijklmnopqrstuvwxyz0123456789", repeat=4)):
            end = state
            for octet in block.encode():
                end = (end ^ octet) * 0x01000193 & 0x3FFFFF
            if end in seen:
                break
            seen[end] = block
        blocks.append((seen[end], block))
        state = end
    return ["".join(parts) for parts in product(*blocks)]


def multiplied() -> list[str]:
    """If a hash multiplies words, the next word may cancel a difference in the last bits of one."""
    return ["".join(parts) for parts in product(*[("aaaaaaaa" * 2, "aaaaaaa!aaa!aaa!")] * 14)]


@functools.cache
def growing() -> list[str]:
    return [f"{k:05}a"[::-1] for k in range(16_384)]


NAMES: dict[str, Callable[[], list[str]]] = {
    "FNV": functools.cache(collisions),
    "multiplied": multiplied,
    "descending": lambda: [f"a{k:06}" for k in range(16_384, 0, -1)],
    "growing": growing,
}


def query(names: list[str]) -> str:
    return "&".join([f"{name}=1" for name in names])


EDITS: dict[str, Callable[[list[str]], object]] = {
    "update_query": lambda names: U.update_query(dict.fromkeys(names, "1")),
    "update_query, as often there": lambda names: parse("http://h/?" + query(names)).update_query(query(names)),
    "extend_query": lambda names: U.extend_query(query(names)),
    "set_query_params": lambda names: set_query_params("x?a=1", query(names)),
    "URL.without_query_params": lambda names: parse("http://h/?" + query(names)).without_query_params(*names, "b"),
    "URL.without_query_params, of other names": lambda names: parse(
        "http://h/?" + query([f"{name}_" for name in names])
    ).without_query_params(*names),
    "URL.without_query_params, that begin so": lambda names: parse(
        "http://h/?" + query([f"{name}_" for name in names])
    ).without_query_params(*[f"{name}*" for name in names]),
    "without_query_params": lambda names: without_query_params("x?" + query(names), names),
    "only_query_params": lambda names: only_query_params("x?" + query(names), names),
    "canonicalize": lambda names: canonicalize(
        "http://h/?" + query(names), profile("urlsm-1").replace(remove_params=names)
    ),
    "url_query_cleaner": lambda names: url_query_cleaner("x?" + query(names), names),
    "url_query_cleaner, of other names": lambda names: url_query_cleaner("x?" + query(names), growing(), remove=True),
}
U = parse("http://h/")


@pytest.mark.parametrize("made", NAMES)
@pytest.mark.parametrize("edit", EDITS)
def test_no_choice_of_names_takes_longer(edit: str, made: str):
    """Names made for one place in a table, or of one first octet, in any order."""
    names = NAMES[made]()
    assert len(set(names)) == len(names) == 16_384

    def seconds(share: int) -> float:
        some = names[: len(names) // share]
        return least_seconds(lambda: EDITS[edit](some), 2)

    assert at_last(lambda: (long := seconds(1)) < 0.06 or long < 30 * max(seconds(8), 0.001))


def test_many_names_are_found_as_one_by_one():
    """Names that end in "*", and names that another covers, in any order and number."""
    octets = ["a", "b", "aa", "ab", "aba", "ac", "b!", "b+", "b,", "\0", "\x7f", "é", "", "c", "utm_", "utm_x"]
    rng = Random(19)
    for count in [*range(20), 40]:
        for _ in range(40):
            names = [rng.choice(octets) + rng.choice(["", "", "*"]) for _ in range(count)]
            fields = [rng.choice(octets) + rng.choice(["", "z", "*"]) for _ in range(8)]

            def is_named(field: str, names: list[str] = names) -> bool:
                return any(field.startswith(name[:-1]) if name[-1:] == "*" else field == name for name in names)

            text = "x?" + "&".join([quote(field) + "=" for field in fields])
            rest = "&".join([quote(field) + "=" for field in fields if not is_named(field)])
            assert without_query_params(text, names) == ("x?" + rest if rest else "x"), (names, fields)


def test_many_values_are_given_as_few_are():
    """Below and above the number of pairs that are searched in order, with repeated names on both sides."""
    rng = Random(20)
    for count in [*range(1, 20), 40]:
        for _ in range(20):
            pairs = [(rng.choice(["a", "b", "", "é", "a b", "cd"]), str(k)) for k in range(count)]
            there = rng.choices(["a=x", "b", "%61=y", "z=%2f", "a+b=1", "a%20b", "=", "%C3%A9", "cd", "c"], k=6)
            rest, new = list(there), dict.fromkeys([name for name, _ in pairs])
            for name in new:
                at = [k for k, field in enumerate(rest) if unquote_plus(field.partition("=")[0]) == name]
                fields = [f"{quote_plus(n)}={value}" for n, value in pairs if n == name]
                first = at[0] if at else len(rest)
                others = [field for k, field in enumerate(rest) if k > first and k not in at]
                rest = [*rest[:first], "&".join(fields), *others]
            assert set_query_params("x?" + "&".join(there), pairs) == "x?" + "&".join(rest), (pairs, there)


def test_a_mapping_read_as_it_stands_says_what_its_pairs_say():
    """100,000 mappings, of names and values of every kind, compared with their pairs, which take the long way."""
    chosen = seeded(21)
    pieces = ("a", "b", "A", "é", "\udc80", "\0", "%61", "+", " ", "&", "=", "#", "*", "\U0001f600", "a" * 20)
    urls = [parse(f"http://h/{rest}") for rest in ("", "?", "?a=1&b=2&a=3#f", "?%61=1&&é&a+b", "?=&a&A=1")]

    def text():
        return "".join(chosen.choices(pieces, k=chosen.randrange(4)))

    for _ in range(100_000 // len(urls) // 2):
        asked = {text(): text() for _ in range(chosen.choice((0, 1, 2, 3, 9, 12)))}
        for name in asked:
            if chosen.random() < 0.1:
                asked[name] = chosen.choice([1, -(10**30), 1.5, ["1", 2], (), True, None, float("nan")])
        for url in urls:
            for edit in (url.update_query, url.extend_query, partial(set_query_params, url.href)):
                assert outcome(edit, asked) == outcome(edit, [*asked.items()])
            more = {
                name: value for name, value in asked.items() if name.isidentifier() and name not in ("url", "query")
            }
            assert outcome(url.update_query, more) == outcome(lambda url, more: url.update_query(**more), url, more)


def outcome(function, *given):
    try:
        return str(function(*given))
    except (TypeError, ValueError) as error:
        return type(error), str(error)


def test_nothing_is_not_names_and_values():
    with pytest.raises(TypeError):
        set_query_params("http://h/", None)
    assert str(parse("http://h/?a").update_query(None)) == str(parse("http://h/?a").update_query({})) == "http://h/?a"
