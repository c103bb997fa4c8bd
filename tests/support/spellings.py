"""The rows of the table of special addresses, and the texts by which some reader takes their addresses."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_network

from urlsm.security.addresses import ROWS

NETWORKS = [(ip_network(row.network), row) for row in ROWS if "/" in row.network]
NAMES = [row.network for row in ROWS if "/" not in row.network and not row.public]


def row_of(address):
    """The smallest network that has an address."""
    found = [(network.prefixlen, row) for network, row in NETWORKS if address in network]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def special(version):
    for network, row in NETWORKS:
        if network.version == version and not row.public:
            middle = network[network.num_addresses // 2]
            ends = dict.fromkeys((network[0], middle, network[-1]))  # in order, as each process of xdist collects them
            yield from [address for address in ends if not row_of(address).public]


SPECIAL4, SPECIAL6 = list(special(4)), list(special(6))


def in_ipv6(address):
    """IPv6 addresses that stand for an IPv4 address."""
    n = int(address)
    yield from (f"{start}{address}" for start in ("::ffff:", "::", "::ffff:0:", "64:ff9b::", "0:0:0:0:0:FFFF:"))
    yield str(IPv6Address(0xFFFF << 32 | n))
    yield str(IPv6Address(int(IPv6Address("64:ff9b::")) | n))
    yield str(IPv6Address(0x2002 << 112 | n << 80 | 1))
    yield from (str(IPv6Address(0x26064700 << 96 | start << 32 | n)) for start in (0x5EFE, 0x02005EFE))


def numbers(address):
    """The numbers that inet_aton takes for an IPv4 address, besides four decimal ones."""
    a, b, c, d = address.packed
    n = int(address)
    yield from (f"{a}.{b}.{c << 8 | d}", f"{a}.{n & 0xFFFFFF}", str(n), hex(n), f"0{n:o}", f"0X{n:08X}")
    yield from (f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}", f"0x{a:x}.{b}.0{c:o}.{d}")
    yield from (
        f"{a:03}.{b:03}.{c:03}.{d:03}",
        f"{address}.",
        f"0x{a:x}.{n & 0xFFFFFF}",
        f"0{a:o}.{b}.0x{c << 8 | d:x}",
    )


def disguised(text):
    """Other texts that some reader takes for the same host."""
    yield "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in text)
    yield "".join(f"%{ord(c):02x}" for c in text)
    yield text.replace(".", "\u3002")
