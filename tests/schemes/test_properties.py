"""What holds for every scheme: no text after "scheme:" crashes; the results of build are valid and read back; normal
forms stay; and everything takes linear time."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.seeds import seeded

import urlsm
from urlsm.schemes.built_in import BUILT_IN
from urlsm.testing import _PIECES as PIECES

# a scheme of each class, and some of those that are rows of a table
ROWS = {
    "rows:row": ["example", "dtn", "snmp", "vnc", "info", "vscode", "dbfs"],
    "databases.servers:server": ["redshift", "cassandra"],
}
ONE_EACH = {place: name for name, place in reversed([*BUILT_IN.items()]) if place not in ROWS}
SCHEMES = [
    *sorted([*ONE_EACH.values(), *(name for names in ROWS.values() for name in names)]),
    *("no-such-scheme", "git+ssh", "clickhouse+http", "mysql+pymysql", "x+mongodb", "x+sip"),
]
DIALECTS = ("rfc3986", "rfc3987", "rfc2396", "rfc1738")
# texts with the syntax that handlers look for, to be damaged
STARTS = {name: urlsm.handler(name).example.partition(":")[2] for name in SCHEMES}


@cache
def texts(scheme: str) -> st.SearchStrategy[str]:
    spoilt = st.tuples(st.integers(0, 200), st.integers(0, 4), st.lists(st.sampled_from(PIECES), max_size=3)).map(
        lambda cut: STARTS[scheme][: cut[0]] + "".join(cut[2]) + STARTS[scheme][cut[0] + cut[1] :]
    )
    return st.one_of(spoilt, st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=20)).map(
        lambda rest: f"{scheme}:{rest}"
    )


# of each property, for each scheme
CASES = int(os.environ.get("URLSM_CASES", "0"))
some = settings(max_examples=max(settings.default.max_examples // 8, 2))


def errors(text: str | bytes, dialect: str = "rfc3986") -> list[urlsm.Violation]:
    return [violation for violation in urlsm.validate(text, dialect=dialect) if violation.severity == "error"]


@pytest.mark.parametrize("scheme", SCHEMES)
@some
@given(st.data())
def test_a_text_has_parts_where_it_breaks_no_rule_and_says_where_it_does(scheme, data):
    text = data.draw(texts(scheme))
    for dialect in DIALECTS:
        found = urlsm.validate(text, dialect=dialect)
        assert found == sorted(found, key=lambda violation: violation.position)
        for violation in found:
            assert 0 <= violation.position <= len(text) and violation.reference and violation.message
            assert violation.severity in ("error", "warning")
        wrong = [violation for violation in found if violation.severity == "error"]
        if not wrong:
            urlsm.parts(text, dialect=dialect)
            continue
        with pytest.raises(urlsm.SchemeError) as caught:
            urlsm.parts(text, dialect=dialect)
        assert caught.value.violation == wrong[0] and str(caught.value)


@pytest.mark.parametrize("scheme", SCHEMES)
@some
@given(st.data())
def test_a_url_has_parts_or_a_scheme_error(scheme, data):
    url = urlsm.try_parse(data.draw(texts(scheme)))
    if url is not None:
        try:
            assert url.parts == url.parts and repr(url.parts) and dict(url.parts) is not None
        except urlsm.SchemeError as error:
            assert errors(url.href), error
        assert url.violations() == urlsm.validate(url.href)


@pytest.mark.parametrize("scheme", SCHEMES)
@some
@given(st.data())
def test_build_is_the_inverse_of_refine(scheme, data):
    text = data.draw(texts(scheme))
    if errors(text):
        return
    handler = urlsm.handler(scheme)
    c = urlsm.split(text, dialect="rfc3986")
    parts = handler.read_parts(c)
    again = handler.build(scheme=c.scheme, **parts)
    if c.fragment is not None and "#" not in again:  # no part of the parts, of most schemes
        again += f"#{c.fragment}"
    assert not errors(again) and urlsm.parts(again) == parts
    assert urlsm.equivalent(text, again), again


@pytest.mark.parametrize("scheme", SCHEMES)
@some
@given(st.data())
def test_build_of_what_an_invalid_text_holds_is_valid_and_reads_back_or_is_refused(scheme, data):
    c = urlsm.split(data.draw(texts(scheme)), dialect="rfc3986")
    handler = urlsm.handler(scheme)
    try:
        parts = handler.read_parts(c)
        again = handler.build(scheme=c.scheme, **parts)
    except ValueError:
        return
    found = urlsm.parts(again)
    # None is "not given": other parts of the text may be defaults
    assert all(found[name] == value for name, value in dict(parts).items() if value is not None), again


@pytest.mark.parametrize("scheme", SCHEMES)
@some
@given(st.data())
def test_a_normal_form_is_its_own_and_valid_where_the_text_is(scheme, data):
    text = data.draw(texts(scheme))
    for dialect in DIALECTS:
        normal = urlsm.normalize(text, dialect=dialect)
        assert urlsm.normalize(normal, dialect=dialect) == normal, dialect
        assert urlsm.equivalent(text, normal, dialect=dialect) and urlsm.equivalent(text, text, dialect=dialect), (
            dialect
        )
        assert errors(text, dialect) or not errors(normal, dialect), dialect


@pytest.mark.parametrize("scheme", SCHEMES)
@some
@given(st.data())
def test_build_escapes_or_refuses_anything(scheme, data):
    """Every part that is text, replaced in the example's parts by any text."""
    handler = urlsm.handler(scheme)
    parts = dict(urlsm.parts(handler.example.replace("scheme:", f"{scheme}:")))
    names = [name for name, value in parts.items() if isinstance(value, (str, tuple)) or value is None]
    if not names:
        return
    name = data.draw(st.sampled_from(names))
    anything = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=6)))
    value = parts[name]
    if isinstance(value, tuple):
        pair = bool(value) and isinstance(value[0], tuple) and len(value[0]) == 2
        parts[name] = (*value[:1], (anything, anything)) if pair else (*value[:1], anything)
    else:
        parts[name] = anything
    if name == "segments":
        parts.pop("path", None)
    try:
        text = handler.build(scheme=scheme, **parts)
    except (ValueError, TypeError):
        return
    assert not errors(text)
    if name != handler.literal:  # a key is written as it is
        assert text.isascii() and text.isprintable() and " " not in text


