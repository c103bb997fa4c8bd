"""Help and usage; each letter has one meaning in all commands."""

from __future__ import annotations

import re
import time
from collections import defaultdict

import pytest

from urlsm.cli.app import HOMES, make_parser
from urlsm.cli.shell import _commands, manual

# columns has no --file: its files are arguments
EXCEPTIONS = {"-f": {"--file", "--fields"}}


def test_help(run):
    assert run("help") == (0, make_parser().format_help(), "")
    for name, (_, command) in _commands(make_parser()).items():
        code, out, err = run("help", name)
        assert (code, err) == (0, "") and out == command.format_help() and out.startswith(f"usage: urlsm {name} ")
    code, out, err = run("help", "nonsense")
    assert (code, out) == (2, "") and "unknown command 'nonsense'" in err


@pytest.mark.parametrize("name", HOMES)
def test_the_usage_of_an_error_is_the_commands(run, name):
    places = {"resolve": ["a", "b"], "page": ["a"], "extract": ["a"], "columns": ["a"], "completion": ["bash"]}
    code, out, err = run(name, *places.get(name, []), "--bad")
    usage, error = err.splitlines()
    assert (code, out) == (2, "")
    assert usage.startswith(f"usage: urlsm {name} ") and usage.endswith(f"(see urlsm help {name})")
    assert error == f"urlsm {name}: error: unrecognized arguments: --bad"


def test_an_unknown_argument_shows_no_password_and_no_control_character(run):
    err = run("surt", "--http://me:secret@h/\x1b[31m", "x")[2]
    assert "secret" not in err and "\x1b" not in err


def test_a_letter_has_one_meaning():
    meanings = defaultdict(set)
    for _, command in _commands(make_parser()).values():
        for action in command._actions:
            long = next((name for name in action.option_strings if name[:2] == "--"), None)
            for name in action.option_strings:
                if len(name) == 2:
                    meanings[name].add(long)
    assert {name: found for name, found in meanings.items() if len(found) > 1} == EXCEPTIONS


def test_a_word_has_one_meaning_for_processes_and_files():
    for _, command in _commands(make_parser()).values():
        helps = {name: action.help for action in command._actions for name in action.option_strings}
        assert "processes" in helps.get("--jobs", "processes")
        assert "threads" in helps.get("--threads", "threads")
        assert "URLs" in helps.get("--file", "URLs")


def test_the_manual_has_a_date(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(86400 * 20000))
    assert manual(make_parser()).startswith('.TH URLSM 1 "2024-10-04" "urlsm ')
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    date = re.match(r'\.TH URLSM 1 "(.*?)"', manual(make_parser()))[1]
    assert time.strptime(date, "%Y-%m-%d")


def test_the_help_of_columns_names_each_field():
    from urlsm.cli.columns import EXAMPLES
    from urlsm.columns import FIELDS
    from urlsm.columns.functions import functions

    listed = re.findall(r"\w+", EXAMPLES.partition("Fields are ")[2].partition("\n\n")[0])
    assert {*FIELDS, *(row.field or row.name for row in functions("field"))} <= {*listed}
