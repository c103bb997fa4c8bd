"""urlsm columns loses no row and ends in silence at none: cells of CSV, rows that are not valid, what is summed up."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random

import pytest

from urlsm.cli import output
from urlsm.cli.app import main

pa = pytest.importorskip("pyarrow", minversion="16", reason="urlsm columns needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="urlsm columns needs pyarrow")
table_csv = pytest.importorskip("urlsm.cli.table_csv")


@pytest.fixture
def columns(run, tmp_path):
    """Run urlsm columns over octets in a file of this name: (exit code, rows, standard error)."""

    def columns(name, octets, *options):
        (tmp_path / name).write_bytes(octets)
        code, out, err = run("columns", str(tmp_path / name), *options)
        return code, list(csv.reader(io.StringIO(out, newline=""))), err

    return columns


# --- CSV: Python's csv is the reference ---------------------------------------------------------


def written(rows, **how) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, **how).writerows(rows)
    return text.getvalue().encode()


def read(tmp_path, octets, *options):
    (tmp_path / "links.csv").write_bytes(octets)
    out = tmp_path / "out.parquet"
    code = main(
        ["columns", str(tmp_path / "links.csv"), "-c", "url", "-f", "host", "-k", "-q", "-o", str(out), *options]
    )
    return code, [list(row.values())[:-1] for row in pq.read_table(out).to_pylist()] if code == 0 else None


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_cells_at_the_borders_of_blocks(tmp_path, monkeypatch, quoting):
    """Each kind of cell at each place of a block: apache/arrow#50481 (NUL), apache/arrow#51368 (CR LF)."""
    chance = random.Random(46)
    pieces = ["\0", "\r", "\n", "\r\n", '"', '""', ",", "\1", "\1\3", "a", "\u00e9", "http://h/", ""]
    for block in [*range(56, 80), 257, 4096]:
        monkeypatch.setattr(table_csv, "CSV_BLOCK", block)
        # (a record must not be longer than a block)
        rows = [[str(k), "".join(chance.choices(pieces, k=3)), chance.choice(pieces)] for k in range(150)]
        octets = written([["n", "url", "t"], *rows], quoting=quoting)
        assert max(len(written([row], quoting=quoting)) for row in rows) < block
        code, found = read(tmp_path, octets)
        assert code == 0 and found == rows == list(csv.reader(io.StringIO(octets.decode(), newline="")))[1:], block


@pytest.mark.slow(20)
def test_a_million_cells(tmp_path):
    chance = random.Random(7)
    pieces = ["\0", "\r\n", '"', ",", "http://h.example/a/path", "x", "\n", "\r"]
    rows = [["".join(chance.choices(pieces, k=3)) for _ in range(4)] for _ in range(250_000)]
    code, found = read(tmp_path, written([["n", "url", "s", "t"], *rows]))
    assert code == 0 and found == rows


def test_a_nul_in_the_header(tmp_path):
    assert read(tmp_path, b"a\0\1b,url\n1,http://h/\n") == (0, [["1", "http://h/"]])
    assert pq.read_schema(tmp_path / "out.parquet").names[0] == "a\0\1b"


MALFORMED = b'n,url\n1,http://a/\n2,http://b/,x\n3\n4,"http://d/"e\n5,"http://e/\n'


def test_a_malformed_csv_is_refused_with_its_row(columns):
    code, rows, err = columns("links.csv", MALFORMED, "-c", "url", "-f", "path")
    assert (code, rows) == (2, [])
    assert "links.csv: row 1: expected 2 cells, but found 3: '2,http://b/,x'" in err


@pytest.mark.parametrize("more", [b"", b"\n", b",x\n", b"4,http://c/\n" * 9000], ids=len)
@pytest.mark.parametrize("block", [1 << 10, 1 << 21])
@pytest.mark.parametrize("option", ["stop", "skip"])
def test_a_quote_without_its_second(run, tmp_path, monkeypatch, more, block, option):
    monkeypatch.setattr(table_csv, "CSV_BLOCK", block)
    monkeypatch.setattr(table_csv, "LONGEST", 1 << 16)
    path = tmp_path / "links.csv"
    for before in (b"", b'5" x,http://e/\n'):
        path.write_bytes(b"n,url\n" + before + b"1,http://a/\n" * 8 + b'3,"http://b/' + more)
        code, _, err = run("columns", str(path), "-c", "url", "-o", str(tmp_path / "o.csv"), "--bad-rows", option)
        assert code == 2 and f"links.csv: row {9 if before else 8}: a cell in quotes does not end" in err


