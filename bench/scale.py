"""What billions of URLs cost: Parquet in, five components as Parquet out, in each engine that is installed.

python -m bench.scale links.txt [--rows 2000000] [--memory 3000000,10000000,30000000] [--only REGEXP]

The URLs are those of the file, tiled, each with its number in the query. Each way runs in a session of its own, with
one thread, twice: the first time warms it up, and of the second the processor time of all its processes is told, by
what runs in them. --memory runs `urlsm columns` over so many rows first, and prints its time and its peak memory.
"""

from __future__ import annotations

import argparse
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from importlib.util import find_spec

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bench.columns import ALONE, FIVE, unnamed
from urlsm.columns import names

REGEXP = ", ".join(f"regexp_extract(url, '{unnamed()}', {k}) as c{k}" for k in range(1, 6))
FUNCTIONS = ", ".join(f"{name}(url) as {name}" for name in FIVE)
TRY = [f"try_parse_url(url, '{part}') as {part}" for part in ("PROTOCOL", "HOST", "PATH", "QUERY", "REF")]

COMMAND = "from urlsm.cli.app import main"
COLUMNS = "main(['columns', FILE, '-c', 'url', '-f', '%s', '-o', OUT])"
FILES = "import pyarrow.parquet as pq, pandas as pd, urlsm.engines.pandas; from urllib.parse import urlsplit"
BATCHES = "for k, batch in enumerate(pq.ParquetFile(%s).iter_batches(65536, use_threads=False)):\n    %s"
COPIED = "with pq.ParquetWriter(OUT, pq.read_schema(BEFORE), compression='zstd') as out:\n"
PANDAS = BATCHES % ("FILE", "%s.to_parquet(OUT + str(k), compression='zstd')")
POLARS = "import polars as pl, urlsm.engines.polars; from bench.columns import USUAL; url = pl.col('url').%s.alias('p')"
SINK = "pl.scan_parquet(FILE).select(url).unnest('p').sink_parquet(OUT)"
DUCKDB = "import duckdb, urlsm.engines.duckdb as ud; con = ud.install(duckdb.connect(config={'threads': 1}))"
COPY = 'con.execute(f"""copy (select %s from \'{FILE}\') to \'{OUT}\' (format parquet, compression zstd)""")'
CHDB = (
    f"chdb.query(f\"\"\"select {FUNCTIONS} from file('{{FILE}}') into outfile '{{OUT}}' truncate format Parquet "
    'settings max_threads = 1, output_format_parquet_compression_method = \'zstd\'""")'
)
SPARK = """import os, sys; os.environ['PYSPARK_PYTHON'] = sys.executable
from pyspark.sql import SparkSession
import urlsm.engines.spark as us
spark = (SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false')
         .config('spark.sql.parquet.compression.codec', 'zstd').config('spark.driver.memory', '2g')
         .config('spark.sql.execution.arrow.maxRecordsPerBatch', '32768').getOrCreate())
spark.sparkContext.setLogLevel('ERROR')
frame = spark.read.parquet(FILE)
def noop(made): made.write.format('noop').mode('overwrite').save()
def write(made): made.write.mode('overwrite').parquet(OUT)"""
OURS = "us.with_columns(frame, 'url').select('url_parsed.*')"
THEIRS = f"frame.selectExpr(*{TRY})"

# name: the package that it needs, what is prepared, and what is timed
WAYS = {
    "pyarrow reads the URLs": ("pyarrow", FILES, BATCHES % ("FILE", "pass")),
    "urlsm columns": ("pyarrow", COMMAND, COLUMNS % ",".join(names.FIVE)),
    "pyarrow copies the five columns": (
        "pyarrow",
        FILES,
        COPIED + textwrap.indent(BATCHES % ("BEFORE", "out.write_batch(batch)"), "    "),
    ),
    "urlsm columns, four keys": ("publicsuffixlist", COMMAND, COLUMNS % "host,registrable_domain,surt,fingerprint"),
    "Polars .url.parse": ("polars", POLARS % "url.parse()", SINK),
    "Polars extract_groups": ("polars", POLARS % "str.extract_groups(USUAL)", SINK),
    "DuckDB url_parse": ("duckdb", DUCKDB, COPY % "unnest(url_parse(url))"),
    "DuckDB regexp_extract": ("duckdb", DUCKDB, COPY % REGEXP),
    "chdb, its functions": ("chdb", "import chdb", CHDB),
    "pandas .url.parse": ("pandas", FILES, PANDAS % "batch.to_pandas()['url'].url.parse()"),
    "pandas with urlsplit": ("pandas", FILES, PANDAS % "pd.DataFrame(map(urlsplit, batch.to_pandas()['url']))"),
    "Spark, the scan alone": ("pyspark", SPARK, "noop(frame)"),
    "Spark, an empty mapInArrow": ("pyspark", SPARK, "noop(frame.mapInArrow(lambda rows: rows, frame.schema))"),
    "Spark columns()": ("pyspark", SPARK, f"noop({OURS})"),
    "Spark five try_parse_url": ("pyspark", SPARK, f"noop({THEIRS})"),
    "Spark columns(), to Parquet": ("pyspark", SPARK, f"write({OURS})"),
    "Spark five try_parse_url, to Parquet": ("pyspark", SPARK, f"write({THEIRS})"),
}

