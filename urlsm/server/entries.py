"""Converts each entry of Hosts to a key in a table of hosts, and to bits that say which hosts and ports the entry
allows. Also checks a Host header as Django and Starlette do."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from urlsm.patterns.hosts import network_key
from urlsm.security.host_lists import ANY_PORT as ANY
from urlsm.security.host_lists import read_host_entry

__all__ = ["ALL", "FLAVORS", "pack", "read_entry", "refusal_of"]

ALL = "*"
FLAVORS = ("django", "starlette")
# the bits of an entry; its lower 16 bits are the port
WHOLE, BELOW, ANY_PORT, DEFAULT_PORTS, MAPPED = 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20

# matches an address, or a text whose last label is a number. Neither is ever a name, and a Host that is an address is
# always checked by refusal_of
_NEVER_A_NAME = re.compile(r"\[.*|(?:.*\.)?[0-9]+", re.DOTALL)
# matches names that both frameworks read in the same way
_PLAIN = re.compile(r"(?:[a-z0-9-]+\.)*[a-z-][a-z0-9-]*", re.IGNORECASE)
_HOSTS = {  # the regular expressions with which the frameworks check a Host
    "django": re.compile(r"([a-z0-9.-]+|\[[a-f0-9]*:[a-f0-9.:]+\])(?::[0-9]+)?", re.IGNORECASE),
    "starlette": re.compile(
        r"([a-z0-9._~%!$&'()*+,;=-]+|\[(?:[a-f0-9]*:[a-f0-9.:]+|(?-i:v)[a-f0-9]+\.[a-z0-9._~!$&'()*+,;=:-]+)\])"
        r"(?::[0-9]+)?",
        re.IGNORECASE,
    ),
}


def read_entry(entry: str, flavor: str | None) -> tuple[bytes, int] | None:
    """Return the key and the bits for an entry; None if only the framework's own check can read the entry.

    ValueError: the text is not a valid entry.
    """
    if flavor is None:
        how, host, is_name, number = read_host_entry(entry)
        bits = {"": WHOLE, "=": WHOLE, ".": WHOLE | BELOW, "*.": BELOW}[how]
        bits |= DEFAULT_PORTS if number is None else ANY_PORT if number == ANY else number
        if is_name:
            return host.encode(), bits
        key = network_key(host)
        assert key is not None  # host is an address or a network
        return key, bits | (MAPPED if key[0] == 4 and ":" in host else 0)
    start = {"django": ".", "starlette": "*."}[flavor]
    bits = WHOLE
    if entry.startswith(start):
        bits = BELOW if flavor == "starlette" else WHOLE | BELOW
    name = entry.removeprefix(start)
    if name.isascii() and _NEVER_A_NAME.fullmatch(name):
        return name.lower().encode(), 0
    return (name.lower().encode(), bits | ANY_PORT) if _PLAIN.fullmatch(name) else None


def pack(rules: Iterable[list[int]]) -> bytes:
    """Return 32-bit words in the machine's byte order: the positions where the bits of each key begin, then all
    bits."""
    rows = [*rules]
    words = [len(rows) + 1]
    for row in rows:
        words.append(words[-1] + len(row))
    return b"".join(word.to_bytes(4, sys.byteorder) for word in [*words, *(bits for row in rows for bits in row)])


def refusal_of(header: str, entries: Iterable[str], flavor: str) -> str:
    """Return the code that says why a framework's own check rejects a Host header, or "" if it accepts the header.
    These checks are Django's split_domain_port and validate_host, and Starlette's TrustedHostMiddleware."""
    found = _HOSTS[flavor].fullmatch(header) if header.isascii() else None
    host = "" if found is None else found[1].lower()
    if flavor == "django":
        host = host.removesuffix(".")
    elif host.startswith("[") and host[1] != "v" and network_key(host) is None:
        host = ""
    if not host:
        return "host-invalid"
    return "" if any(_fits(host, entry.lower(), flavor) for entry in entries) else "host-not-allowed"


def _fits(host: str, entry: str, flavor: str) -> bool:
    if flavor == "django":
        return entry in (ALL, host) or (entry[:1] == "." and (host.endswith(entry) or host == entry[1:]))
    return entry == host or (entry[:1] == ALL and host.endswith(entry[1:]))
