"""The syntax "blocklist": the format of Chrome's URLBlocklist and URLAllowlist policies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.machine.driver import SPECIAL
from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import BOTH, EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.url.value import try_parse

__all__ = ["SYNTAX"]

_LINE = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):(?://|(?=\*$)))?([^/?#]*)(/[^?#]*)?(\?[^#]*)?")
# schemes whose URLs have a host in Chromium, although they are not special in the URL Standard: those of the browser's
# own pages, and of extensions
_OWN = frozenset(("chrome", "chrome-extension", "chrome-untrusted", "devtools", "edge", "brave", "opera", "vivaldi"))
ABOUT = {  # for urlsm.about
    "schemes of browsers' pages": {
        "tables": "_OWN",
        "source": "Chromium, Edge, Brave, Opera, Vivaldi",
        "url": "https://support.google.com/chrome/a/answer/9942583",
        "date": "2026-11-26",
        "used_by": "PatternSet(..., 'blocklist')",
    },
}
_OPAQUE = re.compile(r"(data|about|javascript|blob|mailto):(?!//)(.*)", re.IGNORECASE | re.DOTALL)


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules for a pattern of the form scheme://host:port/path?key=value. Only the host is required, except
    after file:; "*" means any host. A leading dot means the host without its subdomains. The path is a prefix. An
    asterisk at the end of a key or a value makes that key or value a prefix. After data:, about:, javascript:, blob: or
    mailto:, the rest of the pattern is a prefix of the path and query."""
    opaque = _OPAQUE.fullmatch(pattern)
    if opaque:
        path = opaque[2].removesuffix("*").encode("utf-8", "surrogatepass")
        yield Rule(schemes=(opaque[1].lower(),), checks=(("target", (path,)),), weight=(1, 0, 0, len(path), 0))
        return
    found = _LINE.fullmatch(pattern)
    if found is None or not (found[2] or (found[1] or "").lower() == "file"):
        raise PatternError(
            "not-a-filter", "write scheme://host:port/path?query; only the host is required (* for any host)", pattern
        )
    scheme, authority, path, query = found.groups()
    host, at, exact = authority.rpartition("@")[2], None, False
    bracket = host.rfind("]")
    colon = host.find(":", bracket + 1)
    ports = None
    if colon >= 0:
        port, host = host[colon + 1 :], host[:colon]
        if port != "*":
            if not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) <= 0xFFFF):
                raise PatternError("not-a-port", f"{port!r} is not a port", pattern, found.start(2))
            ports = ((int(port), int(port)),)
        if not host:
            raise PatternError("not-a-host", "the host is missing: write * for any host", pattern, found.start(2))
    own = scheme is not None and scheme.lower() in _OWN and host not in ("*", "")
    if scheme and scheme.lower() not in SPECIAL and host != "*" and not own:
        raise PatternError(
            "no-such-scheme", f"to match {scheme}: URLs, write {scheme}://*, which matches all of them", pattern
        )
    checks: list[tuple[str, Any]] = []
    if own:
        checks.append(("hostname", (_own_host(f"{scheme}://{host}/", pattern), "$")))
    elif host not in ("*", ""):
        exact = host.startswith(".")
        key = host_key(host[exact:], pattern, found.start(2))
        at, exact = (EXACT if exact or key[0] < 8 else BOTH, key), exact or key[0] < 8
    if path:
        checks.append(("path", (path.removesuffix("*").encode("utf-8", "surrogatepass"),)))
    pairs = [pair for pair in (query or "")[1:].split("&") if pair]
    everywhere = at is None and scheme is None and not path and not pairs
    weight = (int(not everywhere), int(exact), len(at[1]) if at else len(host) * own, len(path or ""), len(pairs))
    for pair in pairs:
        octets = pair.encode("utf-8", "surrogatepass")
        checks.append(("query", _anywhere(octets)))
        if options["_excluding"] and b"=" in octets.removesuffix(b"*"):
            checks.append(("query", _every(octets)))
    yield Rule(schemes=(scheme.lower(),) if scheme else None, host=at, ports=ports, checks=tuple(checks), weight=weight)


def _own_host(text: str, pattern: str) -> bytes:
    url = try_parse(text)
    if url is None or not url.host:
        raise PatternError("not-a-host", "the host is missing: write * for any host", pattern)
    return url.host.encode()


def _anywhere(pair: bytes) -> tuple[Any, ...]:
    """Return a program that matches a query if some pair of it fits the condition `pair`."""
    if pair.endswith(b"*"):
        return "*", ("in", b"?&"), pair[:-1]
    return "*", ("in", b"?&"), pair, ("or", ((b"&",), ("$",)))


def _every(pair: bytes) -> tuple[Any, ...]:
    """Return a program that matches a query if every pair of it that has the key of the condition `pair` fits."""
    open_end = pair.endswith(b"*")
    text = pair[:-1] if open_end else pair
    key = text.partition(b"=")[0]
    other = bytes(set(range(256)) - {ord("&")})
    rest = ("times", (("in", other),), 0, None, True)
    wanted = (text, rest) if open_end else (text,)
    begin = key + b"="
    unlike = [(begin[:k], ("in", bytes(set(other) - {begin[k]})), rest) for k in range(len(begin))]
    short = [(begin[:k],) for k in range(len(begin))]
    token = ("or", (wanted, *unlike, *short))
    return b"?", token, ("times", (b"&", token), 0, None, True), "$"


SYNTAX = Syntax(
    "blocklist", rules=rules, options={"_excluding": False}, precedence="specific", blocks=True, contest=True
)
