"""What the URL functions of other engines answer, beside urlsm: two tables of engines.md.

python docs/engines.py            writes them; needs chdb, duckdb, polars and pyspark, and Java
python docs/engines.py --check    exits with 1 if they are out of date
"""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version
from pathlib import Path

import chdb
import duckdb
import polars as pl
import pyarrow as pa

import urlsm

# the usual expression of data pipelines: after RFC 3986, appendix B, without user and port
USUAL = r"^(?:[^:/?#]+:)?//(?:[^/?#]*@)?([^/?#:]*)"
TEXTS = [
    "http://u:p@Example.com:8080/a",
    "http://example.com?next=http://b.example/",
    "http://b\u00fccher.example/",
    "http://my_shop.example/",
    "http://example.com/?q=a|b",
    "http://example.com/a b",
    "http://[::1]:80/",
    "http://127.1/",
    "http://exa%6Dple.com/",
    "http://good.example\\@evil.example/",
    "http://user@good.example@evil.example/",
    "http:evil.example/",
    "http:///evil.example/",
    " http://example.com/",
    "http://example.com:99999/",
    "http://a b.example/",
    "//example.com/a",
    "example.com/a",
    "mailto:a@example.com",
]
# a question, a text, urlsm's answer, and how ClickHouse and Spark are asked
URL = urlsm.parse
QUESTIONS = [
    ("path", "http://example.com", lambda text: URL(text).path, "path(url)", "try_parse_url(url, 'PATH')"),
    ("path", "http://h.example/a/../b", lambda text: URL(text).path, "path(url)", "try_parse_url(url, 'PATH')"),
    ("path", "http://h.example/a;b=1?c", lambda text: URL(text).path, "path(url)", "try_parse_url(url, 'PATH')"),
    ("port", "https://h.example/", lambda text: URL(text).port, "port(url)", None),
    ("port", "http://h.example:81/", lambda text: URL(text).port, "port(url)", None),
    ("query", "http://h.example/?", lambda text: URL(text).query, "queryString(url)", "try_parse_url(url, 'QUERY')"),
    ("query", "http://h.example/#a?b", lambda text: URL(text).query, "queryString(url)", "try_parse_url(url, 'QUERY')"),
    (
        "parameter `a`",
        "http://h.example/?a=x+y%20z",
        lambda text: URL(text).query_params.get("a"),
        "extractURLParameter(url, 'a')",
        "try_parse_url(url, 'QUERY', 'a')",
    ),
    (
        "parameter `a`",
        "http://h.example/?%61=1",
        lambda text: URL(text).query_params.get("a"),
        "extractURLParameter(url, 'a')",
        "try_parse_url(url, 'QUERY', 'a')",
    ),
    ("site", "http://a.b.co.uk/", urlsm.domains.registrable_domain, "cutToFirstSignificantSubdomain(url)", None),
    ("site", "http://a.b.com.br/", urlsm.domains.registrable_domain, "cutToFirstSignificantSubdomain(url)", None),
    ("site", "http://me.github.io/", urlsm.domains.registrable_domain, "cutToFirstSignificantSubdomain(url)", None),
    ("site", "http://127.0.0.1/", urlsm.domains.registrable_domain, "cutToFirstSignificantSubdomain(url)", None),
]


def _clickhouse(expressions: list[str], texts: list[str]) -> list[list[object]]:
    links = pa.table({"k": range(len(texts)), "url": texts})
    assert links.num_rows  # chdb finds it by its name
    named = ", ".join(f"toString({one}) as c{k}" for k, one in enumerate(expressions))
    table = chdb.query(f"select {named} from Python(links) order by k", "ArrowTable")
    return [column.to_pylist() for column in table.columns]


def _spark(expressions: list[str], texts: list[str]) -> list[list[object]]:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    frame = session.createDataFrame([*enumerate(texts)], "k int, url string").orderBy("k")
    rows = frame.selectExpr(*(f"{one} as c{k}" for k, one in enumerate(expressions))).collect()
    return [[row[k] for row in rows] for k in range(len(expressions))]


def _cell(answer: object) -> str:
    if answer is None:
        return "null"
    return f"`{answer}`".replace("|", "\\|") if str(answer) else '""'


def hosts() -> str:
    """Return the table of hosts; what is not urlsm's answer is in bold."""
    ours = [url and url.host for url in map(urlsm.try_parse, TEXTS)]
    domain, rfc = _clickhouse(["domain(url)", "domainRFC(url)"], TEXTS)
    (spark,) = _spark(["try_parse_url(url, 'HOST')"], TEXTS)
    regexp = pl.Series(TEXTS).str.extract(USUAL, 1).to_list()
    again = [duckdb.execute("select regexp_extract(?, ?, 1)", [text, USUAL]).fetchall()[0][0] for text in TEXTS]
    assert [one or "" for one in regexp] == again
    heads = (f"ClickHouse {version('chdb')} `domain`", "`domainRFC`", f"Spark {version('pyspark')} `try_parse_url`")
    lines = [f"| text | urlsm | {' | '.join(heads)} | regular expression |", "|---|---|---|---|---|---|"]
    wrong = [0] * 4
    for text, right, *theirs in zip(TEXTS, ours, domain, rfc, spark, regexp, strict=True):
        for k, one in enumerate(theirs):
            wrong[k] += (one or None) != right
        cells = [_cell(one) if (one or None) == right else f"**{_cell(one)}**" for one in theirs]
        lines.append(f"| {_cell(text)} | {' | '.join([_cell(right), *cells])} |")
    lines.append(f"| differ, of {len(TEXTS)} | | {' | '.join(map(str, wrong))} |")
    return "\n".join(lines) + "\n"


def questions() -> str:
    """Return the table of other components."""
    lines = [
        "| what | text | urlsm | ClickHouse | its answer | Spark's `try_parse_url` |",
        "|---|---|---|---|---|---|",
    ]
    texts = [text for _, text, *_ in QUESTIONS]
    clickhouse = _clickhouse([row[3] for row in QUESTIONS], texts)
    asked = [k for k, row in enumerate(QUESTIONS) if row[4]]
    spark = dict(zip(asked, _spark([str(QUESTIONS[k][4]) for k in asked], texts), strict=True))
    for k, (what, text, ours, function, _) in enumerate(QUESTIONS):
        theirs = _cell(spark[k][k]) if k in spark else "has none"
        answers = f"{_cell(ours(text))} | `{function.partition('(')[0]}` | {_cell(clickhouse[k][k])} | {theirs}"
        lines.append(f"| {what} | {_cell(text)} | {answers} |")
    return "\n".join(lines) + "\n"


PAGE = Path(__file__).resolve().with_name("engines.md")


def made(page: str) -> str:
    """Return the page with today's tables."""
    for name, table in ("hosts", hosts()), ("questions", questions()):
        page = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m, t=table: f"{m[1]}\n{t}\n{m[2]}", page, flags=re.S
        )
    return page


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8")
    new = made(old)
    if "--check" in sys.argv:
        sys.exit(old != new)
    PAGE.write_text(new, encoding="utf-8")
