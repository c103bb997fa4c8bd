"""Every engine has the functions of urlsm.columns under one name, as the table in columns/functions.py says."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pathlib
import re

import pytest

import urlsm.columns as uc
from urlsm.columns.functions import FUNCTIONS, functions

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

URLS = ["http://u:p@Example.com:8080/a?b=1&q=x+y#c", None, "http://a b/", "mailto:a@b", "x"]
ARGUMENTS = {"query_param": "q", "resolve": "http://b/", "matches": None, "pattern_index": None}  # None: a PatternSet
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def patterns():
    from urlsm.patterns import PatternSet

    return PatternSet(["example.com"])


def arguments(row):
    return {row.takes: ARGUMENTS[row.name] or patterns()} if row.needs else {}


def test_the_table_is_all_functions_of_columns():
    there = [name for name in uc.__all__ if not inspect.isclass(getattr(uc, name)) and name != "FIELDS"]
    assert {row.name for row in FUNCTIONS} == {*there}
    assert all(row.lacks[what] for row in FUNCTIONS for what in row.lacks)
    for row in FUNCTIONS:
        taken = inspect.signature(getattr(uc, row.name)).parameters
        assert not row.takes or row.takes in taken
        if "method" not in row.lacks:
            assert taken["threads"].default == 1


@pytest.mark.parametrize("engine", ["polars", "pandas", "dask"])
def test_methods_have_the_names_and_parameters_of_the_functions(engine):
    found = pytest.importorskip(f"urlsm.engines.{engine}", reason=f"{engine} is not installed")
    kinds = [found.UrlExpressions, found.UrlSeries] if engine == "polars" else [found.Urls]
    for kind in kinds:
        names = {name for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))}
        assert names == {row.name for row in functions("method")}
        for name in names:
            ours, theirs = (inspect.signature(getattr(where, name)).parameters for where in (uc, kind))
            assert {*theirs} == {*ours} - {"column", "layout"} | {"self"}
            assert all(theirs[each] == ours[each] for each in theirs if each != "self")
            described = inspect.getdoc(getattr(kind, name))
            assert re.findall(r"^    (\w+): ", described.partition("Raises:")[0], re.MULTILINE) == [*theirs][1:]
            assert described.startswith(inspect.getdoc(getattr(uc, name)).partition("\n")[0])
            assert ">>>" not in described


def test_methods_give_the_answers_of_the_functions():
    pl = pytest.importorskip("polars", reason="polars is not installed")
    pd = pytest.importorskip("pandas", minversion="2.2", reason="pandas 2.2 is not installed")
    pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    for engine in ("polars", "pandas"):
        importlib.import_module(f"urlsm.engines.{engine}")
    frame = pl.DataFrame({"u": URLS})
    for row in functions("method"):
        options = arguments(row)
        wanted = pl.Series(getattr(uc, row.name)(pa.array(URLS), **options)).to_list()
        assert getattr(frame["u"].url, row.name)(**options).to_list() == wanted, row.name
        lazy = frame.lazy().select(getattr(pl.col("u").url, row.name)(**options))
        assert lazy.collect()["u"].to_list() == wanted and lazy.collect().schema == lazy.collect_schema(), row.name
        made = getattr(pd.Series(URLS, name="u").url, row.name)(**options)
        if row.result == "+s":
            assert [*made.columns] == [*wanted[0]]
        else:
            assert made.name == "u"
            found = [None if missing else value for value, missing in zip(made, made.isna(), strict=True)]
            assert [list(value) if row.result == "+l" and value is not None else value for value in found] == wanted


@pytest.mark.parametrize("engine", ["polars", "pandas", "duckdb"])
def test_examples(engine):
    module = pytest.importorskip(f"urlsm.engines.{engine}", reason=f"{engine} is not installed")
    tests = [test for test in doctest.DocTestFinder().find(module, engine, globs={}) if test.examples]
    assert tests and not any(doctest.DocTestRunner().run(test).failed for test in tests)


def of_polars(urls, templates):
    pl = pytest.importorskip("polars", reason="polars is not installed")
    importlib.import_module("urlsm.engines.polars")
    column = (
        pl.DataFrame({"u": urls})
        .lazy()
        .select(pl.col("u").url.matches(templates).alias("in"), pl.col("u").url.pattern_index(templates))
    )
    return column.collect().rows()


def of_pandas(urls, templates):
    pd = pytest.importorskip("pandas", minversion="2.2", reason="pandas 2.2 is not installed")
    importlib.import_module("urlsm.engines.pandas")
    url = pd.Series(urls).url
    columns = (url.matches(templates), url.pattern_index(templates))
    rows = zip(*(column.astype(object).where(column.notna(), None) for column in columns), strict=True)
    return list(rows)


def of_duckdb(urls, templates):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    from urlsm.engines.duckdb import install

    con = install(duckdb.connect(), patterns={"api": templates})
    con.register("links", pa.table({"u": urls, "n": range(len(urls))}))
    return con.sql("select url_matches(u, 'api'), url_pattern_index(u, 'api') from links order by n").fetchall()


@pytest.mark.parametrize("ask", [of_polars, of_pandas, of_duckdb])
def test_a_set_of_uri_templates(ask):
    from urlsm.patterns import PatternSet

    templates = PatternSet(["/pets/{id}", "/pets/mine", "/files/{+path}{?rev}"], "uri-template")
    urls = ["/pets/mine", "/pets/é", "/pets/..", "/none", None, "/files/a/b?rev=7", "/files/../b"]
    expected = [(True, 1), (True, 0), (False, None), (False, None), (None, None), (True, 2), (False, None)]
    assert ask(urls, templates) == expected


def test_polars_resolves_against_a_column_of_bases():
    pl = pytest.importorskip("polars", reason="polars is not installed")
    importlib.import_module("urlsm.engines.polars")
    frame = pl.DataFrame({"u": ["a", "/b", None], "base": ["http://h/x/", "http://i/", "http://j/"]})
    expected = ["http://h/x/a", "http://i/b", None]
    assert frame.lazy().select(pl.col("u").url.resolve(base=pl.col("base"))).collect()["u"].to_list() == expected
    assert frame["u"].url.resolve(base=frame["base"]).to_list() == expected


def test_duckdb_has_each_function():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    from urlsm.engines.duckdb import install

    con = install(duckdb.connect(), patterns={"one": patterns()})
    con.register("links", pa.table({"u": URLS, "n": range(len(URLS))}))
    names = con.sql("select distinct function_name from duckdb_functions() where starts_with(function_name, 'url_')")
    assert {row[0] for row in names.fetchall()} - {"url_encode", "url_decode"} == {
        f"url_{row.name}" for row in functions("SQL")
    }
    for row in functions("SQL"):
        more = f", '{ARGUMENTS[row.name] or 'one'}'" if row.needs else ""
        found = con.sql(f"select url_{row.name}(u{more}) from links order by n").fetchall()
        options = {**arguments(row), **({"fields": row.fields} if row.name in ("parse", "split") else {})}
        wanted = pa.array(getattr(uc, row.name)(pa.array(URLS), **options)).to_pylist()
        assert [value for (value,) in found] == wanted, row.name
    nothing = con.sql(
        "select url_split(u, null), url_public_suffix(u, null), url_matches(u, null) from links"
    ).fetchall()
    assert {(*{*split.values()}, suffix, matches) for split, suffix, matches in nothing} == {(None, None, None)}


def test_spark_has_each_function(monkeypatch):
    pytest.importorskip("pyspark", minversion="4.1", reason="pyspark 4.1 is not installed")
    from urlsm.engines import spark

    class Session:
        def __init__(self):
            self.names = []

        @property
        def udf(self):
            return self

        def register(self, name, function):
            self.names.append(name)

    monkeypatch.setattr(spark, "registered", lambda function, result: function)  # (it needs a session)
    assert spark.install(Session(), patterns={"one": patterns()}).names == [
        f"url_{row.name}" for row in functions("SQL")
    ]


def test_spark_gets_types_that_it_has():
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    from urlsm.engines import spark_functions

    arrow = {"": pa.string(), "c": pa.string(), "S": pa.int32(), "b": pa.bool_(), "i": pa.int32(), "L": pa.int64()}
    for row in functions("SQL"):
        function = spark_functions.function_of(row, {"one": patterns()} if row.takes == "patterns" else None)
        values = [pa.array([ARGUMENTS[row.name] or "one"] * len(URLS))] if row.needs else []
        for column in (pa.array(URLS), pa.array(URLS, pa.large_string())):
            made = function(column, *values)
            made.validate(full=True)
            if row.result == "+s":
                kinds = [arrow[kind] for kind in row.formats(row.fields).values()]
                assert [field.type for field in made.type] == kinds
            elif row.result != "+l":
                assert made.type == arrow[row.result], row.name


def test_the_shell_has_each_field():
    tables = pytest.importorskip("urlsm.cli.tables")
    for row in functions("field"):
        name = row.field or row.name
        found = tables.fields_of(pa.array(URLS), (f"{name}:q" if row.needs else name,), None)
        assert found.type.num_fields == 1, name


def test_the_reference_shows_the_table(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    table = importlib.import_module("reference_fields").engines()
    assert re.findall(r"^\| `columns\.(\w+)` \|", table, re.MULTILINE) == [row.name for row in FUNCTIONS]
    assert all(why in table for row in FUNCTIONS for why in row.lacks.values())
