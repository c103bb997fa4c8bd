"""The commands canonicalize, surt, fingerprint, registrable-domain, profiles and psl: their output and exit codes."""

from __future__ import annotations

import json
import re

import pytest

from urlsm.cli import output as terminal_module
from urlsm.crawler import PROFILES, profile


def test_canonicalize(run):
    assert run("canonicalize", "http://H/?b&a#c", "http://h/x") == (0, "http://h/?a&b\nhttp://h/x\n", "")
    assert run("canonicalize", "--profile", "w3lib", "http://h/?b&a#c")[1] == "http://h/?a=&b=\n"
    assert json.loads(run("canonicalize", "--json", "http://h/?b&a")[1]) == {
        "input": "http://h/?b&a",
        "key": "http://h/?a&b",
    }
    code, out, err = run("canonicalize", "http://h:x/", "http://h/")
    assert (code, out) == (1, "\nhttp://h/\n") and "port-invalid" in err
    code, out, err = run("canonicalize", "--profile", "nope", "http://h/")
    assert (code, out) == (2, "") and "w3lib-2.5" in err


def test_surt(run):
    assert run("surt", "http://www.Example.org:80/A") == (0, "org,example)/a\n", "")
    assert run("surt", "--with-scheme", "--trailing-comma", "http://example.org/")[1] == "http://(org,example,)/\n"
    assert run("surt", "--profile", "commoncrawl", "tel:1a")[0] == 1


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.dat"
    path.write_text("// VERSION: 2026-01-01\n// ===BEGIN ICANN DOMAINS===\ncom\nco.uk\n// ===END ICANN DOMAINS===\n"
                    "// ===BEGIN PRIVATE DOMAINS===\nblog.com\n// ===END PRIVATE DOMAINS===\n")  # fmt: skip
    return str(path)


def test_site(run, rules):
    assert run("registrable-domain", "--suffix-list", rules, "http://a.b.co.uk/", "x.y.blog.com") == (
        0,
        "b.co.uk\ny.blog.com\n",
        "",
    )
    assert run("registrable-domain", "--suffix-list", rules, "--only-icann", "x.y.blog.com")[1] == "blog.com\n"
    assert run("registrable-domain", "--suffix-list", rules, "http://1.2.3.4/", "com") == (
        *(1, "\n\n"),
        "http://1.2.3.4/: no registrable domain\ncom: no registrable domain\n",
    )
    assert json.loads(run("registrable-domain", "--suffix-list", rules, "--json", "com")[1]) == {
        **{"input": "com", "registrable_domain": None}
    }
    assert run("registrable-domain", "--suffix-list", rules + "x", "com")[0] == 2


HOW = ([], ["--errors"], ["--json"], ["--csv"], ["--tsv"], ["--json", "--errors"], ["--csv", "--errors"])


@pytest.mark.parametrize("options", HOW, ids=" ".join)
@pytest.mark.parametrize("command", ["canonicalize", "surt", "fingerprint", "fingerprint --kind=sha1",
                                     "registrable-domain", "normalize", "validate", "audit"])  # fmt: skip
def test_a_file_has_the_answers_of_its_lines(run, tmp_path, command, options):
    """A file is answered in blocks, and an argument by itself."""
    if "--errors" in options and command in ("validate", "audit"):
        pytest.skip("no such option")
    lines = ["http://h/?b&a", "", "http://[x/", "example.com", "  ", 'http://h/"\\', "http://u:p@h/\u00e9", "co.uk",
             "javascript:x", "http://h/\x1b[0m", "http://www.example.co.uk:80/x%zz", "foo"]  # fmt: skip
    given = [line for line in lines if line.strip()]
    file = tmp_path / "urls"
    file.write_bytes("\r\n".join([*lines, ""]).encode())
    command = command.split()
    code, out, err = run(*command, *options, "--", *given)
    numbers = [k for k, line in enumerate(lines, 1) if line.strip()]
    found = run(*command, *options, "-f", str(file))
    assert found[:2] == (code, out)
    assert re.sub(r"^.*?urls:\d+: ", "", found[2], flags=re.MULTILINE) == err
    places = re.findall(r"urls:(\d+): ", found[2])
    assert {*map(int, places)} <= {*numbers}
    file.write_bytes("\n".join([*given, "\udcff"]).encode(errors="surrogateescape"))
    assert run(*command, *options, "-f", str(file))[1].startswith(out)


def test_psl(run, rules, monkeypatch):
    assert json.loads(run("psl", rules)[1]) == {"path": rules, "version": "2026-01-01", "rules": 3}
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    assert "2026-01-01" in run("psl", rules)[1]
    code, out, err = run("psl", rules.replace("rules.dat", ""))
    assert (code, out) == (2, "") and err


def test_profiles(run, monkeypatch):
    assert json.loads(run("profiles")[1]) == [*PROFILES]
    assert json.loads(run("profiles", "surt")[1]) == json.loads(json.dumps(profile("surt").fields()))
    assert run("profiles", "nope")[0] == 2
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    assert run("profiles")[1].split() == [*PROFILES]
    assert "trailing_slash" in run("profiles", "surt")[1]
