"""Finds the URLs within a URL (Scheme.nested), with the positions of their characters in the outer text, and the hosts
that a URL names besides the host of its authority (Scheme.hosts)."""

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.schemes.generic import Scheme

__all__ = ["MOST", "Inner", "has_inner", "hosts_within", "urls_within"]

MOST = 8  # the maximal number of URLs that are found within one text, nested or not; it keeps the time linear
_EDGE = "".join(map(chr, range(0x21)))  # "leading or trailing C0 control or space"
_REMOVED = re.compile(r"[\t\n\r]")
_ESCAPES = re.compile("(?:%[0-9A-Fa-f]{2})+")


class Inner:
    """A URL within another URL. text: the inner URL as the outer URL's handler returns it. The handler decodes an inner
    URL that was escaped."""

    __slots__ = ("_outer", "_starts", "_steps", "text")

    text: str

    def __init__(self, text: str, outer: Inner | None, starts: list[int], steps: list[tuple[int, int]]) -> None:
        """Create the URL `text` within `outer`. starts: positions in `text`, in order. steps: a pair (step, least) for
        each of these starts; from the start on, text[k] is at max(k + step, least) in the outer text."""
        self.text, self._outer, self._starts, self._steps = text, outer, starts, steps

    def at(self, position: int) -> int:
        """Return the position in the outermost text of the character at this position in self.text."""
        step, least = self._steps[bisect_right(self._starts, position) - 1]
        place = max(position + step, least)
        return place if self._outer is None else self._outer.at(min(place, len(self._outer.text)))

    @property
    def secrets(self) -> frozenset[str]:
        """The names, in lower case, of the parts that the handler of this URL's scheme declares secret."""
        try:
            found: frozenset[str] = handler(lower(self.text.partition(":")[0])).parts_type._secrets
        except PluginError:
            return frozenset()
        return found


def has_inner(scheme: str | None) -> bool:
    """Return whether a URL with this scheme may contain other URLs. Return False for special schemes, whose handlers
    are not asked, and for schemes whose plug-in cannot be loaded."""
    return _asked(scheme, "nested") is not None


def _asked(scheme: str | None, method: str) -> Scheme[Any] | None:
    """Return the handler of a scheme if it overrides this method of Contract, which itself finds nothing;
    otherwise None. Return None for special schemes."""
    if scheme is None or (name := lower(scheme)) in SPECIAL:
        return None
    try:
        found = handler(name)
    except PluginError:
        return None
    return found if getattr(type(found), method) is not getattr(Contract, method) else None


def hosts_within(text: str) -> list[tuple[int, str]]:
    """Return (position, host) for each host that the handler finds in a text, apart from the host in its authority."""
    asked = _asked(_scheme(text), "hosts")
    if asked is None:
        return []
    clean = _clean(text)
    found: list[tuple[int, str]] = []
    try:
        for at, host in asked.hosts(split(clean.text, dialect="rfc3986")):
            if host:
                found.append((min(clean.at(at), len(text)), host))
    except SchemeError:
        pass  # the hosts that were found before the error are kept
    return found


def urls_within(text: str) -> tuple[list[Inner], bool]:
    """Return a list of the URLs within a text, at most MOST, from the outermost to the innermost; and whether the list
    is complete.

    White space that URL parsers drop (at the ends, and tabs and line breaks anywhere) is removed before the handler
    reads the text.
    """
    if not has_inner(_scheme(text)):
        return [], True
    found = [_clean(text)]
    for outer in found:
        for inner in _inners(outer.text):
            if len(found) > MOST:
                return found[1:], False
            found.append(_placed(inner, outer))
    return found[1:], True


def _scheme(text: str) -> str | None:
    """Return the text before the first ":", without the white space that URL parsers drop; None if there is no ":"."""
    before, colon, _ = text.partition(":")
    return _REMOVED.sub("", before).lstrip(_EDGE) if colon else None


def _inners(text: str) -> Iterator[str]:
    """Yield the URLs that the handler of a text's scheme finds within the text; none if it cannot read the text."""
    scheme = text.partition(":")[0]
    if len(scheme) < len(text) and has_inner(scheme):
        try:
            yield from filter(None, handler(scheme).nested(split(text, dialect="rfc3986")))
        except SchemeError:
            return


def _clean(text: str) -> Inner:
    """Return the text without the white space that URL parsers drop, as an Inner, which knows the positions of its
    characters in the given text."""
    begin = len(text) - len(text.lstrip(_EDGE))
    kept = text.strip(_EDGE)
    removed = [place.start() for place in _REMOVED.finditer(kept)]
    starts = [0] + [place - k for k, place in enumerate(removed)]
    steps = [(begin + k, 0) for k in range(len(starts))]
    return Inner(_REMOVED.sub("", kept), None, starts, steps)


def _placed(inner: str, outer: Inner) -> Inner:
    """Return the inner URL as an Inner, with the positions of its characters in the outer text. The outer text may
    contain the inner URL unchanged, without its scheme, or escaped. If it contains none of these, the handler has
    composed the URL, and all its characters get the position after the outer scheme."""
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
    """Return the text with its escapes decoded, and the starts and steps (see Inner) that map positions of the result
    to positions of the text."""
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
