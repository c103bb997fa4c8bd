"""A Starlette application under uvicorn, with Starlette's own URL, query and host check, and with ours:
python -m bench.served [ROUNDS]. Requests over one connection in a second of the server's processor time, so that other
programs do not count; the best of the rounds, which take turns.

Eight routes; each request asks for its URL and its query, one in eight is a redirect to `next`.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from time import process_time_ns
from typing import Any

from bench.clocks import load_average, print_head, print_row

ROUTES = ("/", "/items", "/orders", "/users", "/search", "/cart", "/about", "/login")
COUNT = 200


def app(ours: bool) -> Any:
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, RedirectResponse, Response
    from starlette.routing import Route

    import urlsm
    from urlsm.compat.starlette import query_params
    from urlsm.server import AsgiHosts, Hosts

    async def show(request: Request) -> Response:
        if ours:
            url, query = urlsm.URL.from_scope(request.scope), query_params(request.scope["query_string"])
            return PlainTextResponse(f"{url.path} {url.href} {query.get('page')}")
        return PlainTextResponse(f"{request.url.path} {request.url} {request.query_params.get('page')}")

    async def login(request: Request) -> Response:
        if ours:
            target = query_params(request.scope["query_string"]).get("next", "/")
            asked = urlsm.URL.from_scope(request.scope)
            return RedirectResponse(target if urlsm.security.check_redirect(target, base=asked) else "/")
        target = request.query_params.get("next", "/")
        return RedirectResponse(target if request.url.replace(path=target).netloc == request.url.netloc else "/")

    async def clock(request: Request) -> Response:
        return PlainTextResponse(str(process_time_ns()))

    routes = [Route("/clock", clock)]
    routes += [Route(path, login if path == "/login" else show) for path in ROUTES]
    hosts = ["example.com", "*.example.org"]
    if ours:
        return AsgiHosts(Starlette(routes=routes), Hosts(hosts, flavor="starlette"))
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts)])


def serve(ours: bool) -> None:
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app(ours), log_level="critical", access_log=False, proxy_headers=False)
    uvicorn.Server(config).run(sockets=[listening])


def is_whole(octets: bytes) -> bool:
    """Return whether these are all octets of a response."""
    head, end, content = octets.partition(b"\r\n\r\n")
    return bool(end) and len(content) == int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])


def asked(connection: socket.socket, request: bytes) -> bytes:
    """Return the response to a request."""
    connection.sendall(request)
    octets = connection.recv(65536)
    while not is_whole(octets):
        octets += connection.recv(65536)
    if not octets.startswith((b"HTTP/1.1 200", b"HTTP/1.1 307")):
        raise SystemExit(octets.decode())
    return octets


def rate(port: int) -> float:
    """Return the requests of one connection in a second of the server's processor time."""
    clock = b"GET /clock HTTP/1.1\r\nHost: example.com\r\n\r\n"
    query = "next=/orders&page=2&sort=price%20asc&color=red"
    requests = [f"GET {path}?{query} HTTP/1.1\r\nHost: example.com\r\n\r\n".encode() for path in ROUTES]
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        start = int(asked(connection, clock).rpartition(b"\r\n")[2])
        for k in range(COUNT):
            asked(connection, requests[k % len(requests)])
        return COUNT / (int(asked(connection, clock).rpartition(b"\r\n")[2]) - start) * 1e9


def main(rounds: int = 15) -> None:
    command = [sys.executable, "-m", "bench.served"]
    servers = {
        name: subprocess.Popen([*command, f"--{name}"], stdout=subprocess.PIPE, text=True)
        for name in ("Starlette", "urlsm")
    }
    try:
        ports = {name: int(server.stdout.readline()) for name, server in servers.items() if server.stdout}
        best = dict.fromkeys(ports, 0.0)
        for turn in range(rounds):
            for name in sorted(ports, reverse=turn % 2 == 0):
                best[name] = max(best[name], rate(ports[name]))
    finally:
        for server in servers.values():
            server.kill()
    print(f"load {load_average()}; {COUNT} requests a round, best of {rounds}")
    print_head("with", "requests a second of processor time")
    for name, found in best.items():
        print_row(name, f"{found:,.0f}")


if __name__ == "__main__":
    if sys.argv[1:] in (["--Starlette"], ["--urlsm"]):
        serve(sys.argv[1] == "--urlsm")
    else:
        main(*map(int, sys.argv[1:2]))
