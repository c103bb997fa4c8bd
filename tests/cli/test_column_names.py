"""urlsm columns: what the names of files and folders promise."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import subprocess
import sys

import pytest

from urlsm.cli.app import main

pa = pytest.importorskip("pyarrow", minversion="16", reason="urlsm columns needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="urlsm columns needs pyarrow")

URLS = ["http://a.example/x", "no URL", "http://\u00e9.example/a,\"b'"]
HREFS = ["http://a.example/x", "", "http://xn--9ca.example/a,%22b'"]


def zstd(octets: bytes) -> bytes:
    return pa.CompressedInputStream(pa.BufferReader(octets), "zstd").read()


UNPACKED = {"": bytes, ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress, ".zst": zstd}
ROWS = {
    ".csv": lambda text: [row["href"] for row in csv.DictReader(io.StringIO(text))],
    ".tsv": lambda text: text.split("\n")[1:-1],
    ".jsonl": lambda text: [json.loads(line)["href"] or "" for line in text.splitlines()],
    ".txt": lambda text: text.split("\n")[:-1],
}


@pytest.mark.parametrize("codec", UNPACKED)
@pytest.mark.parametrize("kind", ROWS)
def test_a_name_says_what_is_written_and_what_is_read(tmp_path, kind, codec):
    (tmp_path / "in").write_text("\n".join(URLS), encoding="utf-8")
    out, again = tmp_path / f"out{kind}{codec}", tmp_path / "again.parquet"
    assert main(["columns", str(tmp_path / "in"), "-f", "href", "-o", str(out)]) == 0
    assert ROWS[kind](UNPACKED[codec](out.read_bytes()).decode()) == HREFS
    column = [] if kind == ".txt" else ["-c", "href"]
    assert main(["columns", str(out), *column, "-f", "href", "-o", str(again)]) == 0
    assert [href or "" for href in pq.read_table(again)["href"].to_pylist()] == HREFS


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((f"o.{ending}", "names no format that can be written") for ending in ("json", "orc", "csv.zip", "7z.gz")),
        *((name, "already compressed") for name in ("o.parquet.gz", "o.arrow.xz")),
        ("o.cdxj", "can only be read"),
    ],
)
def test_other_names_are_refused(tmp_path, capsys, name, said):
    (tmp_path / "in.txt").write_text("http://a/\n")
    for option in ("-o", "--errors-to", "--bad-rows"):
        more = [] if option == "-o" else ["-o", str(tmp_path / "o.csv")]
        assert main(["columns", str(tmp_path / "in.txt"), "-f", "host", option, str(tmp_path / name), *more]) == 2
        assert said in capsys.readouterr().err
        assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


@pytest.fixture
def crawl(tmp_path):
    """Three files of links in a folder of Hive partitions, and what is no such file."""
    folder = tmp_path / "crawl"
    for k, part in enumerate(("day=1/hour=a%2Fb", "day=2/hour=__HIVE_DEFAULT_PARTITION__", "day=2/hour=c")):
        (folder / part).mkdir(parents=True)
        pq.write_table(pa.table({"url": [f"http://h{k}/"], "id": [k]}), folder / part / "links.parquet")
    return folder


def test_a_folder_tells_what_it_skips(crawl, tmp_path, capsys):
    (crawl / "_SUCCESS").touch()
    (crawl / ".hidden.csv").write_text("url\nx:\n")
    (crawl / "notes.pdf").touch()
    (crawl / "link").symlink_to(crawl / "day=1")
    assert main(["columns", str(crawl), "-c", "url", "-f", "host", "-o", str(tmp_path / "o.csv")]) == 0
    told = capsys.readouterr().err
    assert f"{crawl}: not read: 2 hidden (.hidden.csv, _SUCCESS), 1 links (link), 1 other files (notes.pdf)\n" in told
    assert "3 rows, 0 refused" in told and "3 files" in told


@pytest.mark.parametrize(("log", "said"), [("_delta_log", "Delta table"), (".hoodie", "Hudi table")])
def test_a_table_with_a_log_is_refused(crawl, tmp_path, capsys, log, said):
    (crawl / "day=1" / log).mkdir()
    assert main(["columns", str(crawl), "-c", "url", "-f", "host", "-o", str(tmp_path / "o.csv")]) == 2
    assert f"{crawl / 'day=1'} is a {said}" in capsys.readouterr().err and not (tmp_path / "o.csv").exists()
    files = f"{crawl}/**/*.parquet"
    assert main(["columns", files, "-c", "url", "-f", "host", "-o", str(tmp_path / "o.csv")]) == 0


@pytest.mark.parametrize("given", ["crawl", "crawl/**/*.parquet"])
def test_partitions_survive(crawl, tmp_path, given):
    names = ["columns", str(tmp_path / given), "-c", "url", "-f", "host"]
    assert main([*names, "-k", "-o", str(tmp_path / "one.parquet")]) == 0
    days = [("1", "a/b"), ("2", None), ("2", "c")]
    wanted = [
        {"url": f"http://h{k}/", "id": k, "day": day, "hour": hour, "host": f"h{k}"}
        for k, (day, hour) in enumerate(days)
    ]
    assert pq.read_table(tmp_path / "one.parquet").to_pylist() == wanted
    assert main([*names, "-o", str(tmp_path / "out") + "/"]) == 0
    made = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.parquet"))
    assert made == sorted(str(path.relative_to(crawl)) for path in crawl.rglob("*.parquet"))


@pytest.mark.parametrize("output", ["crawl/", "crawl", "crawl/new/", "crawl/o.csv", "other/../crawl/", "link/"])
def test_no_output_is_in_a_folder_that_is_read(crawl, tmp_path, capsys, output):
    before = {path: path.read_bytes() for path in crawl.rglob("*.parquet")}
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(crawl)
    with pytest.raises(SystemExit) as stop:
        main(["columns", str(crawl), "-c", "url", "-f", "host", "-o", f"{tmp_path}/{output}"])
    assert stop.value.code == 2 and "--output " in (said := capsys.readouterr().err) and "is read" in said
    assert {path: path.read_bytes() for path in crawl.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_of_another_type_fails_alone(crawl, tmp_path, capfd, jobs):
    bad = crawl / "day=2" / "hour=c" / "bad.parquet"
    pq.write_table(pa.table({"url": [5], "id": [3]}), bad)
    names = ["columns", str(crawl), "-c", "url", "-f", "host", "-k"]
    errors = ["--errors-to", str(tmp_path / "errors.csv")]
    assert main([*names, "-o", str(tmp_path / "out") + "/", "-j", jobs, *errors]) == 2
    said = capfd.readouterr().err
    assert f"urlsm: {bad}: the column 'url' is int64: expected text\n" in said and "3 files, 1 failed\n" in said
    assert len(list((tmp_path / "out").rglob("*.parquet"))) == 3 and not list((tmp_path / "out").rglob("_urlsm*"))
    if jobs == "1":
        assert main([*names, "-o", str(tmp_path / "one.csv")]) == 2
        assert f"{bad}: the column 'url' is int64" in capfd.readouterr().err and not (tmp_path / "one.csv").exists()


def test_columns_that_change_between_files_are_told(crawl, tmp_path, capsys):
    other = crawl / "day=2" / "hour=c" / "other.parquet"
    for table, said in (
        (pa.table({"url": ["x:"], "id": ["3"]}), "the column 'id' is string, but int64 in the files before"),
        (pa.table({"url": ["x:"], "ID": [3]}), "the column 'ID' is not in the files before"),
        (pa.table({"url": ["x:"]}), "the column 'id' is missing"),
    ):
        pq.write_table(table, other)
        assert main(["columns", str(crawl), "-c", "url", "-f", "host", "-k", "-o", str(tmp_path / "o.csv")]) == 2
        assert f"urlsm: {other}: {said}\n" in capsys.readouterr().err
        assert main(["columns", str(crawl), "-c", "url", "-f", "host", "-o", str(tmp_path / "o.csv")]) == 0
        capsys.readouterr()


@pytest.mark.skipif(os.name == "nt", reason="a limit of size")
@pytest.mark.parametrize("name", ["o.parquet", "o.arrow", "o.csv", "o.csv.gz", "o.tsv.xz", "o.jsonl.bz2", "o.txt.zst"])
def test_a_full_disk(tmp_path, name):
    import hashlib
    import resource

    lines = [f"http://{hashlib.sha256(str(k).encode()).hexdigest()}.example/\n" for k in range(9000)]
    (tmp_path / "in.txt").write_text("".join(lines))
    run = subprocess.run(
        [sys.executable, "-m", "urlsm", "columns", tmp_path / "in.txt", "-f", "host", "-o", tmp_path / name],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2 and "File too large" in run.stderr and str(tmp_path / name) in run.stderr
    assert "Traceback" not in run.stderr and [path.name for path in tmp_path.iterdir()] == ["in.txt"]
