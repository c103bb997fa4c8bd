"""A server on the loopback addresses that counts who comes, a resolver that answers what a test says, and a record of
what this process connects to."""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import sys
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

# --- what this process connects to ---

_CONNECTS: list[list[tuple[str, int]]] = []
_HELD: list[bool] = []  # whether connections to other than loopback are held back


def _audited(event: str, given: tuple[Any, ...]) -> None:
    if _CONNECTS and event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = given[1]
        if isinstance(address, tuple):  # not of AF_UNIX
            for seen in _CONNECTS:
                seen.append(address[:2])
            if _HELD and not address[0].startswith("127."):
                raise ConnectionRefusedError("held back")


_hooked = False


@contextmanager
def connects(held: bool = False) -> Iterator[list[tuple[str, int]]]:
    """Within this, the list has the address and the port of each connection that any thread of this process tries. If
    held, those to another machine fail before a packet is sent."""
    global _hooked
    if not _hooked:  # an audit hook cannot be removed
        sys.addaudithook(_audited)
        _hooked = True
    seen: list[tuple[str, int]] = []
    _CONNECTS.append(seen)
    _HELD.extend([True] * held)
    try:
        yield seen
    finally:
        if held:
            _HELD.pop()
        _CONNECTS[:] = [other for other in _CONNECTS if other is not seen]


# --- a resolver ---


class Names:
    """What the resolver answers, by name: names["a.example.com"] = ["127.77.0.1"]. Of a list of lists, each call takes
    the next one, and stays at the last. A number is the seconds that it sleeps. A name that is absent is unknown. calls
    counts them."""

    def __init__(self, monkeypatch: Any) -> None:
        self.answers: dict[str, Any] = {}
        self.calls: Counter[str] = Counter()
        self._lock = threading.Lock()
        monkeypatch.setattr(socket, "getaddrinfo", self._getaddrinfo)

    def __setitem__(self, name: str, answers: Any) -> None:
        self.answers[name] = answers

    def _getaddrinfo(self, host, port, family=0, type=0, proto=0, flags=0):
        name = (host.decode() if isinstance(host, bytes) else str(host)).rstrip(".").lower()
        with self._lock:
            found = self.answers.get(name, [name] if name[-1:].isdigit() or ":" in name else None)
            turn = self.calls[name]
            self.calls[name] += 1
        if isinstance(found, (int, float)):
            time.sleep(found)
            found = None
        if found is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        if found and isinstance(found[0], list):
            found = found[min(turn, len(found) - 1)]
        return [
            (socket.AF_INET6, type, 6, "", (text, port or 0, 0, 0))
            if ":" in text
            else (socket.AF_INET, type, 6, "", (text, port or 0))
            for text in found
        ]


# --- a server ---


OPENED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class Seen:
    """A connection's own address (127.0.0.1), or a request's besides: method, target, headers."""

    def __init__(self, address: str, method: str = "", target: str = "", headers: Any = None, via: Any = None) -> None:
        self.address, self.method, self.target, self.headers = address, method, target, headers
        self.via = via  # the target of the CONNECT before


def _own(sock: socket.socket) -> str:
    """Return the address of this end of a connection."""
    address: str = sock.getsockname()[0]
    return address.removeprefix("::ffff:")


class Server:
    """A server of HTTP/1.1 at one port of all loopback addresses, and, with a context, of HTTPS.

    connections lists the address at which each came in; requests the Seen of each; names the SNI of each handshake.
    It may stand for a proxy: tunnel_answer answers CONNECT, and what follows is served as by the origin, of HTTPS with
    the context that tunnel is, or, if that is None, of HTTP. It makes no connection.
    Targets, by path: /ok; /echo (method, headers and content as JSON); /to?url=U&status=302; /loop; /cookie (sets one);
    /asks?status=401&scheme=Digest (or 407, or Basic; until there are credentials); /many (two large chunks);
    /later (503 with a Retry-After of a day); /bomb?coding=gzip (or deflate, twice, members, br), of 16 MiB decoded;
    /large (by Content-Length); /silent (no answer); those of _CUT and _ENDLESS.
    """

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.connections: list[str] = []
        self.requests: list[Seen] = []
        self.names: list[str | None] = []
        self._open: set[socket.socket] = set()
        self._context = context
        self.tunnel: ssl.SSLContext | None = None
        self.tunnel_answer = OPENED
        self.scheme = "http" if context is None else "https"
        if context is not None:
            context.sni_callback = lambda _, name, __: self.names.append(name)
        both = socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if both else socket.AF_INET
        self._listener = socket.create_server(("", 0), family=family, backlog=512, dualstack_ipv6=both)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, path: str = "/ok", host: str = "127.77.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    def leaked(self, allowed: str = "127.77.") -> list[str]:
        """Return the addresses, other than allowed ones, at which a connection came in."""
        return [address for address in self.connections if not address.startswith(allowed)]

    def clear(self) -> None:
        for seen in (self.connections, self.requests, self.names):
            seen.clear()

    def close(self) -> None:
        self._listener.close()
        for each in list(self._open):
            with suppress(OSError, ValueError):
                each.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections.append(_own(sock))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open.add(sock)
            threading.Thread(target=self._handle, args=(sock,), daemon=True).start()

    def _handle(self, sock: socket.socket) -> None:
        with suppress(OSError, ValueError):
            if self._context is not None:
                sock = self._context.wrap_socket(sock, server_side=True)
            _Handler(sock, sock.getsockname(), self)  # type: ignore[arg-type]
        with suppress(OSError, ValueError):
            sock.close()


