"""The syntax that all lists of hosts share: the lists of PatternSet and Policy ("domains"), Hosts, is_safe_redirect and
in_domains.

These lists differ in what a bare name means, and in what an entry without a port means (docs/patterns.md has a table).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from itertools import chain

from urlsm.octets.records import NamedTuple
from urlsm.url.value import try_parse

__all__ = ["ANY_PORT", "HostEntry", "HostEntryError", "HostList", "read_host_entry"]

ANY_PORT = -1
_FEW = 16  # a list with fewer names than this compares them one by one
_PORT = re.compile(r"(.*):(\*|[0-9]*)", re.DOTALL)
_FOUR_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+){3}", re.ASCII)
_BRACKETS = re.compile(r"\A\[([^\[\]]*)\](/.*)?\Z", re.DOTALL)
_NAME = re.compile(r"[a-z0-9._-]+")
_NOT_OF_A_HOST = frozenset("/\\?#@ \t\r\n*")


class HostEntryError(ValueError):
    """Raised if an entry in a list of hosts is invalid or can never match.

    Args:
        code: the reason, as a word that stays the same in later versions.
        message: the reason, as a sentence. It may quote the entry, without its password.
        position: the position in the entry, in characters.
        entry: the entry as given. It may contain a password; `str()` and `repr()` never do.

    Example:
        >>> try:
        ...     is_safe_redirect("/x", base="https://ex.com/", allowed_hosts=["10.0.0.1/8"])
        ... except HostEntryError as error:
        ...     print(error)
        '10.0.0.1/8': the address has bits beyond the first 8
    """

    code: str
    message: str
    position: int
    entry: str

    def __init__(self, code: str, message: str, position: int = 0, entry: str | None = None) -> None:
        given = () if entry is None else (entry,)
        super().__init__(code, message, position, *given)  # the arguments that a pickle stores
        self.code, self.message, self.position, self.entry = code, message, position, entry or ""

    def __str__(self) -> str:
        entry = _quoted(self.entry)
        return self.message if not self.args[3:] or entry in self.message else f"{entry}: {self.message}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code!r}, {self.message!r}, {self.position}, {_quoted(self.entry)})"


HostEntryError.__module__ = "urlsm.security"


def _quoted(text: str) -> str:
    """Return the repr of the first 100 characters of an entry, with secrets masked."""
    from urlsm.errors.masking import without_secrets

    return repr(without_secrets(text, refused=True)[:100])


class HostEntry(NamedTuple):
    """An entry in a list: "example.com", "=example.com" (only that name), ".example.com" (that name and all its
    subdomains), "*.example.com" (only its subdomains), an address or a network. Any entry except a network may have a
    port, or ":*".

    Attributes:
        how: what is written before the name: "", "=", "." or "*."; for an address or a network, always "=". host: a
        name as the URL Standard writes it, without a trailing dot; or an address or a network, without brackets.
        is_name: whether host is a name. port: a number, ANY_PORT, or None if the entry has none.
    """

    how: str
    host: str
    is_name: bool
    port: int | None


def read_host_entry(text: str) -> HostEntry:
    """Parse an entry. Raises HostEntryError if the text is not a valid entry: for example "*", a URL, a path, or a name
    that cannot be a host name."""
    try:
        return _entry(text)
    except HostEntryError as error:
        raise HostEntryError(error.code, error.message, error.position, text) from None


def _entry(text: str) -> HostEntry:
    if text == "*":
        raise HostEntryError("everything", '"*" matches every host: list the hosts instead')
    how = next((start for start in ("=", "*.", ".") if text.startswith(start)), "")
    start, rest, port = len(how), text[len(how) :], None
    if "://" in rest:
        raise HostEntryError("not-a-host", "write the host alone, without scheme and path", text.index(":"))
    found = _PORT.fullmatch(rest) if rest.count(":") == 1 or (rest.startswith("[") and "]:" in rest) else None
    if found:
        rest, number = found.groups()
        if number != "*" and not (number and len(number) <= 5 and int(number) <= 0xFFFF):
            raise HostEntryError("not-a-port", f"{_quoted(number)} is not a port number", start + len(rest) + 1)
        port = ANY_PORT if number == "*" else int(number)
    bare = _BRACKETS.sub(r"\1\2", rest)
    network = _network(bare, slash=how == "" and port is None)
    if network is None:
        name = _name(rest, start)
        network = _network(name[1:-1] if name.startswith("[") else name, slash=False)
        if network is None:
            return HostEntry(how, name, True, port)
    if how in (".", "*."):
        raise HostEntryError("not-a-domain", "an IP address has no subdomains")
    whole = network.prefixlen == network.max_prefixlen
    return HostEntry("=", str(network.network_address if whole else network), False, port)


def _network(text: str, *, slash: bool) -> IPv4Network | IPv6Network | None:
    """Return the text as a network or address; None if it is neither. HostEntryError: the text is a malformed network,
    or an IPv4 address with leading zeros. An IPv4-mapped IPv6 network is returned as an IPv6 network. slash: whether
    the text may have a "/" and a number of bits."""
    address, has_slash, bits = text.partition("/")
    if has_slash and not slash:
        return None
    if _FOUR_NUMBERS.fullmatch(address):
        if any(part[:1] == "0" != part for part in address.split(".")):
            said = "a number in the address has a leading zero: some programs read it as octal"
            raise HostEntryError("not-a-network", said)
    elif ":" not in address:
        return None
    if "%" in address or (has_slash and not (bits.isascii() and bits.isdigit() and len(bits) <= 3)):
        if ":" not in address or has_slash:
            raise HostEntryError("not-a-network", f"{_quoted(bits)} is not a valid prefix length", len(address) + 1)
        return None
    try:
        return ip_network(text)
    except ValueError as error:
        if "host bits" in str(error):
            raise HostEntryError("not-a-network", f"the address has bits beyond the first {bits}") from None
        if has_slash:
            raise HostEntryError("not-a-network", f"{_quoted(text)} is not a network") from None
        return None


def _name(text: str, start: int) -> str:
    """Return a host as the URL Standard writes it in an https URL, but without a dot at its end. start: its position in
    the entry. HostEntryError: the text is not a valid host."""
    url = None
    if not any(c in _NOT_OF_A_HOST for c in text) and (":" not in text or text[:1] == "["):
        url = try_parse(f"https://{text}/")
    if url is None or url.path != "/" or not url.host:
        raise HostEntryError("not-a-host", f"{_quoted(text)} is not a host" if text else "the host is missing", start)
    name = url.host.removesuffix(".")
    if not name or ".." in f".{name}":
        raise HostEntryError("not-a-host", "a label of the host is empty", start)
    if name[0] != "[" and not _NAME.fullmatch(name):
        # a URL may have such a host ("a.example,b.example"), but no server has that name
        raise HostEntryError("not-a-host", f"{_quoted(text)} is not a host", start)
    return name


class HostList:
    """A list of entries that tells whether it contains the host of a URL. The host must be in normal form.

    Attributes:
        suffixes: each name, as bytes, with a mark before it: "=" (only that name), "*" (names below it) or "." (both).
            It is None unless the list consists of a few names without ports and any_port is True.
        has_ports: whether any entry has a port.
    """

    __slots__ = ("_any_port", "_longest", "_names", "_networks", "has_ports", "suffixes")

    has_ports: bool
    suffixes: tuple[bytes, ...] | None

    def __init__(self, entries: Iterable[str], *, below: bool, any_port: bool) -> None:
        """Make a list of these entries. below: whether a bare name includes all its subdomains. any_port: whether an
        entry without a port allows any port; if not, it allows only the default port of the scheme. TypeError: an entry
        is not a str. HostEntryError: an entry is invalid."""
        names: dict[str, list[tuple[bool, bool, int | None]]] = {}
        self._names, self._any_port = names, any_port
        self._networks: list[tuple[IPv4Network | IPv6Network, int | None]] = []
        for entry in entries:
            how, host, is_name, port = read_host_entry(entry)
            if is_name:
                deeper = below if how == "" else how != "="
                names.setdefault(host, []).append((how != "*.", deeper, port))
            else:
                self._networks.append((_unmapped(ip_network(host)), port))

        self.has_ports = any(row[-1] is not None for row in chain(*names.values(), self._networks))
        plainly = any_port and not self._networks and not self.has_ports and len(names) < _FEW
        rows = [(name, whole, below) for name, each in names.items() for whole, below, _ in each] if plainly else []
        marks = {(True, True): ".", (True, False): "=", (False, True): "*"}
        self.suffixes = (
            tuple([f"{marks[whole, below]}{name}".encode() for name, whole, below in rows]) if plainly else None
        )
        self._longest = max(map(len, names), default=0)

    def holds(self, host: str, port: int | None, default: bool = True) -> bool:
        """Return whether an entry matches a host. port: None if it is unknown. default: whether the port is the
        scheme's default."""
        name, start = host.removesuffix("."), 0
        while True:
            if len(name) - start <= self._longest:  # without this check, many labels would take quadratic time
                for whole, below, wanted in self._names.get(name[start:], ()):
                    if (below if start else whole) and self._fits(wanted, port, default):
                        return True
            start = name.find(".", start) + 1
            if not start:
                break
        if not self._networks:
            return False
        try:
            address = _unmapped(ip_network(host.strip("[]").removesuffix(".")))
        except ValueError:
            return False
        return any(
            network.version == address.version
            and int(network.network_address) <= int(address.network_address) <= int(network.broadcast_address)
            and self._fits(wanted, port, default)
            for network, wanted in self._networks
        )

    def _fits(self, wanted: int | None, port: int | None, default: bool) -> bool:
        if wanted is None:
            return self._any_port or default
        return wanted in (ANY_PORT, port)


def _unmapped(network: IPv4Network | IPv6Network) -> IPv4Network | IPv6Network:
    """Return the IPv4 network for an IPv4-mapped IPv6 network (RFC 4291 section 2.5.5.2). Return any other network
    unchanged."""
    mapped = network.network_address.ipv4_mapped if isinstance(network, IPv6Network) else None
    if mapped is None or network.prefixlen < 96:
        return network
    return IPv4Network((int(mapped), network.prefixlen - 96))
