"""WSGI and ASGI middleware that lets through only requests whose path all programs see alike."""

from __future__ import annotations

import logging

from urlsm.server.paths import Paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping
    from typing import Any

    from urlsm.server.path_verdict import PathVerdict

    _Message = MutableMapping[str, Any]
    _Receive = Callable[[], Awaitable[_Message]]
    _Send = Callable[[_Message], Awaitable[None]]
    _App = Callable[[_Message, _Receive, _Send], Awaitable[None]]
    _WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

__all__ = ["AsgiPaths", "WsgiPaths"]

_LOG = logging.getLogger("urlsm.server")


def _paths(paths: Paths) -> Paths:
    if not isinstance(paths, Paths):
        raise TypeError(f"paths must be a Paths object, not {type(paths).__name__}")
    return paths


def _body(verdict: PathVerdict) -> bytes:
    """Log a refusal, and return what the client is told: its code. Neither quotes the target, which may be secret."""
    _LOG.warning("request refused: %s: %s", verdict.codes[0], verdict.message)
    return verdict.codes[0].encode()


class AsgiPaths:
    """ASGI middleware that lets through only requests whose path is seen alike by all programs on the way.

    It answers other HTTP requests with status 400 and the code of the refusal, closes other WebSocket connections, and
    logs a warning. The verdict on a request that it lets through is `scope["urlsm_path"]`: it is up to the application
    to ask for what its `protected` demands.

    Args:
        app: the application.
        paths: the rules, and the programs on the way.

    Example:
        >>> async def app(scope, receive, send):
        ...     is_protected = scope["urlsm_path"].protected
        >>> paths = urlsm.server.Paths(protected=["/admin"], hops=["nginx", "uvicorn", "starlette"], at="uvicorn")
        >>> urlsm.server.AsgiPaths(app, paths).paths.protected
        ('/admin',)

    https://asgi.readthedocs.io/
    """

    __module__ = "urlsm.server"

    app: _App
    paths: Paths

    def __init__(self, app: _App, paths: Paths) -> None:
        self.app, self.paths = app, _paths(paths)

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] in ("http", "websocket"):
            verdict = self.paths.check(scope)
            if not verdict:
                body = _body(verdict)
                if scope["type"] == "websocket":
                    # this refuses a WebSocket that was not accepted yet
                    return await send({"type": "websocket.close", "code": 1008})
                headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(body))]
                await send({"type": "http.response.start", "status": 400, "headers": headers})
                return await send({"type": "http.response.body", "body": body})
            scope = {**scope, "urlsm_path": verdict}
        await self.app(scope, receive, send)


class WsgiPaths:
    """WSGI middleware that lets through only requests whose path is seen alike by all programs on the way.

    It answers other requests with status 400 and the code of the refusal, and logs a warning. The verdict on a request
    that it lets through is `environ["urlsm_path"]`: it is up to the application to ask for what its `protected`
    demands.

    Args:
        app: the application.
        paths: the rules, and the programs on the way.

    Example:
        >>> def app(environ, start_response):
        ...     is_protected = environ["urlsm_path"].protected
        ...     return [b"hello"]
        >>> paths = urlsm.server.Paths(protected=["/admin"], hops=["nginx", "gunicorn", "flask"], at="gunicorn")
        >>> urlsm.server.WsgiPaths(app, paths).paths.protected
        ('/admin',)

    PEP 3333
    """

    __module__ = "urlsm.server"

    app: _WsgiApp
    paths: Paths

    def __init__(self, app: _WsgiApp, paths: Paths) -> None:
        self.app, self.paths = app, _paths(paths)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        verdict = self.paths.check(environ)
        if verdict:
            environ["urlsm_path"] = verdict
            return self.app(environ, start_response)
        body = _body(verdict)
        start_response("400 Bad Request", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
        return [body]
