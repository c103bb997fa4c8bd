"""Imports, exports, and lifetimes."""

from __future__ import annotations

import datetime
import gc
import importlib.util
import os
import subprocess
import sys

import pytest
from support.seeds import seeded

import urlsm
import urlsm.columns as uc
from urlsm.columns.names import FIVE, LISTED
from urlsm.columns.work import Question, Work, column_of_lines, fill_rows, segments_of_paths, source_of

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

FIELDS = tuple(name for name in uc.FIELDS if name not in LISTED)  # it needs a list of public suffixes
TEXTS = ["http://example.com/a?b#c", None, "http://a b/", "HTTP://ÜBER.example/ä", "mailto:a@b", "http://h:8080"] * 50
HOSTS = [None if text is None else getattr(urlsm.try_parse(text), "host", None) for text in TEXTS]


# --- in ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (lambda: pa.array([1]), "int64"),
        (lambda: pa.array([1.5]), "double"),
        (lambda: pa.array([["a"]]), "list"),
        (lambda: pa.array([{"a": "b"}]), "struct<a: utf8>"),
        (lambda: pa.array([b"abc"], pa.binary(3)), "fixed_size_binary"),
        (lambda: pa.array([1, 1]).dictionary_encode(), "dictionary of int64"),
        (lambda: pa.record_batch({"a": ["b"]}), "struct<a: utf8>"),
        (lambda: pa.table({"a": ["b"]}), "struct<a: utf8>"),
        (lambda: pa.array([None], pa.timestamp("s")), "timestamp"),
    ],
)
def test_other_types_are_refused_by_name(values, name):
    with pytest.raises(TypeError, match=f"not {name}"):
        uc.host(values())


def test_what_is_no_column_is_refused_with_advice():
    with pytest.raises(TypeError, match=r"pyarrow\.array\(urls\)"):
        uc.host(["http://a/"])
    with pytest.raises(TypeError, match="not int"):
        uc.host(5)
    with pytest.raises(ValueError, match="the fields are scheme, username"):
        uc.parse(pa.array(["a"]), ("hots",))
    with pytest.raises(TypeError, match="sequence of names"):
        uc.parse(pa.array(["a"]), "host")
    for wrong in (b"x", [1], [None]):
        with pytest.raises(TypeError, match=r"each field must be str|sequence of names, not bytes"):
            uc.parse(pa.array(["a"]), wrong)
    with pytest.raises(ValueError, match="once"):
        uc.parse(pa.array(["a"]), ("host", "host"))
    with pytest.raises(ValueError, match="unknown layout"):
        uc.parse(pa.array(["a"]), layout="utf8")
    with pytest.raises(ValueError, match="threads must be"):
        uc.parse(pa.array(["a"]), threads=0)
    with pytest.raises(ValueError, match="unknown dialect"):
        uc.split(pa.array(["a"]), dialect="nonsense")
    with pytest.raises(urlsm.ParseError):
        uc.resolve(pa.array(["a"]), base="no base")
    with pytest.raises(ValueError, match="base must have as many rows as column: 1, not 2"):
        uc.resolve(pa.array(["c"]), base=pa.array(["http://a/", "http://b/"]))
    with pytest.raises(ValueError, match="base must have as many rows"):
        uc.resolve(pa.array(["c"]), base=pa.chunked_array([["http://a/", "http://b/"]]))


def test_the_type_null_is_all_null():
    made = uc.parse(pa.nulls(3))
    assert made.to_pylist() == pa.array(made).to_pylist() == [dict.fromkeys(FIVE)] * 3
    assert pa.array(uc.host(pa.nulls(3))).type == pa.string()


def test_no_rows():
    for kind in (pa.string(), pa.string_view(), pa.large_binary(), pa.dictionary(pa.int8(), pa.string())):
        for array in (pa.array([], kind), pa.array(["http://a/"], kind).slice(1)):
            theirs = pa.array(uc.parse(array))
            theirs.validate(full=True)
            assert theirs.to_pylist() == []


# --- out ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("string", "string"),
        ("large_string", "large_string"),
        ("string_view", "string_view"),
        ("binary", "string"),
        ("large_binary", "large_string"),
        ("binary_view", "string_view"),
    ],
)
def test_text_goes_out_in_the_layout_that_it_came_in(given, made):
    array = pa.array([b"http://a/"], getattr(pa, given)())
    assert pa.array(uc.host(array)).type == getattr(pa, made)()
    assert pa.array(uc.split(array)).type.field("path").type == getattr(pa, given)()
    assert pa.array(uc.host(array, layout="view")).type == pa.string_view()


