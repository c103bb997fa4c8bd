"""Hosts that are addresses, for host_matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlsm.url.value import try_parse

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["address_of", "port_of"]

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_WRITTEN = frozenset("0123456789abcdefxABCDEFX.:")  # what addresses are written with


def port_of(given: StrOrURL) -> int | None:
    """Return the port of a URL, or its scheme's; None of a text that is a host."""
    url = try_parse(given)
    return None if url is None else url.port or _PORTS.get(url.scheme)


def address_of(given: StrOrURL) -> str | None:
    """Return the address that the host of a URL, or a host, is, as the URL Standard writes it; None if it is none."""
    url = try_parse(given)
    if url is None and isinstance(given, (str, bytes)):
        text = given if isinstance(given, str) else given.decode("latin-1")
        if text[:1] == "[" and text[-1:] == "]":
            text = text[1:-1]
        if set(text) <= _WRITTEN:
            url = try_parse(f"http://[{text}]/" if ":" in text else f"http://{text}/")
    return url.host if url is not None and url.host and url.host[-1] in "0123456789]" else None
