"""Hosts that are addresses, for host_matches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from urlsm.url.value import try_parse

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["is_one_of"]

_WRITTEN = frozenset("0123456789abcdefxABCDEFX.:")  # what addresses are written with


def is_one_of(url: StrOrURL, hosts: Iterable[StrOrURL]) -> bool:
    """Return whether the host of a URL is an address, and one of these hosts."""
    address = _address(url)
    return address is not None and any(_address(host) == address for host in hosts)


def _address(given: StrOrURL) -> str | None:
    """Return the address that the host of a URL, or a host, is, as the URL Standard writes it; None if it is none."""
    url = try_parse(given)
    if url is None and isinstance(given, (str, bytes)):
        text = given if isinstance(given, str) else given.decode("latin-1")
        if text[:1] == "[" and text[-1:] == "]":
            text = text[1:-1]
        if set(text) <= _WRITTEN:
            url = try_parse(f"http://[{text}]/" if ":" in text else f"http://{text}/")
    return url.host if url is not None and url.host and url.host[-1] in "0123456789]" else None
