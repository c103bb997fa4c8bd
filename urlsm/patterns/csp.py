"""The syntax "csp": the sources of a Content-Security-Policy directive.

https://www.w3.org/TR/CSP3/#match-url-to-source-expression
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from urlsm.machine.driver import SPECIAL
from urlsm.patterns.errors import PatternError
from urlsm.patterns.opcodes import MOST
from urlsm.patterns.rule import BELOW, EXACT, NO_PORT, Rule, joined
from urlsm.patterns.syntax import Syntax, host_key, hostname_check
from urlsm.url.value import URL, try_parse

__all__ = ["SYNTAX"]

_SOURCE = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*)://)?([^/:?#]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]+|\*))?(/[^?#]*)?")
_KEYWORD = re.compile(
    r"'(unsafe-\S+|strict-dynamic|report-\S+|inline-speculation-rules|wasm-unsafe-eval|trusted-types-eval|"
    r"(nonce|sha256|sha384|sha512)-[A-Za-z0-9+/_=-]+)'",
    re.IGNORECASE,
)
_HEX = re.compile(rb"[0-9A-Fa-f]{2}")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# the schemes that a scheme allows besides itself. By #match-schemes, "ws" also allows http and https, and "wss" allows
# https. Chrome does not allow these, and neither does this module, because the narrower reading is safer
_ALSO = {"http": ("https",), "ws": ("wss",)}
_NETWORK = ("http", "https", "ws", "wss", "ftp")


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    if pattern.lower() == "'none'":
        return
    if _KEYWORD.fullmatch(pattern):
        return  # a keyword is about scripts and styles within the page, and allows no URLs
    own = _own(options["self_origin"])
    if pattern.lower() == "'self'":
        if options["self_origin"] is None:
            raise PatternError("no-self", "'self' needs the option self_origin=", pattern)
        if own is not None:
            yield from _of_self(own, pattern)
        return
    if pattern[0] == "'" or pattern[-1] == "'":
        raise PatternError("not-a-source", f"{pattern} is not a known keyword, nonce or hash", pattern)
    if pattern == "*":
        yield Rule(schemes=_NETWORK if own is None else tuple(dict.fromkeys((*_NETWORK, own.scheme))))
        return
    scheme_alone = _SCHEME.fullmatch(pattern)
    if scheme_alone:
        yield Rule(schemes=_with_upgrades(scheme_alone[1].lower()))
        return
    found = _SOURCE.fullmatch(pattern)
    if found is None:
        raise PatternError("not-a-source", "write scheme://host:port/path; only the host is required", pattern)
    scheme, host, port, path = found.groups()
    if scheme is None and own is None:
        if host != "*":
            host_key(host.removeprefix("*."), pattern, found.start(2) + 2 * host.startswith("*."))
        return  # a source without a scheme has the scheme of the page's origin, which is not known, or is opaque
    said = scheme.lower() if scheme else own.scheme  # type: ignore[union-attr]
    at = None
    checks: tuple[Any, ...] = ()
    if host != "*":
        below = host.startswith("*.")
        name = host[2 * below :]
        key = host_key(name, pattern, found.start(2) + 2 * below, addresses=not below)
        at, checks = (BELOW if below else EXACT, key), (hostname_check(name, key, below),)
    if path is not None and not options["redirected"]:
        read = try_parse(f"https://h{path}")
        written = _decoded(read.path if read else path)
        checks = (("path", written if path.endswith("/") else (*written, "$")), *checks)
    for name in _with_upgrades(said):
        number = SPECIAL.get(name) or NO_PORT
        if port == "*":
            ports = None
        elif port is None:
            ports = ((number, number),)
        elif name == said:
            ports = ((int(port), int(port)),)
        elif int(port) == SPECIAL.get(said):  # if the port is the default of `said`, the default of `name` replaces it
            ports = ((number, number),)
        else:
            continue
        yield Rule(schemes=(name,), host=at, ports=ports, checks=checks)


def _own(origin: str | None) -> URL | None:
    """Return the URL of the page's origin; None if the origin is not given, or opaque ("null", or the origin of a data:
    URL). In Chromium an opaque origin has no scheme: 'self' and sources without a scheme match nothing, and "*" matches
    only http, https, ws, wss and ftp.

    ValueError: the string is not an origin.
    """
    if origin is None or origin == "null":
        return None
    own = try_parse(origin)
    if own is None:
        raise ValueError(f"self_origin must be a URL or 'null', not {origin!r}")
    return own if own.host or own.scheme == "file" else None


def _of_self(own: URL, pattern: str) -> Iterator[Rule]:
    """Yield the rules of 'self'. The URL's host must be the page's. Its port must be the page's, or both ports must be
    the default ones of their schemes. Its scheme must be the page's, https or wss; if the page's is http, it may also
    be ws."""
    if not own.host:
        return  # the page is a file: URL without a host
    key = host_key(own.host, pattern)
    for name in dict.fromkeys((own.scheme, "https", "wss", *(("ws",) if own.scheme == "http" else ()))):
        port = SPECIAL.get(name) or NO_PORT if own.port is None else own.port
        yield Rule(schemes=(name,), host=(EXACT, key), ports=((port, port),), checks=(hostname_check(own.host, key),))


def _decoded(path: str) -> tuple[Any, ...]:
    """Return the program for a path in which any byte may also be escaped. According to #path-part-match, both paths
    are split at "/" before they are percent-decoded, so "%2F" does not match "/"."""
    made: list[Any] = []
    if len(path) > MOST:  # refuse early: an octet takes at least as many instructions as it has characters in the path
        raise PatternError("too-large", f"the pattern needs more than {MOST} instructions")
    for piece in path.split("/"):
        octets = unquote_to_bytes(piece)
        made.append(b"/")
        for k, octet in enumerate(octets):
            digits = [c.encode() if c.isdigit() else ("in", f"{c}{c.lower()}".encode()) for c in f"{octet:02X}"]
            escaped = tuple(joined([b"%", *digits]))
            is_escape = octet == 0x25 and _HEX.match(octets, k + 1)  # a literal "%" would begin an escape
            as_written = () if is_escape or octet == 0x2F else ((bytes((octet,)),),)
            made.append(("or", (*as_written, escaped)))
    return tuple(joined(made[1:]))


def _with_upgrades(scheme: str) -> tuple[str, ...]:
    return (scheme, *_ALSO.get(scheme, ()))


# in a header, the sources stand in one line, separated by white space (#parse-serialized-source-list)
SYNTAX = Syntax("csp", rules=rules, options={"self_origin": None, "redirected": False}, separator=" ", careful=True)
