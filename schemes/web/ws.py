"""ws and wss: the WebSocket Protocol (RFC 6455 section 3)."""

from __future__ import annotations

from urlsm.components.parts import Parts, segments, server
from urlsm.components.value import Components
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Ws", "WsParts", "Wss"]


class WsParts(Parts):
    """A WebSocket endpoint.

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        path: the path as written
        segments: the segments of the path, decoded
        query: the query as written; None if absent
        resource_name: the resource that the handshake requests: the path ("/" if empty) and the query
        secure: whether the connection uses TLS

    Example:
        >>> import urlsm
        >>> urlsm.parts("wss://example.org/chat?room=1", "wss").resource_name
        '/chat?room=1'
    """

    host: str | None = None
    port: int | None = None
    path: str = ""
    segments: tuple[str, ...] = ()
    query: str | None = None
    resource_name: str = "/"
    secure: bool = False


class Ws(Scheme[WsParts]):
    """ws-URI = "ws:" "//" host [ ":" port ] path [ "?" query ]"""

    names: ClassVar[tuple[str, ...]] = ("ws",)
    title = "WebSocket"
    reference = "RFC 6455 section 3"
    example = "ws://example.org:8080/chat?room=1"
    default_port: ClassVar[int | None] = 80
    special = True
    authority = "required"
    host = "required"
    userinfo = "forbidden"
    fragment = "forbidden"  # "MUST NOT be used on these URIs"
    empty_path_is_root = True
    secure: ClassVar[bool] = False

    def read_parts(self, components: Components) -> WsParts:
        _, _, host, port = server(components)
        path = components.path or ""
        resource_name = (path or "/") + ("?" + components.query if components.query else "")
        return WsParts(host, port, path, segments(path), components.query, resource_name, self.secure)

    def write_parts(self, parts: Any) -> str:
        if parts.path is None and parts.segments is None and parts.query is None:
            return self.composed_authority(host=parts.host, port=parts.port) + (parts.resource_name or "")
        return super().write_parts(parts)


class Wss(Ws):
    names: ClassVar[tuple[str, ...]] = ("wss",)
    title = "WebSocket over TLS"
    example = "wss://example.org/chat?room=1"
    default_port: ClassVar[int | None] = 443
    secure = True