def test_a_cell_of_many_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(table_csv, "CSV_BLOCK", 1 << 10)
    rows = [["1", "line\r\n" * 1000 + '"'], ["2", 'x"y'], ["3", "\n" * 5000]]
    assert read(tmp_path, written([["n", "url"], *rows])) == (0, rows)


@pytest.mark.parametrize("name", ["links.csv", "links.tsv"])
def test_bad_rows_of_csv(columns, tmp_path, name):
    octets = b"\n".join([*MALFORMED.splitlines()[:4], b"\0\1,,,", b"6,http://f/", b"7", b""])
    octets = octets.replace(b",", b"\t") if name.endswith("tsv") else octets
    bad = tmp_path / "bad.csv"
    for option in ("skip", str(bad)):
        code, rows, err = columns(name, octets, "-c", "url", "-f", "host", "--bad-rows", option)
        assert (code, rows) == (0, [["host"], ["a"], ["f"]])
        assert "2 rows, 0 refused" in err and "4 bad rows skipped" in err
    told = list(csv.DictReader(io.StringIO(bad.read_bytes().decode(), newline="")))
    assert [int(row["row"]) for row in told] == [1, 2, 3, 5]
    assert [row["text"].replace("\t", ",") for row in told] == ["2,http://b/,x", "3", "\0\1,,,", "7"]
    assert {row["file"] for row in told} == {str(tmp_path / name)}
    assert told[0]["reason"] == "expected 2 cells, but found 3"


# --- JSON ---------------------------------------------------------------------------------------

LINES = ['{"url":"http://a/"}', "", '{"url":"http://b/"', '{"url":5}', "[1]", '{"url":"\\ud800"}', '{"url":null}',
         '{"u":1}', '{"url":"http://c/"}{"url":"http://d/"}', '{"url":"http://e/"}']  # fmt: skip


@pytest.mark.parametrize("name", ["links.jsonl", "links.cdxj"])
def test_bad_lines_of_json(columns, tmp_path, name):
    lines = LINES if name.endswith("jsonl") else [f"k 1 {line}" for line in LINES if line[:1] == "{"]
    octets = "\n".join(lines).encode()
    code, _, err = columns(name, octets, "-f", "host")
    assert code == 2 and f"{name}: row 1: not valid JSON: Expecting ',' delimiter" in err
    bad = tmp_path / "bad.parquet"
    code, rows, err = columns(name, octets, "-f", "host", "--bad-rows", str(bad))
    assert (code, rows) == (0, [["host"], ["a"], [""], [""], ["e"]]), err
    told = pq.read_table(bad).to_pylist()
    assert [row["row"] for row in told] == ([1, 2, 3, 4, 7] if name.endswith("jsonl") else [1, 2, 3, 6])
    assert [row["text"] for row in told] == [LINES[k] for k in ((2, 3, 4, 5, 8) if len(told) == 5 else (2, 3, 5, 8))]
    assert told[1]["reason"] == "'url' is a number, not a string"


def test_a_member_that_no_line_has(columns):
    code, _, err = columns("a.jsonl", b'{"url":"http://a/"}\n{"url":"http://b/"}\n', "-c", "uri", "-f", "host")
    assert code == 2 and "no line has the member 'uri'" in err
    assert columns("a.jsonl", b'{"uri":null}\n', "-c", "uri", "-f", "host")[:2] == (0, [["host"], [""]])


KEPT = [
    {"n": 1, "url": "http://a/", "t": "2026-11-26T00:00:00Z", "more": {"x": [1, 2]}, "id": 9007199254740993},
    {"n": 2.5, "url": "http://b/", "t": "x", "more": {"y": None}, "late": True, "id": 2},
]


def test_all_members_are_kept(columns, tmp_path):
    names = ["n", "url", "t", "more", "id", "late"]
    octets = "\n".join(map(json.dumps, KEPT)).encode()
    out = tmp_path / "out.jsonl"
    assert columns("a.jsonl", octets, "-k", "-f", "host", "-o", str(out))[0] == 0
    made = [json.loads(line) for line in out.read_text().splitlines()]
    assert list(made[0]) == [*names, "host"]
    assert [{name: row[name] for name in names if row[name] is not None} for row in made] == [
        {**KEPT[0], "more": {"x": [1, 2], "y": None}}, {**KEPT[1], "more": {"x": None, "y": None}}]  # fmt: skip
    code, _, err = columns("a.jsonl", octets, "-k", "-f", "host", "-o", str(tmp_path / "out.csv"))
    assert code == 2 and "a.jsonl: the column 'more'" in err and ".jsonl" in err
    index = b"\n".join(b"com,a)/ 2026110112000%d " % k + json.dumps(row).encode() for k, row in enumerate(KEPT))
    assert columns("a.cdxj", index, "-k", "-f", "host", "-o", str(tmp_path / "out.parquet"))[0] == 0
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column_names[:3] == ["urlkey", "timestamp", "n"] and table["timestamp"][1].as_py() == "20261101120001"
    code, _, err = columns("a.jsonl", b'{"url":"x:","n":1.5}\n{"url":"x:","n":9007199254740993}\n', "-k")
    assert code == 2 and "row 1: --keep would round an integer, because 'n'" in err
    code, _, err = columns("a.jsonl", b'{"url":"x:","n":1}\n{"url":"x:","n":"s"}\n', "-k")
    assert code == 2 and "a.jsonl: in or after row 0" in err and "number to string" in err


