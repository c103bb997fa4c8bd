"""The command line: urlsm COMMAND, or python -m urlsm COMMAND.

To add a command, write a function that declares its arguments and a function that runs it. Add a row to COMMANDS in the
module for this kind of command, and add the command's name to HOMES. Import modules that only this command needs in its
functions.
"""

from __future__ import annotations

import sys

from urlsm.cli import interrupts, output
from urlsm.cli.arguments import Declared
from urlsm.cli.output import complain, shown
from urlsm.octets.later import import_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from urlsm.cli.arguments import Given

    _Row = tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]

__all__ = ["HOMES", "main", "make_parser", "parse_arguments"]

# the module of each command, in the order of the help text
HOMES = {
    **dict.fromkeys(("parse", "explain", "schemes"), "parse"),
    **dict.fromkeys(("validate", "normalize", "resolve", "compare", "audit"), "judge"),
    "extract": "find",
    "match": "lists",
    **dict.fromkeys(("page", "serve"), "look"),
    **dict.fromkeys(("canonicalize", "surt", "fingerprint", "registrable-domain", "profiles", "psl"), "crawl"),
    "columns": "columns",
    "data": "data",
    **dict.fromkeys(("completion", "manual", "help"), "shell"),
}


_ALONE = ("set", "lint")  # options with which a command needs no URL


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. argv: the arguments; sys.argv[1:] by default.

    The exit code is 0 on success, and 1 if a URL is invalid or a check finds a problem. It is 2 after a file error or a
    usage error (raised as SystemExit), 130 after Ctrl-C, and 141 if the program that reads standard output closes it.
    """
    try:
        return _ended(argv)
    except KeyboardInterrupt:  # also while another ending is told
        return 130
    finally:
        interrupts.end()


def _ended(argv: Sequence[str] | None) -> int:
    try:
        try:
            interrupts.begin()
            return _run(argv)
        finally:
            print(end="", flush=True)
    except BrokenPipeError:
        _discard_output()
        return 141
    except OSError as error:
        _discard_output()
        complain(f"urlsm: {error}")
        return 2


def _discard_output() -> None:
    """Prevent the interpreter's flush at exit from failing as well, after writing to standard output has failed because
    its reader closed it or the disk is full."""
    try:
        print(end="", flush=True)
    except OSError:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if argv is None else argv)
    if given == ["--version"]:
        print(_version())
        raise SystemExit(0)  # argparse exits in the same way
    args = parse_arguments(given)
    if "run" not in args:
        make_parser().print_help()
        return 0
    code: int
    if getattr(args, "processes", 1) > 1:
        from urlsm.cli.jobs import run_in_processes

        code = run_in_processes(args, given, parse_arguments)
    else:
        code = args.run(args.parser, args)
    return code


def parse_arguments(given: Sequence[str]) -> Namespace:
    """Return the parsed arguments. Raise SystemExit if they are invalid."""
    given = list(given)
    if given and not given[0].startswith("-") and given[0] not in HOMES:
        if ":" not in given[0] and "/" not in given[0]:
            parser = make_parser()
            parser.error(_unknown(parser, given[0], [*HOMES]))
        given.insert(0, "parse")  # "urlsm URL" is short for "urlsm parse URL"
    args: Namespace = plain(given) or _parsed(given)  # type: ignore[assignment]
    alone = any(getattr(args, name, None) for name in _ALONE) or getattr(args, "readers", None) == "list"
    if "urls" in args and not (args.urls or args.file is not None or alone):
        args.parser.error('no URL: give one, or "-" to read standard input')
    if not 1 <= getattr(args, "processes", 1) <= 256:
        args.parser.error("--jobs must be from 1 to 256")
    output.complain_to_nobody = getattr(args, "quiet", False)
    return args


def _parsed(given: Sequence[str]) -> Namespace:
    """Return the arguments, parsed by argparse. The command's own parser reports an unknown argument."""
    args, unknown = make_parser().parse_known_args(given)
    if unknown:
        parser = args.parser if "parser" in args else make_parser()
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def plain(given: Sequence[str]) -> Given | None:
    """Parse the arguments without argparse. Return None if only argparse can parse them."""
    if not given or given[0] not in HOMES:
        return None
    name, _, declare, run = _command(given[0])
    parser = Declared(name, _refuse)
    declare(parser)  # type: ignore[arg-type]
    parser.set_defaults(run=run, parser=parser)
    return parser.read(given[1:])


def _refuse(name: str, message: str) -> NoReturn:
    commands: Any = make_parser()._subparsers
    commands._group_actions[0].choices[name].error(message)
    raise AssertionError("argparse has ended the program")


def _version() -> str:
    from urlsm import __version__

    return f"urlsm {__version__}"


def make_parser() -> ArgumentParser:
    """Return the argument parser for all commands."""
    import argparse
    import re

    from urlsm.cli.parse import EXAMPLES

    class _Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            """Print a one-line usage message and the error, with passwords masked and control characters escaped. An
            argument that looks like an option may be a link from a web page."""
            line = shown(re.sub(r":[^:@/\s]+@", ":***@", message).replace("\n", "\\n"), sys.stderr)
            self.exit(2, f"usage: {_usage(self)}\n{self.prog}: error: {line}\n")

    parser = _Parser(
        prog="urlsm",
        description="Parse, check, compare and edit URLs, as browsers and the standards read them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(metavar="COMMAND", title="commands (see urlsm help COMMAND)")
    for name, text, declare, run in map(_command, HOMES):
        command = commands.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        declare(command)
        command.set_defaults(run=run, parser=command)
    return parser


def _usage(parser: ArgumentParser) -> str:
    """Return a one-line usage message for a command, which lists its arguments but not its options."""
    if parser.prog == "urlsm":
        return "urlsm COMMAND [options] [URL ...] (see urlsm help)"
    formatter = parser._get_formatter()
    unnamed = [action for action in parser._actions if not action.option_strings]
    places = [formatter._format_args(action, str(action.metavar)) for action in unnamed]
    return f"{' '.join([parser.prog, '[options]', *places])} (see urlsm help {parser.prog.partition(' ')[2]})"


def _unknown(parser: ArgumentParser, name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    meant = _url_without_scheme(name) or get_close_matches(name, names, 1)
    if f"--{name}" in parser.parse_args(["parse", "-"]).parser._option_string_actions:
        meant = [f"parse --{name}"]
    return f"unknown command {name!r}" + (f". Did you mean {meant[0]}?" if meant else f": {', '.join(names)}")


def _url_without_scheme(name: str) -> list[str]:
    """If name is a host, return a list with the command that shows its URL; otherwise return an empty list."""
    from shlex import quote

    from urlsm.url.value import can_parse

    url = f"https://{name}"
    is_host = ("." in name.strip(".") or name == "localhost") and can_parse(url)
    return [f"urlsm parse {quote(url)}"] if is_host else []


def _command(name: str) -> _Row:
    """Return a command: its name, its help text, the function that declares its arguments, and the function that runs
    it."""
    rows: list[_Row] = import_from(f"urlsm.cli.{HOMES[name]}", "COMMANDS")
    return next(row for row in rows if row[0] == name)
