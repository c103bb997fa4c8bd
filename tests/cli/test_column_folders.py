"""urlsm columns over several files, folders and patterns; JSON Lines and CDXJ; keys, hashes and parameters."""

from __future__ import annotations

import gzip
import json

import pytest

from urlsm import crawler
from urlsm.cli.app import main

pa = pytest.importorskip("pyarrow", minversion="16", reason="urlsm columns needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="urlsm columns needs pyarrow")

TEXTS = ["http://www1.www.h.example/?b=2&a=1", "http://a b/", "HTTP://Ä.Example/x?a=%20y", "http://h.example/{x}"]
KEYS = {
    "surt": lambda text: crawler.try_canonicalize(text, crawler.profile("surt")),
    "surt:commoncrawl": lambda text: crawler.try_canonicalize(text, "commoncrawl"),
    "key:w3lib": lambda text: crawler.try_canonicalize(text, "w3lib"),
    "key": lambda text: crawler.try_canonicalize(text, "urlsm-1"),
}


@pytest.fixture
def crawl(tmp_path):
    folder = tmp_path / "crawl"
    (folder / "deep").mkdir(parents=True)
    (folder / "_tmp").mkdir()
    pq.write_table(pa.table({"url": TEXTS, "n": range(4)}), folder / "a.parquet")
    lines = [json.dumps({"n": k, "url": text, "more": {"x": [1]}}) for k, text in enumerate(TEXTS)]
    (folder / "deep" / "b.jsonl").write_text("\n".join([*lines[:2], "", '{"n": 7}', *lines[2:]]), "utf-8")
    index = [
        " CDX N b a",
        "!OpenWayback-CDXJ 1.0",
        *(f"com,x)/?{{a={k} 2026110100000{k} {x}" for k, x in enumerate(lines)),
    ]
    (folder / "deep" / "c.cdxj.gz").write_bytes(gzip.compress("\n".join([*index, ""]).encode()))
    (folder / "_tmp" / "d.jsonl").write_text("not read")
    (folder / "README.md").write_text("not read")
    return folder


def test_fields_that_are_made(crawl, tmp_path):
    out = tmp_path / "out.parquet"
    fields = [*KEYS, "fingerprint", "fingerprint:surt", "query_param:a", "host"]
    assert main(["columns", str(crawl / "a.parquet"), "-c", "url", "-f", ",".join(fields), "-o", str(out)]) == 0
    made = pq.read_table(out).to_pydict()
    assert list(made) == fields
    for name, key in KEYS.items():
        assert made[name] == [key(text) for text in TEXTS], name
    for name, profile in (("fingerprint", "urlsm-1"), ("fingerprint:surt", "surt")):
        keys = [crawler.try_canonicalize(text, profile) for text in TEXTS]
        hashed = [
            key and crawler.fingerprint(text, profile, kind="xxh64") for text, key in zip(TEXTS, keys, strict=True)
        ]
        assert made[name] == hashed
    assert made["query_param:a"] == ["1", None, " y", None]
    assert made["host"] == ["www1.www.h.example", None, "xn--4ca.example", "h.example"]
    assert pq.read_schema(out).field("fingerprint").type == pa.uint64()
    base = ["-b", "http://h.example/a/", "-f", "key,host", "--errors-to", str(tmp_path / "errors.csv")]
    (tmp_path / "links.txt").write_text("b?c\nhttp://[\n")
    assert main(["columns", str(tmp_path / "links.txt"), *base, "-o", str(out)]) == 0
    assert pq.read_table(out).to_pydict() == {"key": ["http://h.example/a/b?c", None], "host": ["h.example", None]}
    assert (tmp_path / "errors.csv").read_text().splitlines()[1].startswith('1,"')


@pytest.mark.parametrize(
    "fields",
    [
        "surt:nonsense",
        "query_param",
        "query_param:",
        "host,host",
        "nonsense",
        "",
        "fingerprint:x,host",
        "is_ambiguous:x",
    ],
)
def test_fields_that_are_unknown(crawl, capsys, fields):
    with pytest.raises(SystemExit):
        main(["columns", str(crawl / "a.parquet"), "-f", fields])
    assert "urlsm columns: error" in capsys.readouterr().err


def test_a_folder_into_one_file(crawl, tmp_path):
    out, errors = tmp_path / "out.csv.gz", tmp_path / "errors.csv"
    code = main(
        ["columns", str(crawl), "-c", "url", "-f", "host", "-o", str(out), "--errors-to", str(errors), "--strict"]
    )
    assert code == 1
    hosts = ["www1.www.h.example", "", "xn--4ca.example", "h.example"]
    hosts += [*hosts[:2], "", *hosts[2:], *hosts]
    assert gzip.decompress(out.read_bytes()).decode().replace('"', "").split("\n") == ["host", *hosts, ""]
    told = [line.replace('"', "").split(",")[:2] for line in errors.read_text().splitlines()]
    names = [str(crawl / name) for name in ("a.parquet", "deep/b.jsonl", "deep/c.cdxj.gz")]
    assert told == [["file", "row"], *([name, "1"] for name in names)]


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("kind", ["parquet", "csv.zst"])
def test_a_folder_into_a_folder(crawl, tmp_path, workers, kind):
    out = tmp_path / "out"
    names = [str(crawl / name) for name in ("a.parquet", "[!_]*/*.jsonl", "**/c*.gz")]
    assert main(["columns", *names, "-c", "url", "-f", "surt", "-o", f"{out}/", "-j", workers, "--to", kind]) == 0
    found = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert found == [f"a.{kind}", f"deep/b.{kind}", f"deep/c.{kind}"]
    if kind == "parquet":
        assert pq.read_table(out / "deep" / "b.parquet").num_rows == 5


def test_what_cannot_be_read_is_said(crawl, tmp_path, capsys):
    (tmp_path / "bad.jsonl").write_text('{"url": "http://h/"}\nnonsense\n')
    (tmp_path / "number.jsonl").write_text('{"url": 5}\n')
    (tmp_path / "empty").mkdir()
    for names, said in (
        (["bad.jsonl"], "row 1: not valid JSON"),
        (["number.jsonl"], "row 0: 'url' is a number, not a string"),
        (["empty"], "the known file extensions are"),
        (["none*.txt"], "no file matches"),
        (["-", "number.jsonl"], "standard input must be the only input"),
    ):
        asked = [name if name == "-" else str(tmp_path / name) for name in names]
        assert main(["columns", *asked, "-c", "url", "-f", "host", "-o", str(tmp_path / "out.csv")]) == 2
        assert said in capsys.readouterr().err
        assert not (tmp_path / "out.csv").exists()
    both = [str(crawl / "a.parquet")] * 2
    assert main(["columns", *both, "-c", "url", "-o", f"{tmp_path}/two/"]) == 2
    assert "convert their folders separately" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["columns", *both, "-c", "url", "-o", str(tmp_path / "one.csv"), "--jobs", "2"])
    assert "use a folder as OUT" in capsys.readouterr().err


def test_empty_json_and_index(tmp_path):
    for name in ("a.jsonl", "b.cdxj"):
        (tmp_path / name).write_text("" if name[0] == "a" else "!OpenWayback-CDXJ 1.0\n")
        assert main(["columns", str(tmp_path / name), "-f", "host", "-o", str(tmp_path / "out.parquet")]) == 0
        assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {"host": []}
