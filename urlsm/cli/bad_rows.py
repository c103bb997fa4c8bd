"""The rows of an input that are not valid in its format (--bad-rows): the command stops at one, skips it, or writes it
to a file."""

from __future__ import annotations

from typing import Any

from urlsm.cli.table_streams import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BadRows"]

SHOWN = 60  # characters of a row that a message shows


class BadRows:
    """What happens to a row that is not valid. count: the number of rows that were skipped.

    write: a function that is called with a batch for each skipped row; None: the row is only counted. stops: whether
    the first such row raises Broken.
    """

    def __init__(self, write: Callable[[Any], None] | None = None, *, stops: bool = True) -> None:
        self._write, self._stops = write, stops
        self.count: int = 0

    def add(self, name: str, row: int, reason: str, text: str) -> None:
        """Handle a row. name: its file. row: its number in this file, from 0. text: the row as it is in the file."""
        if self._stops:
            raise Broken(said(name, row, reason, text))
        self.count += 1
        if self._write is not None:
            self._write(self.table([(name, row, reason, text)]))

    @staticmethod
    def table(rows: list[tuple[str, int, str, str]]) -> Any:
        """Return a batch of rows: file, row, reason, text."""
        import pyarrow as pa

        types = {"file": pa.string(), "row": pa.int64(), "reason": pa.string(), "text": pa.string()}
        columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * 4
        return pa.RecordBatch.from_arrays(
            [pa.array(column, kind) for column, kind in zip(columns, types.values(), strict=True)], names=[*types]
        )


def said(name: str, row: int, reason: str, text: str) -> str:
    text = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
    return f"{name}: row {row}: {reason}: {text!r} (--bad-rows skip omits such rows)"
