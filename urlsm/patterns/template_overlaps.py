"""Finds URI templates that make the same URL, and such a URL, for lint."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import chain, islice, product

from urlsm.patterns.errors import PatternError, UnsafeValue
from urlsm.patterns.template_sets import selection
from urlsm.patterns.templates import Template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    _Segment = bytes | tuple[Any, ...]

__all__ = ["overlaps", "path_of_both"]

# for each template, so many segments are looked at, and so many templates are compared with it
_STEPS, _PAIRS = 4096, 16
_ALL = frozenset(range(256))


class _Node:
    """The templates whose paths begin with the same segments."""

    __slots__ = ("concrete", "ends", "rests", "variable")

    def __init__(self) -> None:
        self.concrete: dict[bytes, _Node] = {}
        self.variable: dict[tuple[Any, ...], _Node] = {}
        self.ends: list[int] = []
        self.rests: list[int] = []  # templates that go on with a variable that may hold "/"


def overlaps(texts: tuple[str, ...], options: dict[str, Any]) -> Iterator[tuple[int, str, str, bool]]:
    """Yield (index, earlier template, URL, whether the more concrete one decides) for each template that makes a URL
    that an earlier template makes as well. At most one of each kind is yielded for a template."""
    top = _Node()
    read: list[tuple[tuple[Any, ...], list[_Segment], bool]] = []
    weights = []
    for number, text in enumerate(texts):
        try:
            program, weight = selection(text, fewest=1)
        except PatternError:
            program, weight = (), ((), 0)
        segments, goes_on = _segments(program)
        read.append((program, segments, goes_on))
        weights.append(weight)
        if not program:
            continue
        told = False  # whether a more concrete template is told
        for other in islice(_near(top, segments, goes_on), _PAIRS):
            ordered = _is_ordered(weights[number], weights[other])
            if ordered and told:
                continue
            path = path_of_both(program, read[other][0])
            url = None if path is None else _url_of_both(path, text, texts[other], options)
            if url is not None:
                told = True
                yield number, texts[other], url, ordered
                if not ordered:
                    break
        _add(top, segments, goes_on, number)


def _segments(program: tuple[Any, ...]) -> tuple[list[_Segment], bool]:
    """Return the segments of a path, as bytes or programs, up to one that may hold "/"; and whether there is one."""
    made: list[list[Any]] = [[]]
    for piece in program[:-1]:
        if isinstance(piece, bytes):
            first, *others = piece.split(b"/")
            made[-1].append(first)
            made += [[other] for other in others]
        elif _may_hold_slash(piece):
            return list(map(_joined, made[:-1])), True
        else:
            made[-1].append(piece)
    return list(map(_joined, made)), False


def _joined(pieces: list[Any]) -> _Segment:
    return b"".join(pieces) if all(isinstance(piece, bytes) for piece in pieces) else tuple(pieces)


def _may_hold_slash(piece: Any) -> bool:
    if isinstance(piece, bytes):
        return b"/" in piece
    if isinstance(piece, str):
        return piece != "$"
    return b"/" in piece[1] if piece[0] == "in" else any(map(_may_hold_slash, piece[1]))


def _add(node: _Node, segments: list[_Segment], goes_on: bool, number: int) -> None:
    for segment in segments:
        if isinstance(segment, bytes):
            node = node.concrete.setdefault(segment, _Node())
        else:
            node = node.variable.setdefault(segment, _Node())
    (node.rests if goes_on else node.ends).append(number)


def _near(top: _Node, segments: list[_Segment], goes_on: bool) -> Iterator[int]:
    """Yield the templates whose segments may be those of a template."""
    levels: list[Iterator[_Node]] = [iter((top,))]  # of each depth, the nodes that were not looked at
    for _ in range(_STEPS):
        while (node := next(levels[-1], None)) is None:
            levels.pop()
            if not levels:
                return
        yield from node.rests
        k = len(levels) - 1
        segment = segments[k] if k < len(segments) else None
        if segment is None:
            yield from node.ends
        if isinstance(segment, bytes):
            concrete = iter([node.concrete[segment]] if segment in node.concrete else ())
        else:
            concrete = iter(node.concrete.values() if segment is not None or goes_on else ())
        levels.append(chain(concrete, node.variable.values() if segment is not None or goes_on else ()))


def _is_ordered(first: Any, second: Any) -> bool:
    """Return whether one of two weights is greater, and not less in any segment. Without a difference in segments, the
    octets of literals decide."""
    greater = less = False
    for (kind, octets), (other, others) in zip(first[0], second[0], strict=False):
        greater = greater or (kind, octets) > (other, others)
        less = less or (kind, octets) < (other, others)
        if not kind or not other:
            break
    return greater != less or (not greater and first[1] != second[1])


class _States:
    """A program as states. From state k, an octet of `octets[k]` leads to the next state; if `loops[k]`, also to the
    same; `free[k]` are the states that are reached without an octet."""

    def __init__(self, program: tuple[Any, ...]) -> None:
        self.octets: list[frozenset[int]] = []
        self.loops: list[bool] = []
        self.free: list[list[int]] = []
        self._add(program)
        self.free.append([])

    def _put(self, octets: frozenset[int], loops: bool, free: list[int]) -> None:
        self.octets.append(octets)
        self.loops.append(loops)
        self.free.append(free)

    def _add(self, program: tuple[Any, ...]) -> None:
        for piece in program:
            if isinstance(piece, bytes):
                for octet in piece:
                    self._put(frozenset((octet,)), False, [])
            elif piece == "*":
                self._put(_ALL, True, [len(self.octets) + 1])
            elif piece[0] == "times":
                inner = piece[1][0]
                octets = _ALL if inner == "?" else frozenset(inner[1])
                self._put(octets, True, [] if piece[2] else [len(self.octets) + 1])
            elif piece[0] == "optional":
                start = len(self.octets)
                self._add(piece[1])
                self.free[start].append(len(self.octets))


def path_of_both(first: tuple[Any, ...], second: tuple[Any, ...]) -> str | None:
    """Return a shortest path that two programs match, or None."""
    a, b = _States(first), _States(second)
    end = len(a.octets), len(b.octets)
    came: dict[tuple[int, int], tuple[tuple[int, int], int]] = {}  # the place before each place, and the octet between
    waiting = deque([((0, 0), (0, 0), -1)])
    while waiting:
        here, before, octet = waiting.popleft()
        if here in came:
            continue
        came[here] = before, octet
        if here == end:
            break
        i, j = here
        waiting.extendleft([((k, j), here, -1) for k in a.free[i]] + [((i, k), here, -1) for k in b.free[j]])
        if i == end[0] or j == end[1]:
            continue
        both = a.octets[i] & b.octets[j]
        if not both:
            continue
        octet = 0x78 if 0x78 in both else min(both)
        for m, n in product({i + 1, i + 1 - a.loops[i]}, {j + 1, j + 1 - b.loops[j]}):
            waiting.append(((m, n), here, octet))
    else:
        return None
    made: list[int] = []
    here = end
    while here != (0, 0):
        here, octet = came[here]
        if octet >= 0:
            made.append(octet)
    return bytes(reversed(made)).decode("latin-1")


def _url_of_both(path: str, first: str, second: str, options: dict[str, Any]) -> str | None:
    """Return a URL with this path that two templates make, or None."""
    made = [Template(text) for text in (first, second)]
    full = [template.expand(dict.fromkeys(template.names, "x")) for template in made]
    rests = ["", *[text[at:] for text in full if (at := _end_of_path(text)) < len(text)]]
    how = {name: options[name] for name in ("extra", "empty", "raw")}
    for rest in rests:
        try:
            if all(template.match(path + rest, **how) is not None for template in made):
                return path + rest
        except UnsafeValue:
            pass
    return None


def _end_of_path(text: str) -> int:
    return min(len(text.partition("?")[0]), len(text.partition("#")[0]))
