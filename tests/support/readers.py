"""How other programs find a host: small independent readers, each like some real one."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv6Address
from urllib.parse import urlsplit

import idna

_AUTHORITY = re.compile(r"(?:[^:/?#]+:)?(?://([^/?#]*))?", re.DOTALL)  # RFC 3986 appendix B
_EDGE = "".join(map(chr, range(0x21)))


def _authority(text: str) -> str:
    match = _AUTHORITY.match(text)
    return (match and match[1]) or ""


def _server(text: str) -> str:
    """Return host[:port] without its port."""
    match = re.match(r"(\[[^\]]*\])|([^:]*)", text, re.DOTALL)
    return match[1] or match[2]


def last_at(text: str) -> str:
    """The RFCs' expression, then the last "@"."""
    return _server(_authority(text).rpartition("@")[2])


def first_at(text: str) -> str:
    before, at, after = _authority(text).partition("@")
    return _server(after if at else before)


def backslash_is_slash(text: str) -> str:
    return last_at(text.replace("\\", "/"))


def drops_tabs_and_trims(text: str) -> str:
    return last_at(re.sub("[\t\r\n]", "", text.strip(_EDGE)))


def cuts_at_semicolon(text: str) -> str:
    return _server(_authority(text).partition(";")[0].rpartition("@")[2])


def letters_only(text: str) -> str:
    """Ends a host at a character that a domain cannot hold, as Node's old url.parse."""
    server = _authority(text.strip().replace("\\", "/")).rpartition("@")[2]
    return _server(server) if server.startswith("[") else re.match(r"[A-Za-z0-9._+\x80-\U0010ffff-]*", server)[0]


def old_addresses(text: str) -> str:
    """Takes inet_aton's numbers in any scheme, as curl does."""
    host = last_at(text)
    parts = host.removesuffix(".").split(".")
    if not 1 <= len(parts) <= 4 or not all(re.fullmatch("0[xX][0-9A-Fa-f]*|[0-9]+", part) for part in parts):
        return host
    numbers = []
    for part in parts:
        base = 16 if part[:2] in ("0x", "0X") else 8 if len(part) > 1 and part[0] == "0" else 10
        digits = part[2:] or "0" if base == 16 else part
        if base == 8 and re.search("[89]", digits):
            return host
        numbers.append(int(digits[-20:], base))
    value = numbers.pop() + sum(number << 8 * (3 - k) for k, number in enumerate(numbers))
    return ".".join(str(value >> shift & 0xFF) for shift in (24, 16, 8, 0))


def urllib_parse(text: str) -> str:
    try:
        host = urlsplit(text).hostname or ""
    except ValueError:
        return ""
    return f"[{host}]" if ":" in host else host


READERS: tuple[Callable[[str], str], ...] = (
    last_at,
    first_at,
    backslash_is_slash,
    drops_tabs_and_trims,
    cuts_at_semicolon,
    letters_only,
    old_addresses,
    urllib_parse,
)


def same_form(host: str) -> str:
    """Lower case, an IDN as ToASCII, IPv6 in canonical form, with brackets: by the idna package and ipaddress."""
    host = host.lower()
    bare = host.removeprefix("[").removesuffix("]")
    if ":" in bare:
        try:
            return f"[{IPv6Address(bare).compressed}]" if "%" not in bare else host
        except ValueError:
            return host
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        return host
