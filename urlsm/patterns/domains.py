"""The syntax "domains": names with all names below them, addresses and networks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import network_key
from urlsm.patterns.rule import BELOW, BOTH, EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key

__all__ = ["SYNTAX"]


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule of "example.com" or ".example.com": that name and all below it (Scrapy's allowed_domains);
    "=example.com": that name alone; "*.example.com": only what is below it; an address; a network ("10.0.0.0/8")."""
    how, start = BOTH, 0
    if pattern.startswith("="):
        how, start = EXACT, 1
    elif pattern.startswith("*."):
        how, start = BELOW, 2
    elif pattern.startswith("."):
        start = 1
    name = pattern[start:]
    key = None
    if start == 0:
        try:
            key = network_key(name)
        except ValueError as error:
            raise PatternError("not-a-network", str(error), pattern) from None
    if key is None:
        if (":" in name and "[" not in name) or "://" in name:
            raise PatternError("not-a-host", "a domain has no scheme, port or path", pattern, pattern.find(":"))
        key = host_key(name, pattern, start, addresses=how == EXACT or start == 0)
    yield Rule(host=(EXACT if key[0] < 8 else how, key))


SYNTAX = Syntax("domains", rules, careful=True, names=("", "", Rule()))
