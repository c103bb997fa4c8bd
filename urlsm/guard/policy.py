"""The class Policy: it says which URLs, host names and addresses a client may request. It makes no connections. Only
its methods resolve() and reached(), and their async versions, ask the DNS."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Mapping
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from types import MappingProxyType

from urlsm.guard.denials import Denied, is_metadata_name, is_within, key_of, metadata_of, opens_metadata
from urlsm.guard.embedding import behind, nat64_prefix
from urlsm.guard.lookups import alook_up
from urlsm.guard.proxy import Proxy
from urlsm.machine.driver import SPECIAL
from urlsm.patterns.sets import PatternSet
from urlsm.security.addresses import ROWS
from urlsm.security.comparison import is_ambiguous
from urlsm.security.plain import Gate, address_kind, canonical_host, hazards_of
from urlsm.security.verdict import PlainAnswers, Verdict
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from urlsm.url.value import StrOrURL

    _Network = IPv4Network | IPv6Network
    _Networks = str | _Network | Iterable[str | _Network]

__all__ = ["PORTS", "Policy", "Refused", "refusal"]

PORTS = {name: port for name, port in SPECIAL.items() if port and name in ("http", "https")}
_LOG = logging.getLogger("urlsm.guard")
_WHY = {
    "not-a-url": "the text is not a URL",
    "ambiguous": "readers see different hosts in the text",
    "scheme": "the policy does not allow the scheme",
    "port": "the policy does not allow the port",
    "denied": "the policy denies the host",
    "host": "the host is not one of the policy's hosts",
    "loopback-address": "the address is this machine's own",
    "link-local-address": "the address is of the local link",
    "metadata-address": "a cloud hands out credentials there",
    "private-address": "the address is not on the public Internet",
    "special-address": "the address is not on the public Internet",
    "unallocated-address": "IANA has not allocated the address",
    "other-address": "the policy does not allow the address",
    "zone": "an address with a zone is of a local link",
    "not-an-address": "the text is not an address",
    "special-name": "the public DNS does not serve the name",
    "local-name": "only a local network knows the name",
    "proxied-name": "only the proxy knows the addresses of the name",
    "no-address": "the name has no address",
    "too-many-redirects": "there are more redirects than the policy allows",
    "proxy": "the policy does not allow a proxy",
    "too-large": "the answer is larger than the policy allows",
    "too-large-decoded": "the decoded answer is larger than the policy allows",
    "coding": "the content coding cannot be decoded in bounds",
    "too-slow": "the answer takes longer than the policy allows",
}


class Refused(Exception):
    """A guarded client refused to connect, or to read on. The guard of each client raises a subclass that is also an
    exception of this client: urlsm.guard.httpx.Refused is an httpx.TransportError.

    Attributes:
        verdict: the Verdict that says why.
    """

    verdict: Verdict = Verdict(False)


def refusal(*codes: str, addresses: tuple[str, ...] = (), hint: str = "") -> Verdict:
    """Return a refusal with these codes. hint: a sentence that says what would allow the request; it becomes the end of
    the attribute why."""
    each = tuple(dict.fromkeys(codes))
    said = dict.fromkeys([*(_WHY[code] for code in each), *([hint] if hint else [])])
    return Verdict(False, True, each, "; ".join(said), addresses)


_OF_IPADDRESS = (IPv4Address, IPv4Network, IPv6Address, IPv6Network)
_NAME_HINT = "only allow, with one address for the name, opens it"
_PUBLIC = Verdict(True)
_NAME = Verdict(True, False)
_UNALLOCATED, _OTHER_HOST = refusal("unallocated-address"), refusal("host")
_OF_ROWS = tuple(
    [
        _PUBLIC if row.public else refusal(*(hazards_of(row.network.split("/")[0]) or ["special-address"]))
        for row in ROWS
    ]
)


class Policy(Gate):
    """A policy: what guarded clients may request. It is immutable, and any number of clients and threads can use it.

    Args:
        networks: the addresses that may be requested: "public", which means those that urlsm's dated table lists as
            publicly reachable; or networks in CIDR notation, with or without "public" among them. An address where
            clouds hand out credentials is opened only by a network of that address alone ("169.254.169.254/32"), here
            or in allow, not by a larger one.
        ports, schemes: the ports and schemes that a URL may have. The schemes are "http", "https" or both.
        hosts: the only hosts that may be requested: a PatternSet (an allow-list), or names in its syntax "domains"
            ("example.com" includes all names below it, "=example.com" is that name alone). None: any host.
        deny: names, with all names below them, addresses and networks that are always refused. An address is refused in
            every spelling, also as an IPv6 address that stands for it, and also if a name leads to it.
        allow: further networks to which one name may lead, by name ({"billing.internal": "10.0.0.0/8"}). Such a name is
            allowed even if it is a special name or a local one.
        nat64: the NAT64 prefixes of your network, of the lengths that RFC 6052 section 2.2 allows. An address with such
            a prefix is judged by the IPv4 address that follows it. 64:ff9b::/96 is always such a prefix; urlsm cannot
            know others.
        redirects: the number of redirects that are followed.
        mode: "all": a name is refused if one of its addresses is refused; "any": clients connect only to those of its
            addresses that are allowed.
        proxy: the proxy that all clients use, "http://user:password@host:3128"; None: they connect directly. The proxy
            resolves names, so networks only judges URLs with an address; a special or local name is refused, and if
            networks lacks "public", every name is. The address of the proxy is not judged.
        max_octets, max_decoded: limits for the content of an answer, in octets: as sent (the sizes and extensions of
            chunks count), and as decoded by each coding; 64 and 16 MiB by default. None: no limit.
        first_byte, total: seconds within which the header of an answer, and all of a call with its redirects, must
            arrive. None: no limit.

    Raises:
        TypeError: a network or a name is neither a str nor an object of ipaddress.
        ValueError: an argument has a value that is not described above; or allow is combined with proxy, which resolves
            names itself. PatternError (a ValueError): hosts cannot be read.
    """

    __slots__ = (
        *("_denied", "_extra", "_names_open", "_networks", "_public_too", "allow", "deny", "first_byte", "hosts"),
        *("max_decoded", "max_octets", "mode", "nat64", "networks", "ports", "proxy", "redirects", "schemes", "total"),
    )

    networks: tuple[str, ...]
    ports: frozenset[int]
    schemes: frozenset[str]
    hosts: PatternSet | None
    deny: tuple[str, ...]
    allow: Mapping[str, tuple[str, ...]]
    nat64: tuple[IPv6Network, ...]
    redirects: int
    mode: str
    proxy: Proxy | None
    max_octets: int | None
    max_decoded: int | None
    first_byte: float | None
    total: float | None
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
        hosts: PatternSet | Iterable[str] | str | None = None,
        deny: _Networks = (),
        allow: Mapping[str, _Networks] | None = None,
        nat64: _Networks = (),
        redirects: int = 5,
        mode: str = "all",
        proxy: StrOrURL | Proxy | None = None,
        max_octets: int | None = 64 << 20,
        max_decoded: int | None = 16 << 20,
        first_byte: float | None = 30.0,
        total: float | None = 300.0,
    ) -> None:
        put = object.__setattr__
        named = _texts(networks)
        put(self, "networks", named)
        put(self, "_networks", tuple([ip_network(text) for text in named if text != "public"]))
        put(self, "_names_open", opens_metadata(self._networks))
        put(self, "_public_too", "public" in named)
        put(self, "ports", frozenset(ports))
        put(self, "schemes", frozenset([schemes] if isinstance(schemes, str) else schemes))
        put(self, "hosts", hosts if hosts is None or isinstance(hosts, PatternSet) else PatternSet(hosts, "domains"))
        named_too = {_name_key(name): _texts(given) for name, given in (allow or {}).items()}
        put(self, "allow", MappingProxyType(named_too))
        put(self, "_extra", {name: tuple(map(ip_network, given)) for name, given in self.allow.items()})
        put(self, "proxy", proxy if proxy is None or isinstance(proxy, Proxy) else Proxy(proxy))
        put(self, "nat64", tuple([nat64_prefix(text) for text in _texts(nat64)]))
        put(self, "deny", _texts(deny))
        put(self, "_denied", Denied(self.deny, self.nat64))
        limits = {"max_octets": max_octets, "max_decoded": max_decoded, "first_byte": first_byte, "total": total}
        for name, value in {"redirects": redirects, "mode": mode, **limits}.items():
            put(self, name, value)
        if not self.schemes <= PORTS.keys():
            raise ValueError(f"a scheme must be http or https, not {min(self.schemes - PORTS.keys())!r}")
        if not all(isinstance(port, int) and 0 < port <= 0xFFFF for port in self.ports):
            raise ValueError("a port must be a number from 1 to 65535")
        if self.hosts is not None and "" in self.hosts:  # only a block list contains texts that are not URLs
            raise ValueError("hosts must be an allow-list, but this PatternSet is a block list")
        if self.proxy is not None and self._extra:
            raise ValueError("allow cannot be combined with proxy: the proxy resolves names without telling addresses")
        _check_mode(mode)
        if redirects < 0 or any(limit is not None and not limit > 0 for limit in limits.values()):
            raise ValueError("a limit must be a number above 0, or None")
        self._set_answers(
            PlainAnswers(
                *(_OF_ROWS, _PUBLIC, _UNALLOCATED, _NAME, _OTHER_HOST, self.hosts),
                public_open=self._public_too and not self._denied,  # with deny, every URL needs the full check
                more_open=bool(self._networks),
                has_prefixes=bool(self.nat64),
                http="http" in self.schemes and PORTS["http"] in self.ports,
                https="https" in self.schemes and PORTS["https"] in self.ports,
            )
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Policy is immutable: make a new one with another {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Policy is immutable: {name} cannot be deleted")

    def __copy__(self) -> Policy:
        return self

    def __deepcopy__(self, memo: object) -> Policy:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        given = {name: getattr(self, name) for name in _ARGUMENTS}
        return _made, (type(self), {**given, "allow": {**self.allow}})

    # --- URLs ----------------------------------------------------------------------------------------

    def _check_at_length(self, url: StrOrURL) -> Verdict:
        read = try_parse(url)
        if read is None:
            return refusal("not-a-url")
        codes = ["ambiguous"] if is_ambiguous(url) else []
        if read.scheme not in self.schemes:
            return refusal("scheme", *codes)
        if (PORTS[read.scheme] if read.port is None else read.port) not in self.ports:
            codes.append("port")
        host = (read.host or "").strip("[]")
        codes += self._of_lists(host, read)
        verdict = self._of_host(host)
        return refusal(*codes, *verdict.codes) if codes else verdict

    def _of_lists(self, host: str, url: StrOrURL) -> list[str]:
        """Return the codes of the refusals by deny and by hosts."""
        codes = []
        if self._denied and self._denies(host):
            codes.append("denied")
        if self.hosts is not None and url not in self.hosts:
            codes.append("host")
        return codes

    def _denies(self, host: str) -> bool:
        if self._of_table(host) is None:
            return self._denied.has_name(host)
        return self._denied.has_address(ip_address(host), self.nat64)

    def _of_host(self, host: str) -> Verdict:
        """Return the verdict on the host of a URL; an IPv6 address comes without brackets."""
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
        """Return the verdict on an address to which a host leads. text: the address in canonical form, without a
        zone."""
        given = (*self._networks, *self._extra.get(key_of(host), ()))
        if given or self.nat64 or self._denied:
            address = ip_address(text)
            if self._denied.has_address(address, self.nat64):
                return refusal("denied")
            if (found := metadata_of(address, given, self.nat64)) is not None:
                where, opens = found
                return refusal(*hazards_of(where), hint=f"only {opens} in networks or allow opens it" if opens else "")
            if is_within(address, given):
                return _PUBLIC
            for prefix in self.nat64:
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
        raise TypeError(f"an address must be str, bytes or an address of ipaddress, not {type(address).__name__}")

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

    def resolve(self, host: str | bytes, mode: str | None = None) -> Verdict:
        """Ask the system's resolver for the addresses of a host, and judge each.

        Args:
            host: a name, or an address in any form, as str or bytes. mode: "all" or "any"; None: the policy's.

        Returns:
            a final Verdict. If it allows the host, connect to its .addresses, each of which was judged: all addresses
                of the host ("all"), or those that are allowed ("any"). Do not connect to the name: that would ask the
                resolver again, which may give another answer. With a proxy the resolver is not asked: a name that may
                pass is allowed, but the verdict is not final.

            The argument hosts of the policy counts only if its syntax is "domains". Patterns of other syntaxes match
            URLs, so with these call check as well.

        Raises:
            OSError: the resolver has no answer (socket.gaierror). ValueError: there is no such mode. TypeError: host is
                neither str nor bytes.
        """
        verdict, name = self._before(host, mode)
        if verdict is None:
            verdict = self._of_answers(name, socket.getaddrinfo(name, None, type=socket.SOCK_STREAM), mode)
        return verdict

    async def aresolve(self, host: str | bytes, mode: str | None = None) -> Verdict:
        """The async version of resolve(), for asyncio's running loop."""
        verdict, name = self._before(host, mode)
        if verdict is None:
            call = partial(socket.getaddrinfo, name, None, type=socket.SOCK_STREAM)
            found = await alook_up(call, name.decode("ascii"))
            verdict = self._of_answers(name, found, mode)
        return verdict

    def _before(self, host: str | bytes, mode: str | None) -> tuple[Verdict | None, bytes]:
        """Return (verdict, name) for a host. verdict: None if only the resolver can tell. name: the name with which the
        resolver is to be asked; empty if there is a verdict."""
        _check_mode(mode or self.mode)
        if isinstance(host, bytes):
            host = host.decode("utf-8", "replace")
        elif not isinstance(host, str):
            raise TypeError(f"a host must be str or bytes, not {type(host).__name__}")
        inside = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        read = canonical_host(inside) if ":" not in inside else inside
        if read is None:
            return refusal("not-a-url"), b""
        is_address = ":" in read or self._of_table(read) is not None
        codes = ["denied"] if not is_address and self._denied.has_name(read) else []
        if self.hosts is not None and self.hosts.syntax == "domains":
            where = f"https://{f'[{read}]' if ':' in read else read}"  # entries may have a port, so each port is tried
            codes += [] if any(f"{where}:{port}/" in self.hosts for port in self.ports) else ["host"]
        if is_address:
            verdict = self._of_text(inside, _canonical(read))
            if codes or not verdict.allowed:
                return refusal(*codes, *verdict.codes), b""
            return Verdict(True, addresses=(read,)), b""
        codes += self._of_host(read).codes
        if codes or self.proxy is not None:
            return refusal(*codes) if codes else _NAME, b""
        return None, read.encode("ascii")  # as octets, because the socket module would apply IDNA to a str again

    def reached(self, host: str) -> Verdict:
        """Return resolve(host). But if there is a proxy, and the host is allowed, return a final verdict with the
        addresses of the proxy, which are not judged."""
        verdict = self.resolve(host)
        if self.proxy is None or not verdict.allowed:
            return verdict
        found = socket.getaddrinfo(self.proxy.name, None, type=socket.SOCK_STREAM)
        return Verdict(True, addresses=_addresses(found))

    async def areached(self, host: str) -> Verdict:
        """The async version of reached(), for asyncio's running loop."""
        verdict = await self.aresolve(host)
        if self.proxy is None or not verdict.allowed:
            return verdict
        call = partial(socket.getaddrinfo, self.proxy.name, None, type=socket.SOCK_STREAM)
        found = await alook_up(call, self.proxy.host)
        return Verdict(True, addresses=_addresses(found))

    def _of_answers(self, name: bytes, found: Iterable[Any], mode: str | None) -> Verdict:
        """Return the verdict on the addresses that getaddrinfo found."""
        host = name.decode("ascii")
        judged = {text: self._of_text(text, host) for text in _addresses(found)}
        passed = tuple([text for text, verdict in judged.items() if verdict.allowed])
        if passed and (len(passed) == len(judged) or (mode or self.mode) == "any"):
            return Verdict(True, addresses=passed)
        codes = dict.fromkeys(code for verdict in judged.values() for code in verdict.codes)
        said = dict.fromkeys(
            sentence for verdict in judged.values() for sentence in verdict.why.split("; ") if sentence
        )
        hint = "; ".join([sentence for sentence in said if sentence not in _WHY.values()])
        return refusal(*(codes or ["no-address"]), addresses=tuple(judged), hint=hint)

    # --- refusals ------------------------------------------------------------------------------------

    def refuse(self, error: type[Refused], verdict: Verdict, url: StrOrURL) -> NoReturn:
        """Raise error with a verdict, and log it. The error and the log show only the scheme, the host and the port of
        the URL."""
        read = try_parse(url)
        where = "a text" if read is None else f"{read.scheme}://{read.host or ''}{f':{read.port}' if read.port else ''}"
        _LOG.warning("refused %s: %s", where, ", ".join(verdict.codes), extra={"codes": verdict.codes})
        refused = error(f"refused {where}: {verdict.why}")
        refused.verdict = verdict
        raise refused


