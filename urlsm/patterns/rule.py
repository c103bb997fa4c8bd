"""Rule: the form that each syntax converts its lines to, so that the compiler does not depend on any syntax.

A program is a tuple of pieces, each of which matches a part of a string:

    bytes                                       these bytes
    "*", "?"                                    any bytes; any one byte
    "$"                                         the end of the text; without it, anything may follow
    ("in", bytes)                               one of these bytes
    ("or", programs)                            what one of these programs matches
    ("times", program, fewest, most, greedy)    a program repeated; most may be None
    ("group", number, program)                  a program whose span is saved
    ("optional", program, greedy)               a program, or nothing; if the program matches an empty text, that counts
                                                as nothing
"""

from __future__ import annotations

import re
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Program = tuple[Any, ...]

__all__ = [
    "ALL_PARTIES", "BELOW", "BOTH", "EXACT", "FIRST_PARTY", "OTHER_HOST", "SAME_HOST", "THIRD_PARTY", "UNKNOWN",
    "Rule", "decoded", "is_literal", "joined", "prefix_of",
]  # fmt: skip

_UNRESERVED = re.compile(rb"%(2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])")

EXACT, BELOW, BOTH = range(3)  # the host itself, the hosts below it, or both
NO_PORT = -1
UNKNOWN = 1 << 31  # the bit for a type of request, or for a party, that the caller did not tell
FIRST_PARTY, THIRD_PARTY, SAME_HOST, OTHER_HOST = 1, 2, 4, 8  # SAME_HOST: the URL and the source have the same host
ALL_PARTIES = FIRST_PARTY | THIRD_PARTY | SAME_HOST | OTHER_HOST | UNKNOWN


_Fields = namedtuple("_Fields", "allow schemes host ports checks band weight options request")


class Rule(_Fields):
    """One line of a list, in the form that all syntaxes share.

    Args:
        allow: True if the line includes URLs in the list, False if it excludes them.
        schemes: names in lower case. None: any.
        host: a pair (scope, key). The scope is EXACT, BELOW or BOTH; the key is a host name in lower-case ASCII, or a
            network in binary form. None: any.
        ports: (lowest, highest) for each range. A URL without a port has the default port of its scheme; (-1, -1)
            matches URLs that have neither. None: any.
        checks: (name, program) for each text that must match; the name is "target" (path and query), "path",
            "query", "href", "protocol", "hostname", "port", "search" or "hash", for example.
        band: rules in a higher band decide before all rules in lower bands.
        weight: the number that "longest" and "specific" compare.
        options: values that only the syntax itself uses.
        request: (bits of types, bits of parties, keys of sources, excluded keys of sources, keys of the URL's own host,
            excluded keys of it), for rules that depend on the type of a request and the page that makes it. With the
            bit UNKNOWN, the rule also matches if the caller does not pass the type or the source. A host matches keys
            if one of them is that host or a parent domain. The key "example.*" means this name under any public suffix.

    Example:
        >>> Rule(schemes=("https",)).allow
        True
    """

    __slots__ = ()

    def __new__(
        cls,
        allow: bool = True,
        *,
        schemes: Any = None,
        host: Any = None,
        ports: Any = None,
        checks: Any = (),
        band: int = 0,
        weight: Any = 0,
        options: Any = None,
        request: Any = None,
    ) -> Rule:
        return tuple.__new__(cls, (allow, schemes, host, ports, checks, band, weight, options, request))

    def __getnewargs_ex__(self) -> tuple[tuple[Any], dict[str, Any]]:
        named = self._asdict()
        return (named.pop("allow"),), named


Rule.__module__ = "urlsm.patterns"


def prefix_of(program: Program) -> bytes:
    """Return the bytes that every matching text begins with."""
    return program[0] if program and isinstance(program[0], bytes) else b""


def is_literal(program: Program) -> bool:
    """Return whether a program is one literal. Such a program matches one string, or all strings that begin with the
    literal."""
    return not program or (isinstance(program[0], bytes) and program[1:] in ((), ("$",)))


def joined(program: list[Any]) -> list[Any]:
    """Return the program with adjacent literals joined."""
    made: list[Any] = []
    # adjacent literals, which are joined all at once, so that a megabyte of single octets takes linear time
    literals: list[bytes] = []
    for piece in (*program, None):
        if isinstance(piece, bytes):
            literals.append(piece)
            continue
        if any(literals):
            made.append(b"".join(literals))
        literals.clear()
        if piece is not None:
            made.append(piece)
    return made


def decoded(piece: Any) -> Any:
    """Return a piece of a program in which escapes of unreserved bytes are decoded (RFC 3986 section 6.2.2.2)."""
    if isinstance(piece, bytes):
        return _UNRESERVED.sub(lambda found: bytes((int(found[1], 16),)), piece)
    if isinstance(piece, tuple) and piece[:1] != ("in",):
        return tuple(map(decoded, piece))
    return piece
