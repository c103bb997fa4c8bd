"""Dask's accessor gives the answers of pandas', with the dtypes that its meta promises for each partition."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")
pd = pytest.importorskip("pandas", minversion="2.2", reason="pandas 2.2 is not installed")
dd = pytest.importorskip("dask.dataframe", reason="dask is not installed")
engine = pytest.importorskip("urlsm.engines.dask")

# the partitions of two rows: without a null; with one; all null
TEXTS = ["http://u:p@Example.com:8080/a?b=1&q=x+y#c", "HTTP://ÜBER.example:1/ä?q=1", "http://a b/", None, None, "x"]
CALLS = {
    **dict.fromkeys(("host", "href", "can_parse", "registrable_domain", "public_suffix", "is_ambiguous"), ()),
    **{
        "fingerprint": ("surt",),
        "query_param": ("q",),
        "canonicalize": ("w3lib",),
        "surt": (),
        "resolve": ("http://b/",),
    },
    **{"parse": (("host", "port", "path", "can_parse", "error_code", "error_position"),)},
}


@pytest.fixture
def series():
    return pd.Series(TEXTS, index=range(5, 11), name="link")


def asked(accessor, name):
    found = getattr(accessor, name)
    return found(*CALLS[name]) if callable(found) else found


@pytest.mark.parametrize("name", CALLS)
def test_answers_and_dtypes(series, name):
    if name in ("registrable_domain", "public_suffix"):
        pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    made = asked(dd.from_pandas(series, npartitions=3).url, name)
    assert made.npartitions == 3
    found, expected = made.compute(), asked(series.url, name)
    for part in (found, *(made.partitions[k].compute() for k in range(3))):
        assert str(getattr(part, "dtypes", None)) == str(made._meta.dtypes)
    columns = [*expected] if name == "parse" else [None]
    for column in columns:
        theirs, ours = (frame if column is None else frame[column] for frame in (expected, found))
        assert ours.index.tolist() == theirs.index.tolist() and ours.name == theirs.name
        rows = zip(ours.astype(object), theirs.astype(object), strict=True)
        assert all((pd.isna(a) and pd.isna(b)) or a == b for a, b in rows), column


def test_every_name_of_pandas_is_there(series):
    frame = dd.from_pandas(series, npartitions=2)
    assert set(CALLS) | {"matches", "pattern_index"} == set(dir(frame.url))
    assert not hasattr(frame.url, "nonsense") and not hasattr(frame.url, "_column")
    assert not hasattr(dd.from_pandas(pd.Series([1, 2]), npartitions=1), "url")


def test_a_base_for_each_row_and_a_set(series):
    from urlsm.patterns import PatternSet

    frame = dd.from_pandas(pd.DataFrame({"link": ["a", "/b"], "base": ["http://h/x/", "http://i/"]}), npartitions=2)
    assert frame["link"].url.resolve(base=frame["base"]).compute().tolist() == ["http://h/x/a", "http://i/b"]
    scope = PatternSet(["example.com"], syntax="domains")
    url = dd.from_pandas(series, npartitions=3).url
    assert url.matches(scope).compute().tolist()[:2] == [True, False]
    assert url.pattern_index(scope).compute().astype(object).tolist()[0] == 0


def test_a_hash_of_pandas_keeps_its_bits_beside_a_null(series):
    from urlsm import crawler

    made = series.url.fingerprint()
    assert str(made.dtype) == "UInt64" and made.isna().tolist() == [text is None for text in TEXTS]
    assert made.iloc[0] == crawler.fingerprint(TEXTS[0], kind="xxh64")
    assert str(series[:2].url.fingerprint().dtype) == "uint64"
