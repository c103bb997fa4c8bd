"""Runs commands in several processes (-j N). Each process handles blocks of the input, and the output is in the order
of the input."""

from __future__ import annotations

import io
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout

from urlsm.cli import output
from urlsm.cli.interrupts import held_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future
    from typing import TextIO, TypeAlias

    _Done: TypeAlias = tuple[str, str, int, bool]

__all__ = ["run_in_processes"]

_args: Namespace | None = None
_streams: list[tuple[bool, str]] = []


class _Stream(io.StringIO):
    """A stream that collects the output of a command. It has the encoding of the standard stream that it replaces, and
    isatty() returns whether that standard stream is a terminal."""

    encoding = "utf-8"

    def __init__(self, terminal: bool, encoding: str) -> None:
        super().__init__()
        self._terminal, self.encoding = terminal, encoding

    def isatty(self) -> bool:
        return self._terminal


def run_in_processes(
    args: Namespace, argv: Sequence[str], parse_arguments: Callable[[Sequence[str]], Namespace]
) -> int:
    """Run the command that args describes in several processes (args.processes), each of which parses argv again.
    Return the exit code.

    Raise OSError if a file cannot be read, after printing the output for all earlier input.
    """
    code, first, failure = 0, True, None
    blocks = args.blocks(args) if "blocks" in args else output.blocks(args.urls, args.file)
    running: deque[Future[_Done]] = deque()
    streams = [_kind_of(sys.stdout), _kind_of(sys.stderr)]
    with ProcessPoolExecutor(args.processes, initializer=_start, initargs=(parse_arguments, argv, streams)) as pool:
        try:
            while True:
                try:
                    block = next(blocks, None)
                except OSError as error:
                    failure = error
                    break
                if block is None:
                    break
                with held_back():  # so that the processes started here do not get Ctrl-C
                    running.append(pool.submit(_work, block, first))
                first = False
                if len(running) > 2 * args.processes:
                    code = max(code, _print_result(running.popleft()))
            # Even without input, the names of columns, or the URL that --set makes, have to be printed. A worker prints
            # them, because in this process the command would read input.
            if first and failure is None:
                with held_back():
                    running.append(pool.submit(_work, output.Block(None, 1, b""), first))
            while running:
                code = max(code, _print_result(running.popleft()))
        except KeyboardInterrupt:
            with held_back():  # a second Ctrl-C would leave the pool half closed, and the interpreter would wait for it
                pool.shutdown(cancel_futures=True)
            raise
        finally:
            for task in running:
                task.cancel()
    if failure is not None:
        raise failure
    return code


def _kind_of(stream: TextIO | None) -> tuple[bool, str]:
    return stream is not None and stream.isatty(), getattr(stream, "encoding", None) or "utf-8"


def _print_result(task: Future[_Done]) -> int:
    out, err, code, stops = task.result()
    output.write(out)
    print(err, end="", file=sys.stderr)
    if stops:
        raise SystemExit(code)
    return code


def _start(
    parse_arguments: Callable[[Sequence[str]], Namespace], argv: Sequence[str], streams: list[tuple[bool, str]]
) -> None:
    global _args
    _args = parse_arguments(argv)
    _streams[:] = streams


def _work(block: output.Block, first: bool) -> _Done:
    """Run the command on a block. Return its standard output, standard error and exit code, and whether it ended the
    program."""
    assert _args is not None
    output.worker_block, output.with_heads = block, first
    out, err = (_Stream(*kind) for kind in _streams)
    code, stops = 0, False
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = _args.run(_args.parser, _args)
        except SystemExit as stop:  # raised by the parser; if it ended this process, the pool would wait for ever
            code, stops = int(stop.code or 0), True
    return out.getvalue(), err.getvalue(), code, stops