def test_a_dictionary_gives_dictionaries():
    array = pa.array(TEXTS).dictionary_encode().slice(3)
    theirs = pa.array(uc.parse(array, ("host", "port", "error_code", "can_parse")))
    theirs.validate(full=True)
    kind = pa.dictionary(pa.int32(), pa.string())
    assert [theirs.type.field(name).type for name in ("host", "port", "can_parse")] == [kind, pa.uint16(), pa.bool_()]
    assert pa.array(uc.host(array)).type == kind
    assert theirs.field("host").to_pylist() == HOSTS[3:]
    assert (
        theirs.to_pylist()
        == pa.array(uc.parse(pa.array(TEXTS), ("host", "port", "error_code", "can_parse"))).to_pylist()[3:]
    )


def test_a_consumer_gets_the_layout_that_it_asks_for():
    octets = [host and host.encode() for host in HOSTS]
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary()):
        expected = octets if kind == pa.binary() else HOSTS
        theirs = pa.array(uc.host(pa.array(TEXTS)), type=kind)
        assert theirs.type == kind
        assert theirs.to_pylist() == expected
        views = uc.parse(pa.array(TEXTS), ("host", "can_parse", "error_code"), layout="view")
        error = pa.dictionary(pa.int8(), pa.string())
        asked = pa.struct([("host", kind), ("can_parse", pa.bool_()), ("error_code", error)])
        theirs = pa.array(views, type=asked)
        theirs.validate(full=True)
        assert theirs.type == asked
        assert theirs.field("host").to_pylist() == expected
    words = uc.host(pa.array(TEXTS).dictionary_encode())
    assert pa.array(words, type=pa.large_string()).to_pylist() == HOSTS


def test_chunks_stay_chunks():
    array = pa.chunked_array([TEXTS[:7], [], TEXTS[7:]], pa.string())
    made = uc.parse(array, ("host", "error_code"))
    assert [len(chunk) for chunk in made] == [7, 0, len(TEXTS) - 7]
    theirs = pa.chunked_array(made)
    theirs.validate(full=True)
    assert [row and row["host"] for row in theirs.to_pylist()] == HOSTS == made.field("host").to_pylist()
    assert made.null_count == theirs.null_count
    assert uc.host(pa.chunked_array([], pa.string())).to_pylist() == []


def test_views_point_into_the_column():
    text = "http://a.host-of-some-length.example/a/path/of/some/length"
    array = pa.array([text])
    theirs = pa.array(uc.parse(array, ("host", "path"), layout="view"))
    assert theirs.field("path").buffers()[2].address == array.buffers()[2].address
    assert theirs.to_pylist() == [{"host": "a.host-of-some-length.example", "path": "/a/path/of/some/length"}]


# --- lifetimes ---------------------------------------------------------------------------------


@pytest.mark.slow(2)
def test_columns_outlive_what_they_were_made_of():
    text = ["http://a.host-of-some-length.example/ä/path/of/some/length?q" * 3] * 300
    expected = urlsm.parse(text[0])
    for given in (pa.string(), pa.string_view()):
        struct = uc.parse(pa.array(text, given), ("host", "path"), layout="view")
        path = struct.field("path")
        whole = pa.array(struct)
        del struct
        children = whole.flatten()
        del whole
        gc.collect()
        assert children[0].to_pylist() == [expected.host] * 300
        del children
        gc.collect()
        assert path.to_pylist() == pa.array(path).to_pylist() == [expected.path] * 300


