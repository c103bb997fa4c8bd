"""The syntax "origins": for CORS, and for the origins that may send a form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import BELOW, EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key, hostname_check

__all__ = ["SYNTAX"]

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule of "https://example.com", "https://example.com:8443" or "https://*.example.com" (only what is
    below it)."""
    if pattern == "null":
        raise PatternError("null-origin", "every sandboxed frame and file has the origin null", pattern)
    scheme, colon, authority = pattern.partition("://")
    scheme = scheme.lower()
    start = len(scheme) + 3
    if not colon or scheme not in _PORTS:
        raise PatternError("no-origin", "an origin begins with http:// or https://", pattern)
    if any(c in authority for c in "/\\?#@"):
        at = min(pattern.find(c, start) for c in "/\\?#@" if c in authority)
        raise PatternError("no-origin", "an origin is scheme, host and port alone", pattern, at)
    below = authority.startswith("*.")
    host, colon, port = authority[2 * below :], "", ""
    if not host.endswith("]") and ":" in host:
        host, colon, port = host.rpartition(":")
    if "*" in host:
        raise PatternError("wildcard", "only one whole label may be *, the leftmost", pattern, pattern.find("*", start))
    if colon and not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) <= 0xFFFF):
        raise PatternError("not-a-port", f"{port!r} is not a port", pattern, len(pattern) - len(port))
    number = int(port) if colon else _PORTS[scheme]
    key = host_key(host, pattern, start + 2 * below, addresses=not below)
    checks = (hostname_check(host, key, below),)
    yield Rule(schemes=(scheme,), host=(BELOW if below else EXACT, key), ports=((number, number),), checks=checks)


SYNTAX = Syntax("origins", rules, careful=True)
