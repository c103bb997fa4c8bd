"""jdbc: Java database connections (the JDBC guide): what follows the subprotocol is its driver's own affair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.components import Components, split
from urlsm.schemes.base import Scheme, after_scheme
from urlsm.schemes.characters import PCHAR, UNRESERVED
from urlsm.values import Parts, lower
from urlsm.violations import Violation

__all__ = ["Jdbc", "JdbcParts"]

SUBPROTOCOL = UNRESERVED + "+"
SUBNAME = PCHAR + "/?#[]"  # every character of RFC 3986


class JdbcParts(Parts):
    """subprotocol, in lower case: which driver; subname: all that follows, as written, what looks like a query or a
    fragment too."""

    subprotocol: str
    subname: str


class Jdbc(Scheme):
    """ "jdbc:" subprotocol ":" subname"""

    names = ("jdbc",)
    title = "Java database connection"
    reference = "JDBC guide"
    example = "jdbc:postgresql://localhost/test?user=fred&ssl=true"
    hierarchical = False
    authority = "forbidden"
    path = "required"
    parts_type = JdbcParts

    def refine(self, c: Components) -> JdbcParts:
        subprotocol, _, subname = c.rest.partition(":")
        return JdbcParts(lower(subprotocol), subname)

    def violations(self, c: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(c)
        start, end = after_scheme(c), len(c.text)
        colon = c.text.find(":", start)
        if colon < 0:
            colon = end
        if start == colon:
            yield self.violation("jdbc-subprotocol-missing", "path", start)
        if colon + 1 >= end:
            yield self.violation("jdbc-subname-missing", "path", end)
        for fault, position in SUBPROTOCOL.faults(c.text, start, colon):
            yield self.violation(fault, "path", position)
        yield from self.faults(c, "path", colon + 1, end, SUBNAME)

    def normalize(self, c: Components) -> Components:
        """Scheme and subprotocol in lower case; the subname is as it is."""
        subprotocol, colon, subname = c.rest.partition(":")
        scheme = "" if c.scheme is None else lower(c.scheme) + ":"
        return split(f"{scheme}{lower(subprotocol)}{colon}{subname}", c.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.normalize(a).rest == self.normalize(b).rest

    def compose(self, p: Any) -> str:
        return f"{p.subprotocol or ''}:{p.subname or ''}"
