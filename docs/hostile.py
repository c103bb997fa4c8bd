"""Sixty hostile requests, and what four readers answer to each: urlsm, Starlette, werkzeug and Django.

python docs/hostile.py            writes the table of hostile-requests.md
python docs/hostile.py --check    exits with 1 if it is out of date
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, unquote_to_bytes

import urlsm

SERVER = "example.com"  # which listens on port 80, without TLS


class Request(NamedTuple):
    """A request, and urlsm's answer to it: a URL, or the code of the refusal."""

    target: str
    hosts: tuple[str, ...]
    answer: str
    method: str = "GET"


def _request(target: str, host: str | tuple[str, ...], answer: str, method: str = "GET") -> Request:
    return Request(target, host if isinstance(host, tuple) else (host,), answer, method)


REQUESTS = [
    # a target that looks like a reference to another host
    _request("//evil.example/x", SERVER, "http://example.com//evil.example/x"),
    _request("///evil.example", SERVER, "http://example.com///evil.example"),
    _request("/\\evil.example", SERVER, "character-not-allowed"),
    _request("/a\\..\\b", SERVER, "character-not-allowed"),
    _request("/x/..//evil.example", SERVER, "dot-segments"),
    _request("/.//evil.example", SERVER, "dot-segments"),
    _request("//evil.example:80@x/", SERVER, "http://example.com//evil.example:80@x/"),
    _request("/@evil.example", SERVER, "http://example.com/@evil.example"),
    _request("/:80@evil.example/", SERVER, "http://example.com/:80@evil.example/"),
    _request("/%2F/evil.example", SERVER, "http://example.com/%2F/evil.example"),
    _request("/%5Cevil.example", SERVER, "http://example.com/%5Cevil.example"),
    _request("/a?//evil.example", SERVER, "http://example.com/a?//evil.example"),
    # characters that readers treat in different ways
    _request("/a b", SERVER, "character-not-allowed"),
    _request("/a\tb", SERVER, "character-not-allowed"),
    _request("/a\0b", SERVER, "character-not-allowed"),
    _request("/a\x7fb", SERVER, "character-not-allowed"),
    _request("/a#@evil.example", SERVER, "character-not-allowed"),
    _request("/a?b#c", SERVER, "character-not-allowed"),
    _request("/a%3Fb%23c", SERVER, "http://example.com/a%3Fb%23c"),
    _request("/a%00b", SERVER, "http://example.com/a%00b"),
    _request("/%0d%0aSet-Cookie:x", SERVER, "http://example.com/%0d%0aSet-Cookie:x"),
    _request("/caf\u00e9", SERVER, "http://example.com/caf%C3%A9"),
    # forms that the method does not have
    _request("*", SERVER, "target-form-invalid"),
    _request("*", SERVER, "http://example.com/", "OPTIONS"),
    _request("evil.example:443", SERVER, "target-form-invalid"),
    _request("example.com:80", SERVER, "http://example.com/", "CONNECT"),
    _request("/", SERVER, "host-invalid", "CONNECT"),
    _request("example.com", SERVER, "port-invalid", "CONNECT"),
    _request("evil.example", SERVER, "target-form-invalid"),
    _request("@evil.example", SERVER, "target-form-invalid"),
    # the absolute form
    _request("http://other.example/x", SERVER, "http://other.example/x"),
    _request("HTTP://OTHER.example?x", SERVER, "http://other.example/?x"),
    _request("https://example.com/", SERVER, "scheme-misdirected"),
    _request("ftp://example.com/", SERVER, "scheme-invalid"),
    _request("file:///etc/passwd", SERVER, "scheme-invalid"),
    _request("http:example.com", SERVER, "target-form-invalid"),
    _request("http:///evil.example", SERVER, "host-missing"),
    _request("http://example.com@evil.example/", SERVER, "userinfo-not-allowed"),
    _request("http://example.com\\@evil.example/", SERVER, "character-not-allowed"),
    _request("http://evil.example#@example.com/", SERVER, "character-not-allowed"),
    # the Host field
    _request("/", "example.com@evil.example", "userinfo-not-allowed"),
    _request("/", "example.com:80@evil.example", "userinfo-not-allowed"),
    _request("/", ("example.com", "evil.example"), "host-repeated"),
    _request("/", "example.com,evil.example", "host-invalid"),
    _request("/", "evil.example/example.com", "host-invalid"),
    _request("/", "evil.example?example.com", "host-invalid"),
    _request("/", "evil.example#example.com", "host-invalid"),
    _request("/", "evil.example\\example.com", "host-invalid"),
    _request("/", "example.com\0evil.example", "host-invalid"),
    _request("/", "example.com evil.example", "host-invalid"),
    _request("/", "example%2ecom", "host-invalid"),
    _request("/", "ex\u00e4mple.com", "host-invalid"),
    _request("/", "", "host-missing"),
    _request("/", (), "host-missing"),
    _request("/", "::1:8000", "ip-literal-invalid"),
    _request("/", "[::1%25eth0]", "ip-literal-invalid"),
    _request("/", "127.1", "ipv4-invalid"),
    _request("/", "example.com:99999", "port-invalid"),
    _request("/", "example.com:8o", "port-invalid"),
    _request("/", "EXAMPLE.com.:0080", "http://example.com./"),
]


