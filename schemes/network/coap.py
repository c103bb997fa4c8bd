"""coap and coaps: the Constrained Application Protocol (RFC 7252 section 6), also over TCP (RFC 8323 section 8)."""

from __future__ import annotations

from ipaddress import ip_address

from urlsm.components.parts import Parts, decode, segments, server
from urlsm.components.value import Components
from urlsm.octets.text import utf8
from urlsm.schemes.characters import PCHAR, QUERY, normal_escapes
from urlsm.schemes.fields import Parameters
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Coap", "CoapParts", "Coaps", "over"]

URI_HOST, URI_PATH, URI_QUERY = 3, 11, 15  # option numbers (RFC 7252 section 5.10)
ARGUMENT = QUERY - "&"


class CoapParts(Parts):
    """A resource on a small device (CoAP).

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        path: the path as written
        uri_path: the values of the Uri-Path options, decoded; () for "" and "/"
        uri_query: the values of the Uri-Query options, decoded

    Example:
        >>> import urlsm
        >>> urlsm.parts("coap://sensor.example/temperature?unit=C", "coap").uri_path
        ('temperature',)
    """

    host: str | None = None
    port: int | None = None
    path: str = ""
    uri_path: tuple[str, ...] = ()
    uri_query: tuple[str, ...] = ()

    def options(self) -> list[tuple[int, bytes]]:
        """Return the options of a request to this host and port, as (number, value) pairs.

        The options are Uri-Host (if the host is a name), Uri-Path and Uri-Query (RFC 7252 section 6.4).

        Example:
            >>> import urlsm
            >>> urlsm.parts("coap://192.0.2.1/temperature", "coap").options()
            [(11, b'temperature')]
        """
        found = []
        if self.host is not None and not _is_address(self.host):
            found.append((URI_HOST, utf8(self.host)))
        found += [(URI_PATH, utf8(value)) for value in self.uri_path]
        return found + [(URI_QUERY, utf8(value)) for value in self.uri_query]


class Coap(Scheme[CoapParts]):
    """coap-URI = "coap:" "//" host [ ":" port ] path-abempty [ "?" query ]"""

    names: ClassVar[tuple[str, ...]] = ("coap",)
    title = "Constrained application"
    reference = "RFC 7252 section 6.1"
    example = "coap://sensor.example.org:61616/temperature/outside?unit=C&since=%2610"
    default_port: ClassVar[int | None] = 5683
    authority = "required"
    host = "required"
    userinfo = "forbidden"
    fragment = "forbidden"
    empty_path_is_root = True
    query_fields: ClassVar[Parameters | None] = Parameters(named=False)
    joined: ClassVar[tuple[str, ...]] = ("/{uri_path}",)

    def read_parts(self, components: Components) -> CoapParts:
        _, _, host, port = server(components)
        path = components.path or ""
        # a path that is "empty or [...] a single slash character" gives no Uri-Path
        uri_path = () if path in ("", "/") else segments(path)
        uri_query = (
            () if components.query is None else tuple([decode(argument) for argument in components.query.split("&")])
        )
        return CoapParts(host, port, path, uri_path, uri_query)

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 7252 section 6.3, and decode needless escapes. Only options are sent, and they
        "completely resolve any percent-encoding" (6.4)."""
        n = super().normalize(components)
        query = None if n.query is None else normal_escapes(n.query, ARGUMENT)
        return n.replace(path=normal_escapes(n.path or "", PCHAR), query=query)

    def write_parts(self, parts: Any) -> str:
        """Return the URL as RFC 7252 section 6.5 composes it. Raise ValueError if a Uri-Path is "." or "..", which it
        "MUST NOT" be (section 5.10.1)."""
        values = parts.uri_path or () if parts.path is None else ()
        if "." in values or ".." in values:
            raise ValueError("uri_path cannot contain '.' or '..'")
        written = self.composed_authority(host=parts.host, port=parts.port) + (parts.path or "")
        written += "".join(["/" + PCHAR.encode(value) for value in values])
        query = "&".join([ARGUMENT.encode(value) for value in parts.uri_query or ()])
        return written + ("?" + query if parts.uri_query else "")


class Coaps(Coap):
    names: ClassVar[tuple[str, ...]] = ("coaps",)
    title = "Constrained application over DTLS"
    reference = "RFC 7252 section 6.2"
    example = "coaps://sensor.example.org/temperature/outside?unit=C&since=%2610"
    default_port: ClassVar[int | None] = 5684


# for each scheme: section of RFC 8323, default port, title
_OVER = {
    "coap+tcp": ("8.1", 5683, "Constrained application over TCP"),
    "coaps+tcp": ("8.2", 5684, "Constrained application over TLS"),
    "coap+ws": ("8.3", 80, "Constrained application over WebSocket"),
    "coaps+ws": ("8.4", 443, "Constrained application over secure WebSocket"),
}


def over(name: str) -> Coap:
    """Return the handler for a scheme in _OVER. It is like the handler for coap, because the options are the same."""
    section, port, title = _OVER[name]
    traits = {
        "names": (name,),
        "title": title,
        "reference": f"RFC 8323 section {section}",
        "example": f"{name}://sensor.example.org/temperature/outside?unit=C&since=%2610",
        "default_port": port,
    }
    found: Coap = type("CoapOver", (Coap,), traits)()
    return found


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
