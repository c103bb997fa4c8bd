"""Columns of parts: each row as URL.parts has it, of stores, databases and every other scheme."""

from __future__ import annotations

import json

import pytest
from support.seeds import seeded

import urlsm
import urlsm.columns as uc
from urlsm.meaning.connections import connection
from urlsm.meaning.questions import plain
from urlsm.meaning.registry import known
from urlsm.testing import _PIECES as PIECES

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

LINKS = [
    *("s3://bucket/key/a", None, "gs://other/x#12", "http://h:8080/", "x y", "mysql+pymysql://u:p@h:33/db?charset=x"),
    *("abfss://data@acct.dfs.core.windows.net/raw", "data:text/plain", "s3://b/%FF", "s3://b/\u00e9"),
]
FIELDS = ("parts.bucket", "host", "parts.key", "parts.port", "parts.container", "parts.query_params", "parts.fields")


def parts_of(text: str | None) -> dict[str, object]:
    url = None if text is None else urlsm.try_parse(text) or connection(text)
    try:
        return {} if url is None else dict(url.parts)
    except urlsm.SchemeError:
        return {}


def written(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):  # of octets that are not UTF-8, JSON holds the escapes
        made = json.dumps(plain(value), ensure_ascii=False)
        return "".join(f"\\u{ord(one):04x}" if "\ud800" <= one <= "\udfff" else one for one in made)
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@pytest.mark.parametrize("kind", [pa.string, pa.large_string, pa.string_view, pa.binary])
def test_parts_of_a_column_stand_in_the_order_and_layout_asked_for(kind):
    given = pa.array(LINKS, pa.string()).cast(kind()) if kind is not pa.binary else pa.array(LINKS).cast(pa.binary())
    found = pa.array(uc.parse(given, FIELDS))
    found.validate(full=True)
    assert [found.type.field(k).name for k in range(found.type.num_fields)] == list(FIELDS)
    assert {found.type.field(k).type for k in range(found.type.num_fields)} == {uc_type(given.type)}
    rows = found.to_pylist()
    assert rows[0] == {**dict.fromkeys(FIELDS), "parts.bucket": "bucket", "host": "bucket", "parts.key": "key/a"}
    assert rows[1] == rows[4] == rows[7] == dict.fromkeys(FIELDS)
    assert rows[5]["parts.port"] == "33" and rows[5]["parts.query_params"] == '[["charset", "x"]]'
    assert rows[6]["parts.container"] == "data" and rows[9]["parts.key"] == parts_of(LINKS[9])["key"]


def uc_type(given):
    return pa.string() if given == pa.binary() else given


def test_parts_of_dictionaries_chunks_and_no_rows():
    texts = LINKS * 3
    wanted = pa.array(uc.parse(pa.array(texts), FIELDS)).to_pylist()
    assert pa.array(uc.parse(pa.array(texts).dictionary_encode(), FIELDS)).to_pylist() == wanted
    chunked = uc.parse(pa.chunked_array([texts[:7], texts[7:]]), FIELDS)
    assert pa.chunked_array(chunked).to_pylist() == wanted == chunked.to_pylist()
    empty = uc.parse(pa.chunked_array([], pa.string()), FIELDS)
    assert len(empty) == 0 and pa.chunked_array(empty).type == pa.chunked_array(chunked).type
    valid = uc.parse(pa.array(["s3://b/k", "x y"]), ("can_parse", "parts.key")).to_pylist()
    assert valid == [{"can_parse": True, "parts.key": "k"}, {"can_parse": False, "parts.key": None}]
    assert uc.parse(pa.array(["../k"]), ("parts.key",), base="gs://b/a/c").to_pylist() == [{"parts.key": "k"}]
    assert uc.parse(pa.array(["s3://b/k"]), ("parts.key", "href")).to_pylist()[0]["href"] == "s3://b/k"


@pytest.mark.parametrize("rows", [1, 4, 100])
def test_parts_of_a_stream(rows):
    texts = LINKS * 3
    wanted = pa.array(uc.parse(pa.array(texts), FIELDS))
    for kind in (pa.string(), pa.string_view()):
        column = pa.chunked_array([texts[:7], texts[7:]]).cast(kind)
        found = uc.parse_stream(column, FIELDS, batch_size=rows)
        made = pa.chunked_array(found)
        assert made.to_pylist() == wanted.to_pylist()
        assert made.type == pa.chunked_array(uc.parse_stream(pa.chunked_array([], kind), FIELDS)).type
        assert {made.type.field(k).type for k in range(made.type.num_fields)} == {kind}
    table = pa.table({"n": range(2), "u": ["s3://b/k", None]})
    plain = uc.parse_stream(table, ("parts.key",), column="u", threads=2)
    assert [row for batch in plain for row in batch.to_pylist()] == [{"parts.key": "k"}, {"parts.key": None}]