_ARGUMENTS = [name for name in Policy.__slots__ if not name.startswith("_")]


def _made(kind: type[Policy], given: dict[str, Any]) -> Policy:
    return kind(**given)


def _texts(given: _Networks) -> tuple[str, ...]:
    """Return networks, or names, as texts. An object of ipaddress is iterable, but counts as one network."""
    each = (given,) if isinstance(given, (str, *_OF_IPADDRESS)) else tuple(given)
    for one in each:
        if not isinstance(one, (str, *_OF_IPADDRESS)):
            raise TypeError(f"a network or a name must be a str or an object of ipaddress, not {type(one).__name__}")
    return tuple(map(str, each))


def _addresses(found: Iterable[Any]) -> tuple[str, ...]:
    """Return the addresses that getaddrinfo found, without repetitions."""
    return tuple(dict.fromkeys(str(info[4][0]) for info in found))


def _check_mode(mode: str) -> None:
    if mode not in ("all", "any"):
        raise ValueError(f"mode must be 'all' or 'any', not {mode!r}")


def _name_key(name: str) -> str:
    read = canonical_host(name)
    if read is None or "*" in read or ".." in read or read.startswith((".", "=")):
        raise ValueError(f"a key of allow must be the name or the address of one host, not {name[:100]!r}")
    return key_of(_canonical(read.strip("[]")))


def _canonical(host: str) -> str:
    """Return a host as URL.host writes it, but an IPv6 address without brackets."""
    read = try_parse(f"http://[{host}]/") if ":" in host else None
    return host if read is None else (read.host or "").strip("[]")
