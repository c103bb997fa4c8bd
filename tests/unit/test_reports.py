"""The commands validate, normalize, resolve, compare, audit and extract: what they print, and their exit codes."""

from __future__ import annotations

import io
import json
import sys

import pytest

from urlsm import cli
from urlsm import terminal as terminal_module


@pytest.fixture
def run(capsys):
    """Run the command line in this process: (exit code, standard output, standard error)."""

    def run(*argv):
        try:
            code = cli.main(argv)
        except SystemExit as stop:
            code = stop.code
        return code, *capsys.readouterr()

    return run


def records(out):
    return [json.loads(line) for line in out.splitlines()]


def test_validate_says_what_breaks_which_rule(run):
    code, out, err = run("validate", "http://h/[", "http://h/a", "telnet://u:p@h")
    first, second, third = records(out)
    assert (code, err) == (1, "")
    assert [(v["code"], v["position"], v["severity"]) for v in first["violations"]] == [
        ("character-not-allowed", 9, "error")
    ]
    assert second == {"input": "http://h/a", "violations": []}
    assert [v["severity"] for v in third["violations"]] == ["warning"]
    assert run("validate", "telnet://u:p@h")[0] == 0  # warnings do not count
    assert run("validate", "--dialect", "rfc1738", "http://h/~a")[0] == 1
    assert run("validate", "--dialect", "whatwg", "http:\\\\h")[0] == 1
    assert run("validate", "--dialect", "nope", "x:")[0] == 2


def test_validate_for_people_shows_no_password(run, monkeypatch):
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    code, out, _ = run("validate", "http://me:secret@h/[", "http://h/a\x1b")
    assert code == 1 and "secret" not in out and "character-not-allowed" in out and "\x1b" not in out
    assert "no violations" in run("validate", "http://h/")[1]


def test_normalize(run):
    assert run("normalize", "HTTP://EX.org:80/%7ea", "s3://b/./c") == (0, "http://ex.org/~a\ns3://b/./c\n", "")
    assert records(run("normalize", "--json", "--dialect", "rfc2396", "x://H/%7e/..")[1]) == [
        {"input": "x://H/%7e/..", "normal": "x://h/~/.."}
    ]


def test_resolve(run):
    assert run("resolve", "http://a/b/c", "../d", "?x") == (0, "http://a/d\nhttp://a/b/c?x\n", "")
    assert run("resolve", "http://a/b/c", "?x", "--dialect", "rfc2396")[1] == "http://a/b/?x\n"
    assert run("resolve", "http://a/b", "http:c", "--dialect", "rfc3986", "--lenient")[1] == "http://a/c\n"
    code, out, err = run("resolve", "http://a/", "//h:x/", "b")
    assert (code, out) == (1, "http://a/b\n") and "port-invalid" in err
    assert records(run("resolve", "--json", "http://a/", "b")[1]) == [
        {"base": "http://a/", "reference": "b", "target": "http://a/b"}
    ]


def test_compare(run, monkeypatch):
    code, out, _ = run("compare", "http://a\\@b/", "http://h/")
    first, second = records(out)
    assert code == 1 and not first["agree"] and second["agree"]
    assert first["views"]["whatwg"]["host"] == "a" and second["views"]["barth"]["host"] == "h"
    assert run("compare", "http://h/")[0] == 0
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    out = run("compare", "http://me:secret@h/", "http://a\\@b/")[1]
    assert "they agree" in out and "they disagree" in out and "secret" not in out


def test_audit(run, monkeypatch):
    code, out, _ = run("audit", "http://u:p@127.1/", "http://example.org/")
    first, second = records(out)
    assert code == 1 and second["hazards"] == []
    assert {"loopback-address", "ipv4-odd-form"} <= {hazard["code"] for hazard in first["hazards"]}
    assert run("audit", "https://example.org/a")[0] == 0
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    assert "secret" not in run("audit", "http://u:secret@h/")[1]
    assert "no hazards" in run("audit", "https://example.org/a")[1]


def test_extract(run, tmp_path, monkeypatch):
    path = tmp_path / "text"
    path.write_bytes(b"See <URL:http://a.example/b>, www.c.example.\n\xff mailto:me@d.example")
    code, out, err = run("extract", str(path))
    assert (code, err) == (0, "")
    assert [(found["href"], found["guess"]) for found in records(out)] == [
        ("http://a.example/b", False),
        ("mailto:me@d.example", False),
    ]
    assert [found["href"] for found in records(run("extract", "--guess", str(path))[1])][1] == "http://www.c.example/"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"http://u:secret@h/"), encoding="utf-8"))
    code, out, _ = run("extract", "--table", "-")
    assert code == 0 and "secret" not in out and "@h/" in out
    assert run("extract", str(tmp_path / "missing"))[0] == 2


def test_urls_are_read_from_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"HTTP://A\n\nx:b\n"), encoding="utf-8"))
    assert run("normalize", "-")[1] == "http://a/\nx:b\n"
