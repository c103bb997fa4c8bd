"""Programs with back references or assertions, which are not regular. Python's `re` runs them, so a match may take
exponential time.

Where ECMAScript and `re` disagree, the expression is written so that it means what ECMAScript says: a back reference
matches the empty string if its group did not participate in the match, or if the reference is inside its own group.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Backtracking", "is_regular"]

_IRREGULAR = ("look", "back", "begin", "end", "boundary")


def is_regular(program: tuple[Any, ...]) -> bool:
    """Return whether the class Program can run this program. It can unless a piece is a back reference or an
    assertion."""
    for piece in program:
        if isinstance(piece, tuple):
            if piece[0] in _IRREGULAR:
                return False
            inner = piece[1] if piece[0] == "or" else [part for part in piece[1:] if isinstance(part, tuple)]
            if not all(map(is_regular, inner)):
                return False
    return True


class Backtracking:
    """A program (urlsm.patterns.rule) that may also contain the pieces ("look", ahead, wanted, program), ("back",
    group), ("begin",), ("end",) and ("boundary", wanted). It has the same methods as the class Program. Matching can
    take time exponential in the length of the text.

    TypeError: `re` cannot run the program.
    """

    __slots__ = ("_numbers", "_read", "groups")
    groups: int

    def __init__(self, program: tuple[Any, ...], ignore_case: bool, pattern: str) -> None:
        writer = _Writer()
        text = writer.sequence(program)
        self.groups = 1 + max(writer.numbers, default=-1)
        if writer.furthest >= self.groups:
            raise TypeError(f"the regular expression in {pattern!r} refers to a group that does not exist")
        try:
            self._read = re.compile(text, re.ASCII | re.DOTALL | (re.IGNORECASE if ignore_case else 0))
        except (re.error, RecursionError, OverflowError) as error:
            raise TypeError(f"re rejects the regular expression in {pattern!r}: {error}") from None
        self._numbers = writer.numbers

    def matches(self, text: str) -> bool:
        return text.isascii() and self._read.fullmatch(text) is not None

    def spans(self, text: bytes) -> tuple[list[tuple[int, int] | None] | None, int]:
        found = self._read.fullmatch(text.decode("ascii", "replace")) if text.isascii() else None
        if found is None:
            return None, 0
        spans: list[tuple[int, int] | None] = [None] * self.groups
        for k, number in enumerate(self._numbers, 1):
            if found.start(k) >= 0:  # if the expression has a group several times, the last copy that took part counts
                spans[number] = found.span(k)
        return spans, 0


class _Writer:
    def __init__(self) -> None:
        self.numbers: list[int] = []  # for each group of the expression, the number of the program's group it copies
        # maps the number of a group of the program to the number of its latest complete copy among the groups of the
        # expression
        self.closed: dict[int, int] = {}
        self.furthest = -1  # the highest number of a group that a back reference names

    def sequence(self, program: tuple[Any, ...]) -> str:
        return "".join(map(self.piece, program))

    def piece(self, piece: Any) -> str:
        if isinstance(piece, bytes):
            return re.escape(piece.decode("latin-1"))
        if piece in ("*", "?"):
            return ".*" if piece == "*" else "."
        if piece == "$":
            return r"\Z"
        kind = piece[0]
        if kind == "in":
            return "[" + "".join(f"\\x{octet:02x}" for octet in piece[1] if octet < 128) + "]" if piece[1] else "(?!)"
        if kind == "or":
            return "(?:" + "|".join(map(self.sequence, piece[1])) + ")"
        if kind == "group":
            self.numbers.append(piece[1])
            number = len(self.numbers)
            inside = self.sequence(piece[2])
            self.closed[piece[1]] = number
            return f"({inside})"
        if kind == "optional":
            return f"(?:{self.sequence(piece[1])})?" + ("" if piece[2] else "?")
        if kind == "times":
            most = "" if piece[3] is None else piece[3]
            return f"(?:{self.sequence(piece[1])}){{{piece[2]},{most}}}" + ("" if piece[4] else "?")
        if kind == "look":
            return f"(?{'' if piece[1] else '<'}{'=' if piece[2] else '!'}{self.sequence(piece[3])})"
        if kind == "back":
            number, self.furthest = self.closed.get(piece[1], 0), max(self.furthest, piece[1])
            return f"(?({number})(?:\\{number})|)" if number else ""
        if kind == "boundary":
            return r"\b" if piece[1] else r"(?!\b)"
        return r"\A" if kind == "begin" else r"\Z"
