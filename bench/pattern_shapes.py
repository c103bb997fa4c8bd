"""Shapes of large lists of rules: in what the patterns of a list differ, and where their stars stand.

A shape makes any number of patterns, and URLs that one of them matches (hits) or that none does (misses). FIXED are
shapes that somebody asked for; `drawn` draws another one.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["FIXED", "SYNTAXES", "Shape", "drawn"]

SYNTAXES = ("urlpattern", "glob", "match-pattern", "blocklist", "robots", "adblock")
HOSTS = ("one", "each", "below", "label", "any")
_KEYS: dict[str, Callable[[int], str]] = {
    "number": lambda k: f"p{k}",
    "padded": lambda k: f"{k:07}",
    "hash": lambda k: hashlib.md5(b"%d" % k).hexdigest()[:12],
    "between": lambda k: f"item-{k}-en",
}
_WORDS = ("news", "a", "shop", "index.html", "2026", "v1", "Ab", "x-y", "q", "img")


class Shape(NamedTuple):
    """A shape of patterns.

    Attributes:
        syntax: the name of the syntax.
        host: "one" host for all patterns, a host for "each", the hosts "below" a name for each, hosts that begin with a
            "label" for each (h7-*.example.com), or "any" host.
        parts: the segments of the path. "key" is what differs; "one" is any segment; "many" is any number of segments;
            another text is that segment.
        key: how the keys are written.
        query: whether the key is a field of the query instead of a segment.
        regexp: whether "one" is written as a regular expression (urlpattern).
    """

    syntax: str
    host: str
    parts: tuple[str, ...]
    key: str = "number"
    query: bool = False
    regexp: bool = False

    def __str__(self) -> str:
        field = "?q=key" if self.query else ""
        regexp = ", regular expression" if self.regexp else ""
        return f"{self.syntax}: {self.host} host, /{'/'.join(self.parts)}{field}{regexp}"

    def pattern(self, k: int) -> str:
        """Return the pattern with the number k."""
        key = _KEYS[self.key](k)
        segments = []
        for n, part in enumerate(self.parts):
            if part == "key":
                segments.append(key)
            elif part == "one":
                name = f":n{n}([a-zA-Z0-9.\\-]+)" if self.regexp else f":n{n}"
                segments.append(name if self.syntax == "urlpattern" else "*")
            elif part == "many":
                segments.append("**" if self.syntax == "glob" else "*")
            else:
                segments.append(part)
        path = "/" + "/".join(segments)
        if self.query:
            path += {"glob": "\\?q=", "urlpattern": "\\?q="}.get(self.syntax, "?q=") + key
        if self.syntax == "robots":
            return f"Disallow: {path}"
        host = {"one": "h.example", "each": f"h{k}.example", "any": "*", "label": f"h{k}-*.example.com"}
        host["below"] = f"*.h{k}.example"
        if self.syntax == "blocklist":
            return f"{host.get(self.host, '*').removeprefix('*.')}{path}".replace("*/?", "*?")
        if self.syntax == "adblock":
            return f"||{host[self.host]}{path}" if self.host in ("one", "each") else path
        if self.syntax == "glob" and self.host == "any":
            return f"https://**{path}"
        return f"https://{host[self.host]}{path}"

    def hit(self, k: int, rng: random.Random) -> str:
        """Return a URL that the pattern with the number k matches."""
        key = _KEYS[self.key](k)
        segments: list[str] = []
        for part in self.parts:
            if part == "many":
                segments += rng.choices(_WORDS, k=rng.randrange(1, 4))
            else:
                segments.append({"key": key, "one": rng.choice(_WORDS)}.get(part, part))
        query = f"?q={key}" if self.query else ""
        host = {"one": "h.example", "each": f"h{k}.example", "below": f"www.h{k}.example"}
        host["label"] = f"h{k}-{rng.randrange(99)}.example.com"
        return f"https://{host.get(self.host, f'w{rng.randrange(99)}.test')}/{'/'.join(segments)}{query}"

    def miss(self, k: int, rng: random.Random) -> str:
        """Return a URL that looks like a hit, but that no pattern with a number below 10^6 matches."""
        return self.hit(k, rng).replace(_KEYS[self.key](k), _KEYS[self.key](k + 7_000_000))


def drawn(rng: random.Random, syntax: str) -> Shape:
    """Return a random shape of a syntax, in which each pattern differs from every other one."""
    parts = [rng.choice(("one", "one", *_WORDS[:6])) for _ in range(rng.randrange(4))]
    query = syntax in ("blocklist", "urlpattern", "glob", "robots") and rng.random() < 0.3
    if syntax == "blocklist":  # a path is a prefix
        parts = [part for part in parts if part != "one"]
    if not query:
        parts.insert(rng.randrange(len(parts) + 1), "key")
    if syntax != "blocklist" and rng.random() < 0.4 and not query:
        parts.insert(rng.choice((0, len(parts))), "many")
    hosts = {"robots": HOSTS[-1:], "adblock": HOSTS[:2], "blocklist": HOSTS[:3], "match-pattern": HOSTS[:3]}
    host = rng.choice(hosts.get(syntax, HOSTS))
    regexp = syntax == "urlpattern" and rng.random() < 0.3
    return Shape(syntax, host, tuple(parts), rng.choice(tuple(_KEYS)), query, regexp)


FIXED = (
    Shape("urlpattern", "below", ("many",)),
    Shape("urlpattern", "one", ("one", "key", "one")),
    Shape("urlpattern", "one", ("one", "key")),
    Shape("urlpattern", "one", ("key", "one"), regexp=True),
    Shape("urlpattern", "one", ("one", "key", "one"), regexp=True),
    Shape("urlpattern", "each", ("one", "key")),
    Shape("glob", "one", ("key", "many")),
    Shape("glob", "one", ("many", "key", "one")),
    Shape("match-pattern", "one", ("many", "key", "many")),
    Shape("match-pattern", "each", ("key", "many")),
    Shape("blocklist", "one", (), query=True),
    Shape("blocklist", "any", (), query=True),
    Shape("robots", "any", ("many", "key", "")),
    Shape("adblock", "any", ("many", "key", "one")),
)
