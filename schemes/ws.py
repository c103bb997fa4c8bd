"""ws and wss: the WebSocket Protocol (RFC 6455 section 3)."""

from __future__ import annotations

from typing import Any, ClassVar

from urlsm.components import Components
from urlsm.schemes.base import Scheme
from urlsm.values import Parts, segments, server

__all__ = ["Ws", "WsParts", "Wss"]


class WsParts(Parts):
    """host is decoded, in lower case, without brackets; port an int where written; path and query are as written,
    segments the path's, decoded. resource_name is what the handshake asks for: the path or "/", and the query if it is
    not empty. secure: over TLS."""

    host: str | None = None
    port: int | None = None
    path: str = ""
    segments: tuple[str, ...] = ()
    query: str | None = None
    resource_name: str = "/"
    secure: bool = False


class Ws(Scheme):
    """ws-URI = "ws:" "//" host [ ":" port ] path [ "?" query ]"""

    names = ("ws",)
    title = "WebSocket"
    reference = "RFC 6455 section 3"
    example = "ws://example.org:8080/chat?room=1"
    default_port = 80
    special = True
    authority = "required"
    host = "required"
    userinfo = "forbidden"
    fragment = "forbidden"  # "MUST NOT be used on these URIs"
    empty_path_is_root = True
    parts_type = WsParts
    secure: ClassVar[bool] = False

    def refine(self, c: Components) -> WsParts:
        _, _, host, port = server(c)
        path = c.path or ""
        resource_name = (path or "/") + ("?" + c.query if c.query else "")
        return WsParts(host, port, path, segments(path), c.query, resource_name, self.secure)

    def compose(self, p: Any) -> str:
        p.username = p.password = None  # which composed_authority writes, and WsParts lacks
        if p.path is None and p.segments is None and p.query is None:
            return self.composed_authority(p) + (p.resource_name or "")
        return super().compose(p)


class Wss(Ws):
    names = ("wss",)
    title = "WebSocket over TLS"
    example = "wss://example.org/chat?room=1"
    default_port = 443
    secure = True
