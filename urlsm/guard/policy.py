"""The class Policy, which decides which URLs, host names and addresses a client may request. It makes no connections.
Only its methods resolve() and reached(), and their async versions, query the DNS."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from operator import index
from types import MappingProxyType

from urlsm.guard.denials import Denied, is_metadata_name, is_within, key_of, metadata_of, opens_metadata
from urlsm.guard.embedding import behind, nat64_prefix
from urlsm.guard.lookups import alook_up
from urlsm.guard.proxy import Proxy
from urlsm.machine.driver import SPECIAL
from urlsm.octets.later import import_from
from urlsm.patterns.sets import PatternSet
from urlsm.security.addresses import ABOUT as ADDRESSES
from urlsm.security.addresses import ROWS
from urlsm.security.comparison import is_ambiguous, readers_named
from urlsm.security.plain import Gate, address_kind, canonical_host, hazards_of
from urlsm.security.verdict import PlainAnswers, Verdict
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeVar

    from urlsm.url.value import StrOrURL

    _T = TypeVar("_T")

    _Network = IPv4Network | IPv6Network
    _Networks = str | _Network | Iterable[str | _Network]

__all__ = ["PORTS", "BlockedError", "Policy", "checked_policy", "refusal"]

PORTS = {name: port for name, port in SPECIAL.items() if port and name in ("http", "https")}
_LOG = logging.getLogger("urlsm.guard")
_WHY = {
    "not-a-url": "this is not a URL",
    "ambiguous": "URL parsers disagree about the host",
    "scheme": "the policy does not allow the scheme",
    "port": "the policy does not allow the port",
    "denied": "the policy denies this host",
    "host": "the host is not in the policy's domains",
    "loopback-address": "the address is this machine's own (loopback)",
    "link-local-address": "the address is link-local",
    "metadata-address": "the address is a cloud metadata service",
    "private-address": "the address is not on the public Internet",
    "special-address": "the address is not on the public Internet",
    "unallocated-address": "IANA has not allocated the address",
    "other-address": "the policy does not allow the address",
    "zone": "an address with a zone is link-local",
    "not-an-address": "this is not an IP address",
    "special-name": "the name is reserved and not in public DNS",
    "local-name": "the name resolves only on a local network",
    "proxied-name": "only the proxy can resolve the name",
    "no-address": "the name has no address",
    "too-many-redirects": "there are more redirects than max_redirects",
    "proxy": "the policy does not allow a proxy",
    "too-large": "the response is larger than max_bytes",
    "too-large-decoded": "the decoded response is larger than max_decoded_bytes",
    "coding": "the response cannot be decoded within max_decoded_bytes",
    "too-slow": "the response took longer than header_timeout or total_timeout",
}


class BlockedError(Exception):
    """Raised when a guarded client blocks a URL, an address, a redirect or a response.

    Each client raises a subclass that is also one of the client's own exceptions. For example, the httpx clients raise
    a subclass of httpx.TransportError.

    Attributes:
        verdict: the Verdict, which gives the reasons.

    Example:
        >>> try:
        ...     urllib_opener(Policy()).open("http://127.0.0.1/")
        ... except BlockedError as blocked:
        ...     blocked.verdict.codes
        ('loopback-address',)
    """

    verdict: Verdict = Verdict(False)
    _home = "urlsm.guard.policy"

    def __init_subclass__(cls) -> None:
        if cls.__module__.startswith("urlsm.guard."):  # a subclass of a client has a private home, but shows this name
            cls._home, cls.__module__ = cls.__module__, "urlsm.guard"

    def __reduce__(self) -> tuple[Any, ...]:  # a pickle finds a subclass by its home
        reduced: Any = super().__reduce__()
        kind, given, *rest = reduced
        return (_made_again, (kind._home, *given), *rest) if kind.__module__ == "urlsm.guard" else reduced


def _made_again(home: str, *given: Any) -> BlockedError:
    made: BlockedError = import_from(home, "BlockedError")(*given)
    return made


BlockedError.__module__ = "urlsm.guard"


def refusal(*codes: str, addresses: tuple[str, ...] = (), hint: str = "") -> Verdict:
    """Return a negative verdict with these codes. hint: a sentence that says what would allow the request; it is
    appended to the verdict's message."""
    each = tuple(dict.fromkeys(codes))
    said = dict.fromkeys([*(_WHY[code] for code in each), *([hint] if hint else [])])
    return Verdict(False, True, each, "; ".join(said), addresses)


