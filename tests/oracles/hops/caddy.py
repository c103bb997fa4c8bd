"""Caddy: its path matcher, and reverse_proxy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from oracles.hops.programs import Begun, Listener, Program, executables, says
from oracles.hops.sockets import free_ports

CONFIGURATION = """
{{
  admin off
  auto_https off
  persist_config off
}}
http://:{port} {{
  bind 127.0.0.1
  @admin {{
    path /admin /admin/*
    path_regexp p (?s)^(.*)$
  }}
  @other path_regexp p (?s)^(.*)$
  respond @admin "A{{re.p.1}}"
  respond @other "O{{re.p.1}}"
}}
http://:{proxy} {{
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:{upstream}
}}
"""


def begin(caddy: str, folder: Path, upstream: int) -> Begun:
    port, proxy = free_ports(2)
    text = CONFIGURATION.format(port=port, proxy=proxy, upstream=upstream)
    (folder / "Caddyfile").write_text(text)
    command = [caddy, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    return Begun(command, [Listener({}, port, proxy)], home)


def installed() -> Iterator[Program]:
    for path in executables("caddy"):
        if version := says([path, "version"], r"v([0-9.]+)"):
            yield Program("caddy", version, partial(begin, path))
