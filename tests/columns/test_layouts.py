"""Columns of every layout give row by row what urlsm.try_parse, urlsm.split and URL.join give."""

from __future__ import annotations

import ctypes
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import suites
from support.generate import random_case, references, urls
from support.seeds import draws, seeded

import urlsm
import urlsm.columns as uc
from urlsm.columns import rows
from urlsm.columns.names import LISTED
from urlsm.octets.text import position_of

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

LAYOUTS = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
TEXTS = (None, "view", "string", "large_string")
NAMES = tuple(name for name in uc.FIELDS if name not in ("can_parse", "error_code", "error_position", *LISTED))
SPANS = ("scheme", "authority", "userinfo", "username", "password", "host", "port", "path", "query", "fragment")
LONG = [f"{'x' * n}" for n in (0, 1, 11, 12, 13, 15, 16, 17, 63, 64, 65, 255, 256, 257, 511, 512, 513)]
TEXT = st.one_of(urls(), references(), st.text(max_size=30).filter(lambda text: text.isprintable()))


def scalar(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def column(values: list[bytes | None], layout: str) -> pa.Array:
    """Return the octets as an array of this layout; for dictionary<...>, with such values."""
    if layout.startswith("dictionary"):
        index, kind = layout[11:].split(" ")
        seen = list(dict.fromkeys(value for value in values if value is not None)) or [b""]
        codes = pa.array([None if value is None else seen.index(value) for value in values], getattr(pa, index)())
        return pa.DictionaryArray.from_arrays(codes, column(seen, kind))
    if layout == "string_view":  # not by a cast, which crashes pyarrow < 25 for short texts (apache/arrow#49740)
        return pa.array([None if value is None else value.decode() for value in values], pa.string_view())
    made = pa.array(values, pa.binary_view() if layout == "binary_view" else pa.large_binary())
    return made.cast(getattr(pa, layout)())


def fields(text: str | bytes | None) -> dict[str, object]:
    url = None if text is None else urlsm.try_parse(text)
    return {name: getattr(url, name, None) for name in NAMES}


def garbage_under_nulls(array: pa.Array, rng: random.Random) -> pa.Array:
    """Return the array with other octets in the views of null rows."""
    if str(array.type).endswith("view"):
        for k in range(len(array)):
            if not array[k].is_valid:
                ctypes.memmove(array.buffers()[1].address + 16 * k, rng.randbytes(12) + b"\xff\xff\xff\x7f", 16)
    return array


@settings(max_examples=60)
@given(
    st.lists(st.one_of(st.none(), TEXT), max_size=70),
    st.sampled_from(
        [*LAYOUTS, "dictionary int8 string", "dictionary uint16 string_view", "dictionary int64 large_string"]
    ),
    st.sampled_from(TEXTS),
    st.integers(0, 5),
    st.sampled_from([1, 2, 7]),
)
def test_every_layout_gives_what_try_parse_gives(texts, layout, text, start, threads):
    octets = [None if value is None else scalar(value).encode() for value in texts]
    array = garbage_under_nulls(column(octets, layout), random.Random(len(texts))).slice(start)
    expected = [fields(value) for value in octets[start:]]
    made = uc.parse(array, NAMES, layout=text, threads=threads)
    assert made.to_pylist() == expected
    theirs = pa.array(made)
    theirs.validate(full=True)
    assert theirs.to_pylist() == expected
    assert theirs.null_count == made.null_count == 0
    assert pa.array(uc.host(array, layout=text)).to_pylist() == [row["host"] for row in expected]
    valid = [None if value is None else urlsm.can_parse(value) for value in octets[start:]]
    assert uc.can_parse(array).to_pylist() == pa.array(uc.can_parse(array)).to_pylist() == valid


@settings(max_examples=60)
@given(
    st.lists(st.one_of(st.none(), TEXT, st.sampled_from(["http://a\t:b/", "HT\ntP:/\\é\t|", "\r"])), max_size=40),
    st.sampled_from(LAYOUTS),
    st.sampled_from(TEXTS),
    st.sampled_from(["whatwg", "rfc3986", "rfc2396", "rfc1738", "barth", "stdlib"]),
)
def test_split_gives_the_spans_of_every_dialect(texts, layout, text, dialect):
    octets = [None if value is None else scalar(value).encode() for value in texts]
    expected: list[dict] = []
    for value in octets:
        try:
            seen = (
                None if value is None else urlsm.split(value if "binary" in layout else value.decode(), dialect=dialect)
            )
        except urlsm.ParseError:
            seen = None
        expected.append({name: getattr(seen, name, None) for name in SPANS})
    made = uc.split(column(octets, layout), SPANS, dialect=dialect, layout=text)
    assert made.to_pylist() == expected
    theirs = pa.array(made)
    theirs.validate(full=True)
    assert theirs.to_pylist() == expected


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.one_of(st.none(), urls()), st.one_of(st.none(), TEXT)), max_size=40),
    st.sampled_from([*LAYOUTS, "dictionary int16 string"]),
    st.sampled_from(TEXTS),
)
def test_resolve_against_a_column_and_against_one_base(pairs, layout, text):
    bases = [None if base is None else scalar(base).encode() for base, _ in pairs]
    given_ = [None if ref is None else scalar(ref).encode() for _, ref in pairs]
    expected = []
    for base, ref in zip(bases, given_, strict=False):
        url = None if base is None or ref is None else urlsm.try_parse(ref, base=base)
        expected.append(None if url is None else url.href)
    array = column(given_, layout)
    made = uc.resolve(array, base=column(bases, layout), layout=text)
    assert made.to_pylist() == expected
    pa.array(made).validate(full=True)
    one = "http://u:p@b.example/c/d?e#f"
    expected = [None if ref is None else getattr(urlsm.try_parse(ref, base=one), "href", None) for ref in given_]
    assert pa.array(uc.resolve(array, base=one, layout=text)).to_pylist() == expected
    chunks = uc.resolve(
        pa.chunked_array([array.slice(0, 3), array.slice(3)]), base=pa.chunked_array([column(bases, layout)])
    )
    assert chunks.to_pylist() == uc.resolve(array, base=column(bases, layout)).to_pylist()


