"""urlsm.cli.arguments: lines read without argparse are read as argparse reads them."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import pathlib
import subprocess
import sys

import pytest
from support.seeds import seeded

import urlsm
from urlsm.cli import app
from urlsm.cli.shell import _commands

TEXTS = (
    *(
        "http://h/",
        "-",
        "",
        "a b",
        "host=h",
        "path=x",
        "é",
        "\udc80",
        "1",
        "4",
        "x",
        "whatwg",
        "rfc3986",
        "bash",
        "urlsm-1",
    ),
    *("--", "-5", "-x", "--nothing", "-- x", "-a b", "--set=host=h", "--json=1", "-fX", "-qj", "-j2", "--js", "-h"),
    *("--help", "--version", "0", "70000", "1.5", "{host}", "@file"),
)


@pytest.fixture(scope="module")
def parser():
    return app.make_parser()


def of_argparse(parser, given):
    """Return what argparse reads; None if it refuses."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return vars(parser.parse_args(given))
        except SystemExit:
            return None


def same(parser, given):
    """Return whether the line is simple. If so, check that it is read as argparse reads it."""
    ours = app.plain(given)
    if ours is None:
        return False
    values = dict(vars(ours))
    theirs = of_argparse(parser, given)
    assert theirs is not None, given
    assert values.pop("parser").name == given[0] and theirs.pop("parser").prog == f"urlsm {given[0]}"
    assert values == theirs, given
    assert {name: type(value) for name, value in values.items()} == {n: type(value) for n, value in theirs.items()}
    return True


def test_every_command_has_a_home(parser):
    rows = {
        row[0]: home
        for home in set(app.HOMES.values())
        for row in __import__(f"urlsm.cli.{home}", fromlist=["COMMANDS"]).COMMANDS
    }
    assert rows == app.HOMES
    assert [*_commands(parser)] == [*app.HOMES]


def test_plain_lines_are_read_as_by_argparse(parser, many):
    """Lines of options, values and the like, in any order."""
    chosen = seeded(21)
    plain = 0
    for name, (_, command) in _commands(parser).items():
        options = [option for action in command._actions for option in action.option_strings]
        pairs = [action for action in command._actions if action.option_strings and action.nargs is None]
        for _ in range(many // len(app.HOMES)):
            given = [name]
            for _ in range(chosen.randrange(5)):
                kind = chosen.randrange(4)
                if kind == 0:
                    given.append(chosen.choice(options))
                elif kind == 1 and pairs:
                    action = chosen.choice(pairs)
                    values = [str(choice) for choice in action.choices or ()] or TEXTS
                    given += [chosen.choice(action.option_strings), chosen.choice(values)]
                else:
                    given.append(chosen.choice(TEXTS))
            plain += same(parser, given)
    assert plain > many // 10


def test_every_option_in_full_is_plain(parser):
    for name, (_, command) in _commands(parser).items():
        places = [action for action in command._actions if not action.option_strings]
        values = [str(place.choices[0]) if place.choices else "http://h/" for place in places]
        assert same(parser, [name, *values])
        for action in command._actions:
            if action.dest == "help":
                continue
            value = [str((action.choices or ["4"])[0])] if action.nargs is None else []
            for option in action.option_strings:
                assert same(parser, [name, option, *value, *values]), option
                assert same(parser, [name, *values, option, *value]), option


@pytest.mark.parametrize(
    "given",
    [[], ["nothing"], ["--help"], ["parse", "a", "--json", "b"], ["parse", "--json", "--csv", "a"]],
)
def test_other_lines_are_left_to_argparse(given):
    assert app.plain(given) is None


def test_an_error_after_a_plain_line_is_said_as_argparse_says_it():
    asked = ["parse", "--set", "nothing", "http://h/"]
    errors = []
    for given in (asked, ["parse", "--set=nothing", "http://h/"]):  # the second is not plain
        errors.append(io.StringIO())
        with contextlib.redirect_stderr(errors[-1]), pytest.raises(SystemExit) as stop:
            app.main(given)
        assert stop.value.code == 2
    assert app.plain(asked) is not None
    assert errors[0].getvalue() == errors[1].getvalue() != ""


@pytest.mark.parametrize(
    ("given", "loaded"),
    [
        (["http://h/\u00e9?b"], set()),
        (["parse", "--json", "--base", "http://h/", "x", "y"], set()),
        (["--version"], set()),
        (["parse", "--set", "host=h", "http://a/"], {"re"}),
        (["normalize", "http://h/"], {"re"}),
    ],
)
def test_a_plain_line_loads_little(given, loaded):
    heavy = (
        "argparse",
        "collections",
        "contextlib",
        "dataclasses",
        "json",
        "orjson",
        "re",
        "shutil",
        "typing",
        "urllib",
    )
    code = f"""import sys
for name in {heavy!r}: sys.modules.pop(name, None)  # what starts the interpreter may need them
from urlsm.cli.app import main
try:
    main({given!r})
except SystemExit:
    pass
print(*[name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"""
    root = pathlib.Path(urlsm.__file__).resolve().parents[1]
    command = [sys.executable, "-s", "-c", code]
    done = subprocess.run(command, capture_output=True, cwd=root, timeout=60, check=True)
    assert set(done.stderr.decode().split()) <= {*loaded, *(("collections",) if loaded else ())}


def test_flat_json_is_json():
    from urlsm.cli.output import flat_json, json_text

    chosen = seeded(21)
    letters = [*map(chr, range(0x100)), "\u2028", "\udc80", "\U0001f600", "\u202e", "é", '"', "\\", "x"]
    for size in itertools.islice(itertools.cycle(range(6)), 20_000):
        record = {name: "".join(chosen.choices(letters, k=size)) for name in ("input", "href")}
        record |= {"port": chosen.choice([None, 0, 65535])}
        assert flat_json(record) == json_text(record)
        assert json.loads(flat_json(record)) == record
