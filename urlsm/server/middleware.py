"""Hosts in front of an application: a request for another host gets status 400, and does not reach it."""

from __future__ import annotations

from urlsm.server.requests import Hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping
    from typing import Any

    _Message = MutableMapping[str, Any]
    _Receive = Callable[[], Awaitable[_Message]]
    _Send = Callable[[_Message], Awaitable[None]]
    _App = Callable[[_Message, _Receive, _Send], Awaitable[None]]
    _WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

__all__ = ["AsgiHosts", "WsgiHosts"]


class AsgiHosts:
    """An ASGI application that lets only requests for these hosts through to another one.

    hosts: a Hosts, or its entries. A refused request gets status 400, a refused WebSocket is closed. So is a request
    with two Hosts. https://asgi.readthedocs.io/
    """

    app: _App
    hosts: Hosts

    def __init__(self, app: _App, hosts: Hosts | Iterable[str]) -> None:
        self.app, self.hosts = app, hosts if isinstance(hosts, Hosts) else Hosts(hosts)

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] in ("http", "websocket"):
            found = [value for name, value in scope["headers"] if name.lower() == b"host"]
            if len(found) > 1 or not self.hosts.check(found[0] if found else None):
                if scope["type"] == "websocket":
                    return await send({"type": "websocket.close", "code": 1008})  # refused before it is accepted
                headers = [(b"content-type", b"text/plain"), (b"content-length", b"12")]
                await send({"type": "http.response.start", "status": 400, "headers": headers})
                return await send({"type": "http.response.body", "body": b"Invalid host"})
        await self.app(scope, receive, send)


class WsgiHosts:
    """A WSGI application that lets only requests for these hosts through to another one.

    hosts: a Hosts, or its entries. A refused request gets status 400. So does one with two Hosts, which a server joins
    by a comma. PEP 3333.
    """

    app: _WsgiApp
    hosts: Hosts

    def __init__(self, app: _WsgiApp, hosts: Hosts | Iterable[str]) -> None:
        self.app, self.hosts = app, hosts if isinstance(hosts, Hosts) else Hosts(hosts)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if self.hosts.check(environ.get("HTTP_HOST")):
            return self.app(environ, start_response)
        start_response("400 Bad Request", [("Content-Type", "text/plain"), ("Content-Length", "12")])
        return [b"Invalid host"]
