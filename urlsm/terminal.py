"""What the command line prints, and reads: nothing that a terminal might act on; tables for people."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

__all__ = ["cell", "lines", "on_terminal", "shown", "table"]


def shown(text: str, stream: TextIO) -> str:
    """text with what a terminal might act on, or the stream cannot encode, escaped; lines stay."""
    from urlsm.excerpt import printable

    encoding = getattr(stream, "encoding", None) or "utf-8"  # a closed stream is None
    lines = [printable(line) for line in text.split("\n")]
    return "\n".join(lines).encode(encoding, "backslashreplace").decode(encoding)


def on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def cell(value: object) -> str:
    return '""' if value == "" else shown(str(value).replace("\n", "\\n"), sys.stdout)


def _plain_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=True)]).rstrip())


def table() -> Callable[[Sequence[Sequence[str]]], None]:
    """What prints rows of escaped text: rich's table on a terminal, where rich is installed."""
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
            table.add_column(style="" if k else "cyan", no_wrap=k < len(rows[0]) - 1, overflow="fold")
        for row in rows:
            table.add_row(*[Text(cell, style="dim" if cell in ('""', "***") else "") for cell in row])
        console.print(table)

    return rich_table


def lines(name: str, stream: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(stream, 1):
        text = line.decode("utf-8-sig" if number == 1 else "utf-8", "surrogateescape").rstrip("\r\n")
        if text.strip():
            yield f"{name}:{number}: ", text
