"""Dictionary columns: the answer is a dictionary of each text once, without nulls, so that consumers count it right."""

from __future__ import annotations

import collections
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.generate import urls

import urlsm
import urlsm.columns as uc
from urlsm.columns.names import LISTED

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

INDICES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
LAYOUTS = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
# values that are repeated, become equal, are null or become null
VALUES = [
    *("http://one.example/1", "http://one.example/2?q", "HTTP://ONE.example", "x", None, "http://[", "mailto:a@b"),
    *("http://two.example:81/a/path/longer/than/a/view", "http://two.example:81/a/path/longer/than/a/view", ""),
]
ROWS = [0, 1, None, 2, 3, 4, 7, 8, 5, 6, 0, 9, None, 7]
HOSTS = [None if row is None else getattr(urlsm.try_parse(VALUES[row] or ""), "host", None) for row in ROWS]


def dictionary(rows, values, index: str = "int32", layout: str = "string") -> pa.Array:
    octets = [None if value is None else value.encode("utf-8", "replace") for value in values]
    texts = octets if "binary" in layout else [None if value is None else value.decode() for value in octets]
    return pa.DictionaryArray.from_arrays(pa.array(rows, getattr(pa, index)()), pa.array(texts, getattr(pa, layout)()))


def check(made: pa.Array) -> None:
    made.validate(full=True)
    values = made.dictionary.to_pylist()
    assert None not in values and len(set(values)) == len(values)


@settings(max_examples=80)
@given(
    st.lists(st.one_of(st.none(), urls(), st.sampled_from(VALUES)), min_size=1, max_size=40),
    st.lists(st.one_of(st.none(), st.integers(0, 39)), max_size=60),
    st.sampled_from(INDICES),
    st.sampled_from(LAYOUTS),
    st.integers(0, 5),
)
def test_a_dictionary_is_what_the_texts_are(values, rows, index, layout, start):
    given_ = dictionary([row if row is None else row % len(values) for row in rows], values, index, layout)[start:]
    plain = pa.array([value if value is None else value.as_py() for value in given_], given_.type.value_type)
    fields = tuple(name for name in uc.FIELDS if name not in LISTED)
    whole = pa.array(uc.parse(given_, fields))
    whole.validate(full=True)
    assert whole.to_pylist() == uc.parse(plain, fields).to_pylist() == uc.parse(given_, fields).to_pylist()
    hosts, hrefs = pa.array(uc.host(given_)), pa.array(uc.href(given_))
    parts = pa.array(uc.split(given_, dialect="rfc3986"))
    for made in (whole.field("path"), hosts, hrefs, parts.field("authority"), parts.field("scheme")):
        check(made)
        assert made.type.index_type == given_.type.index_type
    assert hosts.to_pylist() == uc.host(plain).to_pylist()
    assert parts.to_pylist() == uc.split(plain, dialect="rfc3986").to_pylist()
    assert uc.segments(given_).to_pylist() == uc.segments(plain).to_pylist()


def test_what_is_each_once_already_keeps_its_indices_and_octets():
    given_ = dictionary([2, 0, 1, 1, None], ["http://a.example/", "http://b.example/", "ftp://c.example/x"])
    made = pa.array(uc.href(given_[2:], layout="view"))
    check(made)
    assert made.indices.buffers()[1].address == given_.indices.buffers()[1].address + 2 * 4
    assert made.dictionary.buffers()[2].address == given_.dictionary.buffers()[2].address


def test_as_many_values_as_an_index_can_name():
    values = [f"http://h{k % 127}.example/{k}" for k in range(256)]
    made = pa.array(uc.host(dictionary([*range(256)], values, "uint8")))
    check(made)
    assert made.to_pylist() == [f"h{k % 127}.example" for k in range(256)] and len(made.dictionary) == 127
    made = pa.array(uc.host(dictionary([None, 0], [None] * 100)))
    check(made)
    assert made.to_pylist() == [None, None] and len(made.dictionary) == 0


COUNTS = collections.Counter(HOSTS)


