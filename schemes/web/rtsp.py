"""rtsp and rtsps (RFC 7826 section 4.2), and rtspu (RFC 2326 section 3.2), which RTSP 2.0 removed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

__all__ = ["Rtsp", "Rtsps", "Rtspu"]

PARAMETER = PCHAR - ";"
# a character that is not a letter, digit, dot or hyphen; or a label that is empty, or begins or ends with a hyphen
_WRONG_IN_HOST = re.compile(r"[^A-Za-z0-9.-]|(?:\A|(?<=\.))[.-]|-(?=\.|\Z)|\.\Z")


class RtspFamily(Scheme):
    """The base class for the three schemes, which all have a server, a path and a query."""

    authority = "required"
    host = "required"
    empty_path_is_root = True
    forbidden_escapes = "\r\n"  # if a program decodes the URL, a line break would end the line of its request


class Rtsp(RtspFamily):
    """RTSP-URI = schemes ":" "//" authority path-abempty [ "?" query ] [ "#" fragment ]"""

    names: ClassVar[tuple[str, ...]] = ("rtsp",)
    title = "Real time streaming"
    reference = "RFC 7826 section 4.2"
    example = "rtsp://media.example.org:554/twister/audiotrack?quality=high"
    default_port: ClassVar[int | None] = 554

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of segment = *pchar [ ";" *pchar ], where pchar excludes ";" (RFC 7826 section
        20.2.1)."""
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        for segment in re.finditer(";[^/;]*(;)[^/]*", components.text[start:end]):
            yield self.violation("character-not-allowed", "path", start + segment.start(1))

    def composed_path(self, path: str | None = None, segments: Iterable[str] | None = None) -> str:
        if path is not None or not segments:
            return super().composed_path(path, segments)
        pieces = [segment.partition(";") for segment in segments]
        return "".join([f"/{PCHAR.encode(name)}{sign}{PARAMETER.encode(value)}" for name, sign, value in pieces])


class Rtsps(Rtsp):
    names: ClassVar[tuple[str, ...]] = ("rtsps",)
    title = "Real time streaming over TLS"
    example = "rtsps://media.example.org/twister/audiotrack?quality=high"
    default_port: ClassVar[int | None] = 322


class Rtspu(RtspFamily):
    """rtsp_URL = ( "rtsp:" | "rtspu:" ) "//" host [ ":" port ] [ abs_path ]"""

    names: ClassVar[tuple[str, ...]] = ("rtspu",)
    title = "Real time streaming over UDP"
    reference = "RFC 2326 section 3.2"
    example = "rtspu://media.example.org:554/twister"
    default_port: ClassVar[int | None] = 554
    userinfo = "forbidden"
    host_kind = "domain name or dotted IPv4 address"

    def host_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in a host, which must be "a legal Internet host domain name [or] IP address (in dotted
        decimal form)" (RFC 1123 section 2.1)."""
        start, end = components.span("host") or (0, 0)
        wrong = _WRONG_IN_HOST.search(components.text[start:end])
        if start == end:
            yield self.violation("host-missing", "host", start)
        elif wrong is not None:
            yield self.violation("host-invalid", "host", start + wrong.start())

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of abs_path = "/" [ path ] [ ";" params ] [ "?" query ] (RFC 2068 section 3.2.1), so "/"
        must precede a query."""
        where = components.span("path")
        if where is not None and where[0] == where[1] and components.query is not None:
            yield self.violation("path-missing", "path", where[0])
        yield from super().path_violations(components)