def check_errors(texts: list[bytes | None]) -> None:
    made = uc.parse(pa.array(texts, pa.binary()), ("host", "error_code", "error_position", "can_parse"))
    pa.array(made).validate(full=True)
    for text, row in zip(texts, made.to_pylist(), strict=False):
        if text is None:
            assert not {*row.values()} - {None}
            continue
        try:
            expected: tuple = (urlsm.parse(text).host, None, None, True)
        except urlsm.ParseError as error:
            octet = error.facts[1] if error.facts[2] < 0 and b"\xff" not in text else None
            expected = (None, error.code, position_of(text, error.facts[1], error.facts[2]), False)
            assert octet is None or not text.isascii() or min(octet, len(text)) == row["error_position"]
        assert tuple(row.values()) == expected, text


def test_errors_and_where_they_are():
    texts = [*(b"http://a%s:99999/" % (b"\t" * n) for n in range(4)), b" \t http://a b/\t ", b"x", b"", None]
    texts += [
        b"http://\xff:x/",
        b"http://a\t\xc3\xa4/:",
        "http://ä.example:1x/".encode(),
        b"\xe4http://[::1",
        b"http://\tb\n[/",
    ]
    check_errors(texts)
    rng = seeded(13)
    check_errors([scalar(random_case(rng)[0]).encode() for _ in range(draws(3000))])


def test_conformance_inputs(wpt_inputs):
    texts = [scalar(text).encode() for text in wpt_inputs]
    expected = [fields(text) for text in texts]
    for layout in LAYOUTS:
        for threads in (1, 2, 7):
            made = uc.parse(column(texts, layout), NAMES, threads=threads)
            assert made.to_pylist() == expected
    check_errors(texts)


@pytest.fixture(scope="module")
def wpt_inputs(request) -> list[str]:
    import json

    path = suites.wpt("urltestdata.json", request.config.getoption("--wpt")) or suites.TESTS / "data/own_urls.json"
    return [row["input"] for row in json.loads(path.read_text(encoding="utf-8")) if isinstance(row, dict)]


@pytest.mark.parametrize("width", [16, 1])
def test_every_length_of_each_field_at_every_width(width):
    texts = [f"{s}http://{u}{h}/{p}?{q}#{f}" for x in LONG for s, u, h, p, q, f in cases(x)]
    array = pa.array(texts)
    expected = [fields(text) for text in texts]
    rows.use_vectors(width)
    try:
        for text in TEXTS[1:]:
            assert pa.array(uc.parse(array, NAMES, layout=text)).to_pylist() == expected
    finally:
        rows.use_vectors(64)


def cases(x: str) -> list[tuple[str, ...]]:
    y = x or "y"
    return [
        *(("", f"{x}@", "h", "", "", ""), ("", f"u:{x}@", "h", "", "", ""), ("", "", y, "", "", "")),
        *(("", "", "h", x, "", ""), ("", "", "h", "", x, ""), ("", "", "h", "", "", x), ("", "", "H", x, x, x)),
        *((" ", "", y, x, x, x), ("", "", "h", "", x, x)),
    ]


def test_threads_give_the_same_octets():
    rng = seeded(7)
    texts = [scalar(random_case(rng)[0]) for _ in range(draws(5000))]
    for text in TEXTS:
        one = pa.array(uc.parse(pa.array(texts), NAMES, layout=text))
        for threads in (2, 7, None):
            many = pa.array(uc.parse(pa.array(texts), NAMES, layout=text, threads=threads))
            many.validate(full=True)
            assert many.equals(one) if text != "view" else many.to_pylist() == one.to_pylist()


def test_octets_that_are_not_utf8():
    texts = [
        b"http://h/\xff?\xc3",
        b"http://\xff/",
        b"\xed\xa0\x80:",
        b"http://h/\xf5\x80\xe2\x82#\xe2\x82",
        b"x:\xc0\x80",
    ]
    expected = [fields(text) for text in texts]
    raw = pa.array(texts, pa.binary())
    assert uc.parse(raw, NAMES).to_pylist() == expected
    as_text = pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())
    assert uc.parse(as_text, NAMES).to_pylist() == expected
    assert uc.resolve(raw, base="http://b/").to_pylist() == [
        urlsm.parse(text, base="http://b/").href if urlsm.can_parse(text, base="http://b/") else None for text in texts
    ]
    assert uc.split(raw, ("path",), dialect="rfc3986").to_pylist()[0] == {"path": b"/\xff"}
