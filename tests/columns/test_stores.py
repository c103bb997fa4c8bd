"""The recipe of docs/billions.md: files of a store in, through pyarrow.fs, and out again. S3 is moto's, on loopback."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

import urlsm

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")
fs = pytest.importorskip("pyarrow.fs")
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/billions.md"
RECIPE = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.M | re.S)[0]
SERVER = """import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""
TEXTS = ["http://Example.com/a", None, "x", "HTTP://h:81/b"]


@pytest.fixture
def recipe():
    found: dict[str, object] = {}
    exec(compile(RECIPE, "billions.md", "exec"), found)
    return found["fields"]


def check(recipe, folder, target):
    """Write three files into a store, run the recipe, and read what it has written."""
    import pyarrow.parquet as pq

    store, path = fs.FileSystem.from_uri(folder)
    for number in range(3):
        table = pa.table({"n": range(4), "url": TEXTS})
        pq.write_table(table, f"{path}/{number}.parquet", filesystem=store, row_group_size=3)
    recipe(folder, target)
    store, path = fs.FileSystem.from_uri(target)
    urls = [text and urlsm.try_parse(text) for text in TEXTS * 3]
    expected = [{"host": url and url.host, "path": url and url.path} for url in urls]
    assert pq.read_table(path, filesystem=store).to_pylist() == expected


def test_files_of_a_folder(recipe, tmp_path):
    (tmp_path / "in").mkdir()
    check(recipe, (tmp_path / "in").as_uri(), (tmp_path / "out.parquet").as_uri())


@pytest.fixture
def port():
    """The port of a server of S3's API, in a process of its own: its threads would stay."""
    pytest.importorskip("moto", reason="moto is not installed")
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        yield int(running.stdout.readline())
        running.communicate("")


def test_s3(recipe, port, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    options = f"?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1&allow_bucket_creation=true"
    fs.FileSystem.from_uri(f"s3://crawl{options}")[0].create_dir("crawl")
    check(recipe, f"s3://crawl/in{options}", f"s3://crawl/hosts.parquet{options}")
