"""Counts the hosts that each engine gets wrong, in the texts of web-platform-tests without a base.

python -m bench.wrong_hosts --texts urltestdata.json     (../shared/conformance/urltestdata.json if there is one)

It asks DuckDB, chdb and Spark if they are installed (Spark 4 needs Java 17, and runs on this machine).
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from urllib.parse import urlsplit

import urlsm

# the expression of RFC 3986, appendix B, as data pipelines use it: what follows "//", without user and port
USUAL = re.compile(r"^(?:[^:/?#]+:)?//(?:[^/?#]*@)?([^/?#:]*)")
ROOT = pathlib.Path(__file__).resolve().parents[1]


def _urllib(text: str) -> str | None:
    try:
        return urlsplit(text).hostname
    except ValueError:
        return None


def _regex(text: str) -> str | None:
    match = USUAL.match(text)
    return match and match[1]


def _urlsm(text: str) -> str | None:
    url = urlsm.try_parse(text)
    return url and url.host


def _duckdb(texts: list[str]) -> list[str | None]:
    import duckdb

    sql = "select split_part(split_part(?, '://', 2), '/', 1)"
    return [duckdb.execute(sql, [text]).fetchone()[0] for text in texts]


def _chdb(texts: list[str]) -> list[str | None]:
    """Return the hosts by chdb, through a table, so no text is an SQL literal; ClickHouse keeps a block's order."""
    import chdb
    import pyarrow as pa

    links = pa.table({"k": range(len(texts)), "url": texts})
    assert links.num_rows == len(texts)  # chdb finds it by its name
    return chdb.query("select domain(url) as host from Python(links) order by k", "ArrowTable")["host"].to_pylist()


def _spark(texts: list[str]) -> list[str | None]:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    frame = session.createDataFrame([*enumerate(texts)], "k int, url string")
    hosts = [row.host for row in frame.selectExpr("k", "try_parse_url(url, 'HOST') as host").orderBy("k").collect()]
    session.stop()
    return hosts


def engines() -> dict[str, Callable[[list[str]], list[str | None]]]:
    found: dict[str, Callable[[list[str]], list[str | None]]] = {
        name: lambda texts, of=of: [of(text) for text in texts]
        for name, of in [("urlsm", _urlsm), ("urllib.parse", _urllib), ("regular expression", _regex)]
    }
    for package, name, of in [
        ("pyspark", "Spark try_parse_url", _spark),
        ("chdb", "chdb domain", _chdb),
        ("duckdb", "DuckDB split_part", _duckdb),
    ]:
        if find_spec(package):
            found[f"{name} ({version(package)})"] = of
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", default=ROOT / "../shared/conformance/urltestdata.json", type=pathlib.Path)
    rows = json.loads(parser.parse_args().texts.read_text(encoding="utf-8"))
    rows = [row for row in rows if isinstance(row, dict) and row.get("base") is None]
    rows = [
        row for row in rows if row["input"].isascii() or row["input"].encode("utf-8", "ignore").decode() == row["input"]
    ]
    texts = [row["input"] for row in rows]
    expected = [row.get("hostname") or None for row in rows]
    print(f"{len(rows)} texts, {sum(host is not None for host in expected)} of which have a host")
    counted = {}
    for name, hosts_of in engines().items():
        hosts = hosts_of(texts)
        counted[name] = sum((host or None) != right for host, right in zip(hosts, expected, strict=True))
    for name, wrong in sorted(counted.items(), key=lambda row: row[1]):
        print(f"{name:27} {wrong:4} {'#' * round(wrong / 4)}")


if __name__ == "__main__":
    main()
