"""The IPv4 addresses that an IPv6 address may represent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, IPv6Network

__all__ = ["behind", "forms", "nat64_prefix"]

_LENGTHS = (32, 40, 48, 56, 64, 96)  # allowed lengths of NAT64 prefixes (RFC 6052 section 2.2)
_COMPATIBLE, _MAPPED, _TRANSLATED, _NAT64 = 0, 0xFFFF, 0xFFFF0000, 0x64FF9B << 64  # the 96 bits before the IPv4 address
_LAST = frozenset((_COMPATIBLE, _MAPPED, _TRANSLATED, _NAT64))
# RFC 8215 reserves these for the translators of a network; only the network knows the length of its prefix
_LOCAL = [IPv6Network(f"64:ff9b:1::/{length}") for length in _LENGTHS if length >= 48]


def nat64_prefix(text: str) -> IPv6Network:
    """Return the NAT64 prefix in a string. Raises ValueError if the string is not a NAT64 prefix."""
    prefix = IPv6Network(text)
    if prefix.prefixlen not in _LENGTHS:
        lengths = ", ".join(map(str, _LENGTHS))
        raise ValueError(
            f"a NAT64 prefix must have a length of {lengths} (RFC 6052 section 2.2), not {prefix.prefixlen}"
        )
    return prefix


def behind(address: IPv6Address, length: int) -> IPv4Address | None:
    """Return the IPv4 address after a prefix of this length (RFC 6052 section 2.2). Return None if the byte "u" (bits
    64 to 71) is not zero, because the address then contains no IPv4 address."""
    octets = address.packed
    if octets[8]:
        return None
    start = length // 8
    without = octets[:8] + octets[9:]
    start -= start > 8
    return IPv4Address(without[start : start + 4])


def forms(
    address: IPv4Address | IPv6Address, prefixes: Iterable[IPv6Network] = ()
) -> Iterator[IPv4Address | IPv6Address]:
    """Yield an address, and each IPv4 address that it may represent. The address may be an IPv4-mapped, IPv4-compatible
    or IPv4-translated address, or an address for NAT64 (with these prefixes), 6to4 (RFC 3056), ISATAP (RFC 5214) or
    Teredo (RFC 4380)."""
    yield address
    if isinstance(address, IPv4Address):
        return
    n = int(address)
    last, isatap = n & 0xFFFFFFFF, n >> 32 & 0xFFFFFFFF & ~0x03000000 == 0x5EFE
    if n >> 32 in _LAST or isatap:
        yield IPv4Address(last)
    if n >> 112 == 0x2002:
        yield IPv4Address(n >> 80 & 0xFFFFFFFF)
    if n >> 96 == 0x20010000:  # Teredo: the server's address, and the client's, whose bits are inverted
        yield IPv4Address(n >> 64 & 0xFFFFFFFF)
        yield IPv4Address(last ^ 0xFFFFFFFF)
    for prefix in prefixes if n >> 80 != 0x64FF9B0001 else (*prefixes, *_LOCAL):
        # in 64:ff9b:1::/48, a network may choose any prefix, so only the length of the prefix matters
        if address in prefix or n >> 80 == 0x64FF9B0001:
            inner = behind(address, prefix.prefixlen)
            if inner is not None:
                yield inner
