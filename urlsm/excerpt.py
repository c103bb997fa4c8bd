"""The part of a text around a position, with a caret under it, fit for logs and terminals."""

from __future__ import annotations

import re
from contextlib import suppress

__all__ = ["printable", "with_caret", "without_passwords"]

_WITHIN = re.compile(r"(?<![^:])//[^\s/?#\\:@]*:([^\s/?#\\]*)@|(?i:(?<![^?&;:])password=)([^&;#\s]*)")
_WIDTH = 80  # characters at most, before escaping


def printable(text: str) -> str:
    """text with every character escaped that a terminal might act on or not show."""
    return "".join([c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text])


def password_spans(text: str, refused: bool = False) -> list[tuple[int, int]]:
    """Where the dialects see a password: they do not agree on every text, and any may be right. In a
    refused text also what only looks like one: after a ":", up to the last "@", with no slash between."""
    from urlsm.components import split
    from urlsm.errors import ParseError

    # of a URL within, and of connection strings
    found: list[tuple[int, int] | None] = [match.span(match.lastindex or 0) for match in _WITHIN.finditer(text)]
    for dialect in ("whatwg", "rfc3986", "barth"):
        with suppress(ParseError):
            found.append(split(text, dialect).span("password"))
    if refused:
        end = text.rfind("@")
        start = text.find(":", max(text.rfind("/", 0, max(end, 0)), text.rfind("\\", 0, max(end, 0)), 0))
        if 0 <= start < end:
            found.append((start + 1, end))
    merged: list[tuple[int, int]] = []
    for span in sorted(filter(None, found)):
        if merged and span[0] <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], span[1]))
        elif span[0] < span[1]:
            merged.append(span)
    return merged


def without_passwords(text: str, position: int = 0, refused: bool = False) -> tuple[str, int]:
    """text with "***" for each password, and where position then is."""
    shown = ""
    done = 0
    moved = position
    for start, end in password_spans(text, refused):
        shown += text[done:start] + "***"
        done = end
        if position >= end:
            moved += 3 - (end - start)
        elif position > start:
            moved -= position - start
    return shown + text[done:], moved


def with_caret(url: object, position: int) -> str:
    """Two lines: at most 80 characters of url around position, no password among them, and the caret."""
    if isinstance(url, bytes):
        text = url.decode("latin-1")  # one character a byte, as position counts
    else:
        text = url if isinstance(url, str) else str(getattr(url, "href", url))
    text, position = without_passwords(text, position, refused=True)
    start = max(0, min(position - _WIDTH // 2, len(text) - _WIDTH))
    before = ("…" if start else "") + printable(text[start:position])
    after = printable(text[position : start + _WIDTH]) + ("…" if start + _WIDTH < len(text) else "")
    return f"  {before}{after}\n  {' ' * len(before)}^"
