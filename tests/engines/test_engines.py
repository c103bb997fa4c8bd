"""Each engine gives the answers of urlsm.columns. Each test is skipped without its engine."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

import urlsm
from urlsm.columns.names import SPANS

TEXTS = ["http://u:p@Example.com:8080/a?b=1&q=x+y#c", None, "http://a b/", "HTTP://ÜBER.example/ä", "mailto:a@b", "x"]
URLS = [None if text is None else urlsm.try_parse(text) for text in TEXTS]
HOSTS = [url and url.host for url in URLS]
VALID = [None if text is None else urlsm.can_parse(text) for text in TEXTS]
FIVE = ("scheme", "host", "path", "query", "fragment")
ENGINES = pathlib.Path(urlsm.__file__).parent / "engines"


def rows(fields: tuple[str, ...] = FIVE) -> list[dict[str, object]]:
    return [{name: getattr(url, name, None) for name in fields} for url in URLS]


@pytest.mark.parametrize("engine", ["polars", "duckdb", "pandas", "dask", "spark"])
def test_an_engine_that_is_absent_says_what_to_install(engine):
    package = "pyspark" if engine == "spark" else engine
    code = f"import sys; sys.modules[{package!r}] = None\nimport urlsm.engines.{engine}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"pip install 'urlsm[{engine}]'" in run.stderr


def test_engines_are_small():
    for path in ENGINES.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 130, path


# --- Polars ------------------------------------------------------------------------------------


@pytest.fixture
def pl():
    found = pytest.importorskip("polars", reason="polars is not installed")
    importlib.import_module("urlsm.engines.polars")
    return found


def test_polars_loads_the_list_of_sites_by_itself(pl):
    pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    code = """if True:
        import polars as pl, urlsm.engines.polars
        frame = pl.DataFrame({"u": ["http://www.example.co.uk/"]})
        made = frame.select(pl.col("u").url.parse(("scheme", "registrable_domain")))
        assert made["u"].to_list() == [{"scheme": "http", "registrable_domain": "example.co.uk"}]
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_polars_tells_what_went_wrong(pl, tmp_path):
    """The message names the real error, also on Polars' own threads."""
    (tmp_path / "publicsuffixlist").mkdir()
    (tmp_path / "publicsuffixlist" / "__init__.py").touch()
    code = """if True:
        import polars as pl, urlsm.crawler.sites, urlsm.engines.polars
        def told(text, streaming=False):
            frame = pl.LazyFrame({"u": [text]}).select(pl.col("u").url.registrable_domain())
            try:
                frame.collect(engine="streaming") if streaming else frame.collect()
            except pl.exceptions.ComputeError as error:
                return str(error)
        assert "FileNotFoundError: " in told("http://www.example.co.uk/"), told("http://www.example.co.uk/")
        (folder / "public_suffix_list.dat").write_text("uk\\nco.uk\\n")
        assert told("http://www.example.co.uk/") is None
        def broken(host, **options):
            raise ValueError("of our own")
        urlsm.crawler.sites.registrable_domain = broken
        for streaming in (False, True):
            assert "ValueError: of our own" in told("ex\u00e4mple.org", streaming), told("ex\u00e4mple.org", streaming)
    """
    code = f"import pathlib; folder = pathlib.Path({str(tmp_path / 'publicsuffixlist')!r})\n{code}"
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_polars_parameters_may_have_any_name(pl):
    frame = pl.DataFrame({"u": ["http://h/?x,y=1&y=2&1,2=3&A,=4"]})
    for name in ("x,y", "y", "1,2", "A,", ",", "-1", ""):
        assert frame.select(pl.col("u").url.query_param(name)).item() == frame["u"].url.query_param(name).item(), name


def collected(pl, lazy, engine):
    """lazy.collect(engine=engine); Polars before 1.23 spells it otherwise."""
    if tuple(map(int, pl.__version__.split(".")[:2])) < (1, 23):
        return lazy.collect(streaming=engine == "streaming")
    return lazy.collect(engine=engine)


