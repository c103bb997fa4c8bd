"""Draws how chosen programs read a URL: a band for each. Those that see the same share a letter and a colour."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from urlsm.errors.excerpt import printable, shortened
from urlsm.security.comparison import ReaderComparison, same_views
from urlsm.security.masked_views import odd_fields, secrets_of, shown_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.security.masked_views import Shown

__all__ = ["ABOUT", "COLOURS", "SEEN", "Band", "as_text", "bands", "line", "table"]

SEEN = ("scheme", "userinfo", "host", "port", "path")
_EMPTY = '""'
_RARER = ("query", "fragment", "connects")  # shown if they differ
# for each letter, in turn: a colour that suits black text, in light and dark pages alike. The last is for those that
# reject the URL
COLOURS = ("#c8f0cf", "#ffd2cc", "#cfe3ff", "#fff3b0", "#d9d4ff", "#ffe2b8", "#f6d3ea", "#c5ecec", "#e6e6e6")
ABOUT = (
    "Readers with the same letter and colour see the same scheme, host, port and path, after escapes are decoded. "
    "Values that differ from those of the first reader are underlined."
)


class Band(NamedTuple):
    """What one reader sees.

    letter: that of all readers that see the same; "-" if the reader rejects the URL. place: its index in COLOURS. name:
    the reader, with its version. fields: what it sees, with secrets masked. differs: the fields that differ from those
    of the first reader that accepts the URL. refusal: why it rejects the URL, or None.
    """

    letter: str
    place: int
    name: str
    fields: dict[str, str | None]
    differs: frozenset[str]
    refusal: str | None


def bands(found: ReaderComparison) -> list[Band]:
    """Return the bands of a comparison, in the order of its readers."""
    secrets, numbers, differing = secrets_of(found.url), same_views(found), found.differences
    names = [*SEEN, *[name for name in _RARER if name in differing]]
    odd = odd_fields(found)
    made = []
    for reader, view in found.views.items():
        number, shown = numbers[reader], shown_view(view, secrets)
        version = shown.get("version")
        name = reader if version is None else f"{reader.partition('@')[0]} {version}"
        fields = {part: as_text(shown[part]) for part in names if part in shown}
        letter, place = ("-", len(COLOURS) - 1) if number is None else (_letter(number), number % (len(COLOURS) - 1))
        made.append(Band(letter, place, name, fields, odd[reader] & fields.keys(), as_text(shown["refusal"])))
    return made


def as_text(value: Shown) -> str | None:
    """Return a value as text that is safe to display; None if there is none."""
    if isinstance(value, tuple):
        host, port = value
        value = f"[{host}]:{port}" if ":" in host and host[0] != "[" else f"{host}:{port}"
    return None if value is None else printable(shortened(str(value)))


def _letter(number: int) -> str:
    """Return "A" for 0, "Z" for 25, "AA" for 26."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def line(band: Band) -> str:
    """Return a band as one line of text."""
    if band.refusal is not None:
        return f"{band.letter}  {band.name}  rejects the URL: {band.refusal}"
    said = [f"{name} {value or _EMPTY}" for name, value in band.fields.items() if value is not None]
    return "  ".join([band.letter, band.name, *said])


def table(found: ReaderComparison, *, classes: bool = False) -> str:
    """Return an HTML table with a row for each band. classes: as in `urlsm.pictures.html`."""
    made = bands(found)
    names = [*SEEN, *[name for name in _RARER if any(name in band.fields for band in made)]]
    rows = [_row(band, names, classes) for band in made]
    heads = "".join([f'<th scope="col">{name}</th>' for name in ("view", "reader", *names)])
    opened = '<table class="readers named"><tr class="heads">' if classes else "<table><tr>"
    agreed = "They agree on" if found.agree else "They do not agree on"
    return f"{opened}{heads}</tr>{''.join(rows)}</table><p>{agreed} scheme, host and port. {ABOUT}</p>"


def _row(band: Band, names: list[str], classes: bool) -> str:
    row = f' class="band-{band.place}"' if classes else f' style="background:{COLOURS[band.place]};color:#1a1a1a"'
    mark = ' class="other"' if classes else ' style="text-decoration:underline;font-weight:600"'
    cells = []
    if band.refusal is not None:
        cells.append(f'<td colspan="{len(names)}">rejects the URL: {escape(band.refusal)}</td>')
    else:
        for name in names:
            value = band.fields.get(name)
            text = "-" if value is None else escape(value or _EMPTY)
            part = f' data-part="{name}"' if classes else ""
            cells.append(f"<td{part}{mark if name in band.differs else ''}>{text}</td>")
    return f'<tr{row}><td>{band.letter}</td><th scope="row">{escape(band.name)}</th>{"".join(cells)}</tr>'
