"""jdbc: Java database connections (the JDBC guide). The driver interprets the text after the subprotocol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR, UNRESERVED
from urlsm.schemes.generic import Scheme, after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Jdbc", "JdbcParts"]

# Drivers read hosts after "//", as in "tcp://", "loadbalance://" and Oracle's "@//"; after Oracle's "@" without "//";
# in properties (host=h), such as those of Oracle's descriptors, MySQL and SQL Server; and after some subprotocols
# directly.
_AUTHORITY = re.compile(r"//([^/?#;]*)")
_ORACLE = re.compile(r"(?:thin|oci8?|kprb):[^@]{0,512}@(?!\(|//|[A-Za-z]+://)([^/?#(]*)", re.IGNORECASE)
_PROPERTY = re.compile(r"[(;?&,]\s*(?:host|hostaddr|server|servername|address)\s*=\s*([^);?&,\s]+)", re.IGNORECASE)
_PLAIN = re.compile(
    r"(?:sybase:tds|firebirdsql|interbase|informix-sqli|sqlserver|as400):(?!//)([^/?#;]+)", re.IGNORECASE
)
_ONE_HOST = re.compile(r"(?:(?:[A-Za-z][A-Za-z0-9+.-]*:)?//)?(\[[^]]*\]|[^:/?#;,()=\\]+)")
SUBPROTOCOL = UNRESERVED + "+"
SUBNAME = PCHAR + "/?#[]"  # every character of RFC 3986


class JdbcParts(Parts):
    """A JDBC connection: a driver, and the text that it interprets.

    Attributes:
        subprotocol: the driver, in lower case, such as "postgresql"
        subname: everything after the subprotocol, as written

    Example:
        >>> import urlsm
        >>> urlsm.parts("jdbc:postgresql://localhost/test", "jdbc").subprotocol
        'postgresql'
    """

    subprotocol: str
    subname: str


class Jdbc(Scheme[JdbcParts]):
    """ "jdbc:" subprotocol ":" subname"""

    names: ClassVar[tuple[str, ...]] = ("jdbc",)
    title = "Java database connection"
    reference = "JDBC guide"
    example = "jdbc:postgresql://localhost/test?user=fred&ssl=true"
    hierarchical = False
    authority = "forbidden"
    path = "required"
    joined: ClassVar[tuple[str, ...]] = ("{subprotocol}:{subname}",)
    in_text = "nested"
    nested_is_url = False  # the driver has its own grammar: sqlserver://host;user=name
    rules: ClassVar[dict[str, str]] = {
        "jdbc-subprotocol-missing": "the subprotocol is missing",
        "jdbc-subname-missing": "the subname is missing",
    }

    def read_parts(self, components: Components) -> JdbcParts:
        subprotocol, _, subname = components.rest.partition(":")
        return JdbcParts(lower(subprotocol), subname)

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        start, end = after_scheme(components), len(components.text)
        colon = components.text.find(":", start)
        if colon < 0:
            colon = end
        if start == colon:
            yield self.violation("jdbc-subprotocol-missing", "path", start)
        if colon + 1 >= end:
            yield self.violation("jdbc-subname-missing", "path", end)
        for fault, position in SUBPROTOCOL.faults(components.text, start, colon):
            yield self.violation(fault, "path", position)
        yield from self.faults(components, "path", colon + 1, end, SUBNAME)

    def normalize(self, components: Components) -> Components:
        """Lowercase the scheme and the subprotocol. The subname does not change."""
        subprotocol, colon, subname = components.rest.partition(":")
        scheme = "" if components.scheme is None else lower(components.scheme) + ":"
        return split(f"{scheme}{lower(subprotocol)}{colon}{subname}", dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.normalize(a).rest == self.normalize(b).rest

    def nested(self, components: Components) -> Iterable[str]:
        """Return the text after "jdbc:" if it is a URL, as in "jdbc:postgresql://h/d", but not in
        "jdbc:oracle:thin:@h"."""
        return (components.rest,) if re.match("[A-Za-z][A-Za-z0-9+.-]*://", components.rest) else ()

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        """Yield every host that any driver may find in the text. Each driver has its own grammar."""
        text, start = components.text, after_scheme(components)
        for rule in (_AUTHORITY, _ORACLE, _PROPERTY, _PLAIN):
            for found in rule.finditer(text, start):
                place = found.start(1)
                last = found[1].rfind("@") + 1 if rule is _AUTHORITY else 0
                for entry in found[1][last:].split(","):
                    if one := _ONE_HOST.match(entry):
                        yield place + last + one.start(1), one[1]
                    place += len(entry) + 1

    def write_parts(self, parts: Any) -> str:
        return f"{parts.subprotocol or ''}:{parts.subname or ''}"