_OF_IPADDRESS = (IPv4Address, IPv4Network, IPv6Address, IPv6Network)
_NAME_HINT = "to allow it, give the name one address in host_networks"
_PUBLIC = Verdict(True)
_NAME = Verdict(True, False)
_UNALLOCATED, _OTHER_HOST = refusal("unallocated-address"), refusal("host")
_OF_ROWS = tuple(
    [
        _PUBLIC if row.public else refusal(*(hazards_of(row.network.split("/")[0]) or ["special-address"]))
        for row in ROWS
    ]
)


_ARGUMENTS = (
    *("networks", "ports", "schemes", "domains", "deny", "host_networks", "nat64_prefixes", "max_redirects"),
    *("require_all_addresses", "readers", "proxy", "max_bytes", "max_decoded_bytes", "header_timeout", "total_timeout"),
)
_READ = ("networks", "host_networks", "nat64_prefixes", "deny")  # these may have an equal meaning in another spelling


class Policy(Gate):
    """The URLs and addresses that an HTTP client may connect to. A policy is immutable, so clients and threads can
    share it.

    Two policies with the same arguments are equal. The order of networks and names does not matter, nor how a network,
    or a name in `deny` or `host_networks`, is spelled.

    Where networks are expected, a single str or ipaddress object is one network.

    Args:
        networks: the addresses to allow: "public" (the addresses that urlsm's dated table lists as reachable from the
            Internet), networks in CIDR notation, or both. To allow a cloud metadata address, add a network that
            contains only this address ("169.254.169.254/32") here or in `host_networks`.
        ports: the ports to allow.
        schemes: the schemes to allow: "http", "https" or both.
        domains: the only hosts to allow: names, or a PatternSet that is an allow-list. A name includes its subdomains,
            unless "=" precedes it ("=example.com"). None: any host.
        deny: names (each with its subdomains), addresses and networks to block in every case. Addresses are blocked in
            every spelling, and also when a name resolves to them.
        host_networks: additional networks to allow for individual names: {"billing.internal": "10.0.0.0/8"}. Such a
            name may be one that exists only in your network.
        nat64_prefixes: the NAT64 prefixes of your network (RFC 6052). An address with such a prefix is checked as the
            IPv4 address after the prefix. 64:ff9b::/96 always counts as a NAT64 prefix.
        max_redirects: the maximum number of redirects to follow.
        require_all_addresses: whether all addresses of a name must be allowed. If False, one allowed address is enough,
            and clients connect only to allowed addresses.
        readers: programs that must see the same scheme, host and port in a URL, as for
            urlsm.security.compare_readers: those that check the URL before, or fetch it after. The dialects are always
            asked, so this never allows more. None: no programs.
        proxy: the proxy for all clients, "http://user:password@host:3128". The proxy resolves names itself, so only the
            URL is checked, not the addresses of names. None: connect directly.
        max_bytes: the maximum size of a response in bytes, as sent, including chunk sizes. None: no limit.
        max_decoded_bytes: the maximum number of bytes that each content coding may decode to. None: no limit.
        header_timeout: the number of seconds within which the header of a response must arrive. None: no limit.
        total_timeout: the number of seconds that a call, including its redirects, may take. None: no limit.

    Raises:
        TypeError: an argument or an item in it has the wrong type. For example, `domains` is a single str, or a number
            is a bool.
        ValueError: a value is invalid, or `host_networks` is combined with `proxy`.
        PatternError: an entry of `domains` is invalid.

    Example:
        >>> policy = Policy(ports=[443], domains=["example.com"])
        >>> policy.check("https://api.example.com/").allowed
        True
        >>> policy.check("http://169.254.169.254/").codes
        ('port', 'host', 'metadata-address', 'link-local-address')
    """

    __slots__ = (*_ARGUMENTS, "_denied", "_extra", "_names_open", "_networks", "_public_too")

    networks: tuple[str, ...]
    ports: frozenset[int]
    schemes: frozenset[str]
    domains: PatternSet | None
    deny: tuple[str, ...]
    host_networks: Mapping[str, tuple[str, ...]]
    nat64_prefixes: tuple[IPv6Network, ...]
    max_redirects: int
    require_all_addresses: bool
    readers: tuple[str, ...] | None
    proxy: Proxy | None
    max_bytes: int | None
    max_decoded_bytes: int | None
    header_timeout: float | None
    total_timeout: float | None
    _denied: Denied
    _extra: Mapping[str, tuple[_Network, ...]]
    _names_open: bool  # whether the networks open names where clouds hand out credentials
    _networks: tuple[_Network, ...]
    _public_too: bool

    def __init__(
        self,
        networks: _Networks = "public",
        *,
        ports: Iterable[int] = (80, 443),
        schemes: Iterable[str] = ("http", "https"),
        domains: PatternSet | Iterable[str] | None = None,
        deny: _Networks = (),
        host_networks: Mapping[str, _Networks] | None = None,
        nat64_prefixes: _Networks = (),
        max_redirects: int = 5,
        require_all_addresses: bool = True,
        readers: Iterable[str] | None = None,
        proxy: StrOrURL | Proxy | None = None,
        max_bytes: int | None = 64 << 20,
        max_decoded_bytes: int | None = 16 << 20,
        header_timeout: float | None = 30.0,
        total_timeout: float | None = 300.0,
    ) -> None:
        put = object.__setattr__
        named = _texts(networks, "networks")
        put(self, "networks", named)
        put(self, "_networks", tuple([_read(ip_network, text, "networks") for text in named if text != "public"]))
        put(self, "_names_open", opens_metadata(self._networks))
        put(self, "_public_too", "public" in named)
        put(
            self,
            "ports",
            frozenset([_integer(port, "ports must contain only int") for port in _several(ports, "ports", "int")]),
        )
        put(self, "schemes", frozenset(_names(schemes, "schemes")))
        if domains is not None and not isinstance(domains, PatternSet):
            domains = PatternSet(_names(domains, "domains"), "domains")
        put(self, "domains", domains)
        if host_networks is not None and not isinstance(host_networks, Mapping):
            raise TypeError(f"host_networks must be a mapping or None, not {type(host_networks).__name__}")
        named_too = {_name_key(name): _texts(given, "host_networks") for name, given in (host_networks or {}).items()}
        put(self, "host_networks", MappingProxyType(named_too))
        extra = {
            name: tuple([_read(ip_network, text, "host_networks") for text in given])
            for name, given in self.host_networks.items()
        }
        put(self, "_extra", extra)
        put(self, "proxy", proxy if proxy is None or isinstance(proxy, Proxy) else Proxy(proxy))
        prefixes = _texts(nat64_prefixes, "nat64_prefixes")
        put(self, "nat64_prefixes", tuple([_read(nat64_prefix, text, "nat64_prefixes") for text in prefixes]))
        put(self, "deny", _texts(deny, "deny"))
        put(self, "_denied", Denied(self.deny, self.nat64_prefixes))
        put(self, "max_redirects", _integer(max_redirects, "max_redirects must be int"))
        limits = {
            "max_bytes": _size(max_bytes, "max_bytes"),
            "max_decoded_bytes": _size(max_decoded_bytes, "max_decoded_bytes"),
            "header_timeout": _seconds(header_timeout, "header_timeout"),
            "total_timeout": _seconds(total_timeout, "total_timeout"),
        }
        for name, value in limits.items():
            put(self, name, value)
        put(self, "require_all_addresses", bool(require_all_addresses))
        put(self, "readers", None if readers is None else tuple(readers_named(readers)))
        if not self.schemes <= PORTS.keys():
            raise ValueError(f"schemes must be 'http' or 'https', not {min(self.schemes - PORTS.keys())!r}")
        if not all(0 < port <= 0xFFFF for port in self.ports):
            raise ValueError("ports must be numbers from 1 to 65535")
        if self.domains is not None and "" in self.domains:  # only a block list contains texts that are not URLs
            raise ValueError("domains must be an allow-list, but this PatternSet is a block list")
        if self.proxy is not None and self._extra:
            raise ValueError("host_networks cannot be combined with proxy: the proxy resolves names itself")
        if self.max_redirects < 0:
            raise ValueError(f"max_redirects must be 0 or more, not {max_redirects!r}")
        for name, limit in limits.items():
            if limit is not None and not limit > 0:
                raise ValueError(f"{name} must be above 0, or None for no limit, not {limit!r}")
        self._set_answers(
            PlainAnswers(
                *(_OF_ROWS, _PUBLIC, _UNALLOCATED, _NAME, _OTHER_HOST, self.domains),
                public_open=self._public_too and not self._denied,  # with deny, every URL needs the full check
                more_open=bool(self._networks),
                has_prefixes=bool(self.nat64_prefixes),
                # with readers, every URL needs the full check
                http=readers is None and "http" in self.schemes and PORTS["http"] in self.ports,
                https=readers is None and "https" in self.schemes and PORTS["https"] in self.ports,
            )
        )

    @property
    def dates(self) -> dict[str, str]:
        """The dates of the tables that decide what this policy allows, by the tables' names in `urlsm.about.tables`.

        Example:
            >>> Policy().dates["special addresses"]
            '2026-07-18'
        """
        from urlsm.unicode.idna import ABOUT as domains

        tables: dict[str, Any] = {**ADDRESSES, "domain names": domains["domain names"]}
        if self.readers is not None:
            from urlsm.readers.proofs import ABOUT as readers

            tables |= readers
        return {name: str(said["date"]) for name, said in tables.items()}

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Policy is immutable: create a new one to change {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Policy is immutable: {name} cannot be deleted")

    def __copy__(self) -> Policy:
        return self

    def __deepcopy__(self, memo: object) -> Policy:
        return self

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[Any, ...]:
        """Return what decides whether two policies are equal: networks and names as they are read, in no order."""
        networks = frozenset(self._networks), self._public_too, frozenset(self.nat64_prefixes)
        extra = frozenset([(name, frozenset(given)) for name, given in self._extra.items()])
        rest = [getattr(self, name) for name in _ARGUMENTS if name not in _READ]
        return (*networks, extra, self._denied.key(), *rest)

    def __reduce__(self) -> tuple[Any, ...]:
        given = {name: getattr(self, name) for name in _ARGUMENTS}
        return _made, (type(self), {**given, "host_networks": {**self.host_networks}})

    def __repr__(self) -> str:
        """Show the arguments that differ from the defaults, without a proxy's credentials."""
        plain = Policy()
        shown = []
        for name in _ARGUMENTS:
            value = getattr(self, name)
            if value != getattr(plain, name):
                shown.append(f"{name}={_shown(value)}")
        return f"Policy({', '.join(shown)})"

    # --- URLs ----------------------------------------------------------------------------------------

    def _check_at_length(self, url: StrOrURL) -> Verdict:
        read = try_parse(url)
        if read is None:
            return refusal("not-a-url")
        codes = ["ambiguous"] if is_ambiguous(url) or self._is_disputed(url) else []
        if read.scheme not in self.schemes:
            return refusal("scheme", *codes)
        if (PORTS[read.scheme] if read.port is None else read.port) not in self.ports:
            codes.append("port")
        host = (read.host or "").strip("[]")
        codes += self._of_lists(host, read)
        verdict = self._of_host(host)
        return refusal(*codes, *verdict.codes) if codes else verdict

    def _is_disputed(self, url: StrOrURL) -> bool:
        """Return whether the readers, of which a browser is always one, see other servers in a URL."""
        return self.readers is not None and is_ambiguous(url, readers=(*self.readers, "whatwg"))

    def _of_lists(self, host: str, url: StrOrURL) -> list[str]:
        """Return the codes for hosts that `deny` or `domains` blocks."""
        codes = []
        if self._denied and self._denies(host):
            codes.append("denied")
        if self.domains is not None and url not in self.domains:
            codes.append("host")
        return codes

    def _denies(self, host: str) -> bool:
        if self._of_table(host) is None:
            return self._denied.has_name(host)
        return self._denied.has_address(ip_address(host), self.nat64_prefixes)

    def _of_host(self, host: str) -> Verdict:
        """Return the verdict on the host of a URL; an IPv6 address is given without brackets."""
        if self._of_table(host) is not None:
            return self._of_address(host, host)
        extra = self._extra.get(key_of(host), ())
        if self.proxy is None and (extra or self._networks):
            if not is_metadata_name(host) or self._names_open or any(network.num_addresses == 1 for network in extra):
                return _NAME  # allowed for now: its addresses will decide
            return refusal(*hazards_of(host), hint=_NAME_HINT)
        kind = address_kind(host)
        if kind is not None and not kind.public:
            return refusal(*(hazards_of(host) or ["special-name"]))
        if "." not in host.rstrip(".") or ".." in f".{host}":
            return refusal("local-name")
        return _NAME if self.proxy is None or self._public_too else refusal("proxied-name")

    # --- addresses -----------------------------------------------------------------------------------

    def _of_address(self, text: str, host: str) -> Verdict:
        """Return the verdict on an address that a host resolves to. text: the address in canonical form, without a
        zone."""
        given = (*self._networks, *self._extra.get(key_of(host), ()))
        if given or self.nat64_prefixes or self._denied:
            address = ip_address(text)
            if self._denied.has_address(address, self.nat64_prefixes):
                return refusal("denied")
            if (found := metadata_of(address, given, self.nat64_prefixes)) is not None:
                where, opens = found
                return refusal(
                    *hazards_of(where), hint=f"to allow it, add {opens} to networks or host_networks" if opens else ""
                )
            if is_within(address, given):
                return _PUBLIC
            for prefix in self.nat64_prefixes:
                if address in prefix:
                    inner = behind(address, prefix.prefixlen)  # type: ignore[arg-type]
                    return _UNALLOCATED if inner is None else self._of_address(str(inner), host)
        verdict: Verdict = self._of_table(text)  # type: ignore[assignment]
        return verdict if self._public_too or not verdict.allowed else refusal("other-address")

    def _address_at_length(self, address: str | bytes | IPv4Address | IPv6Address) -> Verdict:
        if isinstance(address, bytes):
            return self._of_text(address.decode("utf-8", "replace"))
        if isinstance(address, (str, IPv4Address, IPv6Address)):
            return self._of_text(str(address))
        raise TypeError(f"address must be str, bytes, IPv4Address or IPv6Address, not {type(address).__name__}")

    def _of_text(self, text: str, host: str = "") -> Verdict:
        """Return the verdict on an address in any form."""
        if text.startswith("[") and text.endswith("]") and ":" in text:
            text = text[1:-1]
        address, percent, _ = text.partition("%")
        if ":" in address:
            if self._of_table(address) is None:
                return refusal("not-an-address")
            verdict = self._of_address(address, host)
            if percent and verdict.allowed and not is_within(ip_address(address), self._networks):
                return refusal("zone")
            return verdict
        if self._of_table(text) is not None:
            return self._of_address(text, host)
        read = canonical_host(text)
        if read is None or self._of_table(read) is None:
            return refusal("not-an-address")
        return refusal("ambiguous", *self._of_address(read, host).codes)

    # --- names ---------------------------------------------------------------------------------------

    def resolve(self, host: str | bytes, *, require_all_addresses: bool | None = None) -> Verdict:
        """Look up a host with the system's resolver, and check each address.

        Connect to the addresses in the result, not to the name, because connecting to the name would query the resolver
        again. `domains` is applied only if its syntax is "domains". For patterns that match whole URLs, call check() as
        well. With a proxy, nothing is looked up.

        Args:
            host: a name, or an address in any form.
            require_all_addresses: as for Policy. None: use the policy's setting.

        Returns:
            A final Verdict with the `addresses` that you may connect to. With a proxy, the verdict on a name is not
            final.

        Raises:
            OSError: the resolver finds no address (socket.gaierror).
            TypeError: `host` is neither str nor bytes.

        Example:
            >>> Policy().resolve("127.0.0.1").codes
            ('loopback-address',)
        """
        verdict, name = self._before(host)
        if verdict is None:
            verdict = self._of_answers(
                name, socket.getaddrinfo(name, None, type=socket.SOCK_STREAM), require_all_addresses
            )
        return verdict

    async def aresolve(self, host: str | bytes, *, require_all_addresses: bool | None = None) -> Verdict:
        """Look up a host as resolve() does, in the running asyncio event loop.

        Args:
            host: as for resolve().
            require_all_addresses: as for resolve().

        Example:
            >>> import asyncio
            >>> asyncio.run(Policy().aresolve("127.0.0.1")).codes
            ('loopback-address',)
        """
        verdict, name = self._before(host)
        if verdict is None:
            call = partial(socket.getaddrinfo, name, None, type=socket.SOCK_STREAM)
            found = await alook_up(call, name.decode("ascii"))
            verdict = self._of_answers(name, found, require_all_addresses)
        return verdict

    def _before(self, host: str | bytes) -> tuple[Verdict | None, bytes]:
        """Return (verdict, name) for a host. verdict: None if only the resolver can decide. name: the name to ask the
        resolver for; empty if there is a verdict."""
        if isinstance(host, bytes):
            host = host.decode("utf-8", "replace")
        elif not isinstance(host, str):
            raise TypeError(f"host must be str or bytes, not {type(host).__name__}")
        inside = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        read = canonical_host(inside) if ":" not in inside else inside
        if read is None:
            return refusal("not-a-url"), b""
        is_address = ":" in read or self._of_table(read) is not None
        codes = ["denied"] if not is_address and self._denied.has_name(read) else []
        if self.domains is not None and self.domains.syntax == "domains":
            where = f"https://{f'[{read}]' if ':' in read else read}"  # entries may have a port, so each port is tried
            codes += [] if any(f"{where}:{port}/" in self.domains for port in self.ports) else ["host"]
        if is_address:
            verdict = self._of_text(inside, _canonical(read))
            if codes or not verdict.allowed:
                return refusal(*codes, *verdict.codes), b""
            return Verdict(True, addresses=(read,)), b""
        codes += self._of_host(read).codes
        if codes or self.proxy is not None:
            return refusal(*codes) if codes else _NAME, b""
        return None, read.encode("ascii")  # as octets, because the socket module would apply IDNA to a str again

    def _reached(self, host: str) -> Verdict:
        """Return resolve(host). But if there is a proxy and the host is allowed, return a final verdict with the
        addresses of the proxy, which are not checked."""
        verdict = self.resolve(host)
        if self.proxy is None or not verdict.allowed:
            return verdict
        found = socket.getaddrinfo(self.proxy.name, None, type=socket.SOCK_STREAM)
        return Verdict(True, addresses=_addresses(found))

    async def _areached(self, host: str) -> Verdict:
        """The async version of reached(), for the running asyncio event loop."""
        verdict = await self.aresolve(host)
        if self.proxy is None or not verdict.allowed:
            return verdict
        call = partial(socket.getaddrinfo, self.proxy.name, None, type=socket.SOCK_STREAM)
        found = await alook_up(call, self.proxy.host)
        return Verdict(True, addresses=_addresses(found))

    def _of_answers(self, name: bytes, found: Iterable[Any], all_of_them: bool | None) -> Verdict:
        """Return the verdict on the addresses that getaddrinfo found."""
        host = name.decode("ascii")
        judged = {text: self._of_text(text, host) for text in _addresses(found)}
        passed = tuple([text for text, verdict in judged.items() if verdict.allowed])
        needs_all = self.require_all_addresses if all_of_them is None else all_of_them
        if passed and (len(passed) == len(judged) or not needs_all):
            return Verdict(True, addresses=passed)
        codes = dict.fromkeys(code for verdict in judged.values() for code in verdict.codes)
        said = dict.fromkeys(
            sentence for verdict in judged.values() for sentence in verdict.message.split("; ") if sentence
        )
        hint = "; ".join([sentence for sentence in said if sentence not in _WHY.values()])
        return refusal(*(codes or ["no-address"]), addresses=tuple(judged), hint=hint)

    # --- refusals ------------------------------------------------------------------------------------

    def _refuse(self, error: type[BlockedError], verdict: Verdict, url: StrOrURL) -> NoReturn:
        """Raise error with a verdict, and log it. The error and the log show only the scheme, the host and the port of
        the URL."""
        read = try_parse(url)
        where = (
            "an invalid URL"
            if read is None
            else f"{read.scheme}://{read.host or ''}{f':{read.port}' if read.port else ''}"
        )
        _LOG.warning("blocked %s: %s", where, ", ".join(verdict.codes), extra={"codes": verdict.codes})
        refused = error(f"blocked {where}: {verdict.message}")
        refused.verdict = verdict
        raise refused


Policy.__module__ = "urlsm.guard"


def _made(kind: type[Policy], given: dict[str, Any]) -> Policy:
    return kind(**given)


def checked_policy(policy: Policy) -> Policy:
    """Return a client's `policy` argument. Raises TypeError if it is not a Policy."""
    if not isinstance(policy, Policy):
        raise TypeError(f"policy must be a Policy, not {type(policy).__name__}")
    return policy


def _texts(given: _Networks, name: str) -> tuple[str, ...]:
    """Return networks or names, the argument `name`, as strings. An ipaddress object is iterable, but counts as one
    network."""
    if isinstance(given, (str, *_OF_IPADDRESS)):
        given = (given,)
    elif isinstance(given, bytes) or not _is_iterable(given):
        raise TypeError(f"{name} must be a str, an ipaddress object or an iterable, not {type(given).__name__}")
    each = tuple(given)
    for one in each:
        if not isinstance(one, (str, *_OF_IPADDRESS)):
            raise TypeError(f"{name} must contain only str or ipaddress objects, not {type(one).__name__}")
    return tuple(map(str, each))


def _read(reader: Callable[[str], _T], text: str, name: str) -> _T:
    """Return what an entry of the argument `name` is read as. ValueError: it is invalid."""
    try:
        return reader(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _several(given: Iterable[_T], name: str, of: str = "str") -> Iterable[_T]:
    if isinstance(given, (str, bytes)) or not _is_iterable(given):
        raise TypeError(f"{name} must be an iterable of {of}, not {type(given).__name__}")
    return given


def _is_iterable(given: object) -> bool:
    """Return whether iter() accepts an object: it does so even if a class only has __getitem__."""
    try:
        iter(given)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def _names(given: Iterable[str], name: str) -> list[str]:
    """Return the strings in the argument `name`."""
    each = list(_several(given, name))
    for one in each:
        if not isinstance(one, str):
            raise TypeError(f"{name} must contain only str, not {type(one).__name__}")
    return each


def _integer(given: Any, takes: str) -> int:
    """Return an integer, which may be one of another library, such as numpy.int64, as an int. takes: the beginning of
    the message for anything else, True and False included."""
    if isinstance(given, bool) or not hasattr(type(given), "__index__"):
        raise TypeError(f"{takes}, not {type(given).__name__}")
    return index(given)


def _size(given: Any, name: str) -> int | None:
    """Return the argument `name`, a number of bytes or None."""
    return None if given is None else _integer(given, f"{name} must be int or None")


def _seconds(given: Any, name: str) -> float | None:
    """Return the argument `name`, a number of seconds or None. A number that is neither int nor float, such as a
    Decimal, becomes a float."""
    if given is None or type(given) is int or type(given) is float:
        return given
    if isinstance(given, bool) or not hasattr(type(given), "__float__"):
        raise TypeError(f"{name} must be a number or None, not {type(given).__name__}")
    return float(given)


def _addresses(found: Iterable[Any]) -> tuple[str, ...]:
    """Return the addresses that getaddrinfo found, without duplicates."""
    return tuple(dict.fromkeys(str(info[4][0]) for info in found))


def _shown(value: Any) -> str:
    """Return the repr of an argument, as a program would write it."""
    if isinstance(value, frozenset):
        return repr({*value}) if len(value) < 2 else f"{{{', '.join(map(repr, sorted(value)))}}}"
    if isinstance(value, MappingProxyType):
        return f"{{{', '.join([f'{name!r}: {_shown(given)}' for name, given in value.items()])}}}"
    if isinstance(value, tuple):
        return repr([*map(str, value)])
    return repr(value)


def _name_key(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"host_networks must map host names, which are str, not {type(name).__name__}")
    read = canonical_host(name)
    if read is None or "*" in read or ".." in read or read.startswith((".", "=")):
        raise ValueError(f"host_networks must map one host name or address each, not {name[:100]!r}")
    return key_of(_canonical(read.strip("[]")))


def _canonical(host: str) -> str:
    """Return a host as URL.host writes it, but without brackets around an IPv6 address."""
    read = try_parse(f"http://[{host}]/") if ":" in host else None
    return host if read is None else (read.host or "").strip("[]")
