"""The syntax "no-proxy": the hosts that are reached without the proxy.

Programs that read the variable no_proxy disagree about its meaning. Without a flavor, this module reads the list in its
own way: example.com, .example.com and *.example.com each mean that name and all its subdomains. With a flavor, it reads
the list as one of these programs does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import network_key
from urlsm.patterns.proxy_flavors import FLAVORS
from urlsm.patterns.rule import BOTH, EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key

__all__ = ["SYNTAX"]


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule for an entry such as "*", "example.com", ".example.com:8080", ":8080", "10.0.0.0/8", "::1" or
    "[::1]:443"."""
    if options["flavor"]:
        raise ValueError(f"flavor must be one of {', '.join(FLAVORS)}, not {options['flavor']!r}")
    host, ports = pattern, None
    try:
        key = network_key(host)
    except ValueError as error:
        raise PatternError("not-a-network", str(error), pattern) from None
    if key is not None:
        yield Rule(host=(EXACT, key))
        return
    if "://" in pattern:
        raise PatternError("url-for-host", "write a host or a network, without a scheme", pattern)
    before, colon, port = host.rpartition(":")
    if colon and (before.endswith("]") or ":" not in before):
        if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) <= 0xFFFF):
            raise PatternError("not-a-port", f"{port!r} is not a port", pattern, len(before) + 1)
        host, ports = before, ((int(port), int(port)),)
    if host in ("*", "") and (host or ports):
        yield Rule(ports=ports)
        return
    start = 2 if host.startswith("*.") else int(host.startswith("."))
    if "/" in host:
        raise PatternError("not-a-host", "write a host or a network, without a path", pattern)
    key = host_key(host[start:], pattern, start, addresses=start == 0)
    yield Rule(host=(EXACT if key[0] < 8 else BOTH, key), ports=ports)


SYNTAX = Syntax(
    "no-proxy", rules=rules, options={"flavor": ""}, separator=",", comments=(), closes=True, flavors=FLAVORS
)
