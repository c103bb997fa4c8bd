"""Nanoseconds a row of whole columns, beside the engines that are installed, and the aims.

taskset -c 1 python -m bench.columns links.txt [--rows 400000] [--only polars]

The links are tiled and cold: each side goes over all of them, ours in batches of 32,768 rows, with one thread. The
sides run in turns, and the best round counts, in processor time (except "in one go" and Spark, in wall-clock time; give
them two processors). Read the ratios: a busy machine changes all times alike. "memchr" is a C loop that looks through
each row once, which no parser can beat.
"""

from __future__ import annotations

import argparse
import atexit
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

os.environ.setdefault("POLARS_MAX_THREADS", "1")

import pyarrow as pa

import urlsm
import urlsm.columns as uc
from urlsm import crawler
from urlsm.columns import names, rows
from urlsm.machine import driver
from urlsm.security import HAZARDS

BATCH = 32768
USUAL = r"^(?P<s>[^:/?#]+)://(?:[^/?#]*@)?(?P<h>[^/?#:]*)(?::\d+)?(?P<p>[^?#]*)(?:\?(?P<q>[^#]*))?(?:#(?P<f>.*))?"
FIVE = ("protocol", "domain", "path", "queryString", "fragment")
SCAN = """#include <string.h>
size_t scan(const char *p, const int *offsets, long n) {
    size_t found = 0;
    for (long k = 0; k < n; k++)
        found += memchr(p + offsets[k], 0, offsets[k + 1] - offsets[k]) != NULL;
    return found;
}
"""

# name: (one side, the other, the least ratio of their times; if negative, the greatest)
AIMS = [
    ("chdb: five", "urlsm: five, views", 10), ("chdb: host", "urlsm: host, views", 3),
    ("polars: five by extract_groups", "urlsm: five, views", 25), ("duckdb: five by regexp", "urlsm: five, views", 30),
    ("pandas: five by urlsplit", "urlsm: five, views", 150), ("urlsm: five, views", "memchr", -3.2),
    ("urlsm: host, views", "memchr", -1.5), ("urlsm: five, utf8", "urlsm: five, views", -1.4),
    ("urlsm: five in one go", "urlsm: five in one go, two threads", 1.85),
    ("polars: five by plug-in", "urlsm: five of polars' column", -1.1),
    ("duckdb: host by regexp", "duckdb: host by url_host", 4.5),
    ("urlsm: canonicalize(w3lib)", "canonicalize_many(w3lib)", -1.2),
    ("urlsm: registrable_domain", "canonicalize_many(w3lib)", -1.2),
    ("urlsm: fingerprint(w3lib)", "urlsm: canonicalize(w3lib)", -1.2),
    ("urlsm: is_ambiguous", "urlsm: canonicalize(w3lib)", -0.6), ("urlsm: traps", "urlsm: canonicalize(w3lib)", -2),
    ("files: urlsm, ten times the rows", "files: pyarrow", -1.25),
]  # fmt: skip

# without AVX-512, the aims of "ours" hold at 1.3 times the time; the portable form still beats chdb
AIMS += [
    ("five, 32 octets at a time", "urlsm: five, views", -1.3),
    ("host, 32 octets at a time", "urlsm: host, views", -1.3),
    ("chdb: five", "five, 1 octet at a time", 1), ("files: duckdb", "files: urlsm", 3),
    ("files: urlsm, ten times the rows", "files: urlsm", -11), ("spark: five", "spark: five by with_columns()", 2.8),
]  # fmt: skip

Sides = Iterator[tuple[str, Callable[[], object]]]


def batches(column: Any, function: Callable[[Any], object]) -> Callable[[], None]:
    def run() -> None:
        for start in range(0, len(column), BATCH):
            function(column.slice(start, BATCH))

    return run


def narrow(width: int, run: Callable[[], None]) -> Callable[[], None]:
    """Return run with vectors of at most width octets: 64 is AVX-512, 32 AVX2, 16 SSE or NEON, 1 no vectors."""

    def narrowed() -> None:
        driver.use_vectors(width), rows.use_vectors(width)
        try:
            run()
        finally:
            driver.use_vectors(64), rows.use_vectors(64)

    return narrowed


