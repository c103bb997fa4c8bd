"""Tests whether an authority names a server, according to RFC 2396."""

from __future__ import annotations

import re

__all__ = ["is_server"]

_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
# server = [ [ userinfo "@" ] hostport ]; hostname = *( domainlabel "." ) toplabel [ "." ]
_SERVER = re.compile(
    r"(?:(?:[A-Za-z0-9_.!~*'();:&=+$,-]|%[0-9A-Fa-f]{2})*@)?"
    rf"(?:(?:{_LABEL}\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.?|[0-9]+(?:\.[0-9]+){{3}})(?::[0-9]*)?"
)


def is_server(authority: str) -> bool:
    """Return whether an authority is server-based (RFC 2396 section 3.2.2)."""
    return not authority or _SERVER.fullmatch(authority) is not None
