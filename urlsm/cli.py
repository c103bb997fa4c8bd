"""The command line: urlsm COMMAND, or python -m urlsm COMMAND.

To add a command: write its two functions, one that declares the arguments and one that runs, and give it
a line in _COMMANDS. All that is not needed to say so is imported when it is.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO, TypeAlias

    from urlsm import URL, Trace, Violation

    Row: TypeAlias = dict[str, str | int | None]

__all__ = ["main"]

_COMPONENTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


class _Command(NamedTuple):
    help: str
    declare: Callable[[ArgumentParser], None]
    run: Callable[[ArgumentParser, Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; argv is sys.argv[1:] where not given. The exit code: 0; 1 where a URL did not parse;
    2 (SystemExit) for wrong usage; 130 after Ctrl-C, 141 where nobody reads on, as shells have it."""
    try:
        try:
            return _run(argv)
        finally:
            print(end="", flush=True)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _close_stdout()
        return 141
    except OSError as error:
        _close_stdout()
        print(f"urlsm: {error}", file=sys.stderr)
        return 2


def _close_stdout() -> None:
    """Have the interpreter's last flush say nothing."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: Sequence[str] | None) -> int:
    import argparse

    from urlsm._version import __version__

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            # argparse repeats what it was given, and a URL from a page may begin with "-"
            super().error(_safe(message))

    def parser_of(
    parser = Parser(
        prog="urlsm",
        description="Reads any URL the way each standard reads it.",
        epilog="urlsm COMMAND --help says more. Most used:\n\n" + _EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"urlsm {__version__}")
