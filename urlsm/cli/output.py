"""Reads input and prints results, for every command. The output is safe to show in a terminal."""

from __future__ import annotations

import io
import os
import sys
import time

from urlsm.cli.interrupts import held_back

try:
    from _json import encode_basestring, encode_basestring_ascii
except ImportError:  # an interpreter without the C part of json
    from json.encoder import encode_basestring, encode_basestring_ascii

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TextIO

    from urlsm.url.value import URL

# --- reading -----------------------------------------------------------------------------------


BLOCK = 1 << 18  # at most this many octets are read at once


class Place:
    """The location of an input: a line in a file, or an argument. Messages about the input begin with its location."""

    def __init__(self, name: str | None, line: int) -> None:
        self.name = name
        self.line = line

    def __str__(self) -> str:
        return "" if self.name is None else f"{self.name}:{self.line}: "


def declare_input(parser: ArgumentParser, urls: str = "*") -> None:
    """Declare the options that determine the input of texts()."""
    parser.add_argument("urls", nargs=urls, metavar="URL", help='a URL; "-" reads standard input, one URL per line')
    declare_file(parser)
    declare_running(parser)


def declare_file(parser: ArgumentParser) -> None:
    parser.add_argument(
        *("--file", "-f"),
        metavar="FILE",
        help='a file of URLs, one per line ("-": standard input); blank lines are skipped',
    )


def declare_quiet(parser: ArgumentParser) -> None:
    """Declare the option that controls complain()."""
    parser.add_argument("--quiet", "-q", action="store_true", help="print no messages; the exit code tells the result")


def declare_running(parser: ArgumentParser) -> None:
    """Declare the options that control complain() and jobs.py."""
    declare_quiet(parser)
    parser.add_argument(
        *("--jobs", "-j"),
        dest="processes",
        type=int,
        default=1,
        metavar="N",
        help="work in N processes; the output keeps the order of the input",
    )


