"""Apache httpd: <Location>, AllowEncodedSlashes, MergeSlashes, and ProxyPass.

mod_lua writes what <Location> is compared with: r->uri, in which ap_location_walk merges slashes. Its modules are in
$URLSM_APACHE_MODULES, or where Debian has them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from oracles.hops.programs import Begun, Listener, Program, executables, says
from oracles.hops.sockets import free_ports

MODULES = Path(os.environ.get("URLSM_APACHE_MODULES", "/usr/lib/apache2/modules"))
LOADED = ["mpm_event", "authz_core", "env", "lua", "proxy", "proxy_http"]
HEAD = """
ServerRoot {folder}
ServerName h.example
PidFile {folder}/pid
ErrorLog {folder}/log
LogLevel crit
DefaultRuntimeDir {folder}
DocumentRoot {folder}/documents
StartServers 1
MinSpareThreads 1
MaxSpareThreads 64
ThreadsPerChild 16
MaxRequestWorkers 16
ServerLimit 1
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 60
Timeout 60
<Directory />
  AllowOverride None
  Require all granted
</Directory>
"""
LUA = """
function handle(r)
  r.content_type = "text/plain"
  r:write(r.subprocess_env["RULE"] .. r.uri:gsub("//+", "/"))
  return apache2.OK
end
"""
RULES = """
Listen 127.0.0.1:{port}
<VirtualHost 127.0.0.1:{port}>
  {lines}
  LuaMapHandler ^ {folder}/echo.lua handle
  <Location "/">
    SetEnv RULE O
  </Location>
  <Location "/admin">
    SetEnv RULE A
  </Location>
</VirtualHost>
"""
PROXY = """
Listen 127.0.0.1:{port}
<VirtualHost 127.0.0.1:{port}>
  {lines}
  ProxyPass {prefix}/ http://127.0.0.1:{upstream}{path} {words}
</VirtualHost>
"""
READING: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"AllowEncodedSlashes": "On"}, "AllowEncodedSlashes On"),
    ({"AllowEncodedSlashes": "NoDecode"}, "AllowEncodedSlashes NoDecode"),
    ({"MergeSlashes": "Off"}, "MergeSlashes Off"),
]
SENDING: list[tuple[dict[str, Any], str, str]] = [
    ({}, "/", ""),
    ({"nocanon": True}, "/", "nocanon"),
    ({"ProxyPass": "/m/"}, "/m/", ""),
    ({"strip": "/x"}, "/", ""),
]


def begin(apache: str, folder: Path, upstream: int) -> Begun:
    (folder / "documents").mkdir()
    (folder / "echo.lua").write_text(LUA)
    loads = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in LOADED)
    text, listeners = loads + HEAD.format(folder=folder), []
    for reading, lines in READING:
        port, *proxies = free_ports(1 + len(SENDING))
        text += RULES.format(port=port, lines=lines, folder=folder)
        for (sending, path, words), proxy in zip(SENDING, proxies, strict=True):
            if sending.get("strip") and reading.get("MergeSlashes"):
                continue
            text += PROXY.format(port=proxy, lines=lines, upstream=upstream, path=path, words=words,
                                 prefix=sending.get("strip", ""))  # fmt: skip
            listeners.append(Listener({**reading, **sending}, port, proxy))
    (folder / "httpd.conf").write_text(text)
    return Begun([apache, "-X", "-f", str(folder / "httpd.conf")], listeners)


def installed() -> Iterator[Program]:
    for path in [*executables("apache2"), *executables("httpd")]:
        if (MODULES / "mod_lua.so").exists() and (version := says([path, "-v"], r"Apache/([0-9.]+)")):
            yield Program("apache", version, partial(begin, path))