@lru_cache
def bomb(coding: str, octets: int = 1 << 24) -> tuple[str, bytes]:
    """Return the Content-Encoding and the content of a compressed bomb."""
    zeros = bytes(octets)
    if coding == "gzip":
        return "gzip", gzip.compress(zeros)
    if coding == "deflate":
        return "deflate", zlib.compress(zeros)
    if coding == "twice":
        return "gzip, gzip", gzip.compress(gzip.compress(zeros))
    if coding == "members":
        return "gzip", gzip.compress(bytes(1 << 20)) * (octets >> 20)
    return coding, b"\x1b" * 1000


_OK = b"HTTP/1.1 200 OK\r\n"
_CHUNKED = _OK + b"Transfer-Encoding: chunked\r\n\r\n"
# target: how an answer begins, and what follows without an end; one octet follows slowly
_ENDLESS = {
    "drip": (_OK, b"x"),
    "slow": (_OK + b"\r\n", b"x"),
    "endless": (_OK + b"\r\n", b"x" * (1 << 16)),
    "line": (b"HTTP/1.1 200 ", b"x" * (1 << 16)),
    "headers": (_OK, b"a: b\r\n" * 1000),
    "continues": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "extensions": (_CHUNKED, b"5;" + b"x" * (1 << 16)),
    "chunks": (_CHUNKED, b"1\r\nx\r\n" * 1000),
    "trailers": (_CHUNKED + b"0\r\n", b"a: b\r\n" * 1000),
    "members": (_OK + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"") * 1000),
    "redirect": (b"HTTP/1.1 302 Found\r\nLocation: /redirect\r\n\r\n", b"x" * (1 << 16)),
}


# answers that end too early, or are none
_PNG = _OK + b"Content-Type: image/png\r\n"
_CUT = {
    "broken": _PNG + b"Transfer-Encoding: chunked\r\n\r\n5\r\nfi",
    "short": _PNG + b"Content-Length: 100\r\n\r\nfine",
    "nothing": b"",
    "garbage": b"\x00\xff\r\n\r\n",
    "huge": _CHUNKED + b"fffffffffffffff\r\nfine",
    "larger": _CHUNKED + b"f" * 17 + b"\r\nfine",
    "negative": _CHUNKED + b"-5\r\nfine",
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server  # type: ignore[assignment]

    def log_message(self, *_: Any) -> None:
        pass

    def _answer(self, content: bytes, status: int = 200, **fields: str) -> None:
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:  # as the client asked
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        content = self.rfile.read(length)
        sent = self.requestline.split(" ")[1]  # http.server makes "//" in front one "/"
        self.server.requests.append(
            Seen(_own(self.connection), self.command, sent, dict(self.headers.items()), self.client_address)
        )
        target = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(target.query).items()}
        name = target.path[1:]
        if name == "echo":
            seen = {"method": self.command, "headers": dict(self.headers.items()), "content": content.decode("latin-1")}
            self._answer(json.dumps(seen).encode())
        elif name == "to":
            self._answer(b"moved", int(asked.get("status", 302)), Location=asked["url"])
        elif name == "loop":
            self._answer(b"", 302, Location="/loop")
        elif name == "cookie":
            self._answer(b"", 200, Set_Cookie="secret=cookie; Path=/")
        elif name == "asks":
            kind = "Proxy-Auth" if asked["status"] == "407" else "WWW-Auth"
            field = "Authorization" if kind == "WWW-Auth" else "Proxy-Authorization"
            if field in self.headers:
                self._answer(b"fine")
            else:
                self._answer(
                    b"", int(asked["status"]), **{f"{kind}enticate": f'{asked["scheme"]} realm="r", nonce="n"'}
                )
        elif name == "later":
            self._answer(b"", 503, Retry_After="86400")
        elif name == "bomb":
            coding, content = bomb(asked["coding"])
            self._answer(content, Content_Encoding=coding)
        elif name == "many":
            self.wfile.write(_CHUNKED + b"c350\r\n" + b"x" * 50_000 + b"\r\n" + b"3d090\r\n" + b"x" * 250_000 + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")
        elif name in _CUT:
            self.close_connection = True
            self.wfile.write(_CUT[name])
        elif name in ("silent", "large", *_ENDLESS):
            self.close_connection = True
            self._pour(name)
        else:
            self._answer(b"fine")

    def do_CONNECT(self) -> None:
        server = self.server
        sent = self.requestline.split(" ")[1]
        server.requests.append(Seen(_own(self.connection), self.command, sent, dict(self.headers.items())))
        self.close_connection = True
        self.wfile.write(server.tunnel_answer)
        if server.tunnel_answer is OPENED:
            inner = self.connection
            if server.tunnel is not None:
                inner = server.tunnel.wrap_socket(inner, server_side=True)
            with inner, suppress(OSError, ValueError):
                _Handler(inner, sent, server)  # type: ignore[arg-type]

    do_POST = do_PUT = do_HEAD = do_GET

    def _pour(self, name: str) -> None:
        if name == "large":
            content = b"" if self.command == "HEAD" else b"x" * (1 << 16)
            self.wfile.write(_OK + b"Content-Length: 99999999999\r\n\r\n" + content)
        elif name == "silent":
            time.sleep(5)
        else:
            begin, octets = _ENDLESS[name]
            self.wfile.write(begin)
            end = time.monotonic() + 10
            while time.monotonic() < end:
                self.wfile.write(octets)
                time.sleep(0.05 if len(octets) == 1 else 0)


# --- a test authority ---


class Authority:
    """A certificate authority of its own: server(names) and client() make the contexts. Needs trustme."""

    def __init__(self) -> None:
        import pytest

        self._made = pytest.importorskip("trustme").CA()

    def server(self, *names: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._made.issue_cert(*names).configure_cert(context)
        return context

    def client(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        self._made.configure_trust(context)
        return context
