"""Columns beside sets of patterns: what `in` and match say, row by row."""

from __future__ import annotations

import importlib

import pytest
from support.seeds import seeded

import urlsm.columns as uc
from urlsm.patterns import PatternSet

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

SETS = {
    "domains": PatternSet(["example.com", "10.0.0.0/8"], exclude=["x.example.com"]),
    "glob": PatternSet(["https://example.com/cb/**", "*://**/**/y"], "glob"),
    "blocklist": PatternSet(["example.com", "a.org/cb"], "blocklist"),
    "redirect-uri": PatternSet(["https://example.com/cb", "http://127.0.0.1/"], "redirect-uri"),
    "robots": PatternSet(["Disallow: /cb/", "Allow: /cb/x"], "robots"),
}
TEXTS = [
    *(
        "https://example.com/cb/1",
        "http://a.org/cb/2",
        "https://x.example.com/",
        "no URL",
        "",
        "https://example.com/cb",
    ),
    *("https://example.com/cb/..%2fx", "https://a@b@example.com/", "HTTPS://EXAMPLE.com:443/cb/é", "http://10.9.8.7/y"),
    *("http://127.0.0.1:7/", "/cb/x", "https://example.com/cb/" + "x" * 1000, "https://bücher.de/y", "foo:bar"),
]


def rows(count):
    rng = seeded("lookups")
    return [rng.choice([*TEXTS, None]) for _ in range(count)]


@pytest.mark.parametrize("name", SETS)
def test_each_row_is_what_the_set_says(name):
    patterns, texts = SETS[name], rows(300)
    inside = [None if text is None else text in patterns for text in texts]
    found = [None if text is None else patterns.match(text) for text in texts]
    index = [match and match.index for match in found]
    assert {True, False, None} <= {*inside}
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary()):
        column = pa.array(texts, pa.string()).cast(kind)
        for threads in (1, 3, None):
            made = uc.matches(column, patterns, threads=threads)
            assert pa.array(made).to_pylist() == inside
            assert pa.array(made).null_count == texts.count(None)
            assert pa.array(uc.pattern_index(column, patterns, threads=threads)).to_pylist() == index
    assert pa.array(uc.matches(pa.array(texts)[7:201], patterns)).to_pylist() == inside[7:201]
    assert pa.array(uc.matches(pa.array(texts).dictionary_encode(), patterns)).to_pylist() == inside
    chunks = pa.chunked_array([texts[:70], [], texts[70:]], pa.string())
    assert pa.chunked_array(uc.matches(chunks, patterns)).to_pylist() == inside
    assert pa.array(uc.pattern_index(pa.array([], pa.string()), patterns)).to_pylist() == []


def test_octets_that_are_not_utf_8_are_what_bytes_are():
    texts = [b"https://example.com/cb/\xff", b"https://example.com/cb/\xed\xa0\x80", b"\xff", b"https://\xff.com/y"]
    for patterns in SETS.values():
        made = uc.matches(pa.array(texts, pa.binary()), patterns)
        assert pa.array(made).to_pylist() == [text in patterns for text in texts]


def test_what_is_not_a_set_or_a_column_of_text_is_refused():
    with pytest.raises(TypeError, match="PatternSet"):
        uc.matches(pa.array(["a"]), ["example.com"])
    with pytest.raises(TypeError):
        uc.matches(pa.array([1]), SETS["domains"])
    with pytest.raises(ValueError, match="threads"):
        uc.pattern_index(pa.array(["a"]), SETS["domains"], threads=0)


def test_an_error_of_the_long_way_reaches_the_caller():
    class Other(PatternSet):
        def _decides_at_length(self, url):
            raise ZeroDivisionError

    for threads in (1, 2):
        with pytest.raises(ZeroDivisionError):
            uc.matches(pa.array(["https://a@b@example.com/"] * 600), Other(["example.com"]), threads=threads)


def test_engines_ask_sets():
    texts = rows(50)
    patterns = SETS["glob"]
    inside = [None if text is None else text in patterns for text in texts]
    index = [None if text is None else (match := patterns.match(text)) and match.index for text in texts]
    if importlib.util.find_spec("polars"):
        import polars as pl

        importlib.import_module("urlsm.engines.polars")
        frame = pl.DataFrame({"u": texts})
        assert frame.select(pl.col("u").url.matches(patterns))["u"].to_list() == inside
        assert frame["u"].url.pattern_index(patterns).to_list() == index
    if importlib.util.find_spec("pandas"):
        import pandas as pd

        importlib.import_module("urlsm.engines.pandas")
        made = pd.Series(texts).url.matches(patterns)
        assert [None if there is None else bool(there) for there in made] == inside
        made = pd.Series(texts, name="u").url.pattern_index(patterns)
        assert [None if pd.isna(number) else int(number) for number in made] == index


def test_duckdb_asks_sets_by_name():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    from urlsm.engines.duckdb import install

    texts = rows(50)
    con = install(duckdb.connect(), patterns={"cb": SETS["glob"], "scope": SETS["domains"]})
    con.execute("create table links as select unnest(?::varchar[]) as url", [texts])
    for name, patterns in (("cb", SETS["glob"]), ("scope", SETS["domains"])):
        found = con.sql(f"select url_matches(url, '{name}') from links").fetchall()
        assert found == [(None if text is None else text in patterns,) for text in texts]
    assert con.sql("select url_matches('https://a/', null)").fetchall() == [(None,)]
    with pytest.raises(duckdb.Error, match="no patterns are named 'other'"):
        con.sql("select url_matches(url, 'other') from links").fetchall()
    install(con, patterns={"cb": SETS["domains"]})
    assert con.sql("select url_matches('https://example.com/', 'cb')").fetchall() == [(True,)]
