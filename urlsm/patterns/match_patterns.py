"""The syntax "match-pattern": browser extension match patterns, as Chrome or Firefox reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.machine.driver import SPECIAL
from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import BOTH, EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key, hostname_check

__all__ = ["SYNTAX"]

_FLAVORS = ("chrome", "firefox")
_SCHEMES = frozenset((*SPECIAL, "data", "urn"))
_WITHOUT_HOST = frozenset(("data", "urn", "about", "javascript", "blob"))


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    flavor = options["flavor"]
    if flavor not in _FLAVORS:
        raise ValueError(f"flavor must be one of {', '.join(_FLAVORS)}, not {flavor!r}")
    if options["schemes"] not in ("web", "all"):
        raise ValueError(f"schemes must be 'web' or 'all', not {options['schemes']!r}")
    firefox = flavor == "firefox"
    if pattern == "<all_urls>":
        if options["schemes"] == "all":
            yield Rule()
            return
        yield Rule(schemes=("http", "https", "ws", "wss", "ftp", "data") if firefox else ("http", "https", "ftp"))
        yield Rule(schemes=("file",))
        return
    scheme, colon, rest = pattern.partition(":")
    if not colon:
        raise PatternError("no-scheme", "write scheme://host/path", pattern)
    known = options["schemes"] == "all" or scheme in _SCHEMES or scheme == "*"
    if not known:
        raise PatternError("no-such-scheme", f"match patterns do not support the scheme {scheme!r}", pattern)
    if scheme in _WITHOUT_HOST and not rest.startswith("//"):
        yield Rule(schemes=(scheme,), checks=(("target", _program(rest)),))
        return
    if not rest.startswith("//") or scheme in _WITHOUT_HOST:
        raise PatternError("no-separator", 'write "://" after the scheme', pattern, len(scheme) + 1)
    authority, slash, path = rest[2:].partition("/")
    start = len(scheme) + 3
    schemes: tuple[str, ...] = (scheme,)
    if scheme == "*":
        schemes = ("http", "https", "ws", "wss") if firefox else ("http", "https")
    if scheme == "file" and not slash:  # Chrome reads "file://foo*" as a path
        slash, path, authority = "/", authority, ""
    if not authority and scheme != "file":
        raise PatternError("no-host", "the host is missing: write * for any host", pattern, start)
    if not slash:
        raise PatternError("no-path", "the path is missing: write /* for any path", pattern, len(pattern))
    host, ports = _port(authority, pattern, start, schemes, firefox)
    at = None
    written: tuple[Any, ...] = ()
    if scheme == "file":
        ports = None  # Chrome accepts any host of a file: pattern, and ignores it
    elif host in ("*", "*."):
        if host == "*.":
            raise PatternError("no-host", "the host is missing after *.", pattern, start)
    elif host.startswith("*."):
        if "*" in host[2:]:
            raise PatternError(
                "wildcard", "* must be the whole host or its first label, as in *.example.com", pattern, start
            )
        key = host_key(host[2:], pattern, start + 2) if not _is_number(host[2:]) else host[2:].encode()
        at = (BOTH if key[0] >= 8 else EXACT, key)
    elif "*" in host:
        raise PatternError(
            "wildcard", "* must be the whole host or its first label, as in *.example.com", pattern, start
        )
    else:
        at = (EXACT, host_key(host, pattern, start))
        if host.startswith("["):
            written = (hostname_check(host, at[1]),)
    if path == "*" or (path.endswith("/*") and "*" not in path[:-1]):
        # to Chrome, "/example/*" also means "/example"
        directory = path[:-1].encode("utf-8", "surrogatepass")
        if directory:
            checks = (("target", (b"/" + directory[:-1], "$")), *written)
            yield Rule(schemes=schemes, host=at, ports=ports, checks=checks)
        yield Rule(schemes=schemes, host=at, ports=ports, checks=(("target", (b"/" + directory,)), *written))
    else:
        yield Rule(schemes=schemes, host=at, ports=ports, checks=(("target", _program("/" + path)), *written))


def _is_number(name: str) -> bool:
    """Return whether a name ends in a number without being an IPv4 address ("0.0.1"). No name can lie below such a
    name."""
    return name.rpartition(".")[2].isdigit() and name.count(".") != 3


def _port(
    authority: str, pattern: str, start: int, schemes: tuple[str, ...], firefox: bool
) -> tuple[str, tuple[tuple[int, int], ...] | None]:
    """Return the host and its ports. The ports are None if any port matches, as in Chrome for a pattern without a
    port."""
    bracket = authority.rfind("]")
    colon = authority.find(":", bracket + 1)
    if colon < 0:
        return authority, None
    host, port = authority[:colon], authority[colon + 1 :]
    if firefox and port:
        raise PatternError("port", "Firefox match patterns cannot have a port", pattern, start + colon)
    if not host:
        raise PatternError("no-host", "the host is missing: write * for any host", pattern, start)
    if port == "*":
        return host, None
    if not (port.isascii() and port.isdigit() and int(port) <= 0xFFFF):
        raise PatternError("not-a-port", f"{port!r} is not a port", pattern, start + colon + 1)
    return host, ((int(port), int(port)),)


def _program(text: str) -> tuple[Any, ...]:
    made: list[Any] = []
    for number, piece in enumerate(text.split("*")):
        if number:
            made.append("*")
        if piece:
            made.append(piece.encode("utf-8", "surrogatepass"))
    return (*made, "$")


SYNTAX = Syntax("match-pattern", rules=rules, options={"flavor": "chrome", "schemes": "web"})
