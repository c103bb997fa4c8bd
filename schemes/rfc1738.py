"""RFC 1738's own grammar (section 5): what the strict handlers of its ten schemes share, and genericurl."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components import Components
from urlsm.schemes.base import Scheme, after_scheme
from urlsm.schemes.characters import ALPHA, DIGIT, Characters
from urlsm.violations import Violation

__all__ = ["HSEGMENT", "UCHAR", "XCHAR", "GenericUrl", "Rfc1738"]

UCHAR = Characters(ALPHA + DIGIT + "$-_.+" + "!*'(),")  # unreserved: alpha, digit, safe, extra
XCHAR = UCHAR + ";/?:@&="  # and reserved
HSEGMENT = UCHAR + ";:@&="

# hostname = *[ domainlabel "." ] toplabel; hostnumber = digits "." digits "." digits "." digits
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = re.compile(rf"(?:{_LABEL}\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?|[0-9]+(?:\.[0-9]+){{3}}")


class Rfc1738(Scheme):
    """What the grammar says of every scheme: put before the scheme's own class, it makes the strict one."""

    reference = "RFC 1738 section 5"
    fragment = "forbidden"
    query = "forbidden"
    password = "allowed"
    unreserved = Characters(ALPHA + DIGIT + "-_.")  # what no RFC has as unsafe or reserved
    userinfo_characters = UCHAR + ";?&="  # user, password: the ":" between them apart
    path_characters = XCHAR
    query_characters = XCHAR
    fragment_characters = XCHAR
    host_kind = "hostname or hostnumber"

    def userinfo_faults(self, c: Components, start: int, end: int) -> Iterator[Violation]:
        """login = [ user [ ":" password ] "@" ] hostport: neither holds a ":"."""
        for name in ("username", "password"):
            where = c.span(name)
            if where is not None:
                yield from self.faults(c, "userinfo", *where, self.userinfo_characters)

    def host_violations(self, c: Components) -> Iterator[Violation]:
        start, end = c.span("host") or (0, 0)
        host = c.text[start:end]
        if not host:
            if self.host == "required":
                yield self.violation("host-missing", "host", start)
        elif not _HOST.fullmatch(host):
            yield self.violation("host-invalid", "host", start + _first_wrong(host))

    def port_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().port_violations(c)
        where = c.span("port")
        if where is not None and where[0] == where[1] and self.port == "allowed":
            yield self.violation("port-empty", "port", where[0])


def _first_wrong(host: str) -> int:
    """Where a host that is no hostname and no hostnumber goes wrong: at a character that no host has, else at the dot
    or hyphen that is out of place, else at the last label."""
    wrong = re.search("[^A-Za-z0-9.-]", host)
    if wrong is not None:
        return wrong.start()
    dot = re.search(r"^[.-]|\.(?=[.-])|-(?=\.)|[.-]$", host)
    if dot is not None:
        return dot.start()
    return host.rfind(".") + 1  # the last label: its first character is no letter


class GenericUrl(Rfc1738):
    """genericurl = scheme ":" schemepart; schemepart = *xchar | "//" login [ "/" urlpath ], a case of the first: for
    any scheme outside the ten."""

    title = "any scheme, by RFC 1738"

    def violations(self, c: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(c)
        where = c.span("fragment")
        end = len(c.text) if where is None else where[0] - 1
        yield from self.faults(c, "path", after_scheme(c), end, XCHAR)
        yield from self.fragment_violations(c)
