"""urlsm columns: files in, files out."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time

import pytest

import urlsm
from urlsm.cli.app import main

pa = pytest.importorskip("pyarrow", minversion="16", reason="urlsm columns needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="urlsm columns needs pyarrow")
import pyarrow.csv  # noqa: E402
import pyarrow.ipc  # noqa: E402

TEXTS = ["http://example.com/a?b", "http://a b/", "HTTP://Ä.example/x", "", "mailto:a@b"] * 3
HOSTS = [getattr(urlsm.try_parse(text), "host", None) for text in TEXTS]


def file_of(folder, kind: str) -> str:
    table = pa.table({"n": range(len(TEXTS)), "url": TEXTS})
    path = folder / f"links.{kind}"
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=4)
    elif kind == "arrow":
        packed = pyarrow.ipc.IpcWriteOptions(compression="lz4")
        with pyarrow.ipc.new_file(path, table.schema, options=packed) as writer:
            writer.write_table(table)
    elif kind == "csv":
        pyarrow.csv.write_csv(table, path)
    else:
        path.write_bytes("\r\n".join(TEXTS).encode())
    return str(path)


def read(path) -> list[dict]:
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".arrow":
        with pyarrow.ipc.open_file(path) as file:
            return file.read_all().to_pylist()
    with open(path, encoding="utf-8", newline="") as stream:
        return [{name: text or None for name, text in row.items()} for row in csv.DictReader(stream)]


@pytest.mark.parametrize("kind", ["parquet", "arrow", "csv", "txt"])
@pytest.mark.parametrize("made", ["parquet", "arrow", "csv"])
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_every_kind_of_file(tmp_path, kind, made, jobs):
    out = tmp_path / f"out.{made}"
    column = [] if kind == "txt" else ["-c", "url"]
    assert (
        main(["columns", file_of(tmp_path, kind), *column, "-f", "host,path", "-o", str(out), "--threads", jobs]) == 0
    )
    found = read(out)
    assert [row["host"] for row in found] == HOSTS
    assert list(found[0]) == ["host", "path"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([f"links.{kind}", out.name])


def test_parts_of_schemes(tmp_path):
    given, out = tmp_path / "keys.txt", tmp_path / "out.csv"
    given.write_text("s3://b/k/a\nhttp://h/\nx y\n", encoding="utf-8")
    assert main(["columns", str(given), "-f", "parts.bucket,host,parts.key", "-o", str(out)]) == 0
    names = ("parts.bucket", "host", "parts.key")
    rows = [("b", "b", "k/a"), (None, "h", None), (None, None, None)]
    assert read(out) == [dict(zip(names, row, strict=True)) for row in rows]
    with pytest.raises(SystemExit):
        main(["columns", str(given), "-f", "parts.a-b"])


def test_keep_errors_and_strict(tmp_path):
    out, errors = tmp_path / "out.parquet", tmp_path / "errors.csv"
    given = ["columns", file_of(tmp_path, "parquet"), "-c", "url", "-f", "host,error_code", "-o", str(out)]
    assert main([*given, "--keep", "--errors-to", str(errors), "--strict"]) == 1
    assert list(read(out)[0]) == ["n", "url", "host", "error_code"]
    refused = [k for k, text in enumerate(TEXTS) if not urlsm.can_parse(text)]
    found = read(errors)
    assert [int(row["row"]) for row in found] == refused
    assert {row["code"] for row in found} == {"domain-to-ASCII", "missing-scheme-non-relative-URL"}
    assert main([*given[:-2], "-o", str(out), "--keep", "-f", "host,path"]) == 0
    assert (
        main(["columns", file_of(tmp_path, "txt"), "-b", "http://b/", "-f", "href", "-o", str(tmp_path / "o.txt")]) == 0
    )
    assert (tmp_path / "o.txt").read_text().splitlines()[3] == "http://b/"


def test_what_cannot_be_done_is_said(tmp_path, capsys):
    out = tmp_path / "out.parquet"
    links = file_of(tmp_path, "parquet")
    for arguments, said in [
        ([links, "-c", "link", "-o", str(out)], "the columns are n, url"),
        ([links, "-o", str(out)], "choose the column"),
        ([links, "-c", "n", "-o", str(out)], "the column 'n' is int64: expected text"),
        ([str(tmp_path / "absent.parquet"), "-o", str(out)], "absent.parquet"),
        ([links, "-c", "url", "-b", "no base", "-o", str(out)], "missing-scheme"),
        ([links, "-c", "url", "-o", str(tmp_path / "out.txt")], "one field"),
    ]:
        assert main(["columns", *arguments]) == 2
        assert said in capsys.readouterr().err
        assert not out.exists()
    with pytest.raises(SystemExit):
        main(["columns", links, "-f", "hots"])
    assert "the fields are scheme" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["links.parquet"]


def test_a_broken_row_group_is_named(tmp_path, capsys):
    path = tmp_path / "links.parquet"
    pq.write_table(
        pa.table({"url": [f"http://h{k}/" for k in range(3000)]}), path, row_group_size=1000, compression="zstd"
    )
    start = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    octets = bytearray(path.read_bytes())
    octets[start : start + 200] = b"\x07" * 200
    path.write_bytes(octets)
    out = tmp_path / "out.csv"
    assert main(["columns", str(path), "-f", "host", "-o", str(out)]) == 2
    assert "row group 1" in capsys.readouterr().err
    assert not out.exists()


def test_lines_on_standard_input_and_csv_on_standard_output():
    code = [sys.executable, "-m", "urlsm", "columns", "-", "-f", "host,port"]
    run = subprocess.run(code, input=b"http://h:81/\r\n\nhttp://i/", capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [b'"host","port"', b'"h",81', b",", b'"i",']


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_an_interrupt_leaves_no_file(tmp_path):
    out = tmp_path / "out.csv"
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        f"from urlsm.cli.app import main; sys.exit(main(['columns', '-', '-f', 'host', '-o', {str(out)!r}]))"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdin is not None
    child.stdin.write(b"http://h/\n" * 2_000_000)
    child.stdin.flush()
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    child.stdin.close()
    assert child.wait(60) == 130
    assert list(tmp_path.iterdir()) == []
