"""nats: a server, or a list of servers that a client may connect to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import lower, server
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST, USERINFO, Characters
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Nats", "NatsParts"]

_SCHEMES = ("nats", "tls", "ws", "wss")
_OWN = re.compile("([A-Za-z][A-Za-z0-9+.-]*)://")


class NatsParts(ServerParts):
    """One or more NATS servers.

    The other fields describe the first server.

    Attributes:
        servers: the URLs of all servers, in order, as written; a server without a scheme gets the scheme of the first

    Example:
        >>> import urlsm
        >>> urlsm.parts("nats://a.example:4222,b.example", "nats").servers
        ('nats://a.example:4222', 'nats://b.example')
    """

    servers: tuple[str, ...] = ()
    _user_is_token = True  # nats://TOKEN@host; if there is a password, the user is a name


class Nats(Scheme[NatsParts]):
    """nats://host:port, or several of these URLs separated by ",". Only the first one needs a scheme."""

    names: ClassVar[tuple[str, ...]] = ("nats",)
    title = "NATS server"
    reference = "NATS, connection URLs"
    reference_date = "2026-11-23"
    example = "nats://user@nats.example.org:4223"
    default_port: ClassVar[int | None] = 4222
    authority = host = "required"
    password = "allowed"
    hierarchical = False
    takes_texts = True
    userinfo_characters: ClassVar[Characters] = USERINFO - ","  # an unescaped "," is a delimiter
    host_characters: ClassVar[Characters] = HOST - ","
    rules: ClassVar[dict[str, str]] = {
        "nats-list": "not every client accepts a list of servers as one URL",
        "nats-server-scheme": "the scheme of a server must be nats, tls, ws or wss",
    }

    def _servers(self, c: Components, trimmed: bool = False) -> Iterator[tuple[int, str]]:
        """Yield (shift, url) for each server. A character at position k of url is at k + shift in the text. trimmed:
        whether to strip blanks around each server, as clients do."""
        text, scheme = c.text, c.scheme or ""
        at = len(scheme) + len("://")
        head = text[:at]
        for entry in text[at:].split(","):
            bare = entry.strip(" ") if trimmed else entry
            begin = at + (len(entry) - len(entry.lstrip(" ")) if trimmed else 0)
            own = _OWN.match(bare) is not None
            yield (begin, bare) if own else (begin - len(head), head + bare)
            at += len(entry) + 1

    def read_parts(self, components: Components) -> NatsParts:
        if components.host is None or "," not in components.text:
            return NatsParts(*server(components), () if components.host is None else (components.text,))
        urls = tuple([url for _, url in self._servers(components)])
        return NatsParts(*server(split(urls[0], dialect="rfc3986")), urls)

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        for shift, url in self._servers(components, trimmed=True) if components.host is not None else ():
            one = split(url, dialect="rfc3986")
            if one.host is not None:
                yield shift + (one.span("host") or (0, 0))[0], one.host

    def violations(self, components: Components) -> Iterator[Violation]:
        c = components
        if c.host is None or "," not in c.text:
            yield from super().violations(c)
            return
        for shift, url in self._servers(c):
            one = split(url, dialect="rfc3986")
            if lower(one.scheme or "") not in _SCHEMES:
                yield self.violation("nats-server-scheme", "authority", shift)
            for found in super().violations(one):
                place = found.position + shift
                yield self.violation(found.code, found.component, place, found.severity, found.message, found.reference)
        yield self.violation("nats-list", "authority", c.text.index(","), "warning")

    def normalize(self, components: Components) -> Components:
        """Return the normal form, with each server in normal form and with its scheme."""
        if components.host is None or "," not in components.text:
            return super().normalize(components)
        urls = [super(Nats, self).normalize(split(url, dialect="rfc3986")).text for _, url in self._servers(components)]
        return split(",".join(urls), dialect=components.dialect)

    def default_port_of(self, scheme: str) -> int | None:
        return 4222 if lower(scheme) in ("nats", "tls") else None

    def write_parts(self, parts: Any) -> str:
        if not parts.servers:
            return self.composed_authority(parts.username, parts.password, parts.host, parts.port)
        return ",".join(parts.servers).partition(":")[2]
