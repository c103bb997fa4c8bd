"""Spark on a cluster of this machine gives what one process gives, although a worker is killed amidst the job.

    cd tests && python -m oracles.spark_cluster [--rows 5000000] [--links FILE]

A master and two workers of a core each listen on loopback: the classes that the package pyspark brings. The job reads
Parquet and writes the fields of each URL, keys, and whether it is in a PatternSet. When a third of the tasks is done,
one worker and its executor are killed. Then this process reads what was written, and compares each row with its own
answers. Without Java or pyspark it says so, and ends.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import urlsm.columns as uc
from urlsm.patterns import PatternSet

FILES = 32
FIELDS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
ODD = [None, "", "x", "http://a b/", "HTTP://ÜBER.example/ä?q=ö#é", "http://[::1]:81/", "mailto:a@b", "http://h:99999/",
       "http://127.1/", "http:\\\\h\\p", "http://u:p@Example.com:8080/a/../b?id=1&q=x+y#c"]  # fmt: skip
SCOPE = PatternSet(["example.com", "*.co.uk", "www.google.com"], exclude=["ads.example.com"])
SQL = """select n, url, p.*, url_surt(url, 'commoncrawl') as surt, url_fingerprint(url) as hash,
    url_query_param(url, 'id') as id, url_is_ambiguous(url) as ambiguous, url_matches(url, 'scope') as inside
    from (select *, url_parse(url) as p from links)"""


def texts_of(links: pathlib.Path | None) -> list[str | None]:
    if links is not None:
        return [*ODD, *links.read_text(encoding="utf-8").split()]
    hosts = ("example.com", "ads.example.com", "a.b.co.uk", "h.example:8080", "xn--nxasmq6b.example", "www.google.com")
    return [*ODD, *(f"https://{hosts[k % 6]}/{'p/' * (k % 7)}{k}?id={k}&b={k * k}" for k in range(10_000))]


def make(texts: list[str | None], rows: int, folder: str) -> None:
    for number in range(FILES):
        places = range(number * rows // FILES, (number + 1) * rows // FILES)
        made = [texts[n % len(texts)] for n in places]
        made = [text and text + f"&n={n}" if n % 3 else text for n, text in zip(places, made, strict=True)]
        pq.write_table(pa.table({"n": pa.array(places, pa.int64()), "url": made}), f"{folder}/{number}.parquet")


def by_one_process(url: Any) -> dict[str, Any]:
    """Return the columns of SQL for a column of texts."""
    parts = pa.array(uc.parse(url, FIELDS, layout="string"))
    made = {name: parts.field(name) for name in FIELDS}
    made |= {"surt": uc.surt(url, "commoncrawl"), "hash": uc.fingerprint(url, "w3lib"), "id": uc.query_param(url, "id")}
    return made | {"ambiguous": uc.is_ambiguous(url), "inside": uc.matches(url, SCOPE)}


def compared(folder: str) -> tuple[int, int]:
    """Return the numbers of rows and of fields that differ. AssertionError: a row is missing, or there twice."""
    rows = differ = 0
    numbers = []
    for path in sorted(pathlib.Path(folder).glob("*.parquet")):
        table = pq.read_table(path).combine_chunks()
        rows += len(table)
        numbers.append(table["n"])
        for name, made in by_one_process(table["url"].combine_chunks()).items():
            ours, theirs = pa.array(made), table[name].combine_chunks()
            # (Spark has no unsigned numbers)
            ours = ours.view(pa.int64()) if name == "hash" else ours.cast(theirs.type)
            if not ours.equals(theirs):
                differ += sum(a != b for a, b in zip(ours.to_pylist(), theirs.to_pylist(), strict=True))
    there = pa.concat_arrays([chunk for column in numbers for chunk in column.chunks])
    assert len(there.unique()) == rows, "a row is there twice"
    return rows, differ


class Cluster:
    """A master and workers, each in a process group of its own."""

    def __init__(self, folder: str) -> None:
        import pyspark

        self._class = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-class")
        self._folder = folder
        self.running: list[subprocess.Popen[bytes]] = []
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.url = f"spark://127.0.0.1:{free.getsockname()[1]}"
        self._start("master.Master", "--port", self.url.rpartition(":")[2], until="I have been elected leader")
        for k in range(2):
            more = ("--cores", "1", "--memory", "1500m", "-d", f"{folder}/worker{k}", self.url)
            self._start("worker.Worker", *more, until="Successfully registered with master")

    def _start(self, name: str, *arguments: str, until: str) -> None:
        log = pathlib.Path(self._folder, f"log{len(self.running)}")
        command = [self._class, f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", "--webui-port", "0"]
        environ = {**os.environ, "SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1"}
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*command, *arguments], stdout=out, stderr=out, env=environ, start_new_session=True
            )
        self.running.append(process)
        for _ in range(600):
            if re.search(until, log.read_text(errors="replace")):
                return
            if process.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit(f"{name} did not start:\n{log.read_text(errors='replace')[-2000:]}")

    def kill(self, number: int) -> None:
        """Kill one with all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.running[number].pid, signal.SIGKILL)
        self.running[number].wait()


@contextlib.contextmanager
def cluster(folder: str) -> Iterator[Cluster]:
    made = Cluster(folder)
    try:
        yield made
    finally:
        for number in reversed(range(len(made.running))):
            made.kill(number)


def job(url: str, folder: str, kill: Any) -> tuple[float, list[str]]:
    """Run the SQL; call kill() when a third of the tasks is done. Return the seconds, and what happened."""
    from pyspark.sql import SparkSession

    from urlsm.engines.spark import install

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(url).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.executor.memory", "900m")
    spark = builder.config("spark.sql.files.maxPartitionBytes", "8m").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    install(spark, patterns={"scope": SCOPE})
    spark.read.parquet(f"{folder}/in").createOrReplaceTempView("links")
    told: list[str] = []
    ended = threading.Event()

    def watch() -> None:
        status = spark.sparkContext.statusTracker()
        while not ended.wait(0.1):
            for stage in map(status.getStageInfo, status.getActiveStageIds()):
                if stage is not None and stage.numTasks > 2 and 3 * stage.numCompletedTasks >= stage.numTasks:
                    kill()
                    told.append(f"killed a worker after {stage.numCompletedTasks} of {stage.numTasks} tasks")
                    return

    watcher = threading.Thread(target=watch)
    begin = time.monotonic()
    watcher.start()
    spark.sql(SQL).write.parquet(f"{folder}/out")
    seconds = time.monotonic() - begin
    ended.set()
    watcher.join()
    left = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1  # the driver is one of them
    told.append(f"executors at the end: {left}")
    spark.stop()
    return seconds, told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--links", type=pathlib.Path)
    args = parser.parse_args()
    if not find_spec("pyspark") or not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        sys.exit("skipped: it needs pyspark and Java 17")
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/in")
        make(texts_of(args.links), args.rows, f"{folder}/in")
        with cluster(folder) as made:
            seconds, told = job(made.url, folder, lambda: made.kill(1))
        begin = time.monotonic()
        rows, differ = compared(f"{folder}/out")
        print(f"{rows:,} rows in {seconds:.0f} s ({'; '.join(told)}): {differ} fields differ from one process's")
        print(f"(which compared them in {time.monotonic() - begin:.0f} s)")
        assert rows == args.rows and not differ and told[0].startswith("killed")


if __name__ == "__main__":
    main()