@pytest.fixture(params=["array", "chunks", "struct", "stream"])
def hosts(request) -> pa.ChunkedArray:
    """The hosts of ROWS, by every way."""
    given_ = dictionary(ROWS, VALUES)
    if request.param == "array":
        return pa.chunked_array([pa.array(uc.host(given_))])
    if request.param == "chunks":
        other = dictionary([row if row is None else 9 - row for row in ROWS[5:]], VALUES[::-1], "int32")
        return pa.chunked_array(uc.host(pa.chunked_array([given_[:5], other])))
    if request.param == "struct":
        return pa.chunked_array([pa.array(uc.parse(given_)).field("host")])
    return pa.chunked_array([pa.array(b).field("host") for b in uc.parse_stream(pa.table({"u": given_}), column="u")])


def test_pyarrow_counts_by_value(hosts):
    pq = pytest.importorskip("pyarrow.parquet")
    assert hosts.to_pylist() == HOSTS
    table = pa.table({"host": hosts}).unify_dictionaries()
    counted = table.group_by("host").aggregate([([], "count_all")]).to_pylist()
    assert {row["host"]: row["count_all"] for row in counted} == COUNTS and len(counted) == len(COUNTS)
    assert len(table["host"].combine_chunks().unique()) == len(COUNTS)
    file = io.BytesIO()
    pq.write_table(pa.table({"host": hosts}), file)
    assert pq.read_table(file)["host"].to_pylist() == HOSTS


def test_pandas_takes_it_as_categories(hosts):
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    series = hosts.to_pandas()
    assert isinstance(series.dtype, pd.CategoricalDtype)
    counted = series.value_counts(dropna=False)
    assert {None if pd.isna(host) else host: n for host, n in counted.items() if n} == COUNTS


def test_polars_counts_by_value(hosts):
    pl = pytest.importorskip("polars", reason="polars is not installed")
    counted = pl.Series("host", hosts).value_counts()
    assert dict(counted.iter_rows()) == COUNTS and counted.height == len(COUNTS)


def test_duckdb_counts_by_value(hosts):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    con = duckdb.connect()
    con.register("hosts", pa.table({"host": hosts}))
    counted = con.sql("select host, count(*) from hosts group by all").fetchall()
    assert dict(counted) == COUNTS and len(counted) == len(COUNTS)


# --- structs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [*LAYOUTS, "dictionary"])
@pytest.mark.parametrize("inner", [False, True])
def test_a_null_struct_hides_what_its_children_hold(layout, inner):
    texts = [None if inner and k % 5 == 2 else f"http://h{k}.a-host-of-some-length.example/" for k in range(200)]
    null = [k % 7 == 3 for k in range(200)]
    column = pa.array(texts).dictionary_encode() if layout == "dictionary" else pa.array(texts, getattr(pa, layout)())
    whole = pa.StructArray.from_arrays([pa.array(range(200)), column], names=["n", "url"], mask=pa.array(null))
    want = [{"host": None if gone or text is None else text[7:-1]} for text, gone in zip(texts, null, strict=True)]
    for start, stop in ((0, 200), (3, 200), (9, 131), (4, 4)):
        for rows in (1000, 64, 13):
            reader = pa.chunked_array([whole[start:stop], whole[:10]])
            made = list(uc.parse_stream(reader, ("host",), column="url", batch_size=rows))
            for batch in made:
                pa.array(batch).validate(full=True)
            assert [row for batch in made for row in batch.to_pylist()] == want[start:stop] + want[:10]
    made = pa.chunked_array(uc.parse_stream(pa.chunked_array([whole]), ("host",), column="url", layout="view"))
    del whole, column
    assert made.to_pylist() == want


def test_a_null_struct_of_nulls():
    whole = pa.StructArray.from_arrays([pa.nulls(3)], names=["url"], mask=pa.array([False, True, False]))
    assert [b.to_pylist() for b in uc.parse_stream(pa.chunked_array([whole]), ("host",), column="url")] == [
        [{"host": None}] * 3
    ]
