"""RFC 3987: IRIs of any scheme."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from unicodedata import bidirectional

from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.grammar import AnyScheme
from urlsm.schemes.iris import FORMATTING, PRIVATE, ends_in_uri, uri_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm._words import Component

__all__ = ["Rfc3987"]

_NOT_IN_ANY, _ONLY_IN_QUERIES = re.compile(f"[{FORMATTING}]+"), re.compile(f"[{PRIVATE}]+")
# "iuserinfo, ireg-name, isegment [...], iquery, and ifragment", of which the labels of a domain, and "each name and
# each value" of a query, are components of their own (section 4.2)
_COMPONENTS: tuple[tuple[Component, re.Pattern[str]], ...] = (
    ("userinfo", re.compile("[^:]+")),
    ("host", re.compile("[^.]+")),
    ("path", re.compile("[^/]+")),
    ("query", re.compile("[^&=;]+")),
    ("fragment", re.compile(".+", re.DOTALL)),
)
_RIGHT_TO_LEFT = ("R", "AL")


class Rfc3987(AnyScheme):
    """The grammar of section 2.2, and the rules of the scheme.

    "Scheme-specific restrictions are applied to IRIs by converting IRIs to URIs and checking the URIs against the
    scheme-specific restrictions" (section 3.1).
    """

    title = "any scheme, according to RFC 3987"
    reference = "RFC 3987 section 2.2"

    def violations(self, components: Components) -> Iterator[Violation]:
        uri, text = uri_of(components), components.text
        found = self.scheme.violations(split(uri, dialect="rfc3986"))
        if uri == text:
            yield from found
            return
        ends = ends_in_uri(text)
        for violation in found:
            yield violation._replace(position=bisect_right(ends, violation.position))
        spans = {name: span for name, _ in _COMPONENTS if (span := components.span(name)) is not None}
        yield from self._character_violations(text, spans)
        yield from self._bidi_violations(text, spans)

    def _character_violations(self, text: str, spans: dict[Component, tuple[int, int]]) -> Iterator[Violation]:
        start, end = spans.get("query", (0, 0))
        for found in _NOT_IN_ANY.finditer(text):
            where = _component_at(found.start(), spans)
            said = "RFC 3987 section 4.1"
            yield self.violation("bidi-formatting-character", where, found.start(), reference=said)
        for found in _ONLY_IN_QUERIES.finditer(text):
            if not start <= found.start() < end:
                yield self.violation("character-not-allowed", _component_at(found.start(), spans), found.start())

    def _bidi_violations(self, text: str, spans: dict[Component, tuple[int, int]]) -> Iterator[Violation]:
        for name, parts in _COMPONENTS:
            for part in parts.finditer(text, *spans.get(name, (0, 0))):
                if not part[0].isascii() and not _is_of_one_direction(part[0]):
                    said = "RFC 3987 section 4.2"
                    yield self.violation("bidi-component", name, part.start(), "warning", reference=said)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the IRIs are equivalent as URIs, so that a character equals its escapes (section 5.3.2.3)."""
        first, second = (split(uri_of(c), dialect="rfc3986") for c in (a, b))
        return self.scheme.equivalent(first, second)


def _component_at(position: int, spans: dict[Component, tuple[int, int]]) -> Component:
    """Return the component at a position. Characters beyond ASCII that are in none of these are in the scheme or the
    port."""
    for name, (start, end) in spans.items():
        if start <= position < end:
            return name
    return "port" if "host" in spans and position >= spans["host"][1] else "scheme"


def _is_of_one_direction(text: str) -> bool:
    """Return whether a component has no character from right to left, or else begins and ends with one, and has none
    from left to right. Marks at its end do not count."""
    directions = [bidirectional(char) for char in text]
    while directions[-1:] == ["NSM"]:
        directions.pop()
    if not any(direction in _RIGHT_TO_LEFT for direction in directions):
        return True
    return "L" not in directions and directions[0] in _RIGHT_TO_LEFT and directions[-1] in _RIGHT_TO_LEFT
