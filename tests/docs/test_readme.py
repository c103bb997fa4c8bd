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


def column(dialect: str) -> dict[str, str]:
    """The dialect table, a row's text to what this dialect says."""
    rows = [re.split(r" *(?<!\\)\| *", line)[1:-1] for line in TEXT.split("\n## Dialects\n")[1].splitlines() if "|" in line]
    [index] = [k for k, head in enumerate(rows[0]) if head.startswith(f"`{dialect}`")]
    return {row[0].strip("`"): row[index] for row in rows}


@pytest.mark.parametrize("dialect", ["whatwg", "rfc3986", "barth"])
@pytest.mark.parametrize("text", ["C:/x", "http:a", "mailto:a?b"])
def test_dialect_table(dialect, text):
    said = column(dialect)[text]
    found = urlsm.split(text, dialect)
    if said == "a file path":
        assert found.scheme is None and found.path == text
    for name, value in re.findall(r"(\w+) `([^`]*)`", said):
        assert getattr(found, name) == value
