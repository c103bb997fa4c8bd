"""The order of a query's fields: Python's stable sort, by each kind of name, of few fields and of many."""

from __future__ import annotations

import random
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

import pytest

from urlsm.crawler import canonicalize, profile

NAMES = (
    "a",
    "b",
    "%61",
    "%41",
    "%00",
    "%",
    "%4",
    "%zz",
    "abcdefgh",
    "abcdefghi",
    "abcdefg%68",
    "%C3%A9",
    "aa",
    "%61%62",
    "",
)
KEYS: dict[str, Callable[[str], object]] = {
    "pairs": lambda field: (field.partition("=")[0], "=" in field, field.partition("=")[2]),
    "names": lambda field: field.partition("=")[0],
    "decoded-names": lambda field: unquote_to_bytes(field.partition("=")[0]),
}


@pytest.mark.parametrize("kind", KEYS)
def test_fields_are_in_order(kind):
    chosen = random.Random(kind)
    ordered = profile("urlsm-1").replace(sort_params=kind, remove_params=(), query_sessions=False)
    as_it_is = ordered.replace(sort_params="none")
    for count in [*range(2, 40)] * 40 + [100, 1000, 20_000]:
        fields = [
            chosen.choice(NAMES) * chosen.choice((1, 1, 1, 2)) + chosen.choice(("x", "=", "=1", "=2"))
            for _ in range(count)
        ]
        text = "http://h.example/?" + "&".join(fields)
        written = canonicalize(text, as_it_is).partition("?")[2].split("&")
        assert canonicalize(text, ordered).partition("?")[2].split("&") == sorted(written, key=KEYS[kind])
