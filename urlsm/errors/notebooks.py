"""Tables that notebooks show for violations and for the parameters of a query."""

from __future__ import annotations

from html import escape

from urlsm.errors.excerpt import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["table"]

_MOST = 100  # at most this many rows are shown


def table(heads: Sequence[str], rows: Sequence[Iterable[object]]) -> str:
    """Return an HTML table of strings and numbers, escaped and without control characters."""
    shown = "".join([_row("td", row) for row in rows[:_MOST]])
    more = f"<p>and {len(rows) - _MOST:,} more</p>" if len(rows) > _MOST else ""
    return f"<table>{_row('th', heads)}{shown}</table>{more}"


def _row(cell: str, values: Iterable[object]) -> str:
    return "<tr>" + "".join([f"<{cell}>{escape(printable(str(value)))}</{cell}>" for value in values]) + "</tr>"
