"""nginx before uvicorn with Starlette: whether Starlette serves any target under another rule than nginx's.

    cd tests && python -m oracles.hops.chain                    10,000 targets, with AsgiPaths and without
    cd tests && python -m oracles.hops.chain -n 2000 --seed 5

nginx's `location /admin` and `location /` say in a field which of them passed the request on; Starlette has a Route and
a Mount for /admin, and answers with both letters. With the middleware there must be no request whose letters differ; it
exits with 1 if there is one. nginx sends targets on as they are, or strips "/api" by a proxy_pass with a path.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from oracles.hops.nginx import HEAD
from oracles.hops.nginx import installed as nginx_installed
from oracles.hops.programs import TESTS, running
from oracles.hops.sockets import ask, free_ports
from oracles.hops.targets import targets

SERVER = """
  server {{
    listen 127.0.0.1:{port};
    location {strip}/admin {{ proxy_set_header X-Rule A; proxy_set_header Connection ""; proxy_pass http://up{admin}; }}
    location {strip}/ {{ proxy_set_header X-Rule O; proxy_set_header Connection ""; proxy_pass http://up{root}; }}
  }}
}}
"""
STRIPPED = "/api"


class Says:
    """An ASGI application that answers with nginx's letter and its own."""

    def __init__(self, letter: bytes) -> None:
        self.letter = letter

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        body = dict(scope["headers"]).get(b"x-rule", b"-") + self.letter
        headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def unchecked() -> Any:
    from starlette.routing import Mount, Route, Router

    return Router([Route("/admin", Says(b"A")), Mount("/admin", Says(b"A"))], default=Says(b"O"))


def checked(**options: str) -> Any:
    from urlsm.server import AsgiPaths, Hop, Paths

    hops = [Hop("nginx", text_prefix=True, **options), "uvicorn", "starlette"]
    return AsgiPaths(unchecked(), Paths(protected=["/admin"], hops=hops, at="uvicorn"))


def checked_stripped() -> Any:
    return checked(proxy_pass="/", strip=STRIPPED)


def served(app: str, asked: Sequence[bytes], nginx: str, strip: str) -> dict[bytes, bytes]:
    """Return the letters with which each target was served, or its status."""
    up, port = free_ports(2)
    found = os.pathsep.join(filter(None, (str(TESTS), os.environ.get("PYTHONPATH"))))
    with tempfile.TemporaryDirectory(prefix="urlsm-hops-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for each in ("uvicorn", "nginx"):
            (folder / each).mkdir()
        text = HEAD.format(folder=folder / "nginx", upstream=up) + SERVER.format(
            port=port, strip=strip, admin="/admin" if strip else "", root="/" if strip else ""
        )
        (folder / "nginx.conf").write_text(text)
        quiet = ["--log-level", "critical", "--no-access-log", "--lifespan", "off", "--timeout-keep-alive", "600"]
        server = [sys.executable, "-m", "uvicorn", f"oracles.hops.chain:{app}", "--factory", "--host", "127.0.0.1"]
        proxy = [nginx, "-p", str(folder / "nginx"), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]
        with (
            running([*server, "--port", str(up), *quiet], [up], folder / "uvicorn", {"PYTHONPATH": found}),
            running(proxy, [port], folder / "nginx", {}),
        ):
            answers = ask(port, asked)
            return {
                target: answer.body if answer.status == 200 else b"%d" % answer.status
                for target, answer in zip(asked, answers, strict=True)
            }


def main() -> int:
    parser = argparse.ArgumentParser(description="Asks nginx before Starlette, with and without AsgiPaths.")
    parser.add_argument("-n", type=int, default=10_000, help="targets (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="of the targets (default: drawn)")
    given = parser.parse_args()
    seed = random.randrange(1 << 32) if given.seed is None else given.seed
    asked = [target for target in targets(given.n * 11 // 10, seed) if target.startswith(b"/")][: given.n]
    failed = False
    for program in nginx_installed():
        path = str(program.begin.args[0])  # type: ignore[attr-defined]
        for app, strip in (("unchecked", ""), ("checked", ""), ("unchecked", STRIPPED), ("checked_stripped", STRIPPED)):
            sent = [strip.encode() + target for target in asked]
            found = served(app, sent, path, strip)
            odd = [target for target, letters in found.items() if letters in (b"AO", b"OA")]
            count = sum(letters in (b"AA", b"OO", b"AO", b"OA") for letters in found.values())
            said = f"{program}{strip and ' strips ' + strip}, {app}"
            print(f"seed {seed}, {said}: {len(asked)} targets, {count} served, {len(odd)} under two rules", flush=True)
            failed = failed or (app != "unchecked" and bool(odd))
            for target in odd[:10] if app != "unchecked" else []:
                print(f"    {target!r}: {found[target]!r}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