def ours(column: Any) -> Sides:
    texts = column.to_pylist()
    yield "urlsm: five, views", batches(column, lambda part: uc.parse(part, layout="view"))
    yield "urlsm: five, utf8", batches(column, uc.parse)
    yield "urlsm: host, views", batches(column, lambda part: uc.host(part, layout="view"))
    yield "urlsm: host, utf8", batches(column, uc.host)
    yield "urlsm: href, views", batches(column, lambda part: uc.href(part, layout="view"))
    yield "urlsm: can_parse", batches(column, uc.can_parse)
    yield "urlsm: segments", batches(column, uc.segments)
    for width in (32, 16, 1):
        octets = f"{width} octet{'s' * (width > 1)} at a time"
        yield f"five, {octets}", narrow(width, batches(column, lambda part: uc.parse(part, layout="view")))
        yield f"host, {octets}", narrow(width, batches(column, lambda part: uc.host(part, layout="view")))
    yield "urlsm: five in one go", lambda: uc.parse(column, layout="view")
    yield "urlsm: five in one go, two threads", lambda: uc.parse(column, layout="view", threads=2)
    yield "urlsm: canonicalize(w3lib)", batches(column, lambda part: uc.canonicalize(part, "w3lib"))
    yield "canonicalize_many(w3lib)", lambda: crawler.canonicalize_many(texts, "w3lib")
    check(column.slice(0, 2000))
    for kind in "", "sha1", "blake2b-128":
        name = f"urlsm: fingerprint(w3lib{kind and ', ' + kind})"
        yield name, batches(column, partial(uc.fingerprint, kind=kind or "xxh64"))
    yield "urlsm: is_ambiguous", batches(column, uc.is_ambiguous)
    yield "urlsm: audit", batches(column, uc.audit)
    yield "urlsm: traps", batches(column, uc.traps)
    if find_spec("publicsuffixlist"):
        yield "urlsm: registrable_domain", batches(column, uc.registrable_domain)
        yield "urlsm: commoncrawl", batches(column, uc.commoncrawl)


def check(column: Any) -> None:
    """Compare the answers with those for one text. AssertionError."""
    order = [*HAZARDS]
    one: dict[Callable[[Any], Any], Callable[[str], object]] = {
        uc.fingerprint: lambda text: urlsm.can_parse(text) and crawler.fingerprint(text, kind="xxh64"),
        uc.is_ambiguous: urlsm.security.is_ambiguous,
        uc.audit: lambda text: sorted({hazard.code for hazard in urlsm.security.audit(text)}, key=order.index),
        uc.traps: lambda text: urlsm.can_parse(text) and [*crawler.traps(text)],
    }
    for function, of in one.items():
        for text, made in zip(column.to_pylist(), function(column).to_pylist(), strict=True):
            assert made == of(text) or not urlsm.can_parse(text), (function, text)


def memchr(column: Any) -> Sides:
    with tempfile.TemporaryDirectory() as folder:
        source, library = f"{folder}/scan.c", f"{folder}/scan.so"
        with open(source, "w", encoding="ascii") as stream:
            stream.write(SCAN)
        try:
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        except OSError:
            return
        scan = ctypes.CDLL(library).scan
    _, offsets, data = (buffer and ctypes.c_void_p(buffer.address) for buffer in column.buffers())
    yield "memchr", lambda: scan(data, offsets, ctypes.c_long(len(column)))


def polars(column: Any) -> Sides:
    import polars as pl

    import urlsm.engines.polars  # noqa: F401

    frame = pl.DataFrame({"u": pl.from_arrow(column)})
    views = frame["u"].to_arrow(compat_level=pl.CompatLevel.newest())
    url, text = pl.col("u").url, pl.col("u").str
    yield "urlsm: five of polars' column", lambda: uc.parse(views)
    yield "polars: five by plug-in", lambda: frame.select(url.parse())
    yield "polars: host by plug-in", lambda: frame.select(url.host())
    yield "polars: host by str.extract", lambda: frame.select(text.extract(USUAL, 2))
    yield "polars: five by extract_groups", lambda: frame.select(text.extract_groups(USUAL))


def unnamed() -> str:
    plain = USUAL
    for name in "shpqf":
        plain = plain.replace(f"?P<{name}>", "")
    return plain


def duckdb(column: Any) -> Sides:
    import duckdb

    from urlsm.engines.duckdb import install

    con = install(duckdb.connect(config={"threads": 1}))
    con.register("links", pa.table({"u": column}))
    plain = unnamed()
    groups = f"regexp_extract(u, '{plain}', ['s', 'h', 'p', 'q', 'f'])"

    def sql(query: str) -> Callable[[], object]:
        return lambda: con.sql(query).to_arrow_table()

    yield "duckdb: five by regexp", sql(f"select {groups} from links")
    yield "duckdb: host by regexp", sql(f"select max(regexp_extract(u, '{plain}', 2)) from links")
    yield "duckdb: host by url_host", sql("select max(url_host(u)) from links")
    yield "duckdb: five by url_parse", sql("select url_parse(u) from links")
    yield "duckdb: the scan alone", sql("select max(u) from links")


def pandas(column: Any) -> Sides:
    import pandas as pd

    import urlsm.engines.pandas  # noqa: F401

    series = column.to_pandas()
    yield "pandas: five by urlsplit", lambda: pd.DataFrame(map(urlsplit, series))
    yield "pandas: five by .url.parse", lambda: series.url.parse()
    yield "pandas: host by .url.host", lambda: series.url.host()


def chdb(column: Any) -> Sides:
    import chdb

    links = pa.table({"u": column})  # chdb finds it in its caller's frames

    def sql(columns: str) -> Callable[[], object]:
        query = f"select {columns} from Python(links) settings max_threads = 1"

        def run() -> object:
            assert links.num_rows
            return chdb.query(query, "ArrowTable")

        return run

    yield "chdb: five", sql(", ".join(f"{name}(u)" for name in FIVE))
    yield "chdb: host", sql("domain(u)")


