"""Reads what trusted proxies report about a request, in Forwarded (RFC 7239) or in X-Forwarded-For, -Proto and
-Host."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from urlsm.server.errors import error_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.server.requests import Hosts

__all__ = ["FAMILIES", "believe"]

FAMILIES = ("forwarded", "x-forwarded")
_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
# forwarded-pair = token "=" ( token / quoted-string ); white space around ";" and "," is allowed
_PAIR = re.compile(
    rf'({_TOKEN})=(?:({_TOKEN})|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)")'
)
_SPACE = re.compile(r"[ \t]*")
_ESCAPED = re.compile(r"\\(.)")
# node = nodename [ ":" node-port ]; X-Forwarded-For may also have an IPv6 address without brackets
_NODE = re.compile(r"(\[[^]]*\]|[^:]*)(?::[^:]*)?")


def believe(
    family: str,
    headers: Iterable[tuple[str | bytes, str | bytes]],
    peer: str | None,
    trusted: Hosts | Iterable[str] | int,
    membership: Callable[[Hosts | Iterable[str]], Callable[[str], bool]],
) -> tuple[str | None, str | None]:
    """Return the scheme ("http" or "https") and the host of the request that reached the outermost trusted proxy. Each
    is None if the proxy does not report it. membership: a function that accepts the networks in `trusted`, and returns
    a function that tells whether they contain an address.

    ValueError: family is not in FAMILIES. RequestError: the headers of a trusted proxy are malformed, contain a scheme
    other than http, https, ws and wss, or do not show which value a trusted proxy wrote.
    """
    if family not in FAMILIES:
        raise ValueError(f"forwarded must be 'forwarded', 'x-forwarded' or None, not {family!r}")
    is_trusted: Callable[[str], bool] | None = None
    if isinstance(trusted, int):
        if trusted < 1:
            return None, None
    else:
        is_trusted = membership(trusted)
        if peer is None or not is_trusted(peer):
            return None, None
    names = ("forwarded",) if family == "forwarded" else ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")
    fields: dict[str, list[str]] = {name: [] for name in names}
    for name, value in headers:
        found = fields.get(_text(name).lower())
        if found is not None:
            found.append(_text(value))
    if family == "forwarded":
        elements = [element for value in fields["forwarded"] for element in _elements(value)]
        count = trusted if isinstance(trusted, int) else _hops([e.get("for", "") for e in elements], is_trusted)
        said = elements[-count] if 0 < count <= len(elements) else {}
        proto, host = said.get("proto"), said.get("host")
    else:
        lists = {name: _listed(values) for name, values in fields.items()}
        count = trusted if isinstance(trusted, int) else _hops(lists["x-forwarded-for"], is_trusted)
        proto, host = (_counted(lists[name], count, name) for name in names[1:])
    if proto is not None and proto.lower() not in _SCHEMES:
        raise error_of("scheme-invalid", "forwarded", 0, proto)
    return None if proto is None else _SCHEMES[proto.lower()], host


def _text(value: str | bytes) -> str:
    # call the built-in type's own method, because a subclass may override it
    return bytes.decode(value, "latin-1") if isinstance(value, bytes) else str.__str__(value)


def _elements(value: str) -> list[dict[str, str]]:
    """Return the elements of a Forwarded field. Each is a dict of parameters, with names in lower case.

    The whole field must be well formed: otherwise, an open quotation mark of a client could hide the elements of
    proxies.
    """
    found: list[dict[str, str]] = []
    element: dict[str, str] = {}
    at = _space(value, 0)
    while True:
        pair = _PAIR.match(value, at)
        if pair is not None:
            name = pair[1].lower()
            if name in element:  # "Each parameter MUST NOT occur more than once per field-value."
                raise error_of("forwarded-invalid", "forwarded", at, value)
            element[name] = pair[2] if pair[3] is None else _ESCAPED.sub(r"\1", pair[3])
            at = _space(value, pair.end())
        sign = value[at : at + 1]
        if sign not in ("", ",", ";"):
            raise error_of("forwarded-invalid", "forwarded", at, value)
        if sign != ";":
            if element:  # "a recipient MUST parse and ignore [...] empty list elements" (RFC 9110 section 5.6.1.2)
                found.append(element)
            element = {}
        if not sign:
            return found
        at = _space(value, at + 1)


def _space(value: str, at: int) -> int:
    found = _SPACE.match(value, at)
    return at if found is None else found.end()


def _listed(values: list[str]) -> list[str]:
    """Return the elements of a list that may be spread over several fields, except empty elements."""
    return [element.strip(" \t") for value in values for element in value.split(",") if element.strip(" \t")]


def _hops(nodes: list[str], is_trusted: Callable[[str], bool] | None) -> int:
    """Return how many elements, counted from the right, were written by trusted proxies. The peer wrote the last one.
    If the client in an element is a trusted proxy, that proxy wrote the element before it."""
    assert is_trusted is not None
    count = 1
    for node in reversed(nodes):
        if count >= len(nodes) or not is_trusted(_address(node)):
            break
        count += 1
    return count


def _address(node: str) -> str:
    """Return the address of a node, without its port."""
    if node.count(":") > 1 and node[:1] != "[":
        return node
    found = _NODE.fullmatch(node)
    return "" if found is None else found[1]


def _counted(values: list[str], count: int, name: str) -> str | None:
    """Return the value at the place `count`, counted from the right. A proxy either appends to the list or replaces it,
    so a single value was written by the nearest proxy."""
    if len(values) <= 1:
        return values[0] if values else None
    if len(values) < count:
        raise error_of("forwarded-uneven", "forwarded", 0, ", ".join(values))
    return values[-count]
