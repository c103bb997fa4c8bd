"""The command that finds URLs: extract."""

from __future__ import annotations

import sys

from urlsm.cli import output
from urlsm.cli.output import (
    BLOCK,
    Block,
    as_json,
    base_option,
    declare_output,
    declare_running,
    print_json,
    row_printer,
    shown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

__all__ = ["COMMANDS"]

_FIELDS = ("file", "line", "start", "end", "text", "guess", "href")
_FARTHEST = 1 << 20  # a "<" is paired with a ">" at most this many octets after it


def _declare_extract(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help='a text file; "-" reads standard input')
    parser.add_argument("-b", "--base", metavar="URL", help="the base URL, to resolve relative references in <>")
    parser.add_argument("--guess-scheme", action="store_true", help="find URLs without a scheme: www.example.org/x")
    declare_running(parser)
    declare_output(parser)
    parser.set_defaults(blocks=_blocks)


def _run_extract(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.documents.scanning import extract_urls

    base = base_option(parser, args.base)
    row = row_printer(args, _FIELDS)
    for block in _blocks(args):
        line, seen, text = block.first, 0, _text(block)
        for match in extract_urls(text, base=base, guess_scheme=args.guess_scheme):
            line += text.count("\n", seen, match.start)
            seen = match.start
            href = match.url.href
            place = (block.name, line, block.start + match.start, block.start + match.end)
            found = (*place, match.text, match.guessed, href)
            if row:
                row(found)
            elif as_json(args):
                print_json(dict(zip(_FIELDS, found, strict=True)))
            else:
                print(shown(match.url.masked(), sys.stdout))
        print(end="", flush=True)
    return 0


def _blocks(args: Namespace) -> Iterator[Block]:
    """Yield the text of the files in pieces. A worker process (jobs.py) gets only its own piece."""
    if output.worker_block is not None:
        yield output.worker_block
        return
    for name in args.files:
        if name == "-":
            yield from _placed(name, sys.stdin.buffer)
            continue
        with open(name, "rb") as stream:
            yield from _placed(name, stream)


def _placed(name: str, stream: BinaryIO) -> Iterator[Block]:
    line, start = 1, 0
    for octets in _pieces(stream):
        block = Block(name, line, octets, start)
        yield block
        line, start = line + octets.count(b"\n"), start + (len(octets) if octets.isascii() else len(_text(block)))


def _text(block: Block) -> str:
    given = block.given
    return given if isinstance(given, str) else given.decode("utf-8", "surrogateescape")


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """Split a text into pieces that contain the same URLs as the whole text. A piece ends where no URL can continue: at
    a line break, an angle bracket or a quotation mark, but not between "<" and ">"."""
    kept: list[bytes] = []
    while piece := stream.read1(BLOCK):  # type: ignore[attr-defined]
        kept.append(piece)
        if b"\n" not in piece:
            continue
        octets = b"".join(kept)
        opened, closed = octets.rfind(b"<"), max(octets.rfind(b">"), octets.rfind(b'"'))
        is_open = opened > closed and len(octets) - opened < _FARTHEST
        # (a "\n" before `closed` may stand between "<" and ">")
        cut = opened if is_open else max(closed, octets.rfind(b"\n")) + 1
        kept = [octets[cut:]]
        if cut:
            yield octets[:cut]
    if rest := b"".join(kept):
        yield rest


COMMANDS: list[tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]] = [
    ("extract", "find the URLs in text files", _declare_extract, _run_extract),
]