def test_polars_expressions(pl):
    frame = pl.DataFrame({"u": TEXTS, "n": range(len(TEXTS))})
    lazy = frame.lazy().with_columns(host=pl.col("u").url.host(), parts=pl.col("u").url.parse())
    assert lazy.collect_schema()["parts"] == pl.Struct(dict.fromkeys(FIVE, pl.String))
    for engine in ("in-memory", "streaming"):
        made = collected(pl, lazy, engine)
        assert made["host"].to_list() == HOSTS
        assert made["parts"].to_list() == rows()
        assert made.schema == lazy.collect_schema()
    made = frame.lazy().filter(pl.col("u").url.host() == "example.com").collect()
    assert made["n"].to_list() == [0]
    parts = frame.select(p=pl.col("u").url.parse(("port", "can_parse", "error_code", "error_position"))).unnest("p")
    assert parts.schema == {
        "port": pl.UInt16,
        "can_parse": pl.Boolean,
        "error_code": pl.String,
        "error_position": pl.Int32,
    }
    assert parts["error_code"].to_list()[2] == "domain-to-ASCII"
    grouped = frame.group_by(pl.col("u").url.host().alias("h")).len().sort("h")
    assert dict(grouped.iter_rows())["example.com"] == 1


ALL = ("scheme", "username", "password", "host", "port", "path", "query", "fragment", "href", "authority", "origin")


def links(count: int) -> list[str | None]:
    """Return texts of every kind, some of them null."""
    made = [
        TEXTS[k % 6] if k % 7 else f"https://h{k}.example.co.uk:{k % 65536}/{'p' * (k % 70)}?q=%41{k}#f"
        for k in range(count)
    ]
    return [None if k % 11 == 3 else text for k, text in enumerate(made)]


@pytest.mark.parametrize("plugs", [True, False])
def test_polars_by_our_module_and_by_python(pl, monkeypatch, plugs):
    """Both ways give one answer, in each engine, for chunks, slices, and columns that are not String."""
    import urlsm.columns as uc
    import urlsm.engines.polars as up

    monkeypatch.setattr(up, "PLUGS", plugs)
    texts = links(3000)
    chunked = pl.concat([pl.Series("u", texts), pl.Series("u", texts[::-1])], rechunk=False)
    whole = pl.DataFrame({"u": chunked, "n": range(len(chunked))})
    url = pl.col("u").url
    exprs = {
        **{
            "five": url.parse(),
            "all": url.parse((*ALL, "can_parse", "error_position")),
            "host": url.host(),
            "href": url.href(),
        },
        **{
            "can_parse": url.can_parse(),
            "param": url.query_param("q"),
            "split": url.split(SPANS, dialect="rfc3986"),
            "odd": url.query_param("a\udc80"),
        },
    }
    if importlib.util.find_spec("publicsuffixlist"):
        exprs["registrable_domain"] = url.registrable_domain()
    for frame in (whole, whole[5:-3], whole[:0], whole[3:4]):
        column = frame["u"]
        want = {
            "five": uc.parse(column),
            "all": uc.parse(column, (*ALL, "can_parse", "error_position")),
            "host": uc.host(column),
            "href": uc.href(column),
            "can_parse": uc.can_parse(column),
            "param": uc.query_param(column, "q"),
            "split": uc.split(column, SPANS, dialect="rfc3986"),
            "odd": uc.query_param(column, "a\udc80"),
        }
        if "registrable_domain" in exprs:
            want["registrable_domain"] = uc.registrable_domain(column)
        for engine in ("in-memory", "streaming"):
            lazy = frame.lazy().select(**exprs)
            made = collected(pl, lazy, engine)
            assert made.schema == lazy.collect_schema()
            for name, wanted in want.items():
                assert made[name].to_list() == pl.Series(wanted).to_list(), (name, engine)
    if plugs:  # (some versions of Polars export categories to nobody)
        odd = whole[:50].select(pl.col("u").cast(pl.Categorical).url.host(), x=pl.lit(None).url.host())
        assert odd["u"].to_list() == pl.Series(uc.host(whole["u"][:50])).to_list()
        assert odd["x"].null_count() == 50
    assert whole.select(pl.col("u").cast(pl.Binary).url.host())["u"].to_list() == pl.Series(uc.host(chunked)).to_list()
    mixed = url.host().map_elements(str.upper, return_dtype=pl.String)
    assert whole.lazy().filter(mixed == "EXAMPLE.COM").collect().height == sum(
        host == "example.com" for host in pl.Series(uc.host(chunked))
    )
    with pytest.raises((pl.exceptions.ComputeError, TypeError), match="column must be of"):
        whole.select(pl.col("n").url.host())


