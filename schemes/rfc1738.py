"""The grammar of RFC 1738 section 5: the base class of the strict handlers for its ten schemes, and genericurl."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, LABEL, Characters
from urlsm.schemes.contract import P
from urlsm.schemes.generic import Scheme, after_scheme
from urlsm.schemes.grammar import AnyScheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

__all__ = ["FSEGMENT", "HSEGMENT", "UCHAR", "XCHAR", "GenericUrl", "Rfc1738", "WithoutQuery"]

UCHAR = Characters(ALPHA + DIGIT + "$-_.+" + "!*'(),")  # unreserved: alpha, digit, safe, extra
XCHAR = UCHAR + ";/?:@&="  # unreserved and reserved characters
HSEGMENT = UCHAR + ";:@&="
FSEGMENT = UCHAR + "?:@&="

# hostname = *[ domainlabel "." ] toplabel; hostnumber = digits "." digits "." digits "." digits
_HOST = re.compile(rf"(?:{LABEL}\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?|[0-9]+(?:\.[0-9]+){{3}}")


class Rfc1738(Scheme[P]):
    """The rules that RFC 1738 defines for every scheme. A strict handler inherits first from this class, and then from
    the class of its scheme."""

    reference = "RFC 1738 section 5"
    fragment = "forbidden"
    query = "forbidden"
    password = "allowed"
    unreserved: ClassVar[Characters] = Characters(ALPHA + DIGIT + "-_.")  # no RFC calls these unsafe or reserved
    userinfo_characters: ClassVar[Characters] = UCHAR + ";?&="  # user and password, without the ":" between them
    path_characters = XCHAR
    query_characters = XCHAR
    fragment_characters = XCHAR
    host_kind = "hostname or hostnumber"

    def userinfo_faults(self, components: Components, start: int, end: int) -> Iterator[Violation]:
        """Yield the violations of login = [ user [ ":" password ] "@" ] hostport, where user and password cannot
        contain ":"."""
        for name in ("username", "password"):
            where = components.span(name)
            if where is not None:
                yield from self.faults(components, "userinfo", *where, self.userinfo_characters)

    def host_faults(self, components: Components, host: str, start: int, end: int) -> Iterator[Violation]:
        if not _HOST.fullmatch(host):
            yield self.violation("host-invalid", "host", start + _first_wrong(host))

    def port_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().port_violations(components)
        where = components.span("port")
        if where is not None and where[0] == where[1] and self.port == "allowed":
            yield self.violation("port-empty", "port", where[0])


class WithoutQuery(Rfc1738[P]):
    """RFC 1738's grammar for a scheme in which "?" neither begins a query nor belongs to the path."""

    def violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        mark = components.text.find("?", start, end)
        if mark < 0:
            yield from super().violations(components)
            return
        yield self.violation("query-not-allowed", "query", mark)
        yield from super().violations(split(components.text[:mark], dialect=components.dialect))
        yield from self.faults(components, "query", mark + 1, end, self.query_characters)
        yield from self.fragment_violations(components)


def _first_wrong(host: str) -> int:
    """Return the position of the fault in a host that is neither a hostname nor a hostnumber. It is the first character
    that neither may contain, or else the first misplaced dot or hyphen, or else the last label."""
    wrong = re.search("[^A-Za-z0-9.-]", host)
    if wrong is not None:
        return wrong.start()
    dot = re.search(r"^[.-]|\.(?=[.-])|-(?=\.)|[.-]$", host)
    if dot is not None:
        return dot.start()
    return host.rfind(".") + 1  # the last label: its first character is not a letter


class GenericUrl(AnyScheme, Rfc1738[Parts]):
    """Any scheme other than RFC 1738's ten: genericurl = scheme ":" schemepart; schemepart = *xchar | "//" login [ "/"
    urlpath ], where the first alternative includes the second."""

    title = "any scheme, according to RFC 1738"

    def seen(self, components: Components) -> Components:
        """Return the components, split according to RFC 3986, as the handlers of other schemes expect."""
        return split(components.text, dialect="rfc3986")

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        where = components.span("fragment")
        end = len(components.text) if where is None else where[0] - 1
        yield from self.faults(components, "path", after_scheme(components), end, XCHAR)
        yield from self.fragment_violations(components)