def scope_of(request: Request, **more: Any) -> dict[str, Any]:
    """Return the scope of an ASGI server that passes on what it has read."""
    path, _, query = request.target.encode().partition(b"?")
    headers = [(b"host", host.encode("latin-1")) for host in request.hosts]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(path.decode("utf-8", "replace")),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": [*headers, *more.pop("headers", ())],
        "client": ("192.0.2.1", 1234),
        "server": (SERVER, 80),
        **more,
    }


def environ_of(request: Request, **more: Any) -> dict[str, Any]:
    """Return the environ of a WSGI server that passes on what it has read, two Hosts joined by a comma."""
    path, _, query = request.target.encode().partition(b"?")
    found: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "SERVER_NAME": SERVER,
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
    }
    if request.hosts:
        found["HTTP_HOST"] = ",".join(request.hosts)
    return {**found, **more}


def _by_urlsm(request: Request) -> str:
    return urlsm.URL.from_scope(scope_of(request)).href


def _by_starlette(request: Request) -> str:
    from starlette.requests import Request as Theirs

    return str(Theirs(scope_of(request)).url)


def _by_werkzeug(request: Request) -> str:
    from werkzeug.wrappers import Request as Theirs

    return Theirs(environ_of(request)).url


def _by_django(request: Request) -> str:
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIRequest
    from django.test import override_settings

    if not settings.configured:
        settings.configure()
    with override_settings(ALLOWED_HOSTS=["*"]):
        return WSGIRequest(environ_of(request)).build_absolute_uri()


READERS: dict[str, Callable[[Request], str]] = {
    "urlsm": _by_urlsm,
    "Starlette": _by_starlette,
    "werkzeug": _by_werkzeug,
    "Django": _by_django,
}


def answer(reader: str, request: Request) -> str:
    """Return the URL that a reader finds, or its refusal."""
    try:
        return READERS[reader](request)
    except urlsm.server.RequestError as error:
        return error.code
    except Exception as error:
        return type(error).__name__


def _cell(text: str) -> str:
    shown = text.encode("ascii", "backslashreplace").decode() if not text.isprintable() else text
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in shown)
    return f"`{shown}`".replace("|", "\\|") if shown else ""


def table() -> str:
    """Return the table, with the host that each reader finds in bold if it is another than the server's."""
    names = {"Starlette": "starlette", "werkzeug": "werkzeug", "Django": "django"}
    heads = ["urlsm", *(f"{name} {version(package)}" for name, package in names.items())]
    lines = [f"| target | Host | {' | '.join(heads)} |", f"|---|---|{'---|' * len(heads)}"]
    for request in REQUESTS:
        target = request.target if request.method == "GET" else f"{request.method} {request.target}"
        cells = [_cell(target), " and ".join(map(_cell, request.hosts)) or "none"]
        lines.append("| " + " | ".join([*cells, *(_cell(answer(name, request)) for name in READERS)]) + " |")
    return "\n".join(lines) + "\n"


PAGE = Path(__file__).resolve().with_name("hostile-requests.md")
MADE = re.compile(r"(<!-- hostile -->\n).*?(<!-- end -->)", re.DOTALL)


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8")
    new = MADE.sub(lambda found: found[1] + "\n" + table() + "\n" + found[2], old)
    if "--check" in sys.argv:
        sys.exit(old != new)
    PAGE.write_text(new, encoding="utf-8")