def time_of(text: str) -> float:
    """Return the seconds of this process for all methods of a handler on a text."""
    begin = time.process_time()
    urlsm.validate(text, dialect="rfc3986"), urlsm.normalize(text), urlsm.equivalent(text, text)
    for dialect in ("rfc3986", "rfc1738"):
        try:
            urlsm.parts(text, dialect=dialect)
        except urlsm.SchemeError as error:
            str(error)
    url = urlsm.try_parse(text)
    with suppress(urlsm.SchemeError):
        _ = url and repr(url.parts)
    return time.process_time() - begin


def grows_with_length_only(scheme: str, longest: int, pieces: Sequence[str], places: int = 2) -> None:
    start = STARTS[scheme]
    for piece in pieces:
        for where in [seeded(scheme + piece).randrange(len(start) + 1), len(start)][:places]:
            for _ in range(4):  # another program may have caused a steep result
                took = [
                    time_of(f"{scheme}:{start[:where]}{piece * (size // len(piece))}{start[where:]}")
                    for size in (longest // 8, longest)
                ]
                # eight times the length: a quadratic step takes 64 times as long
                if took[1] < 30 * max(took[0], 0.02):
                    break
            else:
                raise AssertionError(f"{piece!r} at {where}: {took}")


@pytest.mark.slow(18)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_time_grows_with_length_only(scheme):
    grows_with_length_only(scheme, 1 << 16, ["&=%2f;"], places=1)


@pytest.mark.slow(60)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_time_grows_with_length_only_up_to_a_mebibyte(scheme):
    """Up to a quarter of it, with one piece at one place; URLSM_CASES takes all."""
    if CASES:
        grows_with_length_only(scheme, 1 << 20, PIECES)
    else:
        grows_with_length_only(scheme, 1 << 18, seeded(scheme).sample(PIECES, 1), places=1)
