"""The syntax "csp": the sources of a Content-Security-Policy directive.

https://www.w3.org/TR/CSP3/#match-url-to-source-expression
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import BELOW, EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.url.value import try_parse

__all__ = ["SYNTAX"]

_SOURCE = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*)://)?([^/:?#]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]+|\*))?(/[^?#]*)?")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# the schemes that a scheme allows beside itself. By #match-schemes, "ws" also allows http and https, and "wss" https;
# Chrome does not, and this follows Chrome, the narrower reading
_ALSO = {"http": ("https",), "ws": ("wss",)}
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_NETWORK = ("http", "https", "ws", "wss", "ftp")


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    if pattern.lower() == "'none'":
        return
    own = try_parse(options["self_origin"]) if options["self_origin"] else None
    if pattern.lower() == "'self'":
        if own is None:
            raise PatternError("no-self", "'self' needs self_origin", pattern)
        pattern = own.origin
    if pattern == "*":
        yield Rule(schemes=_NETWORK if own is None else tuple(dict.fromkeys((*_NETWORK, own.scheme))))
        return
    scheme_alone = _SCHEME.fullmatch(pattern)
    if scheme_alone:
        yield Rule(schemes=_with_upgrades(scheme_alone[1].lower()))
        return
    found = _SOURCE.fullmatch(pattern)
    if found is None:
        raise PatternError(
            "not-a-source", "a source is scheme://host:port/path, of which only the host is needed", pattern
        )
    scheme, host, port, path = found.groups()
    if scheme is None and own is None:
        return  # a source without a scheme has that of the page, and there is no page
    said = scheme.lower() if scheme else own.scheme  # type: ignore[union-attr]
    at = None
    if host.startswith("*."):
        at = (BELOW, host_key(host[2:], pattern, found.start(2) + 2, addresses=False))
    elif host != "*":
        at = (EXACT, host_key(host, pattern, found.start(2)))
    checks: tuple[Any, ...] = ()
    if at is not None and at[1][0] >= 8:
        checks = (("hostname", ("*", at[1], "$")),)
    if path is not None and not options["redirected"]:
        read = try_parse(f"https://h{path}")
        text = (read.path if read else path).encode()
        checks = (("path", (text,) if path.endswith("/") else (text, "$")), *checks)
    for name in _with_upgrades(said):
        number = _PORTS.get(name, -1)
        if port == "*":
            ports = None
        elif port is None:
            ports = ((number, number),)
        elif name == said:
            ports = ((int(port), int(port)),)
        elif int(port) == _PORTS.get(said):  # scheme and port go up together
            ports = ((number, number),)
        else:
            continue
        yield Rule(schemes=(name,), host=at, ports=ports, checks=checks)


def _with_upgrades(scheme: str) -> tuple[str, ...]:
    return (scheme, *_ALSO.get(scheme, ()))


SYNTAX = Syntax("csp", rules, {"self_origin": None, "redirected": False}, careful=True)
