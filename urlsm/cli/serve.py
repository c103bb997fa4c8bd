"""The server that shows pages about URLs in a browser on this machine only. It needs only the standard library."""

from __future__ import annotations

import json
import os
import sys
from html import escape
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from urllib.parse import parse_qs

from urlsm.errors.excerpt import printable
from urlsm.pictures.sheet import STYLE, made, policy
from urlsm.security.comparison import readers_named
from urlsm.security.reader_list import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Server", "list_page", "report"]

_MOST = 100  # at most this many findings of lint are shown


class Server(ThreadingTCPServer):  # not ThreadingHTTPServer, which asks the resolver for the name of this machine
    """A server on 127.0.0.1 that answers GET / and /?url=... with a page, and /api?url=... with JSON.

    With &readers=curl,go, both also show how these programs read the URL.

    It answers GET /list?syntax=...&list=...&url=... with a page for trying out a list of rules.

    It answers only requests whose Host is 127.0.0.1 or localhost, so that another site's page cannot reach it through
    DNS rebinding.
    """

    allow_reuse_address = os.name != "nt"  # on Windows, True would let another program listen on the same port
    daemon_threads = True
    request_queue_size = 1024  # at most this many connections wait to be accepted

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def port(self) -> int:
        port: int = self.server_address[1]
        return port

    @property
    def names(self) -> tuple[str, ...]:
        """Return the Host header values (RFC 9110 section 7.2) that clients may use to address this server."""
        hosts = ("127.0.0.1", "localhost")
        return (*(f"{host}:{self.port}" for host in hosts), *(hosts if self.port == 80 else ()))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print a traceback, unless the client merely disconnected before it received its response."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "urlsm", ""
    timeout = 30  # seconds to wait for a client's request
    server: Server

    def do_GET(self) -> None:
        if [name.lower() for name in self.headers.get_all("Host", [])] not in [[name] for name in self.server.names]:
            self._answer(403, "text/plain", "this server answers only to 127.0.0.1 and localhost\n")
            return
        path, _, query = self.path.partition("?")
        asked = {name: values[0] for name, values in parse_qs(
            query, keep_blank_values=True, errors="surrogateescape").items()}  # fmt: skip
        given = asked.get("url")
        if path in ("/", "/api"):
            try:
                readers = _readers(asked.get("readers", ""))
            except ValueError as error:
                said = f"readers: {error}"
                if path == "/":
                    self._answer(400, "text/html", made(given, True, None, asked["readers"], said))
                else:
                    self._answer(400, "text/plain", printable(said) + "\n")
                return
        if path == "/":
            self._answer(200, "text/html", made(given, True, readers, asked.get("readers", "")))
        elif path == "/list":
            self._answer(
                200, "text/html", list_page(asked.get("list", ""), asked.get("syntax", "domains"), given or "")
            )
        elif path == "/api" and given is not None:
            self._answer(200, "application/json", json.dumps(report(given, readers)))
        else:
            self._answer(404, "text/plain", "not found: use /, /list or /api?url=...\n")

    do_HEAD = do_GET

    def _answer(self, status: int, kind: str, text: str) -> None:
        body = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", policy(form=True) + "; frame-ancestors 'none'")
        for name, value in (
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, for privacy."""


def list_page(text: str, syntax: str, url: str) -> str:
    """Return a page that shows which rules in a list match a URL. It also shows the rule that decides, the invalid
    rules, and the findings of lint."""
    from urlsm.patterns import PatternSet
    from urlsm.patterns.syntax import NAMES

    def shown(text: str) -> str:
        return escape("\n".join(map(printable, text.split("\n"))))

    chosen = "".join(f"<option{' selected' * (name == syntax)}>{name}</option>" for name in NAMES)
    said = []
    if text:
        try:
            patterns = PatternSet(text, syntax, strict=False)
        except (TypeError, ValueError) as error:
            said.append(f"<p class=bad>{shown(str(error))}</p>")
        else:
            if url:
                why = patterns.explain(url)
                kind = "in the list" if why.included else "not in the list"
                said.append(f"<h2>The URL is {kind}</h2><pre>{shown(why.message)}</pre>")
            rows = [
                f"<tr><th>{lint.line}: {lint.code}</th><td><code>{shown(lint.pattern)}</code><br>{shown(lint.message)}"
                f"<br><code>{shown(lint.witness)}</code></td></tr>"
                for lint in patterns.lint()[:_MOST]
            ]
            said.append(f"<h2>Lint</h2><table>{''.join(rows)}</table>" if rows else "<h2>Lint finds nothing</h2>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(form=True)}"><title>A list of rules</title>'
        f"<style>{STYLE}</style><h1>A list of rules</h1>"
        '<form action="/list" method="get"><textarea name="list" aria-label="the list" rows="8" cols="40">\n'
        f'{escape(text)}</textarea><select name="syntax" aria-label="syntax">{chosen}</select>'
        f'<input name="url" aria-label="URL" value="{shown(url)}"><button>Try</button></form>{"".join(said)}</html>'
    )


def _readers(written: str) -> list[str] | None:
    """Return the names of the readers in a text, or None if it is blank. ValueError: there is no such reader."""
    if not written.strip():
        return None
    names = names_in(written)
    return [*readers_named(names)]


def report(text: str, readers: list[str] | None = None) -> dict[str, Any]:
    """Return the content of the page as data: the parser steps, the views, the hazards and the violations of a URL.
    readers: the programs whose views it has instead of those of the dialects, with a hazard where they disagree."""
    from urlsm.components.trace import explain
    from urlsm.meaning.web import validate
    from urlsm.security.comparison import compare_readers
    from urlsm.security.ordinary import audit

    trace, found = explain(text), compare_readers(text, readers=readers)
    return {
        "input": text,
        "href": None if trace.url is None else trace.url.href,
        "error": None if trace.error is None else {"code": trace.error.code, "position": trace.error.position},
        "steps": [step._asdict() for step in trace.steps],
        "agree": found.agree,
        "views": {name: dict(view) for name, view in found.views.items()},
        "hazards": [item._asdict() for item in audit(text, readers=readers)],
        "violations": [item._asdict() for item in validate(text, dialect="whatwg")],
    }