@pytest.mark.slow(1)
def test_all_memory_is_given_back():
    gc.collect()
    before = pa.total_allocated_bytes()
    for kind in (pa.string(), pa.string_view(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        array = pa.array(TEXTS * 20, kind) if not pa.types.is_dictionary(kind) else pa.array(TEXTS * 20).cast(kind)
        for threads in (1, 3):
            made = uc.parse(array, FIELDS, layout="view", threads=threads)
            theirs = pa.array(made)
            host = made.field("host")
            capsule = made.__arrow_c_array__()
            del made, theirs, capsule, host
        stream = uc.parse_stream(pa.chunked_array([array]), threads=2, batch_size=1000)
        next(stream)
        unread = uc.parse(pa.chunked_array([array])).__arrow_c_stream__()
        del stream, unread
    del array
    gc.collect()
    assert pa.total_allocated_bytes() == before


@pytest.mark.slow(3)
def test_memory_does_not_grow_with_calls():
    code = (
        "import resource, pyarrow as pa, urlsm.columns as uc, urlsm.columns.names as uc_names\n"
        "a = pa.array(['http://EXAMPLE.com/ä/' + 'x' * 500] * 2000)\n"
        "fields = [name for name in uc.FIELDS if name not in uc_names.LISTED]\n"
        "def run():\n"
        "    for text in ('view', 'string'):\n"
        "        uc.parse(a, fields, layout=text); uc.parse(a.dictionary_encode(), layout=text)\n"
        "for _ in range(8): run()\n"
        "first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for _ in range(40): run()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first)\n"
    )
    if sys.platform != "linux":
        pytest.skip("counts pages by Linux's ru_maxrss")
    # (AddressSanitizer keeps freed memory by default)
    env = {**os.environ, "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:quarantine_size_mb=0"}
    grown = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert int(grown) < 20_000  # KiB; a leak of one call's columns is 40 times 10 MB


# --- streams -----------------------------------------------------------------------------------


def test_a_stream_gives_batches():
    seen: list[tuple[int, int]] = []
    array = pa.chunked_array([TEXTS, [], TEXTS], pa.string())
    for threads in (1, 2):
        seen.clear()
        stream = uc.parse_stream(
            array, ("host",), batch_size=128, threads=threads, progress=lambda *done: seen.append(done)
        )
        batches = list(stream)
        assert [len(batch) for batch in batches] == [128, 128, 44, 0, 128, 128, 44]
        assert [row and row["host"] for batch in batches for row in batch.to_pylist()] == HOSTS * 2
        octets = 2 * sum(len(text.encode()) for text in TEXTS if text is not None)
        assert seen[-1] == (600, octets)


def test_a_stream_of_record_batches_is_an_arrow_stream():
    table = pa.table({"n": range(len(TEXTS)), "url": TEXTS}).slice(5)
    stream = uc.parse_stream(table, ("host", "path"), column="url", batch_size=100, layout="string")
    theirs = pa.chunked_array(stream)
    theirs.validate(full=True)
    assert [row and row["host"] for row in theirs.to_pylist()] == HOSTS[5:]
    with pytest.raises(KeyError, match="the columns are n, url"):
        list(uc.parse_stream(table, column="urls"))
    with pytest.raises(TypeError, match="int64"):
        uc.parse_stream(table, column="n")


def test_an_error_of_the_reader_is_told():
    def batches():
        yield pa.record_batch({"url": ["http://a/"]})
        raise RuntimeError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("url", pa.string())]), batches())
    stream = uc.parse_stream(reader, ("host",), column="url", threads=1)
    assert next(stream).to_pylist() == [{"host": "a"}]
    with pytest.raises(OSError, match="the disk is gone"):
        next(stream)


def test_an_error_of_ours_reaches_the_consumer():
    def batches():
        yield pa.record_batch({"url": ["http://a/"]})
        raise RuntimeError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("url", pa.string())]), batches())
    with pytest.raises(OSError, match="the disk is gone"):
        pa.chunked_array(uc.parse_stream(reader, ("host",), column="url", threads=1))


def test_a_stream_whose_error_cannot_be_told_does_not_end_as_if_all_were_well():
    class Untold(Exception):
        def __str__(self):
            raise ValueError

    def arrays():
        yield uc.host(pa.array(["http://a/"]))
        raise Untold

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return uc.ChunkedArray._stream_of(arrays(), uc.host(pa.array(["http://a/"])).schema)

    with pytest.raises(OSError, match="Untold"):
        pa.chunked_array(Stream())


