"""The syntax "origins": lists of origins that may send CORS requests or submit a form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.machine.driver import SPECIAL
from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import BELOW, EXACT, NO_PORT, Rule
from urlsm.patterns.syntax import Syntax, host_key, hostname_check
from urlsm.url.value import try_parse

__all__ = ["SYNTAX"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
# URLs of these schemes have opaque origins, which no list can name (https://url.spec.whatwg.org/#origin). The origin of
# a blob: URL is the origin of the URL within it
_OPAQUE = frozenset(("about", "blob", "data", "file", "filesystem", "javascript", "mailto", "urn", "view-source"))


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule for an entry such as "https://example.com", "https://example.com:8443", "http://localhost:*" (any
    port), "https://*.example.com" (only subdomains of example.com), or an origin with another scheme, such as
    "tauri://localhost"."""
    if pattern == "null":
        raise PatternError("null-origin", '"null" would match every sandboxed frame and local file', pattern)
    if pattern == "*":
        raise PatternError("everything", "* would match every site: list the origins instead", pattern)
    scheme, colon, authority = pattern.partition("://")
    scheme = scheme.lower()
    start = len(scheme) + 3
    if not colon or not _SCHEME.fullmatch(scheme):
        raise PatternError("no-origin", "an origin must start with http:// or https://", pattern)
    if scheme in _OPAQUE:
        raise PatternError("null-origin", f"{scheme}: URLs have an opaque origin, which a list cannot contain", pattern)
    if any(c in authority for c in "/\\?#@"):
        at = min(pattern.find(c, start) for c in "/\\?#@" if c in authority)
        raise PatternError(
            "no-origin",
            "write only the scheme, host and port: an origin has no path, query or user information",
            pattern,
            at,
        )
    below = authority.startswith("*.")
    host, colon, port = authority[2 * below :], "", ""
    if not host.endswith("]") and ":" in host:
        host, colon, port = host.rpartition(":")
    if "*" in host:
        raise PatternError(
            "wildcard",
            "* must be the whole first label, as in https://*.example.com",
            pattern,
            pattern.find("*", start),
        )
    ports: tuple[tuple[int, int], ...] | None = None
    if port != "*":
        if colon and not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) <= 0xFFFF):
            raise PatternError("not-a-port", f"{port!r} is not a port", pattern, len(pattern) - len(port))
        number = int(port) if colon else SPECIAL.get(scheme) or NO_PORT
        ports = ((number, number),)
    if SPECIAL.get(scheme):
        key = host_key(host, pattern, start + 2 * below, addresses=not below)
        checks = (hostname_check(host, key, below),)
        yield Rule(schemes=(scheme,), host=(BELOW if below else EXACT, key), ports=ports, checks=checks)
        return
    # if the scheme is not special, the parser leaves the host as it is written, and does not read a backslash as a
    # slash. An origin has no user information, so the rule requires that the URL has none
    url = try_parse(f"{scheme}://{host}")
    if url is None or not url.host or url.port is not None:
        raise PatternError("not-a-host", f"{host!r} is not a host", pattern, start + 2 * below)
    name = ("*", b"." + url.host.encode(), "$") if below else (url.host.encode(), "$")
    yield Rule(schemes=(scheme,), ports=ports, checks=(("hostname", name), ("username", ("$",)), ("password", ("$",))))


SYNTAX = Syntax("origins", rules=rules, careful=True)
