"""Globs that match the whole text of a URL, as in Playwright and Crawlee: the flavors of the syntax "glob"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import plain_key
from urlsm.patterns.rule import BELOW, EXACT, Rule, joined

__all__ = ["CROSSINGS", "FLAVORS", "rules"]

_HEAD = re.compile(r"(?:https?|wss?|ftp)://(\*\.)?([a-z0-9.-]+)(?::[0-9]+)?/")
_NO_SLASH = bytes(set(range(256)) - {ord("/")})
_SEGMENT = ("times", (("in", _NO_SLASH),), 0, None, True)
# zero or more segments, each with its "/"
_SEGMENTS = ("times", (("times", (("in", _NO_SLASH),), 0, None, True), b"/"), 0, None, True)
FLAVORS = ("playwright", "crawlee")
# texts for the lint: if a star before the path can match one of these, the glob matches URLs of another host or scheme
CROSSINGS = ("javascript:x", "data:x", "80@evil.example", "x:@evil.example", "@evil.example", ".evil.example", "evil",
             "evil.example/", "https://evil.example/", "https://evil.example")  # fmt: skip


def rules(pattern: str, flavor: str) -> Iterator[Rule]:
    """Yield the rule for a glob. "**" matches any text, and "/**/" also matches "/". "*" matches any text without "/",
    and "?" matches any character other than "/". "{a,b}" matches "a" or "b"; "[ab]", "[a-z]" and "[!ab]" match one
    character. In Playwright's globs, "?" and "[" are ordinary characters. Crawlee ignores case."""
    program, end = _read(pattern, 0, flavor, 0)
    assert end == len(pattern)
    yield Rule(host=_host_of(pattern.lower() if flavor == "crawlee" else pattern), checks=(("whole", (*program, "$")),))


def _host_of(pattern: str) -> tuple[int, bytes] | None:
    """Return the host of every URL that the glob matches, for the matcher to look up; None if the glob does not fix it,
    or if plain_key does not accept it.

    The authority lies between the literals "https://" and "/", because a single "*" does not match a "/". The authority
    ends with the last literal before the path, and no "@" follows that literal. So the host also ends with that
    literal."""
    found = _HEAD.match(pattern)
    key = plain_key(found[2]) if found else None
    return None if found is None or key is None else (BELOW if found[1] else EXACT, key)


_DEEPEST = 32  # levels of nested braces


def _read(pattern: str, k: int, flavor: str, depth: int) -> tuple[list[Any], int]:
    """Return the program of pattern[k:], which within braces ends at "," or "}", and the position where it ends."""
    made: list[Any] = []
    n = len(pattern)

    def put(text: str) -> None:
        octets = text.encode("utf-8", "surrogatepass")
        if flavor == "crawlee" and text.lower() != text.upper():
            made.append(("in", text.lower().encode() + text.upper().encode()) if len(octets) == 1 else octets)
        else:
            made.append(octets)

    while k < n:
        c = pattern[k]
        if c == "\\" and k + 1 < n:
            put(pattern[k + 1])
            k += 2
        elif c == "*":
            start = k
            while k < n and pattern[k] == "*":
                k += 1
            if k - start == 1:
                made.append(_SEGMENT)
            elif (start == 0 or pattern[start - 1] == "/") and pattern[k : k + 1] == "/":
                made.append(_SEGMENTS)
                k += 1
            else:
                made.append("*")
        elif c == "?" and flavor != "playwright":
            made.append(("in", _NO_SLASH))
            k += 1
        elif c == "[" and flavor != "playwright":
            octets, k = _class(pattern, k, flavor)
            made.append(("in", octets))
        elif c == "{":
            choices, start = [], k
            if depth == _DEEPEST:
                raise PatternError("too-deep", f"braces are nested more than {depth} deep", pattern, k)
            while True:
                program, k = _read(pattern, k + 1, flavor, depth + 1)
                choices.append(tuple(program))
                if k == n:
                    raise PatternError("brace", "the closing brace is missing", pattern, start)
                if pattern[k] == "}":
                    k += 1
                    break
            made.append(("or", tuple(choices)))
        elif depth and c in ",}":
            return joined(made), k
        else:
            put(c)
            k += 1
    return joined(made), k


def _class(pattern: str, start: int, flavor: str) -> tuple[bytes, int]:
    """Return the bytes that "[...]" matches, and the position where it ends. The class may begin with "!" or "^", and
    contain ranges."""
    end = pattern.find("]", start + 2)
    if end < 0:
        raise PatternError("bracket", "the closing bracket is missing", pattern, start)
    inside = pattern[start + 1 : end]
    other = inside[:1] in ("!", "^")
    inside = inside[other:]
    if not inside.isascii():
        raise PatternError(
            "not-ascii",
            "a [class] may contain only ASCII characters, because URLs percent-encode all others",
            pattern,
            start,
        )
    found = set()
    k = 0
    while k < len(inside):
        if inside[k + 1 : k + 2] == "-" and k + 2 < len(inside):
            found |= set(range(ord(inside[k]), ord(inside[k + 2]) + 1))
            k += 3
        else:
            found.add(ord(inside[k]))
            k += 1
    if flavor == "crawlee":
        found |= {ord(chr(octet).swapcase()) for octet in found}
    return bytes(set(_NO_SLASH) - found if other else found), end + 1
