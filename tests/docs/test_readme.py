"""README.md's examples, run."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import urlsm
from urlsm.cli import main

README = Path(__file__).resolve().parents[2] / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_python_examples():
    unfenced = re.sub("^```.*$", "", TEXT, flags=re.MULTILINE)  # a fence would count as expected output
    examples = doctest.DocTestParser().get_doctest(unfenced, {}, README.name, str(README), 0)
    assert len(examples.examples) > 40
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert not said, "".join(said)


COMMANDS = re.findall(r"^\$ urlsm (.*)\n((?:(?!\$|```).*\n)*)", TEXT, flags=re.MULTILINE)


@pytest.mark.parametrize(("arguments", "output"), COMMANDS)
def test_commands(arguments, output, capsys):
    assert main(shlex.split(arguments)) == 0
    assert capsys.readouterr().out == output


def test_commands_are_found():
    assert COMMANDS


DIALECTS = ("whatwg", "rfc3986", "barth")
ROWS = re.findall(r"^\| `(\S+)` \| (.*) \| (.*) \| (.*) \|$", TEXT, flags=re.MULTILINE)
CELLS = [(text, dialect, cell) for text, *cells in ROWS for dialect, cell in zip(DIALECTS, cells, strict=True)]


@pytest.mark.parametrize(("text", "dialect", "cell"), CELLS)
def test_dialect_table(text, dialect, cell):
    found = urlsm.split(text, dialect)
    components = dict(re.findall(r"(\w+) `([^`]*)`", cell))
    assert components
    for name in ("host", "query", *components):
        assert getattr(found, name) == components.get(name)


def test_dialect_table_is_found():
    assert len(CELLS) == 9