# a process of its own starts the one that is measured, which would otherwise begin with the memory of this process
ALONE = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def kept_folder() -> str:
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return folder.name


def files(column: Any) -> Sides:
    """Return sides that read and write Parquet, each in a process, and print the process's peak memory."""
    import pyarrow.parquet as pq

    folder = kept_folder()
    for name, times in ("one", 1), ("ten", 10):
        table = pa.table({"u": pa.chunked_array([column] * times)})
        pq.write_table(table, f"{folder}/{name}.parquet", compression="zstd", row_group_size=122_880)
    parts = ", ".join(f"regexp_extract(u, '{unnamed()}', {k}) as c{k}" for k in range(1, 6))
    query = f"copy (select {parts} from '{folder}/one.parquet') to '{folder}/duckdb.parquet' (compression zstd)"
    peaks: dict[str, float] = {}

    def process(name: str, *arguments: str) -> tuple[str, Callable[[], None]]:
        def run() -> None:
            command = [sys.executable, "-c", ALONE, sys.executable, *arguments]
            peak = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024
            if peaks.setdefault(name, peak) == peak:
                print(f"{name}: {peak:.0f} MiB")

        return name, run

    for name, which in ("files: urlsm", "one"), ("files: urlsm, ten times the rows", "ten"):
        wanted = ("-c", "u", "-f", "scheme,host,path,query,fragment", "-o", f"{folder}/urlsm.parquet")
        yield process(name, "-m", "urlsm", "columns", f"{folder}/{which}.parquet", *wanted)
    code = f"""import pyarrow as pa, pyarrow.parquet as pq
given = pq.ParquetFile({folder + "/urlsm.parquet"!r})  # the side before this one has written it
with pq.ParquetWriter({folder + "/pyarrow.parquet"!r}, given.schema_arrow, compression="zstd") as out:
    for batch in given.iter_batches(65536, use_threads=False):
        out.write_batch(batch)"""
    yield process("files: pyarrow", "-c", code)
    code = f"import duckdb; duckdb.connect(config={{'threads': 1}}).execute({query!r})"
    yield process("files: duckdb", "-c", code)


def pyspark(column: Any) -> Sides:
    import pyarrow.parquet as pq
    from pyspark.sql import SparkSession

    from urlsm.engines.spark import with_columns

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "32768").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    folder = kept_folder()
    pq.write_table(pa.table({"u": column}), f"{folder}/links.parquet", compression="zstd")
    frame = session.read.parquet(folder)
    function = "try_parse_url" if session.version >= "4" else "parse_url"
    theirs = [f"{function}(u, '{part}') as {part}" for part in ("PROTOCOL", "HOST", "PATH", "QUERY", "REF")]

    def written(made: Any) -> Callable[[], None]:
        return lambda: made.write.format("noop").mode("overwrite").save()

    yield "spark: the scan alone", written(frame)
    yield "spark: five", written(frame.selectExpr(*theirs))
    yield "spark: five by with_columns()", written(with_columns(frame, "u", names.FIVE))


ENGINES: dict[str, Callable[[Any], Sides]] = {
    "polars": polars, "duckdb": duckdb, "pandas": pandas, "chdb": chdb, "pyspark": pyspark,
}  # fmt: skip


def children_time() -> float:
    return sum(os.times()[2:4])


def measured(sides: dict[str, Callable[[], object]], rounds: int, best: dict[str, float]) -> None:
    for _ in range(rounds):
        for name, run in sides.items():
            clock = time.perf_counter if "in one go" in name or "spark" in name else time.process_time
            if "files" in name:
                clock = children_time
            begin = clock()
            run()
            best[name] = min(best.get(name, 1e9), clock() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="links, one a line")
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--only", action="append", choices=[*ENGINES, "ours", "files"], help="these engines, not all that are installed"
    )
    args = parser.parse_args()
    with open(args.file, encoding="utf-8") as stream:
        links = stream.read().splitlines()
    column = pa.array((links * (args.rows // len(links) + 1))[: args.rows])
    best: dict[str, float] = {}
    sides = dict([*ours(column), *memchr(column)])
    for engine in args.only or ENGINES:
        if engine in ENGINES and find_spec(engine):
            sides |= dict(ENGINES[engine](column))
    if "files" in (args.only or ["files"]) and find_spec("duckdb"):
        sides |= dict(files(column))
    measured(sides, args.rounds, best)
    base = best["urlsm: five, views"]
    for name, seconds in best.items():
        print(f"{name:34} {seconds / len(column) * 1e9:8.1f} ns {seconds / base:6.1f} x")
    print()
    for name, than, aim in AIMS:
        if name in best and than in best:
            ratio = best[name] / best[than]
            met = ratio >= aim if aim > 0 else ratio <= -aim
            wanted = f"at least {aim} x" if aim > 0 else f"at most {-aim} x"
            print(f"{name} / {than}: {ratio:.2f} x, {wanted}: {'met' if met else 'MISSED'}")


if __name__ == "__main__":
    main()
