"""The ways in which programs read no_proxy. Each flavor is a Syntax, with its own separator and rules.

An entry is read as the program reads it, but a URL is parsed according to the URL Standard. Therefore a URL that is not
in normal form (http://0x0a010203/) is normalised before it is compared, although some of these programs compare its
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_network
from typing import Any

from urlsm.machine.driver import SPECIAL
from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import network_key
from urlsm.patterns.rule import EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key, hostname_check
from urlsm.url.value import try_parse

__all__ = ["FLAVORS"]

# matches a hostname that is an IPv4 address. A network's key also matches IPv4 addresses within IPv6, but not every
# program accepts such addresses
_IPV4_HOST = ("times", (("in", b"0123456789."),), 1, None, True)


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _below(name: bytes, *end: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return two programs: one matches a name, the other all its subdomains."""
    return (name, *end, "$"), ("*", b"." + name, *end, "$")


def _hosts(*programs: tuple[Any, ...], port: bytes | None = None, **more: Any) -> Iterator[Rule]:
    """Yield a rule for each program of a hostname. port: the digits of the port in normal form; None for any port."""
    also = () if port is None else (("port", (port, "$")),)
    for program in programs:
        yield Rule(checks=(("hostname", program), *also), **more)


def _is(kind: type[IPv4Address | IPv6Address], text: str) -> bool:
    """Return whether the module ipaddress accepts a string as an address. Most of the programs in this file call that
    module."""
    try:
        kind(text)
    except AddressValueError:
        return False
    return True


def _masked(address: str, bits: int) -> str:
    """Return the network of an address, as a str. It keeps the first `bits` bits of the address; all other bits are
    0."""
    return str(ip_network((address, bits), strict=False))


# --- curl ---------------------------------------------------------------------------------------------------


