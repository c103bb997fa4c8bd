"""The syntax "domains": host names (which usually include all their subdomains), addresses, and networks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import network_key
from urlsm.patterns.rule import BELOW, BOTH, EXACT, Rule
from urlsm.patterns.syntax import Syntax
from urlsm.security.host_lists import ANY_PORT, HostEntryError, read_host_entry

__all__ = ["SYNTAX"]

_HOW = {"": BOTH, ".": BOTH, "=": EXACT, "*.": BELOW}


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule for a pattern. "example.com" and ".example.com" mean that name and all its subdomains, as in
    Scrapy's allowed_domains. "=example.com" means only that name, and "*.example.com" only its subdomains. A pattern
    may also be an address or a network ("10.0.0.0/8"). If the pattern has a port, only that port matches; otherwise,
    any port matches."""
    try:
        how, host, is_name, port = read_host_entry(pattern)
    except HostEntryError as error:
        raise PatternError(error.code, error.message, pattern, error.position) from None
    key = host.encode() if is_name else network_key(host)
    ports = None if port in (None, ANY_PORT) else ((port, port),)
    yield Rule(host=(_HOW[how], key), ports=ports)


SYNTAX = Syntax("domains", rules=rules, careful=True, names=("", "", Rule()))
