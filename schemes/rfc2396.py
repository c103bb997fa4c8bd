"""RFC 2396's generic grammar (appendix A), for any scheme: it knows no scheme's own rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components import Components
from urlsm.schemes.base import Scheme, after_scheme
from urlsm.schemes.characters import ALPHA, DIGIT, Characters
from urlsm.values import Parts
from urlsm.violations import Violation

__all__ = ["Rfc2396", "is_server"]

UNRESERVED = Characters(ALPHA + DIGIT + "-_.!~*'()")  # alphanum, mark
URIC = UNRESERVED + ";/?:@&=+$,"
PCHAR = UNRESERVED + ":@&=+$,"
REG_NAME = UNRESERVED + "$,;:@&=+"
USERINFO = UNRESERVED + ";:&=+$,"

_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
# server = [ [ userinfo "@" ] hostport ]; hostname = *( domainlabel "." ) toplabel [ "." ]
_SERVER = re.compile(
    rf"(?:(?:[{re.escape(USERINFO.allowed)}]|%[0-9A-Fa-f]{{2}})*@)?"
    rf"(?:(?:{_LABEL}\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.?|[0-9]+(?:\.[0-9]+){{3}})(?::[0-9]*)?"
)


def is_server(authority: str) -> bool:
    """Is an authority server-based (section 3.2.2), rather than registry-based or nothing of the two?"""
    return not authority or _SERVER.fullmatch(authority) is not None


class Rfc2396(Scheme):
    """What appendix A says of any URI reference."""

    title = "any scheme, by RFC 2396"
    reference = "RFC 2396 appendix A"
    path_characters = PCHAR + ";/"
    query_characters = URIC
    fragment_characters = URIC

    def __init__(self, scheme: Scheme | None = None) -> None:
        """scheme: what knows the normal form, as far as section 6 leaves it to the scheme."""
        self.scheme = scheme if scheme is not None else Scheme()

    def authority_violations(self, c: Components) -> Iterator[Violation]:
        """authority = server | reg_name; a server's port is *digit. Any character of a server is one of reg_name's."""
        where = c.span("authority")
        if where is None:
            return
        yield from self.faults(c, "authority", *where, REG_NAME, "host-invalid")
        if is_server(c.authority or ""):
            yield from self.port_violations(c)

    def path_violations(self, c: Components) -> Iterator[Violation]:
        start, end = c.span("path") or (0, 0)
        if c.scheme is None or c.host is not None or c.text.startswith("/", start):
            yield from super().path_violations(c)
        elif start == end and c.query is None:
            # absoluteURI = scheme ":" ( hier_part | opaque_part ); opaque_part = uric_no_slash *uric
            yield self.violation("path-missing", "path", after_scheme(c))
        else:
            yield from self.faults(c, "path", start, end, URIC)

    def refine(self, c: Components) -> Parts:
        return self.scheme.refine(c)

    def normalize(self, c: Components) -> Components:
        """Section 6: the case of scheme and host, and what the scheme says. Dots go where a reference is resolved."""
        if type(self.scheme).normalize is not Scheme.normalize:
            return self.scheme.normalize(c)
        return self.scheme.normal_form(c, UNRESERVED, dots=False)

    def equivalent(self, a: Components, b: Components) -> bool:
        if type(self.scheme).equivalent is not Scheme.equivalent:
            return self.scheme.equivalent(a, b)
        return super().equivalent(a, b)
