"""docs/server-recipes.md: its examples, served over loopback, with raw requests; and docs/hostile-requests.md."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import re
import runpy
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from urllib.parse import unquote

import pytest

import urlsm

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "hostile-requests.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", (DOCS / "server-recipes.md").read_text(encoding="utf-8"), flags=re.M)[1:]
EXAMPLES = {text.partition("\n")[0]: "".join(re.findall(r"^```py\n(.*?)^```$", text, re.M | re.S)) for text in SECTIONS}
BY_WSGIREF = """
from wsgiref.simple_server import WSGIRequestHandler, make_server
class Handler(WSGIRequestHandler):
    def log_message(self, *said): pass
server = make_server("127.0.0.1", 0, app, handler_class=Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
BY_UVICORN = """
import socket, uvicorn
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, http=HTTP, log_level="critical", proxy_headers=False)).run(sockets=[listening])
"""
BEFORE_DJANGO = """
import sys
from django.conf import settings
settings.configure(ALLOWED_HOSTS=["example.com", "localhost"], ROOT_URLCONF="__main__", DEBUG_PROPAGATE_EXCEPTIONS=True)
"""
AFTER_DJANGO = """
from django.urls import re_path
urlpatterns = [re_path("^login$", login), re_path("^(?P<path>.*)$", show)]
"""
PROGRAMS = {
    "WSGI": (EXAMPLES["WSGI"] + BY_WSGIREF, ()),
    "Django": (BEFORE_DJANGO + EXAMPLES["Django"] + AFTER_DJANGO + BY_WSGIREF, ("django",)),
    "Starlette, h11": (
        EXAMPLES["Starlette"] + BY_UVICORN.replace("HTTP", "'h11'"),
        ("starlette", "uvicorn", "h11"),
    ),
    "Starlette, httptools": (
        EXAMPLES["Starlette"] + BY_UVICORN.replace("HTTP", "'httptools'"),
        ("starlette", "uvicorn", "httptools"),
    ),
}


@contextlib.contextmanager
def served(name: str) -> Iterator[int]:
    """The port at which an example listens."""
    program, modules = PROGRAMS[name]
    for module in modules:
        pytest.importorskip(module, reason=f"{module} is not installed")
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.strip().isdigit(), "the example did not start"
            yield int(line)
        finally:
            process.kill()


def answer(port: int, *lines: bytes) -> tuple[int, dict[str, str], str]:
    """The status, the fields and the content that a raw request gets."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(b"\r\n".join([*lines, b"Connection: close", b"", b""]))
        octets = b""
        with contextlib.suppress(ConnectionResetError):
            while more := connection.recv(65536):
                octets += more
    head, _, content = octets.partition(b"\r\n\r\n")
    status, *fields = head.decode("latin-1").split("\r\n")
    named = dict(re.findall(r"^([\w-]+): *(.*)$", "\n".join(fields), re.M))
    found = re.match(r"HTTP/1\.[01] (\d{3})", status)
    return (int(found[1]) if found else 400), {k.lower(): v for k, v in named.items()}, content.decode("latin-1")


HOSTILE = [
    (b"GET //evil.example/x HTTP/1.1", b"Host: example.com"),
    (b"GET /\\evil.example HTTP/1.1", b"Host: example.com"),
    (b"GET /x/..//evil.example HTTP/1.1", b"Host: example.com"),
    (b"GET /%2F%2Fevil.example HTTP/1.1", b"Host: example.com"),
    (b"GET http://evil.example/ HTTP/1.1", b"Host: example.com"),
    (b"GET https://example.com/ HTTP/1.1", b"Host: example.com"),
    (b"GET ftp://evil.example/ HTTP/1.1", b"Host: example.com"),
    (b"GET evil.example:80 HTTP/1.1", b"Host: example.com"),
    (b"OPTIONS * HTTP/1.1", b"Host: example.com"),
    (b"CONNECT evil.example:443 HTTP/1.1", b"Host: example.com"),
    (b"GET / HTTP/1.1", b"Host: evil.example"),
    (b"GET / HTTP/1.1", b"Host: example.com@evil.example"),
    (b"GET / HTTP/1.1", b"Host: evil.example/example.com"),
    (b"GET / HTTP/1.1", b"Host: example.com,evil.example"),
    (b"GET / HTTP/1.1", b"Host: example.com", b"Host: evil.example"),
    (b"GET / HTTP/1.1", b"Host: evil.example", b"Host: example.com"),
    (b"GET / HTTP/1.1", b"Host: example.com\0.evil.example"),
    (b"GET / HTTP/1.1", b"Host: example.com\\.evil.example"),
    (b"GET / HTTP/1.1", b"Host: ::1:8000"),
    (b"GET / HTTP/1.1", b"Host:"),
    (b"GET / HTTP/1.1",),
    (b"GET /\xff\xe9 HTTP/1.1", b"Host: example.com"),
    (b"GET / HTTP/1.1", b"Host: example.com", b"Forwarded: host=evil.example;proto=https"),
    (b"GET / HTTP/1.1", b"Host: example.com", b"X-Forwarded-Host: evil.example", b"X-Forwarded-Proto: https"),
    (b"GET /login?next=//evil.example HTTP/1.1", b"Host: example.com"),
    (b"GET /login?next=/%5Cevil.example HTTP/1.1", b"Host: example.com"),
    (b"GET /login?next=https:evil.example HTTP/1.1", b"Host: example.com"),
    (b"GET /login?next=/x%0d%0aSet-Cookie:a HTTP/1.1", b"Host: example.com"),
    (b"GET /login?next=javascript:alert(1) HTTP/1.1", b"Host: example.com"),
]


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_over_loopback(name):
    with served(name) as port:
        status, _, content = answer(port, b"GET /a%20b?c HTTP/1.1", b"Host: example.com")
        assert (status, content) == (200, "http://example.com/a%20b?c")
        status, fields, _ = answer(port, b"GET /login?next=/orders HTTP/1.1", b"Host: example.com")
        assert status in (302, 307) and fields["location"] == "/orders"
        refused = 0
        for lines in HOSTILE:
            status, fields, content = answer(port, *lines)
            if status in (302, 307):
                assert fields["location"] == "/" and "set-cookie" not in fields, lines
            elif status == 200:
                url = urlsm.parse(content)
                assert (url.host, url.scheme, url.port) == ("example.com", "http", None), (lines, content)
            else:
                assert status in (400, 404, 405, 421, 501), lines
                refused += 1
        assert refused >= 12


def test_there_is_a_row_for_each_hostile_request():
    made = runpy.run_path(str(DOCS / "hostile.py"))
    rows = [line.split(" | ")[2] for line in PAGE.partition("<!-- hostile -->")[2].splitlines() if line[:3] == "| `"]
    assert rows == [f"`{request.answer}`" for request in made["REQUESTS"]]


def test_the_table_is_what_the_frameworks_answer_today():
    for module in ("starlette", "werkzeug", "django"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    made = runpy.run_path(str(DOCS / "hostile.py"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = made["table"]()
    if table.splitlines()[0] not in PAGE:
        pytest.skip("other releases than the table's")
    assert table in PAGE, "python docs/hostile.py"


def test_the_recipe_for_paths():
    pytest.importorskip("starlette")
    found: dict = {}
    first, second = re.findall(r"^```py\n(.*?)^```$", next(s for s in SECTIONS if s.startswith("Paths")), re.M | re.S)
    exec(compile(first, "recipe", "exec"), found)
    for raw, status, body in (
        (b"/admin/users", 200, b"/admin"),
        (b"/admin", 200, b"/admin"),
        (b"/docs//x", 200, b"open"),
        (b"/x/..%2fadmin", 400, b"hops-disagree"),
        (b"/administrator", 400, b"hops-disagree"),
    ):
        start, answer = asyncio.run(answered(found["app"], raw))
        assert (start["status"], answer["body"]) == (status, body)
    exec(compile(second, "recipe", "exec"), found)
    app = found["checked"](lambda environ, start_response: [environ["urlsm_path"].rule], "flask")
    assert app({"PATH_INFO": "/admin", "RAW_URI": "/admin"}, print) == ["/admin"]


async def answered(app, raw: bytes) -> list[dict]:
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    path = unquote(raw.decode())
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": raw, "query_string": b"", "headers": []}
    await app(scope, None, send)
    return sent
