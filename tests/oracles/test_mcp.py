"""The Python SDK of MCP (`mcp`), where installed, beside Template.match: where the answers differ, there is one of the
reasons that docs/uri-templates.md lists."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from support.seeds import seeded

from urlsm import Template

pytestmark = pytest.mark.once

Values = dict[str, Any]
LITERALS = ["/", "x", "-", ".", "/a/", "file:///", "ab", "?", "?k=", "&k=", "#", "//", "=", ";", "F", "2F", ","]
SIGNS = ["", "", "", "+", "/", "/", ".", "?", "?", ";", "&", "#"]
TEXTS = ["x", "a-b", "1.2", "é", "a b", "x/y", "ab", "x,y"]
INSERTED = ["", "x", "/", "-", ".", "%41", ",", "a", "&k=1", "?", "#"]


def draw_template(rng: random.Random) -> str:
    names, parts = list("jihgfedcba"), []
    for _ in range(rng.randint(1, 5)):
        if rng.random() < 0.5:
            parts.append(rng.choice(LITERALS))
            continue
        sign = rng.choice(SIGNS)
        stars = [rng.random() < 0.2 and sign in ("/", ".", ";") for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        specs = [names.pop() + "*" * star for star in stars if names]
        if specs:
            parts.append(f"{{{sign}{','.join(specs)}}}")
    return "".join(parts)


def draw_url(rng: random.Random, theirs: Any) -> str:
    url: str = theirs.expand({
        variable.name: rng.choices(["x", "y.z", "-"], k=rng.randint(1, 3)) if variable.explode else rng.choice(TEXTS)
        for variable in theirs.variables
        if rng.random() < 0.9
    })  # fmt: skip
    if rng.random() < 0.4:
        at = rng.randrange(len(url) + 1)
        url = url[:at] + rng.choice(INSERTED) + url[at + rng.randrange(2) :]
    return url


def in_one_spelling(url: str) -> tuple[object, ...]:
    """Return a URL without escapes, and with its fields in one order."""
    rest, hash_, fragment = url.partition("#")
    path, question, query = rest.partition("?")
    fields = sorted(map(unquote_to_bytes, query.split("&")))
    return unquote_to_bytes(path), question, fields, hash_, unquote_to_bytes(fragment)


def has_empty(values: Values | None) -> bool:
    return any(not value or (type(value) is list and "" in value) for value in (values or {}).values())


def reason(url: str, ours: Template, theirs: Any, mine: Values | None, other: Values | None) -> str | None:
    """Return why the answers differ: a point of the page, in its order; None if there is no such reason."""
    if has_empty(other) or (mine is not None and (has_empty(mine) or set(mine) != set(ours.names))):
        return "absent or empty"
    query = url.partition("#")[0].partition("?")[2]
    fields = [field.partition("=")[0] for field in query.split("&")] if query else []
    if theirs.query_variable_names and set(fields) - theirs.query_variable_names:
        return "unnamed field"
    if theirs.query_variable_names and len(set(fields)) < len(fields):
        return "repeated field"
    if "\ufffd" in str(other):
        return "not UTF-8"
    if mine is not None and in_one_spelling(ours.expand(mine)) != in_one_spelling(url):
        return None
    if other is None and ours.match(ours.expand(mine), raw=ours.names) == mine:
        return "the SDK does not find the values from which expand made the URL"
    if other is not None and in_one_spelling(theirs.expand(other)) != in_one_spelling(url):
        return "expand does not write the URL from the SDK's values"
    return None


def test_an_answer_that_is_not_the_sdks_has_a_reason():
    sdk = pytest.importorskip("mcp.shared.uri_template")
    rng, reasons, tried = seeded("mcp"), Counter[str](), 0
    while tried < int(os.environ.get("URLSM_CASES", 20_000)):
        text = draw_template(rng)
        try:
            theirs = sdk.UriTemplate.parse(text)
        except sdk.InvalidUriTemplate:
            continue
        ours = Template(text)
        for _ in range(20):
            tried += 1
            url = draw_url(rng, theirs)
            mine, other = ours.match(url, raw=ours.names), theirs.match(url)
            if mine == other:
                reasons["the same values" if mine is not None else "no match"] += 1
                continue
            why = reason(url, ours, theirs, mine, other)
            assert why is not None, (text, url, mine, other)
            reasons[why] += 1
    assert reasons["the same values"] > tried // 2, reasons


@pytest.mark.parametrize(
    ("template", "url", "theirs", "ours"),
    [
        ("/{a}{?q}", "/1?q=2#x", {"a": "1", "q": "2"}, None),
        ("/m{&a}", "/m&a=1?2", {"a": "1?2"}, None),
        ("/{a}F", "/x%2F", {"a": "x%2"}, None),
        ("{?a,b}{#f}", "?b=2&a=1#x", None, {"a": "1", "b": "2", "f": "x"}),
        ("{.a}.{b}", ".x.1.2", None, {"a": "x", "b": "1.2"}),
    ],
)
def test_the_rows_of_the_page(template, url, theirs, ours):
    sdk = pytest.importorskip("mcp.shared.uri_template")
    assert sdk.UriTemplate.parse(template).match(url) == theirs
    assert Template(template).match(url) == ours
