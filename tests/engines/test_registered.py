"""The engines' messages if our functions are already registered, and for columns that are not texts."""

from __future__ import annotations

import importlib

import pytest


@pytest.fixture
def duckdb():
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    return pytest.importorskip("duckdb", reason="duckdb is not installed")


def test_duckdb_installs_twice(duckdb, tmp_path):
    from urlsm.engines.duckdb import install

    con = duckdb.connect(str(tmp_path / "links.duckdb"))
    for other in (con, con, con.cursor(), con.cursor().cursor()):
        assert install(other) is other
        assert other.sql("select url_host('http://A/'), url_error_code('x')").fetchall()[0][0] == "a"
    assert install(duckdb.connect()).sql("select url_href('http://A')").fetchall() == [("http://a/",)]


@pytest.mark.parametrize("how", ["function", "macro"])
@pytest.mark.parametrize("name", ["url_host", "url_resolve", "url_error_code"])  # the first, one amidst, the last
def test_duckdb_leaves_the_functions_of_others(duckdb, name, how):
    from urlsm.engines.duckdb import install

    con = duckdb.connect()
    if how == "macro":
        con.execute(f"create macro {name}(x) as 'mine'")
    else:
        con.create_function(name, lambda text: "mine", ["VARCHAR"], "VARCHAR")
    for _ in range(2):
        with pytest.raises(duckdb.Error, match=name):
            install(con)
        assert con.sql(f"select {name}('http://a/')").fetchall() == [("mine",)]
        found = con.sql("select function_name from duckdb_functions() where starts_with(function_name, 'url_')")
        assert {row[0] for row in found.fetchall()} - {"url_encode", "url_decode"} == {name}


@pytest.fixture
def pd():
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    found = pytest.importorskip("pandas", minversion="2.2", reason="pandas 2.2 is not installed")
    importlib.import_module("urlsm.engines.pandas")
    return found


@pytest.mark.parametrize("dtype", ["float64", "float32", "datetime64[ns]", "category"])
@pytest.mark.parametrize("count", [1, 5])
def test_pandas_says_that_every_value_is_missing(pd, dtype, count):
    """For pandas, a column of missing values is float64."""
    series = pd.Series([float("nan")] * count, dtype=dtype)
    with pytest.raises(AttributeError, match=r"every value is missing; \.astype\(object\)"):
        _ = series.url
    assert not hasattr(series, "url")
    assert series.astype(object).url.host().isna().tolist() == [True] * count


def test_pandas_says_what_is_no_text(pd):
    for values, dtype in (([1.5, None], None), ([1, 2], "category"), (["a", 1], object)):
        with pytest.raises(AttributeError, match="needs a series of str or URL") as told:
            _ = pd.Series(values, dtype=dtype).url
        assert "missing" not in str(told.value)
    assert pd.Series(["http://A/", None], dtype="category").url.host()[0] == "a"