def test_bytes_that_are_not_utf8_are_no_json_to_keep(columns, tmp_path):
    octets = b'{"url":"http://a/","n":"\xc3\xa9"}\n{"url":"http://b/","n":"\xff"}\n'
    assert columns("a.jsonl", octets, "-f", "host")[:2] == (0, [["host"], ["a"], ["b"]])
    code, _, err = columns("a.jsonl", octets, "-k", "-f", "host")
    assert code == 2 and "a.jsonl: row 1: not valid JSON: 'utf-8' codec can't decode byte 0xff" in err
    code, rows, _ = columns("a.jsonl", octets, "-k", "-f", "host", "--bad-rows", "skip")
    assert (code, rows) == (0, [["url", "n", "host"], ["http://a/", "\u00e9", "a"]])


# --- lines --------------------------------------------------------------------------------------


def test_a_line_that_is_too_long(columns, monkeypatch):
    monkeypatch.setattr("urlsm.cli.table_readers.LONGEST", 1 << 16)
    monkeypatch.setattr("urlsm.cli.table_readers.BLOCK", 1 << 12)
    monkeypatch.setattr(table_csv, "LONGEST", 1 << 16)
    monkeypatch.setattr(table_csv, "CSV_BLOCK", 1 << 12)
    for name, head in (("a.txt", b"http://a/\nhttp://b/\n"), ("a.csv", b"url\nhttp://a/\n")):
        code, _, err = columns(name, gzip.compress(head + b"x" * 100_000 + b"\n"), "-f", "host")
        assert code == 2 and "longer than" in err and name in err
        assert columns(name, head + b"http://h/" + b"x" * 60_000 + b"\n", "-f", "host")[0] == 0
    assert "line 3 is longer" in columns("a.txt", b"http://a/\nhttp://b/\n" + b"x" * 100_000, "-f", "host")[2]


# --- what is told -------------------------------------------------------------------------------


def test_a_summary(columns, monkeypatch):
    octets = b"n,url\n1,http://a/\n2,x\n3,\n"
    _, _, err = columns("a.csv", octets, "-c", "url", "-f", "host")
    assert err.startswith(f"3 rows, 2 refused, 0 null, {len(octets)} bytes, ") and "rows/s, 1 file\n" in err
    code, rows, err = columns("a.csv", octets, "-c", "url", "-f", "host", "--quiet")
    assert code == 0 and len(rows) == 4 and err == ""
    monkeypatch.setattr(output, "complain_to_nobody", False)


def test_a_column_without_any_url_is_a_warning(columns):
    code, _, err = columns("a.csv", b"n,url\n1,http://a/\n2,http://b/\n", "-c", "n", "-f", "host")
    assert code == 0 and "warning: " in err and "every URL in the column 'n' is invalid, such as b'1' (missing" in err
    assert "warning" not in columns("a.csv", b"n,url\n1,http://a/\n2,\n", "-c", "url", "-f", "host")[2]
    assert "warning" not in columns("a.jsonl", b'{"url":null}\n', "-f", "host")[2]


def test_errors_have_the_text_and_the_columns_that_are_kept(columns, tmp_path):
    errors = tmp_path / "errors.csv"
    octets = b'id,url,row\n7,http://a/,p\n8,"x\r\ny",q\n9,\xff,r\n'
    for options, more in (((), []), (("-k",), [["id", "row_"], ["8", "q"], ["9", "r"]])):
        columns(
            "a.csv",
            octets,
            "-c",
            "url",
            "-f",
            "host",
            "--errors-to",
            str(errors),
            "-o",
            str(tmp_path / "o.csv"),
            *options,
        )
        found = list(csv.reader(io.StringIO(errors.read_bytes().decode(), newline="")))
        code = "missing-scheme-non-relative-URL"
        plain = [["row", "code", "position", "text"], ["1", code, "0", "x\r\ny"], ["2", code, "0", "\\xff"]]
        assert found == [row + (more[k] if more else []) for k, row in enumerate(plain)]