def test_what_the_calls_are_made_of_takes_no_nonsense():
    """These names are not public, but a wrong argument is an exception there, too."""
    given = column_of_lines(b"http://a/\nhttp://b/\n")
    whole = uc.parse(given, ("host", "can_parse"))
    source = source_of(given)
    assert fill_rows(given, whole, ("host",), (b"<", b">\n"), b"\0", b"", b"", b"")[0] == "<a>\n<b>\n"
    for wrong in (
        (uc.host(given), whole, ("host",), (b"", b""), b"\0"),
        (given, None, ("host",), (b"", b""), b"\0"),
        (given, whole, ("host",), (b"", "x"), b"\0"),
    ):
        with pytest.raises(TypeError):
            fill_rows(*wrong, b"", b"", b"")
    work = Work(Question(("host",)), source)
    for number in (-1, 0, 1, 1 << 20):
        with pytest.raises(KeyError):
            work.part(number)
    work.run(4)
    for call in (lambda: work.run(4), lambda: Question(("host",) * 33), lambda: work.part(1)):
        with pytest.raises((ValueError, KeyError, AttributeError)):
            call()
    with pytest.raises(TypeError, match="uint16"):
        segments_of_paths(uc.parse(given, ("port",)).field("port"))


def test_import_urlsm_loads_nothing_of_it():
    code = "import sys, urlsm; print([name for name in sys.modules if name.startswith('urlsm.columns')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_importing_columns_needs_no_arrow_library():
    code = "import sys, urlsm.columns as uc; uc.parse, uc.Array; print({'pyarrow', 'polars', 'numpy'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_a_parameter_is_the_first_that_query_params_has_of_its_name():
    """Names are checked before they are decoded, and most are skipped."""
    rng = seeded(22)
    pieces = ("a", "b", "%61", "%", "+", "=", "&", "&&", "ab", "%zz", "\u00e9", "%C3%A9", "A")
    for name in ("", "a", "b", "ab", "%", " ", "a ", "\u00e9", "%zz", "aa", "bab"):
        texts = ["http://h/?" + "".join(rng.choices(pieces, k=rng.randint(0, 7))) for _ in range(1000)]
        wanted = [[v for k, v in urlsm.parse(text).query_params.items() if k == name] for text in texts]
        octets = [found[0].encode("utf-8", "surrogateescape") if found else None for found in wanted]
        assert pa.array(uc.query_param(pa.array(texts), name)).to_pylist() == [
            None if value is None else value.decode("utf-8", "replace") for value in octets
        ]


def test_arrow_takes_structs_as_tables():
    """No struct is null, because a row of a record batch cannot be null."""
    texts = ["http://a:81/", "http://b c/", None]
    rows = [{"host": "a", "port": 81}, {"host": None, "port": None}, {"host": None, "port": None}]
    plain, repeated = pa.array(texts), pa.array(texts).dictionary_encode()
    for column in (plain, repeated, pa.chunked_array([plain]), pa.chunked_array([texts[:1], texts[1:]])):
        found = uc.parse(column, ("host", "port"), threads=2)
        assert found.to_pylist() == rows and found.null_count == 0
        assert pa.table(found).to_pylist() == rows
        stream = uc.parse_stream(pa.table({"url": column}), ("host", "port"), column="url", batch_size=2)
        batches = list(pa.RecordBatchReader.from_stream(stream))
        for batch in batches:
            batch.validate(full=True)
        assert pa.Table.from_batches(batches).to_pylist() == rows
    assert pa.record_batch(uc.parse(plain, ("can_parse", "host")))["can_parse"].to_pylist() == [True, False, None]
    assert pa.table(uc.parse(plain, ("host", "parts.pairs"))).num_rows == 3
    barth = pa.table(uc.split(pa.array(["http://a/", "\u00e9"]), ("host",), dialect="barth"))
    assert barth["host"].to_pylist() == ["a", None]
    if importlib.util.find_spec("publicsuffixlist"):
        assert pa.table(uc.commoncrawl(plain))["url_host_name"].to_pylist() == ["a", None, None]
    pd = pytest.importorskip("pandas")
    if hasattr(pd.DataFrame, "from_arrow"):
        assert pd.DataFrame.from_arrow(uc.parse(plain, ("host",)))["host"].isna().tolist() == [False, True, True]


