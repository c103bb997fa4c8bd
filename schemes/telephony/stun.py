"""stun and stuns (RFC 7064), turn and turns (RFC 7065): a server, whose host and port are in the path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower, read_host
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.fields import Parameters, read_number
from urlsm.schemes.generic import Scheme, after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

__all__ = ["Stun", "StunParts", "Stuns", "Turn", "TurnParts", "Turns"]


class StunParts(Parts):
    """A STUN server.

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent or not a number

    Example:
        >>> import urlsm
        >>> urlsm.parts("stun:stun.example:3478", "stun").port
        3478
    """

    host: str | None = None
    port: int | None = None


class TurnParts(StunParts):
    """A TURN server.

    Attributes:
        transport: the transport in lower case, such as "udp"; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("turn:turn.example?transport=udp", "turn").transport
        'udp'
    """

    transport: str | None = None


if TYPE_CHECKING:
    S = TypeVar("S", bound=Parts, default=StunParts, covariant=True)
else:
    S = StunParts


class Stun(Scheme[S]):
    """stunURI = scheme ":" host [ ":" port ], with host and port as in RFC 3986"""

    names: ClassVar[tuple[str, ...]] = ("stun",)
    title = "STUN server"
    reference = "RFC 7064 section 3.1"
    example = "stun:stun.example.org:3478"
    default_port: ClassVar[int | None] = 3478
    hierarchical = False
    authority = "forbidden"
    userinfo = "forbidden"
    host = "required"
    query = "forbidden"
    fragment = "ignored"
    in_text = "dotted"

    def read_parts(self, components: Components) -> S:
        return StunParts(*self._server(components))  # type: ignore[return-value]

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        read, farther = _as_authority(components)
        if read.host is not None:
            yield (read.span("host") or (0, 0))[0] - farther, read.host

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        if components.host is not None:
            yield self.violation("authority-not-allowed", "authority", after_scheme(components))
        read, farther = _as_authority(components)
        for violations in (
            self.userinfo_violations,
            self.host_violations,
            self.port_violations,
            self.path_violations,
            self.query_violations,
            self.fragment_violations,
        ):
            for violation in violations(read):
                yield violation._replace(position=violation.position - farther)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the path. It must be empty, because the host and port are read as the authority."""
        start, end = components.span("path") or (0, 0)
        if start < end:
            yield self.violation("path-not-allowed", "path", start)
        yield from super().path_violations(components)

    def normalize(self, components: Components) -> Components:
        read, _ = _as_authority(components)
        if components.host is not None or not read.host or read.path:
            return super().normalize(components)  # the path is not host [ ":" port ]
        normal = super().normalize(read)
        return components.replace(
            scheme=normal.scheme, path=normal.authority, query=normal.query, fragment=normal.fragment
        )

    def write_parts(self, parts: Any) -> str:
        return self.composed_authority(host=parts.host, port=parts.port).removeprefix("//")

    def _server(self, c: Components) -> tuple[str | None, int | None]:
        read, _ = _as_authority(c)
        return read_host(read.host or "") or None, read_number(read.port or "")


class Stuns(Stun):
    names: ClassVar[tuple[str, ...]] = ("stuns",)
    title = "STUN server over TLS"
    example = "stuns:stun.example.org:5349"
    default_port: ClassVar[int | None] = 5349


class Turn(Stun[TurnParts]):
    """turnURI = scheme ":" host [ ":" port ] [ "?transport=" transport ]; transport = "udp" / "tcp" / 1*unreserved"""

    names: ClassVar[tuple[str, ...]] = ("turn",)
    title = "TURN server"
    reference = "RFC 7065 section 3.1"
    example = "turn:turn.example.org:3478?transport=udp"
    query = "allowed"
    query_fields: ClassVar[Parameters | None] = Parameters(closed=True, fold=True)

    def read_parts(self, components: Components) -> TurnParts:
        name, _, transport = (components.query or "").partition("=")
        return TurnParts(*self._server(components), lower(transport) or None if lower(name) == "transport" else None)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("query") or (0, 0)
        if components.query is None:
            return
        name, _, transport = components.query.partition("=")
        if lower(name) != "transport":
            yield self.violation("parameter-unknown" if name else "parameter-name-missing", "query", start)
            yield from self.faults(components, "query", start, end, self.query_characters)
        elif not transport:
            yield self.violation("parameter-value-missing", "query", end)
        for run in re.finditer("[^A-Za-z0-9._~-]+", transport):  # 1*unreserved, so even escapes are wrong
            yield self.violation("character-not-allowed", "query", end - len(transport) + run.start())

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        return normal if normal.query is None else normal.replace(query=lower(normal.query))

    def write_parts(self, parts: Any) -> str:
        return super().write_parts(parts) + ("" if parts.transport is None else f"?transport={parts.transport}")


class Turns(Turn):
    names: ClassVar[tuple[str, ...]] = ("turns",)
    title = "TURN server over TLS"
    example = "turns:turn.example.org:5349?transport=tcp"
    default_port: ClassVar[int | None] = 5349


def _as_authority(c: Components) -> tuple[Components, int]:
    """Return the components of the text with "//" inserted before the host and port, so that they are the authority.
    Also return the number of characters by which that shifts their positions."""
    if c.host is not None:
        return c, 0
    start = after_scheme(c)
    return split(f"{c.text[:start]}//{c.text[start:]}", dialect=c.dialect), 2
