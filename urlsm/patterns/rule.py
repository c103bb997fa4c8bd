"""The one shape of a line of any list, so that the compilers and the syntaxes do not know each other.

A program is a tuple: bytes stand for themselves, "*" is any octets, "?" one octet, "$" the end of the text (without it,
anything may follow), ("in", octets) one of these octets, ("or", programs) one of these programs, ("times", program,
fewest, most or None, greedy) a program repeated, ("group", number, program) a group, and ("optional", program, greedy)
a program that may be left out, and that took no part if it matched nothing.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Program = tuple[Any, ...]

__all__ = [
    "ALL_PARTIES", "BELOW", "BOTH", "EXACT", "FIRST_PARTY", "OTHER_HOST", "SAME_HOST", "THIRD_PARTY", "UNKNOWN",
    "Rule", "is_literal", "joined", "prefix_of",
]  # fmt: skip

EXACT, BELOW, BOTH = range(3)  # the host itself, the hosts below it, both
NO_PORT = -1
UNKNOWN = 1 << 31  # a type of request, and a party, that the question does not tell
FIRST_PARTY, THIRD_PARTY, SAME_HOST, OTHER_HOST = 1, 2, 4, 8  # SAME_HOST: the URL's host is that of the source
ALL_PARTIES = FIRST_PARTY | THIRD_PARTY | SAME_HOST | OTHER_HOST | UNKNOWN

Rule = namedtuple(
    "Rule",
    "allow schemes host ports checks band weight options request",
    defaults=(True, None, None, None, (), 0, 0, None, None),
)
Rule.__doc__ = """One line of a list, in the shape of all syntaxes.

Fields:
    allow: whether the line puts a URL into the list, or takes it out.
    schemes: names in lower case; None: any. host: (EXACT, BELOW or BOTH, key), the key a name in lower-case ASCII or
    urlsm.patterns.tables.network_key of addresses; None: any. ports: (lowest, highest) of each range; the scheme's own
    port counts as written, and (-1, -1) means no port; None: any. checks: (name, program) of each text that is looked
    at, one of urlsm.patterns.opcodes.TEXTS; all have to match.
    band: a rule of a higher band decides before all rules of lower bands. weight: what the policies "longest" and
    "specific" compare. options: what the syntax itself needs of its own rules.
    request: (bits of the types of request, bits of the parties, keys of sources, keys of sources that it is not for,
    keys of the URL's own host, keys that it is not for), of a rule that asks who requests what; the bit UNKNOWN: also
    if the question does not tell. Of several keys one has to be the host, or above it; "example.*" is a name below any
    public suffix.
"""


def prefix_of(program: Program) -> bytes:
    """Return the octets with which every text begins that the program matches."""
    return program[0] if program and isinstance(program[0], bytes) else b""


def is_literal(program: Program) -> bool:
    """Return whether the program matches only one text, or only texts that begin with it."""
    return not program or (isinstance(program[0], bytes) and program[1:] in ((), ("$",)))


def joined(program: list[Any]) -> list[Any]:
    """Return the program with adjacent literals joined."""
    made: list[Any] = []
    literals: list[bytes] = []  # joined at once: a megabyte of single octets takes as long as it has octets
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
