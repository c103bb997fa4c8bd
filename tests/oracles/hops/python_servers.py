"""Python's servers, and the routers behind them.

A server has no rules: python_apps.py answers with the path of the scope, or PATH_INFO. The option "server" of a router
says which server it ran behind, for that one decodes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from oracles.hops.programs import TESTS, Begun, Listener, Program, distribution
from oracles.hops.sockets import free_ports

APPS = "oracles.hops.python_apps"


def uvicorn(app: str, port: int, http: str = "httptools") -> list[str]:
    quiet = ["--log-level", "critical", "--no-access-log", "--lifespan", "off", "--timeout-keep-alive", "600"]
    return ["-m", "uvicorn", f"{APPS}:{app}", "--host", "127.0.0.1", "--port", str(port), "--http", http, *quiet]


def hypercorn(app: str, port: int) -> list[str]:
    return ["-m", "hypercorn", f"{APPS}:{app}", "--bind", f"127.0.0.1:{port}", "--keep-alive", "600",
            "--log-level", "critical"]  # fmt: skip


def gunicorn(app: str, port: int) -> list[str]:
    many = ["--worker-class", "gthread", "--threads", "4", "--keep-alive", "600", "--log-level", "critical"]
    return ["-m", "gunicorn", f"{APPS}:{app}", "--bind", f"127.0.0.1:{port}", *many]


def daphne(app: str, port: int) -> list[str]:
    return ["-m", "daphne", "-b", "127.0.0.1", "-p", str(port), "-v", "0", f"{APPS}:{app}"]


def waitress(app: str, port: int) -> list[str]:
    return ["-m", "waitress", f"--listen=127.0.0.1:{port}", "--threads=4", f"{APPS}:{app}"]


def aiohttp(app: str, port: int) -> list[str]:
    return ["-m", APPS, str(port)]


Command = Callable[[str, int], list[str]]
Row = tuple[str, dict[str, Any], Command, str]  # program, options, the command of its server, application

h11 = partial(uvicorn, http="h11")
ASGI: dict[str, Command] = {"uvicorn": uvicorn, "uvicorn-h11": h11, "hypercorn": hypercorn, "daphne": daphne}
WSGI: dict[str, Command] = {"gunicorn": gunicorn, "waitress": waitress}
ROWS: list[Row] = [
    ("uvicorn", {}, uvicorn, "asgi"),
    ("uvicorn", {"http": "h11"}, h11, "asgi"),
    ("hypercorn", {}, hypercorn, "asgi"),
    ("daphne", {}, daphne, "asgi"),
    ("gunicorn", {}, gunicorn, "wsgi"),
    ("waitress", {}, waitress, "wsgi"),
    *[
        (name, {"server": server}, command, f"{name}_{kind}app")
        for servers, kind, names in (
            (ASGI, "", ("starlette", "fastapi")),
            (ASGI, "asgi_", ("django",)),
            (WSGI, "wsgi_", ("django",)),
            (WSGI, "", ("flask", "bottle")),
        )
        for name in names
        for server, command in servers.items()
    ],
    ("aiohttp", {}, aiohttp, ""),
]


def begin(rows: Sequence[Row], folder: Path, upstream: int) -> Begun:
    """One command for all rows of a program: a process that starts each, and ends them when it is ended."""
    ports = free_ports(len(rows))
    commands = [[sys.executable, *command(app, port)] for (_, _, command, app), port in zip(rows, ports, strict=True)]
    listeners = [Listener(options, port) for (_, options, _, _), port in zip(rows, ports, strict=True)]
    return Begun([sys.executable, "-m", "oracles.hops.together", *map(repr, commands)], listeners,
                 {"PYTHONPATH": str(TESTS)})  # fmt: skip


def runs(row: Row) -> bool:
    program, options, command, _ = row
    server = options.get("server", program).partition("-")[0]
    needed = [program, server, *(["httptools"] if command is uvicorn else [])]
    return all(find_spec(name) is not None for name in needed)


def installed() -> Iterator[Program]:
    for name in dict.fromkeys(row[0] for row in ROWS):
        rows = [row for row in ROWS if row[0] == name and runs(row)]
        if rows and (version := distribution(name)):
            yield Program(name, version, partial(begin, rows))
