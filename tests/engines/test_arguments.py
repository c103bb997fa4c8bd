"""Functions of a URL and an argument within the engines: those of urlsm.crawler, row by row."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import urlsm

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")
pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")

TEXTS = ["http://u:p@Example.com:8080/a?b=1&q=x+y#c", None, "http://a b/", "HTTP://ÜBER.example/ä", "mailto:a@b", "x"]
PACKAGE = pathlib.Path(urlsm.__file__).parent
SQL = """url_surt('http://www1.www.h.com/', 'commoncrawl'), url_surt(url), url_surt(url, 'commoncrawl'),
    url_fingerprint(url), url_fingerprint(url, 'surt'), url_registrable_domain(url, true),
    url_registrable_domain(url), url_query_param(url, 'q'), url_segments(url),
    url_canonicalize(url, if(n < 2, 'surt', 'w3lib')), url_traps(url), url_audit(url), url_is_ambiguous(url),
    url_query_param(url, cast(null as varchar(9))) from links order by n"""


def with_arguments(signed=False):
    """Return the columns that SQL asks for."""
    from urlsm import crawler

    def each(function):
        def of(text, row):
            try:
                return None if text is None else function(text, row)
            except urlsm.ParseError:
                return None

        return [of(text, row) for row, text in enumerate(TEXTS)]

    def hashed(text, profile):
        made = crawler.fingerprint(text, profile, kind="xxh64")
        return made - (made >> 63 << 64) if signed else made

    def segments(text, row):
        return list(urlsm.parse(text).segments)

    return [
        ["com,h)/"] * len(TEXTS),
        each(lambda text, row: crawler.surt(text)),
        each(lambda text, row: crawler.surt(text, "commoncrawl")),
        each(lambda text, row: hashed(text, "urlsm-1")),
        each(lambda text, row: hashed(text, "surt")),
        each(lambda text, row: urlsm.domains.registrable_domain(text, only_icann=True)),
        each(lambda text, row: urlsm.domains.registrable_domain(text)),
        each(lambda text, row: urlsm.parse(text).query_params.get("q")),
        each(segments),
        each(lambda text, row: crawler.canonicalize(text, "surt" if row < 2 else "w3lib")),
        each(lambda text, row: list(crawler.traps(text))),
        each(lambda text, row: [*dict.fromkeys(hazard.code for hazard in urlsm.security.audit(text))]),
        each(lambda text, row: urlsm.security.is_ambiguous(text)),
        [None] * len(TEXTS),
    ]


@pytest.mark.parametrize("plugged", [True, False])
def test_polars_methods_with_arguments(monkeypatch, plugged):
    pl = pytest.importorskip("polars", reason="polars is not installed")
    engine = importlib.import_module("urlsm.engines.polars")

    monkeypatch.setattr(engine, "PLUGS", plugged and engine.PLUGS)
    url = pl.col("u").url
    expressions = [
        *(url.surt(), url.surt("commoncrawl"), url.fingerprint(), url.fingerprint("surt")),
        *(url.registrable_domain(only_icann=True), url.registrable_domain()),
        *(url.query_param("q"), url.segments(), url.traps(), url.audit(), url.is_ambiguous()),
    ]
    names = [str(k) for k in range(len(expressions))]
    frame = pl.LazyFrame({"u": TEXTS}).select(made.alias(k) for made, k in zip(expressions, names, strict=True))
    found = frame.collect()
    assert frame.collect_schema() == found.schema
    expected = with_arguments()
    chosen = [expected[k] for k in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12)]
    assert [found[name].to_list() for name in names] == chosen
    series = pl.Series(["http://a.github.io/", "http://a.notatld/"])
    assert series.url.public_suffix().to_list() == ["github.io", "notatld"]
    assert series.url.public_suffix(only_icann=True, accept_unknown=False).to_list() == ["io", None]
    assert series.url.fingerprint(kind="sha1").dtype == pl.Binary
    assert pl.select(pl.lit("http://a.github.io/").url.public_suffix(only_icann=True)).item() == "io"


def test_duckdb_with_arguments():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    from urlsm.engines.duckdb import install

    con = install(duckdb.connect())
    con.register("links", pa.table({"url": TEXTS, "n": range(len(TEXTS))}))
    made = con.sql(f"select {SQL}")
    assert [*map(list, zip(*made.fetchall(), strict=True))] == with_arguments()
    assert str(con.sql("select url_fingerprint('http://h/')").types[0]) == "UBIGINT"
    assert con.sql("select url_public_suffix('http://a.github.io/', true), url_surt(null)").fetchall() == [("io", None)]
    odd = "select url_query_param(url, if(n % 2 = 0, 'q', if(n = 1, null, 'b'))) from links order by n"
    assert [row[0] for row in con.sql(odd).fetchall()] == ["x y", *[None] * 5]
    for query in (
        "url_query_param(url)",
        "url_surt(url, 'surt', 'x')",
        "url_fingerprint(url, 'nonsense')",
        "url_surt(n)",
    ):
        with pytest.raises(duckdb.Error, match=r"takes a URL|nonsense|int64|No function matches"):
            con.sql(f"select {query} from links").fetchall()


def test_spark_takes_each_function():
    """Spark reads the type of each parameter."""
    pytest.importorskip("pyspark", minversion="4.1", reason="pyspark 4.1 is not installed")
    types = pytest.importorskip("pyspark.sql.types")
    from urlsm.columns.functions import FUNCTIONS
    from urlsm.engines import spark_functions

    for row in FUNCTIONS:
        assert spark_functions.registered(spark_functions.function_of(row), types.BooleanType()).evalType


@pytest.mark.slow(20)
def test_spark_with_arguments_reads_the_url_alone(tmp_path, monkeypatch):
    pytest.importorskip("pyspark", minversion="4.1", reason="pyspark 4.1 is not installed")
    pytest.importorskip("pandas", reason="Spark's functions need pandas")
    import pyarrow.parquet as pq

    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Spark needs Java 17")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]))
    pq.write_table(pa.table({"url": TEXTS, "n": range(len(TEXTS))}), tmp_path / "in.parquet", compression="zstd")
    code = f"""