# the processor time of every process of the session, ended children included, by the name of what runs
TWICE = """
import os, pathlib, time
def spent():
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try: name, _, rest = path.read_text().partition("(")[2].rpartition(")")
        except OSError: continue
        rest = rest.split()
        if int(rest[3]) == os.getsid(0):
            found[name] = found.get(name, 0) + sum(map(int, rest[11:15])) / os.sysconf("SC_CLK_TCK")
    return found
job()
before, begin = spent(), time.monotonic()
job()
after = spent()
wall = time.monotonic() - begin
print("SPENT", repr([wall, {name: after[name] - before.get(name, 0) for name in after}]), flush=True)
"""


def make(links: pa.Array, rows: int, path: str) -> None:
    """Write a file of so many links, each with its number."""
    with pq.ParquetWriter(path, pa.schema([("url", pa.string())]), compression="zstd") as out:
        for start in range(0, rows, len(links)):
            numbers = pa.array(range(start, min(start + len(links), rows))).cast(pa.string())
            out.write(pa.table({"url": pc.binary_join_element_wise(links[: len(numbers)], numbers, "")}))


def spent(prepare: str, job: str, **paths: str) -> tuple[float, dict[str, float]]:
    """Return the seconds on the wall, and those of processor time by the name of the processes, of the second run."""
    where = "; ".join(f"{name} = {path!r}" for name, path in paths.items())
    code = f"{where}\n{prepare}\ndef job():\n{textwrap.indent(job, '    ')}\n{TWICE}"
    environ = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, check=False, capture_output=True, text=True, start_new_session=True, env=environ)
    if run.returncode:
        raise SystemExit(run.stderr[-2000:])
    wall, of = ast.literal_eval(run.stdout.partition("SPENT")[2].strip())
    return wall, of


def peak(file: str, out: str) -> tuple[float, float]:
    """Return the seconds of processor time and the peak MiB of `urlsm columns`."""
    wanted = ["-c", "url", "-f", "host,path,site", "-o", out]
    command = [sys.executable, "-c", ALONE, sys.executable, "-m", "urlsm", "columns", file, *wanted]
    begin = sum(os.times()[2:4])
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return sum(os.times()[2:4]) - begin, int(run.stdout) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path, help="links, one a line")
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--memory", default="")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    links = pc.binary_join_element_wise(pa.array(args.file.read_text(encoding="utf-8").split()), "?n=", "")
    with tempfile.TemporaryDirectory() as folder:
        file, before, out = f"{folder}/in.parquet", f"{folder}/before.parquet", pathlib.Path(folder, "out")
        for rows in map(int, filter(None, args.memory.split(","))):
            make(links, rows, file)
            seconds, mib = peak(file, before)
            sizes = " -> ".join(f"{os.path.getsize(path) / 1e9:.2f}" for path in (file, before))
            print(f"urlsm columns, {rows:,} rows: {seconds:.1f} s, peak {mib:.0f} MiB, {sizes} GB", flush=True)
        make(links, args.rows, file)
        for name, (package, prepare, job) in WAYS.items():
            if not re.search(args.only, name) or not find_spec(package):
                continue
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            wall, of = spent(prepare, job, FILE=file, BEFORE=before, OUT=f"{out}/out.parquet")
            if name == "urlsm columns":
                shutil.copy(out / "out.parquet", before)
            each = {process: seconds / args.rows * 1e9 for process, seconds in of.items()}
            split = ", ".join(f"{process} {ns:.0f}" for process, ns in each.items()) if len(each) > 1 else ""
            total = sum(each.values())
            hours = total * 3e9 / 1e9 / 3600
            print(
                f"{name:37}{total:6.0f} ns a row, {wall:5.1f} s, {hours:6.2f} core hours for 3e9  {split}", flush=True
            )


if __name__ == "__main__":
    main()
