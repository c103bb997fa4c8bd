"""urlsm completion and urlsm manual: their output works in the shells and in man."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess

import pytest

from urlsm.cli.app import make_parser
from urlsm.cli.shell import _commands, completion, manual
from urlsm.crawler import PROFILES
from urlsm.machine.driver import DIALECTS


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@functools.cache
def script(shell):
    return completion(make_parser(), shell)


def told(*command, given=None):
    own = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # a sanitizer's, for Python only
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=True, env=own)


CASES = [  # the words, the last being typed, and its completions
    ("pars", {"parse"}),
    ("parse --dia", {"--dialect"}),
    ("parse --dialect ", {*DIALECTS}),
    ("validate --dialect rfc3", {"rfc3986", "rfc3987"}),
    ("compare --t", {"--table", "--tsv"}),
    ("completion z", {"zsh"}),
    ("resolve --dialect ", {"whatwg", "rfc3986", "rfc3987", "rfc2396", "barth", "stdlib"}),
    ("canonicalize --profile w3", {name for name in PROFILES if name.startswith("w3")}),
    ("surt --profile ", {*PROFILES}),
    ("profiles c", {name for name in PROFILES if name.startswith("c")}),
    ("schemes mongo", {"mongodb", "mongodb+srv"}),
    ("schemes view-", {"view-source"}),
    ("parse --base ", set()),
]


@needs("bash")
@pytest.mark.parametrize(("typed", "meant"), CASES)
def test_bash(typed, meant, tmp_path):
    words = ["urlsm", *typed.split(" ")]
    call = f"COMP_WORDS=({' '.join(repr(word) for word in words)}) COMP_CWORD={len(words) - 1}; _urlsm"
    done = told("bash", "-c", f"{script('bash')}\n{call}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"")
    assert {*done.stdout.split()} == meant and done.stderr == ""


@needs("bash")
def test_bash_completes_files(tmp_path):
    (tmp_path / "links.txt").touch()
    words = f"COMP_WORDS=(urlsm compare -f {tmp_path}/l) COMP_CWORD=3; _urlsm; echo $COMPREPLY"
    assert told("bash", "-c", f"{script('bash')}\n{words}").stdout.strip() == f"{tmp_path}/links.txt"


@needs("fish")
@pytest.mark.parametrize(("typed", "meant"), CASES)
def test_fish(typed, meant, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    done = told("fish", "--no-config", "-c", f"{script('fish')}\ncomplete -C 'urlsm {typed}'")
    found = {line.partition("\t")[0] for line in done.stdout.splitlines()}
    assert found == meant and done.stderr == ""


@needs("zsh")
@pytest.mark.parametrize(("typed", "meant"), CASES)
def test_zsh(typed, meant, tmp_path):
    """zsh completes where a line is edited: _describe and _arguments are replaced by functions that tell what they
    were asked."""
    words = " ".join([f"'{word}'" for word in ["urlsm", *typed.split(" ")]])
    (tmp_path / "_urlsm").write_text(script("zsh"))
    spy = """_describe() { print -l ${(P)2%%:*} }; _arguments() { print -l -- "$@" }; compdef() { : }"""
    done = told("zsh", "-f", "-c", f"{spy}; source {tmp_path}/_urlsm; words=({words}); CURRENT=${{#words}}; _urlsm")
    lines, (*_, before, typing) = done.stdout.splitlines(), ["", *typed.split(" ")]
    values = [line for line in lines if line.startswith(f"*{before}[")] if before.startswith("-") else lines
    found = [word for line in values if ":(" in line for word in line.rpartition(":(")[2].rstrip(")").split()]
    if not before.startswith("-"):
        found += [line.partition("[")[0].lstrip("*") for line in lines]
    assert {word for word in found if word.startswith(typing)} == meant and done.stderr == ""
    assert "compdef" in script("zsh") and told("zsh", "-n", given=script("zsh")).stderr == ""


def test_every_option_is_there():
    shown = manual(make_parser())
    for _, parser in _commands(make_parser()).values():
        for action in parser._actions:
            for name in action.option_strings:
                assert name in script("bash") and name in script("zsh")
                assert (f"-l {name[2:]} " if name.startswith("--") else f"-s {name[1:]} ") in script("fish")
                assert name.replace("-", r"\-") in shown


@needs("groff")
def test_the_manual_is_clean_roff():
    done = told("groff", "-ww", "-man", "-Tascii", "-P-c", "-P-b", "-P-u", given=manual(make_parser()))
    shown = " ".join(done.stdout.split())
    assert done.stderr == "" and "urlsm normalize" in shown and r"\n and \t" in shown
    assert r"urlsm parse --explain --violations 'http:\\example.org/%zz'" in shown


def test_the_commands(run):
    assert run("completion", "bash") == (0, script("bash"), "") and run("manual") == (0, manual(make_parser()), "")
    assert run("completion", "tcsh")[0] == 2