import json, warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession, functions as F
import urlsm.engines.spark as us
spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
         .config("spark.driver.memory", "1g").getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
from urlsm.patterns import PatternSet
us.install(spark, patterns={{"one": PatternSet(["example.com"]), "none": PatternSet(["a.example"])}})
df = spark.read.parquet({str(tmp_path / "in.parquet")!r})
df.createOrReplaceTempView("links")
two = us.with_columns(df, "url", ("host", "path")).select("url_parsed.host", "url_parsed.path")
odd = df.select(F.col("url").alias("r.url"), F.col("n").alias("N"), F.col("n").alias("n"))
frames = [two, us.with_columns(df, "url"), df.select(us.parse("url", ("host",)).alias("p")),
          df.select(us.parse(df.url).alias("p")).select("p.path"),
          us.with_columns(odd, "R.URL").select("`R.URL_parsed`.host")]
plans = [frame._jdf.queryExecution().executedPlan().toString() for frame in frames]
schemas = [plan.partition("ReadSchema: ")[2].splitlines()[0] for plan in plans]
hosts = [row.host for row in frames[4].collect()]
argued = [[*row] for row in spark.sql({f"select {SQL}"!r}).collect()]
sql = "select url_matches(url, 'one'), url_matches(url, if(n < 1, 'none', 'one')) from links order by n"
inside = [[*row] for row in spark.sql(sql).collect()]
print("RESULT" + json.dumps([schemas, plans[0].count("ArrowEvalPython"), hosts, argued, inside]))
spark.stop()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=280)
    assert run.returncode == 0, run.stderr[-3000:]
    schemas, trips, hosts, argued, inside = json.loads(run.stdout.partition("RESULT")[2].splitlines()[0])
    one = "struct<url:string>"
    assert schemas == [one, "struct<url:string,n:bigint>", one, one, one]
    assert trips == 1
    assert hosts == [None if url is None else url.host for url in map(urlsm.try_parse, map(str, TEXTS))]
    assert [*map(list, zip(*argued, strict=True))] == with_arguments(signed=True)
    assert inside == [[True, False], *([None if url is None else False] * 2 for url in TEXTS[1:])]