def _curl(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield curl's rules: blanks separate entries as well, the URL's port is ignored, and "*" only counts if it is the
    whole list.
    https://curl.se/libcurl/c/CURLOPT_NOPROXY.html
    """
    if pattern == "*" and options["_alone"]:
        yield Rule()
    for token in re.split("[ \t]+", pattern):
        address, _, bits = token.partition("/")
        if _is(IPv4Address, address):
            found = re.match(r"\s*[+-]?\d+", bits)
            number = int(found[0]) if found else 0
            if 0 <= number <= 32:  # if the entry has no number of bits, or 0 bits, it stands for the address itself
                key = network_key(_masked(address, number) if number else address)
                yield Rule(host=(EXACT, key), checks=(("hostname", (_IPV4_HOST, "$")),))
            continue
        name = token.removesuffix(".").removeprefix(".").lower()
        if not name or _is(IPv4Address, name):
            continue
        if ":" in name:
            yield from _hosts((b"[" + _octets(name) + b"]", "$"))
        else:
            dot = ("optional", (b".",), True)
            first, below = _below(_octets(name), dot)
            yield from _hosts(first)
            if not _is_numeric(name):
                yield from _hosts(below)


def _is_numeric(name: str) -> bool:
    """Return whether the last label of a name is a number. A host with such a label is an address, which is not
    compared with names."""
    return name.rpartition(".")[2].isdigit()


# --- urllib.request and requests ----------------------------------------------------------------------------


def _split_port(text: str) -> tuple[str, str]:
    found = re.fullmatch(r"(.*):([0-9]*)", text, re.DOTALL)
    return (found[1], found[2]) if found else (text, "")


def _urllib(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules of urllib.request.proxy_bypass_environment, which compares an entry both with the host and with
    "host:port"."""
    if pattern == "*" and options["_alone"]:
        yield Rule()
    name = pattern.lstrip(".").lower()
    yield from _hosts(*_below(_octets(name)))
    host, port = _split_port(name)
    if port and host:
        yield from _hosts(*_below(_octets(host)), port=port.encode())


def _requests(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules of requests.utils.should_bypass_proxies. It reads names as urllib.request does. Addresses have no
    brackets, and only IPv4 networks are read. A name or an IPv6 address may have a port."""
    if pattern == "*" and options["_alone"]:
        yield Rule()
    entry = pattern.replace(" ", "")
    address, slash, bits = entry.partition("/")
    if _is(IPv4Address, address):
        if slash and re.fullmatch(r"\+?[0-9]+", bits) and 1 <= int(bits) <= 32:
            address = _masked(address, int(bits))
        elif slash:
            return
        yield Rule(host=(EXACT, network_key(address)), checks=(("hostname", (_IPV4_HOST, "$")),))
        return
    name = entry.lstrip(".").lower()
    if name.startswith("["):
        return
    octets = _octets(name)
    yield from _hosts((b"[" + octets + b"]", "$")) if ":" in name else _hosts(*_below(octets))
    host, port = _split_port(name)
    if port and host and not _is_numeric(host):
        octets = _octets(host)
        yield from _hosts(*((b"[" + octets + b"]", "$"),) if ":" in host else _below(octets), port=port.encode())


# --- httpx --------------------------------------------------------------------------------------------------


def _httpx(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules of httpx's get_environment_proxies and URLPattern. "name" means that name and all its subdomains;
    ".name" means only its subdomains. An entry may also be a URL."""
    if pattern == "*":
        yield Rule()
        return
    start = pattern.partition("/")[0]
    if "://" in pattern:
        text = pattern
    elif _is(IPv4Address, start) or pattern.lower() == "localhost":
        text = f"all://{pattern}"
    elif _is(IPv6Address, start):
        text = f"all://[{pattern}]"
    else:
        text = f"all://*{pattern}"
    scheme, _, rest = text.partition("://")
    scheme = scheme.lower()
    if not re.fullmatch(r"(?:[a-z][a-z0-9+.-]*)?", scheme):
        return  # no URL has such a scheme
    found = re.fullmatch(r"(?:.*@)?(\[.*\]|[^:@]*):?(.*)", re.split("[/?#]", rest, maxsplit=1)[0], re.DOTALL)
    assert found is not None
    host, port = found.groups()
    if port and not port.isdigit():
        raise PatternError("not-a-port", f"{port!r} is not a port", pattern)
    if host.startswith("[") and not _is(IPv6Address, host[1:-1]):
        raise PatternError("not-a-host", f"{host!r} is not an address", pattern)
    if not host.isascii() and not host.startswith("["):
        read = try_parse(f"https://{host}/") if "*" not in host else None
        if read is None:
            raise PatternError("not-a-host", "* is not allowed in an international name: write its xn-- form", pattern)
        host = read.host or ""
    host = host if host.startswith("[") else host.lower()
    number = None if not port or int(port) == SPECIAL.get(scheme) else int(port)
    told: dict[str, Any] = {"schemes": None if scheme in ("all", "") else (scheme,)}
    ports = None if number is None else str(number).encode()
    octets = _octets(host)
    if host in ("", "*"):
        # an entry without scheme and port gets no rule: httpx prefers the proxies that are set for http:// and https://
        if told["schemes"] or ports:
            checks = (("port", (ports, "$")),) if ports else ()
            yield Rule(checks=checks, **told)
    elif host.startswith("*."):
        yield from _hosts(("?", "*", octets[1:], "$"), port=ports, **told)
    elif host.startswith("*"):
        programs = _below(octets[1:])  # httpx decodes a label that begins with "xn--", but not after "*"
        yield from _hosts(*programs[host.startswith("*xn--") :], port=ports, **told)
    else:
        yield from _hosts((octets, "$"), port=ports, **told)


# --- Go -----------------------------------------------------------------------------------------------------


def _go(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules of golang.org/x/net/http/httpproxy, which always bypasses localhost and loopback addresses."""
    if not options["_excluding"]:
        yield from _hosts((b"localhost", "$"), band=-1)
        for network in ("127.0.0.0/8", "::1"):
            yield Rule(host=(EXACT, network_key(network)), band=-1)
    entry = pattern.lower()
    if entry == "*":
        yield Rule()
        return
    address, slash, bits = entry.partition("/")
    if slash and bits.isascii() and bits.isdigit():
        four = _is(IPv4Address, address)
        if (four or (_is(IPv6Address, address) and "%" not in address)) and int(bits) <= (32 if four else 128):
            yield Rule(host=(EXACT, network_key(_masked(address, int(bits)))))
            return
    host, port = _go_split(entry)
    if host is None:
        return
    ports = ((int(port), int(port)),) if port.isdigit() else None
    if port and ports is None:
        return  # no URL has such a port
    if _is(IPv4Address, host) or (_is(IPv6Address, host) and "%" not in host):
        yield Rule(host=(EXACT, network_key(host)), ports=ports)
        return
    name = host[1:] if host.startswith("*.") else host
    if not name or name.startswith("["):
        return
    bare = name.removeprefix(".")
    if not bare.isascii():
        read = try_parse(f"https://{bare}/")
        bare = read.host or bare if read else bare
    octets = _octets(bare)
    for program in _below(octets)[name.startswith(".") :]:
        yield Rule(ports=ports, checks=(("hostname", program),))


def _go_split(entry: str) -> tuple[str | None, str]:
    """Return what Go's net.SplitHostPort returns, or the whole entry as the host if that fails. The host of ":port" is
    None."""
    host, colon, port = entry.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]") and host.count("[") == host.count("]") == 1
    if not colon or (":" in host and not bracketed) or (not bracketed and any(c in host + port for c in "[]")):
        return entry, ""
    host = host[1:-1] if bracketed else host
    return host or None, port


# --- Chromium -----------------------------------------------------------------------------------------------


def _chromium(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield Chromium's rules. The last rule that matches decides. Loopback and link-local hosts bypass the proxy unless
    the list has "<-loopback>".
    https://chromium.googlesource.com/chromium/src/+/HEAD/net/docs/proxy.md#proxy-bypass-rules
    """
    if not options["_excluding"]:
        yield from _loopback(True, -1)
    entry = pattern.lower()
    if entry == "<-loopback>":
        yield from _loopback(False, 0)
        return
    if entry == "<local>":  # "<local>" means any name without a dot, but no address
        label = ("times", (("in", bytes(set(range(256)) - set(b".[]"))),), 1, None, True)
        yield from _hosts((label, "$"))
        return
    scheme, found, rest = entry.rpartition("://")
    if found and not re.fullmatch(r"[a-z][a-z0-9+.-]*", scheme):
        raise PatternError("no-scheme", f"{scheme!r} is not a valid scheme", pattern)
    schemes = (scheme,) if found else None
    if "/" in rest:
        try:
            key = network_key(rest)
        except ValueError as error:
            raise PatternError("not-a-network", str(error), pattern) from None
        if key is None or found:
            raise PatternError("not-a-network", "write the prefix length of the network after /", pattern)
        yield Rule(host=(EXACT, key))
        return
    host, port = _split_port(rest) if not rest.endswith("]") and rest.count(":") != 0 else (rest, "")
    if not host or (rest.endswith(":") and not port):
        raise PatternError("not-a-host", "the host or the port is missing", pattern)
    ports = ((int(port), int(port)),) if port else None
    if host.startswith("["):
        key = host_key(host, pattern)
        yield Rule(schemes=schemes, host=(EXACT, key), ports=ports, checks=(hostname_check(host, key),))
        return
    host = f"*{host}" if host.startswith(".") else host
    program: list[Any] = []
    for number, piece in enumerate(host.split("*")):
        program += ("*",) * bool(number) + ((_folded(piece),) if piece else ())
    yield Rule(schemes=schemes, ports=ports, checks=(("hostname", (*program, "$")),))


def _folded(piece: str) -> bytes:
    read = None if piece.isascii() else try_parse(f"https://{piece.strip('.')}/")
    return _octets(piece) if read is None or not read.host else piece.replace(piece.strip("."), read.host).encode()


def _loopback(allow: bool, band: int) -> Iterator[Rule]:
    yield from _hosts((b"localhost", "$"), ("*", b".localhost", "$"), allow=allow, band=band)
    for network in ("127.0.0.0/8", "169.254.0.0/16", "::1", "fe80::/10"):
        yield Rule(allow=allow, host=(EXACT, network_key(network)), band=band)


FLAVORS = {
    name: Syntax(
        "no-proxy",
        rules=rules,
        options={"flavor": name, "_alone": False, "_excluding": False},
        precedence="last" if name == "chromium" else "any",
        separator=",",
        comments=(),
        closes=True,
    )
    for name, rules in {
        "chromium": _chromium,
        "curl": _curl,
        "go": _go,
        "httpx": _httpx,
        "requests": _requests,
        "urllib": _urllib,
    }.items()
}

ABOUT = {  # for urlsm.about
    "no_proxy flavors": {
        "tables": "FLAVORS",
        "source": "Chromium, curl, Go, httpx, requests and urllib.request",
        "date": "2026-11-26",
        "used_by": "PatternSet(..., 'no-proxy', flavor=)",
    },
}
