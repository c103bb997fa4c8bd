"""Lines keep their places: the line of a URL that has no answer is empty, or its error with --errors."""

from __future__ import annotations

import csv
import io
import json

import pytest

GIVEN = "HTTP://A.co.uk/x\nhttp://u:secret@h:x/\nhttp://B.co.uk/\n"
COMMANDS = {
    "canonicalize": ["http://a.co.uk/x", None, "http://b.co.uk/"],
    "surt": ["uk,co,a)/x", None, "uk,co,b)/"],
    "fingerprint": [int, None, int],
    "registrable-domain": ["a.co.uk", None, "b.co.uk"],
    "normalize": ["http://a.co.uk/x", None, "http://b.co.uk/"],
    "resolve http://base.example/": ["http://a.co.uk/x", None, "http://b.co.uk/"],
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "urls.txt"
    path.write_text(GIVEN)
    (tmp_path / "rules.dat").write_text("co.uk\n")
    return path


@pytest.fixture(params=COMMANDS)
def command(request, file):
    more = ["--suffix-list", str(file.with_name("rules.dat"))] if request.param == "registrable-domain" else []
    return [*request.param.split(), "--file", str(file), *more], COMMANDS[request.param]


def is_answer(found, wanted):
    return found == wanted or (wanted is int and int(found) > 1 << 50)


def test_lines(run, command):
    argv, wanted = command
    code, out, err = run(*argv)
    lines = out.split("\n")
    assert code == 1 and len(lines) == 4 and lines[1] == lines[3] == ""
    assert all(map(is_answer, (lines[0], lines[2]), (wanted[0], wanted[2])))
    assert "urls.txt:2: " in err and "secret" not in out + err
    assert run(*argv, "--jobs", "2") == (code, out, err)
    assert run(*argv, "--quiet") == (1, out, "")


def test_errors(run, command):
    argv, wanted = command
    code, out, _ = run(*argv, "--errors")
    lines = out.splitlines()
    assert code == 1 and len(lines) == 3 and lines[1].startswith("error: ") and "secret" not in out
    assert all(map(is_answer, (lines[0], lines[2]), (wanted[0], wanted[2])))


def test_records(run, command):
    argv, wanted = command
    records = [json.loads(line) for line in run(*argv, "--json")[1].splitlines()]
    name = [*records[0]][-1]
    assert [record[name] is None for record in records] == [False, True, False]
    records = [json.loads(line) for line in run(*argv, "--json", "--errors")[1].splitlines()]
    assert [record["error"] is None for record in records] == [True, False, True]
    heads, *rows = csv.reader(io.StringIO(run(*argv, "--csv", "--errors")[1]))
    assert heads[-2:] == [name, "error"] and [bool(row[-1]) for row in rows] == [False, True, False]
    assert all(map(is_answer, (rows[0][-2], rows[2][-2]), (wanted[0], wanted[2])))


def test_fingerprints_are_those_of_columns(run, file):
    from urlsm import columns
    from urlsm.columns.work import column_of_lines

    lines = column_of_lines(GIVEN.encode())
    for kind in ("xxh64", "sha1", "blake2b-128"):
        made = columns.fingerprint(lines, "surt", kind=kind).to_pylist()
        shown = ["" if key is None else key.hex() if isinstance(key, bytes) else str(key) for key in made]
        found = run("fingerprint", "--file", str(file), "--kind", kind, "--profile", "surt", "-q")[1].splitlines()
        assert found == shown


def test_explain(run):
    code, out, _ = run("explain", "--json", "--base", "http://h/", "x", "http://h:y/")
    good, bad = map(json.loads, out.splitlines())
    assert code == 1 and good["href"] == "http://h/x" and good["error"] is None
    assert bad["error"] == {"code": "port-invalid", "position": 9} and bad["steps"][-1]["code"] == "port-invalid"
    assert json.loads(run("explain", "--dialect", "rfc3986", "a b")[1])["steps"]
    assert run("explain", "--base", "x", "y")[0] == 2


def test_the_fields_of_parts(run, monkeypatch):
    from urlsm.cli import output

    assert json.loads(run("schemes", "s3", "--json")[1])["parts"] == {"bucket": "str", "key": "str"}
    monkeypatch.setattr(output, "on_terminal", lambda: True)
    assert "tuple[str, ...]" in run("schemes", "mailto")[1]


def test_a_new_package_for_a_built_in_scheme_is_said(run, tmp_path):
    code, _, err = run("schemes", "--new", "mailto", "-o", str(tmp_path / "new"))
    assert code == 0 and "replaces the built-in handler of mailto" in err
    assert run("schemes", "--new", "lamp", "-o", str(tmp_path / "lamp"))[2] == ""
    assert "must start with a letter" in run("schemes", "--new", "1lamp")[2]


def test_a_letter_has_one_meaning_where_urls_are_given(run):
    """-b is the base URL in each command that has --base for one."""
    for argv in (["parse", "-b", "http://h/a/", "--get", "{url}", "../x"], ["explain", "-b", "http://h/a/", "../x"]):
        code, out, _ = run(*argv)
        assert code == 0 and "http://h/x" in out