def is_utf8(octets: bytes) -> bool:
    try:
        return octets.isascii() or bool(octets.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def texts(urls: Iterable[str], file: str | None = None) -> Iterator[tuple[Place, str]]:
    """Yield each input that the arguments specify, with its location."""
    for block in blocks(urls, file):
        for number, text in enumerate(block.lines(), block.first):
            if not block.skips(text):
                yield Place(block.name, number), text


class Block:
    """Input from one source. name: the file, or None for arguments. first: the number of the first line. given: an
    argument (a str), or whole lines (bytes). start: the index of the character at which `given` begins in the source,
    for commands that show positions."""

    def __init__(self, name: str | None, first: int, given: str | bytes, start: int = 0) -> None:
        self.name = name
        self.first = first
        self.given = given
        self.start = start

    def lines(self) -> list[str]:
        if isinstance(self.given, str):
            return [self.given]
        return self.given.decode("utf-8", "surrogateescape").replace("\r\n", "\n").split("\n")[:-1]

    def skips(self, text: str) -> bool:
        """Return whether the input is a blank line in a file. An argument is never skipped, even if it is empty."""
        return self.name is not None and (not text or text.isspace())


worker_block: Block | None = None  # in a worker process (jobs.py): its input, used instead of what the arguments name
with_heads = True  # in a worker process: whether its input is the first block, so that it prints the names of columns


def blocks(urls: Iterable[str], file: str | None = None) -> Iterator[Block]:
    """Yield the input that the arguments specify, one block at a time."""
    if worker_block is not None:
        yield worker_block
        return
    for text in urls:
        if text == "-":
            yield from _standard_input()
        else:
            yield Block(None, 1, text)
    if file == "-":
        yield from _standard_input()
    elif file is not None:
        with open(file, "rb") as stream:
            yield from _lines(file, stream)


def _standard_input() -> Iterator[Block]:
    return _lines("-", getattr(sys.stdin, "buffer", io.BytesIO()))


def _lines(name: str, stream: Any) -> Iterator[Block]:
    progress = Progress(stream)
    number, kept, start = 1, [], b"\xef\xbb\xbf"
    while piece := stream.read1(BLOCK):
        cut = piece.rfind(b"\n") + 1
        if not cut:
            kept.append(piece)
            continue
        octets = b"".join([*kept, piece[:cut]]).removeprefix(start)
        start, kept = b"", [piece[cut:]]
        yield Block(name, number, octets)
        number += octets.count(b"\n")
        progress.tell(number, len(octets))
        if len(piece) < BLOCK:  # the producer is slower than we are: pass on the output now
            print(end="", flush=True)
    last = b"".join(kept).removeprefix(start)
    if last:
        yield Block(name, number, last + b"\n")
    progress.end()


class Progress:
    """A line on the terminal that, after two seconds, shows the progress through a long file: a bar, the number of
    lines, the rate and the time left."""

    def __init__(self, stream: Any) -> None:
        shown = sys.stderr is not None and sys.stderr.isatty() and not on_terminal()
        self.began: float = time.monotonic() if shown else 0.0
        self.told: float = 0.0
        self.octets: int = 0
        try:
            self.size: int = os.fstat(stream.fileno()).st_size
        except (OSError, AttributeError, ValueError):  # a pipe has no size
            self.size = 0

    def tell(self, lines: int, octets: int) -> None:
        """Show the progress. lines: the number of lines processed so far. octets: the number of bytes processed since
        the last call."""
        self.octets += octets
        now = time.monotonic()
        if not self.began or now - self.began < 2 or now - self.told < 0.2:
            return
        self.told, took = now, now - self.began
        said = f"{lines:,} lines, {lines / took:,.0f} a second"
        if self.size > self.octets:
            left = took * (self.size - self.octets) / self.octets
            bar = "#" * (20 * self.octets // self.size)
            said = f"[{bar:<20}] {100 * self.octets // self.size:3} %, {said}, {left // 60:.0f}:{left % 60:02.0f} left"
        print(f"\r\x1b[K{said}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.told:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


# --- printing ----------------------------------------------------------------------------------


def declare_output(parser: ArgumentParser, *, tables: bool = True, rows: bool = True) -> None:
    """Declare the options that control as_json and row_printer. tables: whether to declare --table as well. rows:
    whether to declare --csv and --tsv as well."""
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--json", action="store_true", help="print one line of JSON per URL, even on a terminal")
    if tables:
        mode.add_argument("--table", action="store_true", help="print tables, even to a file or pipe")
    if rows:
        mode.add_argument("--csv", action="store_true", help="print comma-separated values below a line of names")
        mode.add_argument(
            "--tsv",
            action="store_true",
            help="print tab-separated values; tabs, line breaks and backslashes are escaped",
        )


def as_json(args: Namespace) -> bool:
    return args.json or not (args.table or on_terminal())


def row_printer(args: Namespace, heads: Sequence[str]) -> Callable[[Sequence[object]], None] | None:
    """For --csv or --tsv, print the column headers and return a function that prints a row. Otherwise return None."""
    if not (args.csv or args.tsv):
        return None
    if with_heads:
        print(delimited(heads, args.tsv))
    return lambda row: print(fit(delimited(row, args.tsv), sys.stdout))


def fit(text: str, stream: TextIO) -> str:
    """Return text, escaping the characters that the stream cannot encode or that would control the terminal, except
    tabs and line breaks."""
    if text.isprintable() and text.isascii():
        return text
    return "\n".join(["\t".join([shown(part, stream) for part in line.split("\t")]) for line in text.split("\n")])


def write(text: str) -> None:
    """Print lines in pieces, because an unbuffered stream reports a broken pipe only at the next write."""
    for start in range(0, len(text), 1 << 16):
        print(text[start : start + (1 << 16)], end="")


def print_json(record: object) -> None:
    print(json_text(record))


def json_text(record: object) -> str:
    """Return a record as one line of JSON. The line is UTF-8 if standard output accepts UTF-8 and a terminal would show
    every character; otherwise it is ASCII."""
    global _encoders
    if _encoders is None:
        _encoders = _made_encoders()
    in_utf8, in_ascii = _encoders
    try:
        text = in_utf8(record)
    except TypeError:  # orjson refuses lone surrogates and numbers beyond 64 bits
        return in_ascii(record)
    return text if is_shown(text) else in_ascii(record)


def flat_json(record: dict[str, str | int | None]) -> str:
    """Return a flat record as one line of JSON, like json_text, but without loading the json and orjson modules.
    Loading them takes longer than parsing a URL."""
    text = _flat(record, encode_basestring)
    return text if is_shown(text) else _flat(record, encode_basestring_ascii)


def _flat(record: dict[str, str | int | None], quoted: Callable[[str], str]) -> str:
    cells = []
    for name, value in record.items():
        cells.append(f'"{name}":{"null" if value is None else quoted(value) if isinstance(value, str) else value}')
    return "{" + ",".join(cells) + "}"


def is_shown(text: str) -> bool:
    """Return whether a terminal would show every character of text and standard output can encode it."""
    return text.isprintable() and (text.isascii() or _is_utf8(sys.stdout))


_encoders: tuple[Callable[[object], str], Callable[[object], str]] | None = None


def _made_encoders() -> tuple[Callable[[object], str], Callable[[object], str]]:
    """Return two functions that write a record as JSON: one in UTF-8, one in ASCII."""
    import json

    in_ascii = json.JSONEncoder(separators=(",", ":")).encode
    try:
        with held_back():  # orjson crashes if an interrupt is raised during its import
            from orjson import dumps
    except ImportError:  # the extra cli is not installed
        return json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode, in_ascii
    return lambda record: dumps(record).decode(), in_ascii


def delimited(values: Iterable[object], tabs: bool) -> str:
    """Return a line of comma-separated values (RFC 4180), or of tab-separated values."""
    cells = ["" if value is None else str(value) for value in values]
    if tabs:
        escape = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
        return "\t".join([cell.translate(escape) for cell in cells])
    quoted = []
    for cell in cells:
        hard = "," in cell or '"' in cell or "\r" in cell or "\n" in cell
        quoted.append('"' + cell.replace('"', '""') + '"' if hard else cell)
    return ",".join(quoted)


def _is_utf8(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", None) or "").lower() in ("utf-8", "utf8")


def first_line(error: Exception | str) -> str:
    """Return the message of an error, without the URL and caret below the message."""
    return str(error).partition("\n")[0]


def base_option(parser: ArgumentParser, base: str | None) -> URL | None:
    """Return the option --base as a URL; None if it is not given. End the program if it is not a URL."""
    from urlsm.url.value import base_of

    try:
        return None if base is None else base_of(base)
    except ValueError as error:
        parser.error(f"argument --base: {first_line(error)}")


complain_to_nobody = False  # set by --quiet


def complain(message: object) -> None:
    """Print a message to standard error, unless --quiet is given."""
    if complain_to_nobody:
        return
    print(shown(str(message), sys.stderr), file=sys.stderr)


def shown(text: str, stream: TextIO) -> str:
    """Return text, escaping the characters that would control the terminal or that the stream cannot encode. Line
    breaks are kept."""
    if text.isascii() and text.isprintable():
        return text

    from urlsm.errors.excerpt import printable

    encoding = getattr(stream, "encoding", None) or "utf-8"  # sys.stdout is None if it was closed before
    lines = [printable(line) for line in text.split("\n")]
    return "\n".join(lines).encode(encoding, "backslashreplace").decode(encoding)


def on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def in_colours() -> bool:
    """Return whether to use colours on the terminal (https://no-color.org)."""
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def cell(value: object) -> str:
    return '""' if value == "" else shown(str(value).replace("\n", "\\n"), sys.stdout)


class Marked(str):
    """A cell with a colour: "red" or "yellow"."""

    colour = "red"

    @classmethod
    def of(cls, text: str, colour: str) -> Marked:
        made = cls(text)
        made.colour = colour
        return made


def severity(item: object) -> str:
    """Return the severity of a violation or hazard as a coloured cell."""
    found = getattr(item, "severity", "hazard")
    return Marked.of(found, "yellow" if found == "warning" else "red")


def _plain_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        padded[-1] = padded[-1].rstrip()
        if in_colours():
            for k, cell in enumerate(row):
                if isinstance(cell, Marked):
                    padded[k] = f"\x1b[{31 if cell.colour == 'red' else 33}m{padded[k]}\x1b[0m"
        print("  ".join(padded).rstrip())


def table() -> Callable[[Sequence[Sequence[str]]], None]:
    """Return a function that prints rows of escaped text. On a terminal, it prints a rich table if rich is
    installed."""
    if not on_terminal():
        return _plain_table
    try:
        from rich.box import ROUNDED
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        return _plain_table
    console = Console(emoji=False, markup=False, highlight=False)

    def rich_table(rows: Sequence[Sequence[str]]) -> None:
        table = Table(box=ROUNDED, show_header=False)
        for k in range(len(rows[0])):
            table.add_column(style="" if k else "cyan", no_wrap=not k, overflow="fold")  # rich narrows the widest
        for row in rows:
            table.add_row(*[Text(cell, style=_style(cell)) for cell in row])
        console.print(table)

    return rich_table


def _style(cell: str) -> str:
    return f"bold {cell.colour}" if isinstance(cell, Marked) else "dim" if cell in ('""', "***") else ""
