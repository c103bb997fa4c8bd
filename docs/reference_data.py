"""The page of the tables of the world: their sources, and their ages on the day on which the site is built."""

from __future__ import annotations

from datetime import date

from reference_text import prose, table

from urlsm import about
from urlsm.about.declared import STALE


def pages() -> dict[str, str]:
    """Return the page, by its file in docs/reference."""
    today = date.today()
    rows = []
    for one in about.tables(today=today):
        source = f"[{prose(one.source)}]({one.url})" if one.url else prose(one.source)
        age = f"**{one.age} days: stale**" if one.stale else f"{one.age} days"
        last = (
            f"{one.compared}, {one.over} compared, {one.differences} differ, by {one.comparer}" if one.compared else ""
        )
        rows.append(
            (prose(one.name), source, one.version, one.date, age, str(one.rows), one.licence, last, prose(one.used_by))
        )
    heads = ("table", "source", "version", "date", "age", "rows", "licence", "last comparison", "what stands on it")
    return {
        "data.md": f"# Tables of the world\n\nThe tables that urlsm holds, as of {today}. A table older than "
        f"{STALE} days is marked as stale. [`urlsm.about`](api/urlsm.about.md) explains the columns.\n\n"
        + table(heads, rows)
    }
