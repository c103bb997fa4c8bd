"""telnet (RFC 4248)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.components import Components, split
from urlsm.schemes.base import Scheme, ServerParts
from urlsm.schemes.rfc1738 import Rfc1738
from urlsm.values import server
from urlsm.violations import Violation

__all__ = ["StrictTelnet", "Telnet", "WithoutQuery"]


class WithoutQuery(Rfc1738):
    """RFC 1738's grammar of a scheme in which "?" is neither a query nor path data."""

    def violations(self, c: Components) -> Iterator[Violation]:
        start, end = c.span("path") or (0, 0)
        mark = c.text.find("?", start, end)
        if mark < 0:
            yield from super().violations(c)
            return
        # what would be a query is one that the scheme has not
        yield self.violation("query-not-allowed", "query", mark)
        yield from super().violations(split(c.text[:mark], c.dialect))
        yield from self.faults(c, "query", mark + 1, end, self.query_characters)
        yield from self.fragment_violations(c)


class Telnet(Scheme):
    """telnet://<user>:<password>@<host>:<port>/, where "the final "/" character may be omitted"."""

    names = ("telnet",)
    title = "Interactive session"
    reference = "RFC 4248 section 2"
    example = "telnet://guest@host.example.org:2323/"
    default_port = 23
    authority = "required"
    host = "required"
    hierarchical = False
    path = "root"
    query = "forbidden"
    fragment = "ignored"
    empty_path_is_root = True
    forbidden_escapes = "\r\n"  # would be typed into the session
    parts_type = ServerParts

    def refine(self, c: Components) -> ServerParts:
        return ServerParts(*server(c))

    def compose(self, p: Any) -> str:
        return self.composed_authority(p) + "/"


class StrictTelnet(WithoutQuery, Telnet):
    """telneturl = "telnet://" login [ "/" ]"""


Telnet.strict = StrictTelnet