def kept_table():
    """A table with a column of each kind of layout, of 40 rows in two chunks."""
    rows = range(40)
    texts = [None if k % 5 == 4 else f"{'x' * (k % 20)}{k}" for k in rows]
    days = [datetime.datetime(2026, 11, 1 + k % 28, tzinfo=datetime.timezone.utc) for k in rows]
    columns = {
        "url": pa.array([f"http://h{k}/" if k % 3 else "x" for k in rows]),
        "id": pa.array([None if k % 7 == 6 else k - 20 for k in rows], pa.int64()),
        "flag": pa.array([None if k % 7 == 6 else k % 2 == 0 for k in rows]),
        "score": pa.array([k / 4 for k in rows]),
        "seen": pa.array(days, pa.timestamp("us", "UTC")),
        "text": pa.array(texts, pa.large_string()),
        "view": pa.array(texts, pa.string_view()),
        "word": pa.array(texts).dictionary_encode(),
        "tags": pa.array([None if k % 7 == 6 else list(map(str, range(k % 4))) for k in rows]),
        "page": pa.array([None if k % 7 == 6 else {"a": k, "b": [str(k)]} for k in rows]),
        "pairs": pa.array([[("k", k)] * (k % 3) for k in rows], pa.map_(pa.string(), pa.int64(), keys_sorted=True)),
        "sha": pa.array([bytes([k]) * 20 for k in rows], pa.binary(20)),
        "none": pa.nulls(40),
        "either": pa.UnionArray.from_dense(
            pa.array([k % 2 for k in rows], pa.int8()), pa.array([k // 2 for k in rows], pa.int32()),
            [pa.array(range(20)), pa.array(list("abcdefghijklmnopqrst"))],
        ),
    }  # fmt: skip
    fields = [pa.field(name, column.type) for name, column in columns.items()]
    fields[1] = fields[1].with_metadata({"unit": "\u00e9"})
    whole = pa.table(list(columns.values()), pa.schema(fields))
    return pa.concat_tables([whole.slice(0, 17), whole.slice(17)])


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_other_columns_stay(size):
    given = kept_table()
    names = given.column_names[::-1]
    for table in (given, given.slice(3, 30), given.slice(0, 0)):
        stream = uc.parse_stream(table, ("host",), column="url", keep=names, batch_size=size, threads=2)
        made = pa.table(stream)
        made.validate(full=True)
        assert made.column_names == [*names, "host"] and made.select(names).equals(table.select(names))
        assert made.schema.field("pairs").type.keys_sorted and made.schema.field("id").metadata
        assert made["host"].to_pylist() == [None if url == "x" else url[7:-1] for url in table["url"].to_pylist()]


def test_kept_columns_are_read_as_python_objects():
    names = ["id", "flag", "text", "view", "word", "tags", "sha", "none", "page"]
    given = kept_table()
    for table in (given, given.slice(5, 20)):
        batches = list(uc.parse_stream(table, ("host",), column="url", keep=names, batch_size=8))
        rows = [row for batch in batches for row in batch.to_pylist()]
        assert [{name: row[name] for name in names} for row in rows] == table.select(names).to_pylist()
        assert sum(batch.field("id").null_count for batch in batches) == table["id"].null_count
        with pytest.raises(TypeError, match="'score'"):
            next(uc.parse_stream(table, ("host",), column="url", keep=("score",))).to_pylist()


def test_kept_columns_are_null_where_a_batch_is_null():
    fields = [pa.array(["http://a/", "http://b/", "http://c/"]), pa.array([1, 2, None]), pa.nulls(3)]
    whole = pa.StructArray.from_arrays(fields, names=["url", "id", "none"], mask=pa.array([False, True, False]))
    for part, rows in ((whole, [1, None, None]), (whole[1:], [None, None])):
        found = pa.table(uc.parse_stream(pa.chunked_array([part]), ("host",), column="url", keep=("id", "none")))
        assert found["id"].to_pylist() == rows and found["id"].null_count == rows.count(None)


def test_what_cannot_be_kept():
    table = pa.table({"url": ["http://a/"], "host": [1]})
    for keep, error, said in (
        (("host",), ValueError, "two columns would have the name 'host'"),
        (("url", "url"), ValueError, "two columns would have the name 'url'"),
        (("x",), KeyError, "unknown column 'x'"),
        ("url", TypeError, "sequence of names"),
    ):
        with pytest.raises(error, match=said):
            uc.parse_stream(table, ("host",), column="url", keep=keep)
    with pytest.raises(TypeError, match="record batches"):
        uc.parse_stream(table["url"], ("host",), keep=("url",))