def test_polars_opens_our_module(pl):
    """The plan shows that no Python is involved. The module is found in another process, too."""
    import urlsm.engines.polars as up

    assert up.PLUGS
    lazy = pl.LazyFrame({"u": TEXTS}).filter(pl.col("u").url.host() == "example.com").select(pl.col("u").url.parse())
    assert "url_host" in lazy.explain() and "python_udf" not in lazy.explain().lower()
    code = "import sys, polars as pl\n"
    code += "lazy = pl.LazyFrame.deserialize(sys.stdin.buffer)\n"
    there = "import urlsm.engines.polars\nprint(lazy.collect().height)"
    for end, found in ((there, "1"), ("print(lazy.collect().height)", "import urlsm.engines.polars")):
        command = [sys.executable, "-c", code + end]
        run = subprocess.run(command, input=lazy.serialize(), capture_output=True, check=False)
        assert found in (run.stdout + run.stderr).decode(), run.stderr.decode()


@pytest.mark.slow(2)
def test_polars_ends_with_no_memory_held(pl):
    """Errors and answers release their input: a column's finaliser runs."""
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    before = pa.total_allocated_bytes()
    texts = pa.array(links(5000), pa.string_view())
    frame = pl.DataFrame({"u": pl.from_arrow(texts)})
    for _ in range(3):
        made = frame.select(p=pl.col("u").url.parse(), s=pl.col("u").url.split())
        with pytest.raises(pl.exceptions.ComputeError):
            frame.select(pl.col("u").cast(pl.Binary).url.split())
    assert made.height == 5000
    del texts, frame, made
    assert pa.total_allocated_bytes() == before


def test_polars_series_and_the_rest(pl):
    series = pl.Series("u", TEXTS)
    assert series.url.host().to_list() == HOSTS
    assert series[2:].url.host().to_list() == HOSTS[2:]
    assert pl.concat([series, series], rechunk=False).url.host().to_list() == HOSTS * 2
    assert series.url.can_parse().to_list() == VALID
    assert series.url.href().to_list() == [url and url.href for url in URLS]
    assert series.url.query_param("q").to_list()[0] == "x y"
    assert series.url.resolve(base="http://b/").to_list()[-1] == "http://b/x"
    assert series.url.surt().to_list()[0] == "com,example:8080)/a?b=1&q=x+y"
    assert series.url.split(SPANS, dialect="rfc3986").struct.field("host").to_list()[3] == "ÜBER.example"
    assert series.url.is_ambiguous().null_count() == 1


# --- DuckDB ------------------------------------------------------------------------------------


def test_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from urlsm.columns.functions import COMPONENTS
    from urlsm.engines.duckdb import install

    con = install(duckdb.connect())
    links = pa.table({"u": TEXTS, "n": range(len(TEXTS))})
    con.register("links", links)
    found = con.sql(
        "select url_host(u), url_parse(u), url_can_parse(u), url_port(u), url_error_code(u) from links order by n"
    )
    made = found.fetchall()
    assert [row[0] for row in made] == HOSTS
    assert [row[1] for row in made] == rows(COMPONENTS)
    assert [row[2] for row in made] == VALID
    assert [row[3] for row in made] == [url and url.port for url in URLS]
    assert made[5][4] == "missing-scheme-non-relative-URL"
    joined = con.sql("select url_resolve(u, 'http://b/c/') from links order by n").fetchall()
    assert joined[5] == ("http://b/c/x",)
    assert con.sql("select count(*) from links where url_host(u) = 'example.com'").fetchall() == [(1,)]
    many = con.sql("select count(distinct url_host('http://h' || i || '.example/')) from range(20000) t(i)").fetchall()
    assert many == [(20000,)]


# --- pandas ------------------------------------------------------------------------------------


