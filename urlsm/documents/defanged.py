"""Reads defanged text: URLs such as hxxp://evil[.]example, which were altered so that nobody clicks on them.

There is no standard for defanging. This module reads the forms that occur in malware reports, and those that the
libraries iocextract and ioc-finder read. A mark is a string that defanging has put in place of another, such as "[.]"
or "hxxp".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

__all__ = ["Refanged"]

_WORDS = "dot|punkt|punto|point"
_DOT = rf"(?:\[(?:\.|{_WORDS})\]|\((?:\.|{_WORDS})\)|\{{(?:\.|{_WORDS})\}})"
_AT = r"(?:\[(?:@|at)\]|\((?:@|at)\)|\{(?:@|at)\})"
_MARKS = re.compile(
    rf"(?P<dot>(?<=[\w-])(?:[ \t]{_DOT}[ \t]|{_DOT}|\\\.|\[\.|\.\])(?=[\w-]))"
    rf"|(?P<at>(?<=[\w.+-])(?:[ \t]{_AT}[ \t]|{_AT})(?=[\w\[]))"
    r"|(?P<scheme>(?<![A-Za-z0-9])(?:h(?:xx|xt|tx|\*\*|__)p|h(?:tt|xx)p(?=[\[(]s))(?:s|\[s\]|\(s\))?(?=[\[({]?:))"
    r"|(?P<ftp>(?<![A-Za-z0-9])s?fxps?(?=[\[({]?:))"
    r"|(?P<slashes>\[:?//\]|\(:?//\)|\{:?//\}|\[/\])"
    r"|(?P<colon>\[:\]|\(:\)|\{:\})",
    re.IGNORECASE,
)
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = re.compile(
    rf"(?:{_NAME}\.)+(?:[A-Za-z]{{2,63}}|xn--[A-Za-z0-9-]+)\Z|(?:[0-9]{{1,3}}\.){{3}}[0-9]{{1,3}}\Z", re.IGNORECASE
)
_RUN = re.compile(r"(?P<space>[\s<>\"`]+)|(?P<scheme>://)|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_LONGEST = 253  # the maximal length of a host
_BEFORE = frozenset(["", *"'([{,;|*=:<>\"`"])  # what may stand before a host, besides white space; "": nothing
_AFTER = frozenset("@_\\=")  # the characters that must not follow a host


class Edits:
    """Makes replacements in a text, and maps positions in the new text to positions in the old text."""

    __slots__ = ("_new", "_rows", "text")

    def __init__(self, rows: list[tuple[int, int, str]], old: str) -> None:
        """rows: (start, end, replacement) for each replaced span of the old text, in order."""
        # for each replacement: its start and end in the new text, and the start and end of the replaced span
        self._rows: list[tuple[int, int, int, int]] = []
        self._new: list[int] = []
        pieces, done, length = [], 0, 0
        for start, end, replacement in rows:
            pieces += [old[done:start], replacement]
            length += start - done
            self._rows.append((length, length + len(replacement), start, end))
            self._new.append(length)
            length += len(replacement)
            done = end
        self.text: str = "".join([*pieces, old[done:]])

    def starts(self, replacement: str) -> frozenset[int]:
        """Return the positions, in the new text, of the replacements that are as long as `replacement`. The caller must
        ensure that no other replacement has this length."""
        return frozenset(start for start, end, *_ in self._rows if end - start == len(replacement))

    def place(self, place: int) -> int:
        """Return the position in the old text that corresponds to a position in the new text."""
        k = bisect_right(self._new, place) - 1
        if k < 0:
            return place
        start, end, first, last = self._rows[k]
        if place >= end:
            return last + place - end
        return min(first + place - start, last)


class Refanged:
    """A defanged text in which the marks are replaced by the original strings. "http://" is inserted before each host
    that had a mark for a dot and no scheme.

    Attributes:
        text: the resulting text.
    """

    __slots__ = ("_anchor", "_given", "_in_octets", "_inserted", "_marks", "_schemes", "text")

    def __init__(self, given: str | bytes) -> None:
        self._in_octets = isinstance(given, bytes)
        self._given = given.decode("utf-8", "surrogateescape") if isinstance(given, bytes) else given
        self._anchor = (0, 0)  # a position, and the number of octets before it
        rows, dots, shift = [], [], 0
        for found in _MARKS.finditer(self._given):
            kind = found.lastgroup
            assert kind is not None  # every alternative of the pattern is a group
            replacement = _meant(kind, found[0])
            if kind == "dot":
                dots.append(found.start() + shift)
            rows.append((*found.span(), replacement))
            shift += len(replacement) - len(found[0])
        self._marks = Edits(rows, self._given)
        self._schemes = Edits([*_missing(self._marks.text, dots)], self._marks.text)
        self._inserted = self._schemes.starts("http://")
        self.text: str = self._schemes.text

    def written(self, start: int, end: int, outer: bool) -> tuple[int, int, str, bool]:
        """For a match at [start, end) in `text`, return its start and end in the defanged text, its defanged text
        without white space, and whether "http://" was inserted before it. outer: whether no match in a later call will
        begin before this one."""
        first, last = (self._marks.place(self._schemes.place(place)) for place in (start, end))
        text = "".join(self._given[first:last].split())
        if self._in_octets:
            text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            place, octets = self._anchor
            size = octets + len(self._given[place:first].encode("utf-8", "surrogateescape"))
            length = len(self._given[first:last].encode("utf-8", "surrogateescape"))
            if outer:
                self._anchor = (first, size)
            first, last = size, size + length
        return first, last, text, start in self._inserted


def _meant(kind: str, mark: str) -> str:
    """Return the text that a mark stands for."""
    if kind == "scheme":
        return "https" if "s" in mark.lower() else "http"
    if kind == "ftp":
        return mark.lower().replace("x", "t")
    if kind == "slashes":
        return mark[1:-1]
    return {"dot": ".", "at": "@", "colon": ":"}[kind]


def _missing(text: str, dots: list[int]) -> Iterator[tuple[int, int, str]]:
    """Yield rows for Edits that insert "http://" before each host that has no scheme and contains one of the dots at
    the positions `dots`, and a space after the host if a letter of a script without spaces follows."""
    k, within = 0, False  # within: whether "://" came before in the same word
    for run in _RUN.finditer(text) if dots else ():
        start, end = run.span()
        if run.lastgroup is not None:
            within = run.lastgroup == "scheme"
            continue
        while k < len(dots) and dots[k] < start:
            k += 1
        if within or k == len(dots) or dots[k] >= end or end - start > _LONGEST:
            continue
        before, after = text[start - 1 : start], text[end : end + 1]
        if after not in _AFTER and (before in _BEFORE or _parts_words(before)) and _HOST.match(text, start, end):
            if after <= "\x7f":
                yield start, start, "http://"
            elif _parts_words(after):
                yield start, start, "http://"
                yield end, end, " "


def _parts_words(character: str) -> bool:
    """Return whether a character beside a host separates it from other words: white space, punctuation that is not
    ASCII, or a letter of a script without spaces."""
    return character.isspace() or character >= "\u2e80" or (character > "\x7f" and not character.isalnum())