def test_parts_within_engines():
    rows = [None if row is None else row["parts.key"] for row in uc.parse(pa.array(LINKS), ("parts.key",)).to_pylist()]
    pl = pytest.importorskip("polars", reason="polars is not installed")
    pytest.importorskip("urlsm.engines.polars")
    lazy = pl.LazyFrame({"u": LINKS}).select(pl.col("u").url.parse(("host", "parts.key")).struct.field("parts.key"))
    assert lazy.collect_schema() == {"parts.key": pl.String}
    assert lazy.collect()["parts.key"].to_list() == rows
    pd = pytest.importorskip("pandas", minversion="2.2", reason="pandas 2.2 is not installed")
    pytest.importorskip("urlsm.engines.pandas")
    made = pd.Series(LINKS).url.parse(("parts.key",))["parts.key"]
    assert [None if pd.isna(one) else one for one in made] == rows


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stream_has_parts_as_parse_has_them(threads):
    column = pa.array(LINKS * 5)
    wanted = pa.array(uc.parse(column, FIELDS)).to_pylist()
    done = []
    for given in (column, column.dictionary_encode(), column.cast(pa.large_string())):
        reader = pa.table({"url": given}).to_reader(max_chunksize=16)
        stream = uc.parse_stream(
            reader, FIELDS, column="url", threads=threads, batch_size=7, progress=lambda *seen: done.append(seen)
        )
        kind = pa.chunked_array(uc.parse(pa.chunked_array([given]), FIELDS)).type
        found = pa.chunked_array(stream)
        assert found.type == kind and found.to_pylist() == wanted and done[-1][0] == len(column)
    empty = uc.parse_stream(pa.table({"url": column[:0]}).to_reader(), FIELDS, column="url")
    assert pa.chunked_array(empty).type == pa.array(uc.parse(column, FIELDS)).type
    first = next(uc.parse_stream(pa.chunked_array([column]), ("parts.key",)))
    assert first.to_pylist()[0] == {"parts.key": "key/a"}


@pytest.mark.parametrize("wrong", ["parts.", "parts.a b", "parts.a.b", "part.key", "partskey"])
def test_what_is_no_name_of_a_part_is_refused(wrong):
    with pytest.raises(ValueError, match="unknown field"):
        uc.parse(pa.array(["s3://b/k"]), (wrong,))
    with pytest.raises(ValueError, match="unknown field"):
        uc.parse_stream(pa.table({"a": ["s3://b/k"]}).to_reader(), (wrong,), column="a")
    with pytest.raises(ValueError, match="once"):
        uc.parse(pa.array(["s3://b/k"]), ("parts.key", "parts.key"))


def is_other_in_a_url(text: str) -> bool:
    """Return whether a part of the text is a name as written, such as the key of a store, that a URL writes in another
    way. A column has the name of the text, and URL.parts the name that the URL's text stands for."""
    url = urlsm.try_parse(text)
    return url is not None and bool(url.handler.literal) and (url.href != text or "%" in text)


@pytest.mark.once
def test_columns_have_what_url_parts_has():
    """Of all schemes, also of spoilt texts; and JSON can hold it."""
    rng, texts = seeded("parts"), []
    for scheme in known():
        rest = urlsm.handler(scheme).example.partition(":")[2]
        for _ in range(6):
            at = rng.randrange(len(rest) + 1)
            pieces = "".join(rng.choices(PIECES, k=rng.randrange(3)))
            texts.append(f"{scheme}:{rest[:at]}{pieces}{rest[at + rng.randrange(3) :]}")
    texts = [text.encode("utf-8", "replace").decode() for text in texts]  # a column holds no lone surrogates
    texts = [text for text in texts if not is_other_in_a_url(text)]
    rows = [parts_of(text) for text in texts]
    for row in rows:
        found = plain(tuple(row.values()))
        assert json.loads(json.dumps(found)) == found
    names = [*dict.fromkeys(name for row in rows for name in row)]
    made = uc.parse(pa.array(texts), tuple(f"parts.{name}" for name in names))
    for name in names:
        assert made.field(f"parts.{name}").to_pylist() == [written(row.get(name)) for row in rows], name
