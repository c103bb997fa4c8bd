"""WSGI and ASGI middleware that lets through only requests for certain hosts."""

from __future__ import annotations

from urlsm.server.errors import RequestError
from urlsm.server.requests import Hosts, from_environ, from_request_target, from_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping
    from typing import Any

    from urlsm.url.value import URL

    _Message = MutableMapping[str, Any]
    _Receive = Callable[[], Awaitable[_Message]]
    _Send = Callable[[_Message], Awaitable[None]]
    _App = Callable[[_Message, _Receive, _Send], Awaitable[None]]
    _WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

__all__ = ["AsgiHosts", "WsgiHosts"]


def _hosts(hosts: Hosts | Iterable[str]) -> Hosts:
    if isinstance(hosts, str | bytes) or not (isinstance(hosts, Hosts) or hasattr(hosts, "__iter__")):
        raise TypeError(f"hosts must be a Hosts object or an iterable of str, not {type(hosts).__name__}")
    return hosts if isinstance(hosts, Hosts) else Hosts(hosts)


class AsgiHosts:
    """ASGI middleware that lets through only requests for accepted hosts.

    It answers other HTTP requests with status 400, and closes other WebSocket connections. It also rejects requests
    with two Host headers, and requests whose target names another host.

    Args:
        app: the application to protect.
        hosts: the accepted hosts: a Hosts object, or its entries.

    Example:
        >>> async def app(scope, receive, send): ...
        >>> urlsm.server.AsgiHosts(app, [".example.com"]).hosts
        Hosts(['.example.com'])

    https://asgi.readthedocs.io/
    """

    __module__ = "urlsm.server"

    app: _App
    hosts: Hosts

    def __init__(self, app: _App, hosts: Hosts | Iterable[str]) -> None:
        self.app, self.hosts = app, _hosts(hosts)

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] in ("http", "websocket"):
            found = [value for name, value in scope["headers"] if name.lower() == b"host"]
            judged = len(found) < 2 and self.hosts.check(found[0] if found else None)
            if not judged or not self._has_target_of(scope, found[0] if found else None):
                if scope["type"] == "websocket":
                    # this refuses a WebSocket that was not accepted yet
                    return await send({"type": "websocket.close", "code": 1008})
                headers = [(b"content-type", b"text/plain"), (b"content-length", b"12")]
                await send({"type": "http.response.start", "status": 400, "headers": headers})
                return await send({"type": "http.response.body", "body": b"Invalid host"})
        await self.app(scope, receive, send)

    def _has_target_of(self, scope: _Message, host: bytes | None) -> bool:
        """Return whether the target names one of the hosts, or no host at all."""
        target = scope.get("raw_path")
        if (target or scope["path"] or "/")[:1] in ("/", b"/"):
            return True
        if not target:  # path was decoded, so only from_scope can tell whether it still names a host
            return _names_one(self.hosts, from_scope, scope)
        scheme = scope.get("scheme") or ("ws" if scope["type"] == "websocket" else "http")
        more = {"host": host, "scheme": scheme, "method": scope.get("method", "GET")}
        return _names_one(self.hosts, from_request_target, target, **more)


class WsgiHosts:
    """WSGI middleware that lets through only requests for accepted hosts.

    It answers other requests with status 400. It also rejects requests with two Host headers, which servers join with a
    comma, and requests whose target names another host.

    Args:
        app: the application to protect.
        hosts: the accepted hosts: a Hosts object, or its entries.

    Example:
        >>> def app(environ, start_response):
        ...     return [b"hello"]
        >>> urlsm.server.WsgiHosts(app, [".example.com"]).hosts
        Hosts(['.example.com'])

    PEP 3333
    """

    __module__ = "urlsm.server"

    app: _WsgiApp
    hosts: Hosts

    def __init__(self, app: _WsgiApp, hosts: Hosts | Iterable[str]) -> None:
        self.app, self.hosts = app, _hosts(hosts)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        target = environ.get("PATH_INFO") or "/"
        if self.hosts.check(environ.get("HTTP_HOST")) and (
            target[0] == "/" or _names_one(self.hosts, from_environ, environ)
        ):
            return self.app(environ, start_response)
        start_response("400 Bad Request", [("Content-Type", "text/plain"), ("Content-Length", "12")])
        return [b"Invalid host"]


def _names_one(hosts: Hosts, asked: Callable[..., URL], *request: Any, **more: Any) -> bool:
    """Return whether the URL of a request has one of these hosts. The host may also come from a target in absolute
    form, or from the target of CONNECT."""
    try:
        return asked(*request, **more, dots="resolve").authority in hosts  # only the host of the authority is judged
    except RequestError:
        return False
