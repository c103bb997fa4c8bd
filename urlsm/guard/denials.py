"""Names and addresses that are blocked even if the networks of a policy contain them. They are the names and addresses
that the policy denies, and the addresses of cloud metadata services."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network

from urlsm.guard.embedding import forms
from urlsm.security.addresses import ROWS
from urlsm.security.plain import canonical_host, hazards_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.guard.policy import _Network

__all__ = ["Denied", "is_metadata_name", "is_within", "key_of", "metadata_of"]

_METADATA = "metadata-address"
_TAKES = "deny must contain names (each with its subdomains), addresses or networks"
_CLOUDS = [ip_network(row.network) for row in ROWS if "/" in row.network and row.hazard == _METADATA]


def key_of(host: str) -> str:
    """Return a host in the form used to compare host names: in lower case, without trailing dots."""
    return host.rstrip(".").lower()


def is_within(address: Any, networks: Iterable[_Network]) -> bool:
    """Return whether an address is in one of the networks. An IPv4-mapped address also counts as its IPv4 address."""
    mapped = getattr(address, "ipv4_mapped", None)
    return any(address in network or (mapped is not None and mapped in network) for network in networks)


def is_metadata_name(host: str) -> bool:
    return _METADATA in hazards_of(host)


def metadata_of(address: Any, given: Iterable[_Network], prefixes: Iterable[IPv6Network]) -> tuple[str, str] | None:
    """Return (place, network) if an address may represent a place where a cloud provider serves credentials, and no
    given network allows that place; otherwise None. A network allows the place only if it contains the place and is no
    larger than the place's row in _CLOUDS.

    network: a network that would allow the place, for use in a message; "" if no given network contains the address.
    """
    given = tuple(given)
    for form in forms(address, prefixes):
        for row in _CLOUDS:
            if form in row and not is_within(address, [n for n in given if n.num_addresses <= row.num_addresses]):
                same = form is address or form == getattr(address, "ipv4_mapped", None)
                opens = str(row) if same else f"{address}/128"
                return str(form), opens if is_within(address, given) else ""
    return None


def opens_metadata(networks: Iterable[_Network]) -> bool:
    """Return whether one of these networks contains only addresses where a cloud provider serves credentials."""
    return any(
        network.version == row.version and network.subnet_of(row)  # type: ignore[arg-type]
        for network in networks
        for row in _CLOUDS
    )


class Denied:
    """The names (each with its subdomains) and the addresses that a policy denies.

    ValueError: an entry is not a name, an address or a network, or could never match.
    """

    __slots__ = ("_longest", "_names", "_networks")

    _networks: dict[tuple[int, int], set[int]]  # the prefixes, by (version, number of bits after the prefix)

    def __init__(self, given: Iterable[str], nat64: Iterable[IPv6Network] = ()) -> None:
        networks: list[_Network] = []
        names: set[str] = set()
        for text in given:
            read = text[1:-1] if text.startswith("[") and text.endswith("]") else text
            if (":" in read or "/" in read) and "%" not in read:
                try:
                    networks += _equivalent(ip_network(read), nat64)
                except ValueError as error:
                    raise ValueError(f"{_TAKES}, not {text[:100]!r}: {str(error)[:200]}") from None
                continue
            host = canonical_host(read)
            if (
                host is None
                or ":" in host
                or not key_of(host)
                or host.startswith((".", "="))
                or "*" in host
                or ".." in host
                or text == "public"  # this word has a meaning only in the argument `networks`; here it would be a name
            ):
                raise ValueError(f"{_TAKES}, not {text[:100]!r}")
            if host[-1].isdigit() and host.replace(".", "").isdigit():
                networks.append(ip_network(host))
            else:
                names.add(key_of(host))
        self._networks, self._names = {}, frozenset(names)
        for network in networks:
            behind = network.max_prefixlen - network.prefixlen
            prefixes = self._networks.setdefault((network.version, behind), set())
            prefixes.add(int(network.network_address) >> behind)
        self._longest = max(map(len, names), default=0)

    def key(self) -> tuple[frozenset[str], frozenset[Any]]:
        """Return a hashable object that is equal for lists with the same names and networks."""
        return self._names, frozenset([(place, frozenset(found)) for place, found in self._networks.items()])

    def __bool__(self) -> bool:
        return bool(self._networks or self._names)

    def has_name(self, host: str) -> bool:
        """Return whether a name, or a parent domain of the name, is denied."""
        key = key_of(host)
        # if the name is longer than every denied name, only its end can match, from the start of a label on
        if len(key) > self._longest:
            key = key[-self._longest - 1 :].partition(".")[2] if self._names else ""
        while key:
            if key in self._names:
                return True
            key = key.partition(".")[2]
        return False

    def has_address(self, address: Any, prefixes: Iterable[IPv6Network]) -> bool:
        """Return whether an address, or an IPv4 address that it may represent, is denied."""
        return bool(self._networks) and any(
            form.version == version and int(form) >> behind in found
            for form in forms(address, prefixes)
            for (version, behind), found in self._networks.items()
        )


def _equivalent(network: _Network, prefixes: Iterable[IPv6Network]) -> list[_Network]:
    """Return a network, followed by the IPv4 networks that it represents. A single IPv6 address may represent several
    IPv4 addresses (see forms). A larger IPv6 network represents an IPv4 network if it is IPv4-mapped."""
    found: list[_Network] = [network]
    if isinstance(network, IPv6Network):
        if network.num_addresses == 1:
            found += [ip_network(form) for form in forms(network.network_address, prefixes)][1:]
        elif network.network_address.ipv4_mapped is not None and network.prefixlen > 96:
            found.append(IPv4Network((network.network_address.ipv4_mapped, network.prefixlen - 96)))
    return found
