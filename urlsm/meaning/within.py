"""URLs within a URL, as the handlers tell them (Scheme.inners), and where their characters stand in the text around."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from urlsm.components.parts import lower
from urlsm.components.value import split
from urlsm.errors import PluginError, SchemeError
from urlsm.machine.driver import SPECIAL
from urlsm.meaning.registry import handler
from urlsm.schemes.contract import Contract

__all__ = ["MOST", "Inner", "has_inner", "urls_within"]

MOST = 8  # URLs within one text that are looked at, however they are nested: so all takes linear time
_EDGE = "".join(map(chr, range(0x21)))  # "leading or trailing C0 control or space"
_REMOVED = re.compile(r"[\t\n\r]")
_ESCAPES = re.compile("(?:%[0-9A-Fa-f]{2})+")


class Inner:
    """A URL within another: text, as the outer one's handler gives it, decoded where it stands there escaped."""

    __slots__ = ("_outer", "_starts", "_steps", "text")

    def __init__(self, text: str, outer: Inner | None, starts: list[int], steps: list[tuple[int, int]]) -> None:
        """steps: what is added for a character from each of the starts on, which are in order, and the place before
        which it is not: text[k] stands at max(k + step, least) of the outer text."""
        self.text, self._outer, self._starts, self._steps = text, outer, starts, steps

    def at(self, position: int) -> int:
        """Where the character at this position of text stands in the text that was given."""
        step, least = self._steps[bisect_right(self._starts, position) - 1]
        place = max(position + step, least)
        return place if self._outer is None else self._outer.at(min(place, len(self._outer.text)))

    @property
    def secrets(self) -> frozenset[str]:
        """The names that the handler of its scheme declares secret, in lower case."""
        try:
            found: frozenset[str] = handler(lower(self.text.partition(":")[0])).parts_type._secrets
        except PluginError:
            return frozenset()
        return found


def has_inner(scheme: str | None) -> bool:
    """May a URL of this scheme have others within it? No special one has (their handlers are not asked), nor one whose
    plug-in cannot be loaded."""
    if scheme is None or (name := lower(scheme)) in SPECIAL:
        return False
    try:
        found = type(handler(name))
    except PluginError:
        return False
    return found.inner is not Contract.inner or found.inners is not Contract.inners


def urls_within(text: str) -> tuple[list[Inner], bool]:
    """The URLs within a text, from the outside to the inside, and whether these are all: at most MOST are found.

    White space that readers drop (at the ends; tabs and line breaks) is dropped before the handler sees the text.
    """
    colon = text.find(":")
    if colon < 0 or not has_inner(_REMOVED.sub("", text[:colon]).lstrip(_EDGE)):
        return [], True
    found = [_clean(text)]
    for outer in found:
        for inner in _inners(outer.text):
            if len(found) > MOST:
                return found[1:], False
            found.append(_placed(inner, outer))
    return found[1:], True


def _inners(text: str) -> Iterator[str]:
    """What the handler of a text finds in it; nothing where it cannot read the text."""
    scheme = text.partition(":")[0]
    if len(scheme) < len(text) and has_inner(scheme):
        try:
            yield from filter(None, handler(scheme).inners(split(text, "rfc3986")))
        except SchemeError:
            return


def _clean(text: str) -> Inner:
    """The text as most readers see it, with its places in the one given."""
    begin = len(text) - len(text.lstrip(_EDGE))
    kept = text.strip(_EDGE)
    removed = [place.start() for place in _REMOVED.finditer(kept)]
    starts = [0] + [place - k for k, place in enumerate(removed)]
    steps = [(begin + k, 0) for k in range(len(starts))]
    return Inner(_REMOVED.sub("", kept), None, starts, steps)


def _placed(inner: str, outer: Inner) -> Inner:
    """The URL in its place: as it is written, or but for its scheme, or decoded. Where the handler made it up, all of
    it is at what follows the outer scheme."""
    text = outer.text
    behind = text.find(":") + 1
    start = text.find(inner)
    if start >= 0:
        return Inner(inner, outer, [0], [(start, start)])
    scheme, _, rest = inner.partition(":")
    start = text.find(rest, behind) if rest else -1
    if start >= 0:
        return Inner(inner, outer, [0], [(start - len(scheme) - 1, start)])
    decoded, starts, steps = _decoded(text)
    start = decoded.find(inner)
    if start < 0:
        return Inner(inner, outer, [0], [(-len(inner), behind)])
    first = bisect_right(starts, start) - 1
    shifted = [max(place - start, 0) for place in starts[first:]]
    return Inner(inner, outer, shifted, [(step + start, least) for step, least in steps[first:]])


def _decoded(text: str) -> tuple[str, list[int], list[tuple[int, int]]]:
    """text with its escapes decoded; from which of its characters on what is added, to have the place in text."""
    pieces: list[str] = []
    starts, steps = [0], [0]
    end = length = 0
    for run in _ESCAPES.finditer(text):
        shown = bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "surrogateescape")
        pieces += text[end : run.start()], shown
        length += run.start() - end
        place = run.start()
        for character in shown:
            starts.append(length)
            steps.append(place - length)
            place += 3 * len(character.encode("utf-8", "surrogateescape"))
            length += 1
        starts.append(length)
        steps.append(place - length)
        end = run.end()
    pieces.append(text[end:])
    return "".join(pieces), starts, [(step, 0) for step in steps]
