"""Lines that C fills in equal those that Python writes, for all texts; and work in several processes."""

from __future__ import annotations

import io
import itertools
import json
import pathlib
import sys
import types

import pytest
from support import suites

from urlsm.cli import app as cli
from urlsm.cli import output, rows
from urlsm.columns.calls import host, parse
from urlsm.columns.work import column_of_lines, fill_rows

TEXTS = [
    *("http://h/", "HTTP://u:p@H:81/a%20b?q#f", "mailto:a@b", "http://h/\"'\\,x", "https://xn--bcher-kva.de", "", " "),
    *("http://h/é", "http://bücher.de/", "http://h/\t%41", "  http://h  ", "http://h:x/", "nonsense", "data:,%2541{}"),
    *(
        "http://h/\x7f",
        "http://h/\0",
        "blob:http://h/x",
        "file:///c|/",
        "http://[::1]:65535/",
        "ws://h:0/?",
        "x://h:7#",
    ),
    *("javascript:alert(1)", "\u3000", "http://%41/", "http://u@h/", "http://:p@h/", "a:", "http://h/\r"),
]
CALLS = [
    *(["--json"], ["--csv"], ["--tsv"], ["--get", "{host}"], ["--get", r"{scheme}\t[port]|{:path}{path}-{query}\n"]),
    *(["--get", "{url} {input} {user}:{password} {fragment} {origin}"], ["--get", "x"], ["--get", "é{host}"]),
    *(["--get", r"\r{host}"], ["--get", "{default:port}{must:host}"], ["--get", "{host}", "--as-idn"]),
    *(["--json", "--base", "http://b/c"], ["--get", "{host} {path}", "--base", "http://b/c"]),
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "urls"
    own = json.loads((pathlib.Path(__file__).parents[1] / "data/own_urls.json").read_text(encoding="utf-8"))
    lines = [*TEXTS, *[text for case in own if isinstance(case, dict) for text in [case.get("input", "")]]]
    if conformance := suites.wpt("urltestdata.json"):
        cases = json.loads(conformance.read_text(encoding="utf-8"))
        lines += [case["input"] for case in cases if isinstance(case, dict)]
    text = "\n".join([line.replace("\n", "") for line in lines])
    path.write_bytes(text.encode("utf-8", "surrogateescape" if text.isascii() else "replace"))
    return str(path)


def by_python(run, monkeypatch, *given):
    with monkeypatch.context() as patch:
        patch.setattr(rows, "is_utf8", lambda octets: False)
        return run(*given)


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_c_and_python_write_the_same(run, monkeypatch, file, call):
    given = ("parse", *call, "--file", file)
    assert run(*given) == by_python(run, monkeypatch, *given)


@pytest.mark.parametrize("call", CALLS[:4], ids=" ".join)
def test_octets_that_are_not_utf8(run, monkeypatch, tmp_path, call):
    path = tmp_path / "urls"
    path.write_bytes(b"http://h/\xff\nhttp://i/\xe2\x82\nhttp://j/\xed\xa0\x80?\xf0#\n")
    given = ("parse", *call, "-f", str(path))
    assert run(*given) == by_python(run, monkeypatch, *given) and run(*given)[1].count("\n") >= 3


def test_blank_lines_are_skipped(run, tmp_path):
    path = tmp_path / "urls"
    path.write_text("\u3000\n \n\u00a0\na\n", encoding="utf-8")
    assert run("parse", "--base", "http://h/", "--get", "{url}", "-f", str(path)) == (0, "http://h/a\n", "")


def test_sites_are_those_of_one_url(run, monkeypatch, file):
    pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    given = ("parse", "--get", "{registrable_domain} {host}", "--file", file)
    assert run(*given) == by_python(run, monkeypatch, *given)


def test_most_lines_never_become_objects(run, monkeypatch, tmp_path):
    path = tmp_path / "urls"
    path.write_text("http://h/a\n" * 100)
    monkeypatch.setattr("urlsm.url.value.parse", None)
    for call in CALLS[:6]:
        assert run("parse", *call, "-f", str(path))[0] == 0


def test_filled_says_what_is_left():
    lines = column_of_lines(b"http://h:8/\n\nhttp://h/%41\nhttp://h/'\nx\nhttp://i/")
    struct = parse(lines, ("host", "port", "path", "can_parse"))
    how = (("port", "path", "input"), (b"<", b" ", b" ", b">\n"), b"\0\1\0", b"'", b"-", b"'")
    text = "<8 '/' 'http://h:8/'>\n<- '/' 'http://i/'>\n"
    assert fill_rows(lines, struct, *how) == (text, [(1, 22), (2, 22), (3, 22), (4, 22)])


@pytest.mark.parametrize(
    ("names", "literals", "decoded"),
    [(("host",), (b"",), b"\0"), (("host",), (b"", b""), b""), (("host",) * 33, (b"",) * 34, bytes(33))],
)
def test_forms_that_cannot_be(names, literals, decoded):
    lines = column_of_lines(b"http://h/")
    with pytest.raises(ValueError, match="at most 32 places"):
        fill_rows(lines, parse(lines, ("host", "can_parse")), names, literals, decoded, b"", b"", b"")
    with pytest.raises(ValueError, match="texts, numbers and hashes"):
        fill_rows(lines, parse(lines, ("can_parse",)), ("can_parse",), (b"", b""), b"\0", b"", b"", b"")
    with pytest.raises(TypeError, match="a column of binary_view, not"):
        fill_rows(host(lines), lines, ("host",), (b"", b""), b"\0", b"", b"", b"")


@pytest.mark.parametrize("command", [["parse"], ["parse", "--csv"], ["parse", "--set", "port=8"], ["audit"], ["surt"]])
def test_processes_print_in_order(run, monkeypatch, file, command):
    monkeypatch.setattr(output, "BLOCK", 2000)
    alone = run(*command, "--file", file, "mailto:a@b")
    assert run(*command, "--file", file, "mailto:a@b", "--jobs", "2") == alone and alone[1]


@pytest.mark.parametrize("command", ["parse --set scheme=http --set host=h", "parse --csv -f {}", "audit --tsv -f {}"])
def test_processes_without_input_print_as_one_does(run, tmp_path, command):
    path = tmp_path / "empty"
    path.touch()
    argv = command.format(path).split()
    alone = run(*argv)
    assert run(*argv, "-j", "2") == alone and alone[1]


def test_wrong_usage_in_processes(run, file):
    assert run("parse", "-f", file, "-j", "0")[0] == 2
    code, out, err = run("parse", "-f", file, "-j", "2", "--get", "{hots}")
    assert (code, out) == (2, "") and err.count("in a template: {hots}") == 1
    assert run("parse", "-f", f"{file}.absent", "-j", "2")[0] == 2


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("command", [["parse"], ["audit"], ["parse", "--jobs", "2"]])
def test_a_bar_tells_how_far_it_is_after_two_seconds(monkeypatch, tmp_path, capsys, command):
    path = tmp_path / "urls"
    path.write_text("http://h/\n" * 1000)
    clock = itertools.count(1, 0.5)
    monkeypatch.setattr(output, "BLOCK", 1000)
    monkeypatch.setattr(output, "time", types.SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert cli.main([*command, "-f", str(path)]) == 0
    told = sys.stderr.getvalue().split("\r\x1b[K")
    assert told[0] == told[-1] == "" and told[1] == "[########            ]  40 %, 401 lines, 200 a second, 0:03 left"
    assert len(told) == 9 and capsys.readouterr().out.count("\n") == 1000
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert cli.main([*command, "-f", str(path)]) == 0 and sys.stderr.getvalue() == ""
