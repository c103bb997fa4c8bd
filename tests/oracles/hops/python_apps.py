"""The applications that the Python servers run: python_servers.py names them as oracles.hops.python_apps:NAME.

Each answers with a letter, the path that its router compares, and after RAW the raw target, if the server gives one.
"R" says that a route for /admin itself took the request, "A" one for what is below it, "O" neither.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from importlib.util import find_spec
from typing import Any

RAW = b"\0raw\0"
Scope = MutableMapping[str, Any]
Send = Callable[[Scope], Awaitable[None]]
StartResponse = Callable[[str, list[tuple[str, str]]], Any]


def octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def letter(path: str) -> str:
    return "R" if path == "/admin" else "A" if path.startswith("/admin/") else "O"


# --- servers ---


async def asgi(scope: Scope, receive: Any, send: Send) -> None:
    if scope["type"] != "http":
        return
    raw = scope.get("raw_path")
    body = octets(letter(scope["path"]) + scope["path"]) + (RAW + raw if raw is not None else b"")
    await answer(send, body)


async def answer(send: Send, body: bytes) -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def wsgi(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    body = (letter(path) + path).encode("latin-1")
    for name in ("RAW_URI", "REQUEST_URI"):
        if name in environ:
            body += RAW + environ[name].encode("latin-1")
            break
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


# --- frameworks ---


class Says:
    """An ASGI application that answers with a letter and the path."""

    __name__ = "says"

    def __init__(self, kind: str) -> None:
        self.kind = kind

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        await answer(send, octets(self.kind + scope["path"]))


def starlette() -> Any:
    from starlette.routing import Mount, Route, Router

    routes = [Route("/admin", Says("R")), Mount("/admin", Says("A"))]
    return Router(routes, redirect_slashes=False, default=Says("O"))  # else "/admin\n/" is redirected to "/admin\n"


def fastapi() -> Any:
    from fastapi import FastAPI, Request, Response

    app = FastAPI(openapi_url=None, redirect_slashes=False)

    def says(kind: str) -> Any:
        async def endpoint(request: Request) -> Response:
            return Response(octets(kind + request.scope["path"]))

        endpoint.__annotations__["request"] = Request  # FastAPI cannot find the name of a function's import
        return endpoint

    app.add_api_route("/admin", says("R"))
    app.add_api_route("/admin/{below:path}", says("A"))

    app.router.default = Says("O")
    return app


def django() -> Any:
    from django import setup
    from django.conf import settings
    from django.core.asgi import get_asgi_application
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpResponse
    from django.urls import include, path, re_path

    def says(kind: str) -> Any:
        return lambda request, *rest, **named: HttpResponse(octets(kind + request.path_info))

    urls = (path("admin", says("R")), path("admin/", include([re_path("", says("A"))])), re_path("", says("O")))
    settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=urls, MIDDLEWARE=[], SECRET_KEY="-", LOGGING_CONFIG=None)
    setup()
    return get_asgi_application(), get_wsgi_application()


def flask() -> Any:
    from flask import Flask, Response
    from flask.globals import request_ctx

    app = Flask("app", static_folder=None)
    app.url_map.merge_slashes = False  # else it redirects to a path that a rule fits, without "//"; that is no match

    def says(kind: str) -> Any:
        def view(*rest: Any, **named: Any) -> Response:
            adapter = request_ctx.url_adapter
            path_info = adapter.path_info if adapter else ""
            # MapAdapter.match() compares this text
            return Response(octets(kind + (f"/{path_info.lstrip('/')}" if path_info else "")))

        return view

    app.add_url_rule("/admin", "route", says("R"))
    app.add_url_rule("/admin/<path:below>", "below", says("A"))
    app.register_error_handler(404, says("O"))
    return app


def bottle() -> Any:
    from bottle import Bottle, request

    app = Bottle()

    def says(kind: str) -> Any:
        return lambda *rest, **named: octets(kind + (request.environ["PATH_INFO"] or "/"))

    def other(error: Any) -> bytes:
        from bottle import response

        response.status = 200
        return octets("O" + (request.environ["PATH_INFO"] or "/"))

    app.route("/admin", "GET", says("R"))
    app.route("/admin/<below:path>", "GET", says("A"))
    app.error(404)(other)
    return app


def aiohttp() -> Any:
    from aiohttp import web

    def says(kind: str) -> Any:
        async def handler(request: web.Request) -> web.Response:
            return web.Response(body=octets(kind + request.rel_url.path_safe))

        return handler

    @web.middleware
    async def other(request: web.Request, handler: Any) -> Any:
        try:
            return await handler(request)
        except web.HTTPNotFound:
            return await says("O")(request)

    app = web.Application(middlewares=[other])
    app.router.add_get("/admin", says("R"))
    app.router.add_get("/admin/{below:.*}", says("A"))
    return app


def made(package: str, make: Callable[[], Any]) -> Any:
    return make() if find_spec(package) else None


starlette_app = made("starlette", starlette)
fastapi_app = made("fastapi", fastapi)
flask_app = made("flask", flask)
bottle_app = made("bottle", bottle)
django_asgi_app, django_wsgi_app = made("django", django) or (None, None)

if __name__ == "__main__":  # aiohttp's own server: its port
    import asyncio
    import sys

    from aiohttp.web import run_app

    asyncio.set_event_loop(asyncio.new_event_loop())
    run_app(aiohttp(), host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