def test_pandas():
    pd = pytest.importorskip("pandas", minversion="2.2", reason="pandas 2.2 is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    importlib.import_module("urlsm.engines.pandas")
    series = pd.Series(TEXTS, index=list("abcdef"), name="link")
    host = series.url.host()
    assert [None if pd.isna(value) else value for value in host] == HOSTS
    assert list(host.index) == list("abcdef")
    assert host.dtype == pd.Series(["a", None]).dtype
    frame = series.url.parse(("host", "path", "port"))
    assert list(frame.columns) == ["host", "path", "port"]
    assert frame.loc["a", "path"] == "/a"
    assert series.url.resolve(base="http://b/")["f"] == "http://b/x"
    assert series.url.resolve(base=pd.Series(["http://b/"] * 6))["f"] == "http://b/x"
    assert series.url.query_param("q")["a"] == "x y"
    with pytest.raises(AttributeError, match="series of str"):
        _ = pd.Series([1, 2]).url
    assert series.url.fingerprint("surt")["a"] == urlsm.crawler.fingerprint(TEXTS[0], "surt", kind="xxh64")
    assert list(pd.DataFrame({"u": series}).u.url.can_parse().dropna()) == [True, False, True, True, False]


# --- Spark -------------------------------------------------------------------------------------


@pytest.mark.slow(20)
def test_spark_from_parquet_to_parquet(tmp_path, monkeypatch):
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pytest.importorskip("pandas", reason="Spark's functions need pandas")
    import shutil

    import pyarrow.parquet as pq

    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Spark needs Java 17")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    # the worker imports urlsm by itself
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ENGINES.parents[1]), os.environ.get("PYTHONPATH", "")]))
    pq.write_table(pa.table({"url": TEXTS, "n": range(len(TEXTS))}), tmp_path / "in.parquet", compression="zstd")
    code = f"""
import json, warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
import urlsm.engines.spark as us
spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
         .config("spark.sql.parquet.compression.codec", "zstd").config("spark.driver.memory", "1g").getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
us.install(spark)
df = spark.read.parquet({str(tmp_path / "in.parquet")!r})
us.with_columns(df, "url").write.parquet({str(tmp_path / "out.parquet")!r})
df.createOrReplaceTempView("links")
sql = "select url_host(url) h, url_parse(url).path p, url_resolve(url, 'http://b/') r from links order by n"
found = [row.asDict() for row in spark.sql(sql).collect()]
us.install(spark)
from pyspark.sql import functions as F
odd = df.select(F.col("url").alias("a.b"), F.col("n").alias("n"), F.col("n").alias("n"),
                F.struct(F.lit("http://wrong/").alias("b")).alias("a"), F.lit("x y").alias("c`d")).orderBy("url")
made = us.with_columns(odd, "a.b", ("host", "port"))
twice = us.with_columns(us.with_columns(df, "url", ("host",)), "URL", ("port",), into="again")
def told(*arguments, **more):
    try:
        us.with_columns(*arguments, **more)
    except ValueError as error:
        return str(error)
errors = [told(made, "a.b"), told(df, "url", into="N"), told(df, "a"), told(odd, "n"), told(odd, "a.b", into="A")]
spark.conf.set("spark.sql.caseSensitive", "true")
errors += [told(df, "URL"), told(df, "url", into="URL")]
odd_rows = [[*row[:3], row[3][0], row[4], row[5] and [*row[5]]] for row in made.collect()]
ports = [[row.again and row.again.port] for row in twice.orderBy("n").collect()]
found = [found, odd_rows, made.columns, ports, errors]
print("RESULT" + json.dumps(found))
spark.stop()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=280)
    assert run.returncode == 0, run.stderr[-3000:]
    import json

    found, odd, names, ports, errors = json.loads(run.stdout.partition("RESULT")[2].splitlines()[0])
    assert names == ["a.b", "n", "n", "a", "c`d", "a.b_parsed"]
    expected = sorted(zip(TEXTS, range(6), URLS, strict=True), key=lambda row: row[0] or "")
    for row, (text, n, url) in zip(odd, expected, strict=True):
        assert row == [text, n, n, "http://wrong/", "x y", url and [url.host, url.port]]
    assert ports == [[url and url.port] for url in URLS]
    already, other, unknown, two, folded, cased, none = errors
    assert already == "the data frame already has a column 'a.b_parsed': pass another name as into="
    assert "already has a column 'N'" in other and "column 'a'" in unknown and "repeated column 'n'" in two
    assert "already has a column 'A'" in folded and "column 'URL'" in cased and none is None
    assert [row["h"] for row in found] == HOSTS
    assert [row["p"] for row in found] == [url and url.path for url in URLS]
    assert [row["r"] for row in found][5] == "http://b/x"
    table = pq.read_table(tmp_path / "out.parquet").sort_by("n")
    assert table["url_parsed"].to_pylist() == rows()
