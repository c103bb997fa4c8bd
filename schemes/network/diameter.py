"""aaa and aaas (RFC 6733), iax (RFC 5456). Under RFC 3986, an aaa URL would have a longer authority, and an iax URL
would have none."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower, read_host
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST, PCHAR, Characters
from urlsm.schemes.fields import Field, Parameters, read_number
from urlsm.schemes.generic import Scheme, after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Aaa", "AaaParts", "Aaas", "Iax", "IaxParts"]

_PARAMETERS = Parameters(
    Field("transport", repeat="forbid"),
    Field("protocol", repeat="forbid"),
    separator=";",
    equals=True,
    filled=True,
    closed=True,
    ordered=True,
)
_VALUES = {"transport": ("tcp", "sctp", "udp"), "protocol": ("diameter", "radius", "tacacs+")}


class AaaParts(Parts):
    """A Diameter server.

    Attributes:
        host: the host, in lower case; None if absent
        port: the port; None if absent
        transport: the transport as written ("tcp"); None if absent
        protocol: the protocol as written ("diameter"); None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("aaa://host.example:3868;transport=tcp", "aaa").transport
        'tcp'
    """

    host: str | None = None
    port: int | None = None
    transport: str | None = None
    protocol: str | None = None


class Aaa(Scheme[AaaParts]):
    """ "aaa://" FQDN [ ":" port ] [ ";transport=" transport ] [ ";protocol=" protocol ]"""

    names: ClassVar[tuple[str, ...]] = ("aaa",)
    title = "Diameter peer"
    reference = "RFC 6733 section 4.3.1"
    example = "aaa://host.example.com:6666;transport=tcp;protocol=diameter"
    default_port: ClassVar[int | None] = 3868
    hierarchical = False
    authority = host = "required"
    userinfo = "forbidden"
    host_characters: ClassVar[Characters] = HOST - ";"
    rules: ClassVar[dict[str, str]] = {"aaa-value-unknown": "this is not a Diameter transport or protocol"}

    def seen(self, components: Components) -> tuple[Components, int]:
        """Return the components of the text before the ";", and the position of the ";". If there is no ";", the
        position is the length of the text."""
        semicolon = components.text.find(";", after_scheme(components))
        end = len(components.text) if semicolon < 0 else semicolon
        return split(components.text[:end], dialect=components.dialect), end

    def read_parts(self, components: Components) -> AaaParts:
        read, end = self.seen(components)
        values = _PARAMETERS.values_of(components.text[end + 1 :])
        host = read_host(read.host or "") or None
        return AaaParts(host, read_number(read.port or ""), values.get("transport"), values.get("protocol"))

    def violations(self, components: Components) -> Iterator[Violation]:
        read, end = self.seen(components)
        yield from self.scheme_violations(read)
        yield from self.authority_violations(read)
        if read.host is not None:
            after = (read.span("authority") or (0, 0))[1]
            if after < end:
                yield self.violation("path-not-allowed", "path", after)
                yield from self.faults(read, "path", after, end, PCHAR + "/?#")

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            if value and value not in _VALUES.get(name, (value,)):
                yield self.violation("aaa-value-unknown", "path", at + len(name) + 1)

        if end < len(components.text):
            yield from _PARAMETERS.violations(self, components, "path", end + 1, len(components.text), further)
            yield from self.faults(components, "path", end + 1, len(components.text), PCHAR + "/?#")

    def normalize(self, components: Components) -> Components:
        read, end = self.seen(components)
        if any(violation.severity == "error" for violation in self.violations(components)):
            return components if read.scheme is None else components.replace(scheme=lower(read.scheme))
        normal = super().normalize(read)
        return split(normal.text + components.text[end:], dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.normalize(a).rest == self.normalize(b).rest

    def write_parts(self, parts: Any) -> str:
        own = ((name, getattr(parts, name)) for name in ("transport", "protocol"))
        written = "".join([f";{name}={value}" for name, value in own if value is not None])
        return self.composed_authority(host=parts.host, port=parts.port) + written


class Aaas(Aaa):
    names: ClassVar[tuple[str, ...]] = ("aaas",)
    title = "Diameter peer over TLS"
    example = "aaas://host.example.com:5659;transport=tcp"
    default_port: ClassVar[int | None] = 5658


class IaxParts(Parts):
    """A call over IAX, the protocol of Asterisk.

    Attributes:
        username: the user name, decoded; None if absent
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        number: the number to call, decoded; None if absent
        context: the context of the number, decoded; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("iax:ann@example.com/12022561414?friends", "iax").number
        '12022561414'
    """

    username: str | None = None
    host: str | None = None
    port: int | None = None
    number: str | None = None
    context: str | None = None


class Iax(Scheme[IaxParts]):
    """ "iax:" [ username "@" ] host [ ":" port ] [ "/" number [ "?" context ] ]"""

    names: ClassVar[tuple[str, ...]] = ("iax",)
    title = "Call over Inter-Asterisk eXchange"
    reference = "RFC 5456 section 5.2"
    example = "iax:johnQ@example.com:4570/12022561414?friends"
    default_port: ClassVar[int | None] = 4569
    hierarchical = False
    host = "required"
    password = "forbidden"
    fragment = "ignored"
    in_text = "mailbox"
    equal_by_parts = True
    path_characters: ClassVar[Characters] = PCHAR + "/"

    def seen(self, components: Components) -> tuple[Components, int]:
        """Return the components of the text with "//" inserted before the host, and the number of characters by which
        that shifts their positions."""
        if components.host is not None:
            return components, 0
        start = after_scheme(components)
        return split(f"{components.text[:start]}//{components.text[start:]}", dialect=components.dialect), 2

    def read_parts(self, components: Components) -> IaxParts:
        read, _ = self.seen(components)
        path = read.path or ""
        return IaxParts(
            None if read.username is None else decode(read.username),
            read_host(read.host or "") or None,
            read_number(read.port or ""),
            decode(path[1:]) if path else None,
            None if read.query is None else decode(read.query),
        )

    def violations(self, components: Components) -> Iterator[Violation]:
        read, farther = self.seen(components)
        if not farther:
            yield self.violation("authority-not-allowed", "authority", after_scheme(components))
        for violation in super().violations(read):
            place = violation.position - (farther if violation.position > after_scheme(components) else 0)
            yield violation._replace(position=place)

    def normalize(self, components: Components) -> Components:
        read, farther = self.seen(components)
        normal = super().normalize(read)
        if not farther or not normal.host:
            return normal if not farther else components.replace(scheme=normal.scheme)
        return split(f"{normal.scheme}:{normal.rest[2:]}", dialect=components.dialect)

    def write_parts(self, parts: Any) -> str:
        written = self.composed_authority(parts.username, None, parts.host, parts.port).removeprefix("//")
        written += "" if parts.number is None else "/" + PCHAR.encode(parts.number)
        return written if parts.context is None else f"{written}?{self.query_characters.encode(parts.context)}"
