"""The one shape of a line of any list, so that the compiler and the syntaxes do not know each other.

A program is a tuple: bytes stand for themselves, "*" is any octets, "?" one octet, "$" the end of the text (without it,
anything may follow), ("in", octets) one of these octets, ("or", programs) one of these programs, ("times", program,
fewest, most or None, greedy) a program repeated, ("group", number, program) a group, and ("optional", program, greedy)
a program that may be left out, and that took no part if it matched nothing.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable

from urlsm.patterns.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Program = tuple[Any, ...]

__all__ = [
    "ALL_PARTIES", "BELOW", "BOTH", "EXACT", "FIRST_PARTY", "OTHER_HOST", "SAME_HOST", "TEXTS", "THIRD_PARTY",
    "UNKNOWN", "Rule", "full_words", "is_literal", "joined", "prefix_of",
]  # fmt: skip

# the texts that checks look at; matcher.pyx has the same numbers
TEXTS = (
    *("target", "path", "href", "whole", "protocol", "username", "password", "hostname", "port", "search", "hash"),
    *("query", "cased_target", "cased"),
)
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
    urlsm.patterns.hosts.network_key of addresses; None: any. ports: (lowest, highest) of each range, where the scheme's
    own port counts as written, and (-1, -1) means no port; None: any. checks: (name of TEXTS, program) of each text
    that is looked at; all have to match.
    band: a rule of a higher band decides before all rules of lower bands. weight: what the policies "longest" and
    "specific" compare. options: what the syntax itself needs of its own rules.
    request: (bits of the types of request, bits of the parties, keys of sources, keys of sources that it is not for,
    keys of the URL's own host, keys that it is not for), of a rule that asks who requests what; the bit UNKNOWN: also
    if the question does not tell. Of several keys one has to be the host, or above it; "example.*" is a name below any
    public suffix.
"""

MOST = 4096  # instructions of a program
_TOO_LARGE = f"the pattern needs more than {MOST} instructions"
_LIST_TOO_LARGE = "the patterns of the list need too many instructions for its length"
_DEEPEST = 32
_LITERAL, _CLASS, _ANY, _SPLIT, _JUMP, _SAVE, _MARK, _NONEMPTY, _AT_END, _DONE, _SPAN = range(11)


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


def full_words(
    program: Program, place: Callable[[bytes], int], most: int
) -> tuple[list[int] | None, int, PatternError | None]:
    """Return the words of a program that is not GREEDY (program.pxd), the number of instructions that were written, and
    None; if there are more than MOST, or than most, or if it is too deep: None, that number, and the error. place:
    returns the place of a literal's octets."""
    writer = _Full(place, min(most, MOST))
    try:
        return writer.words(program), len(writer.code), None
    except PatternError as error:  # what was tried counts too, or a list of many such programs would take long
        return None, len(writer.code), error


class _Full:
    """Writes instructions of three words each."""

    def __init__(self, place: Callable[[bytes], int], most: int) -> None:
        self.place, self.most = place, most
        self.code: list[list[int]] = []
        self.splits = self.depth = self.deepest = self.saved = 0
        self.sets: dict[bytes, int] = {}

    def words(self, program: Program) -> list[int]:
        # anything may follow a "*" at the end
        self.sequence(program[:-2] if program[-2:] == ("*", "$") else program)
        self.put(_DONE)
        code = self.code
        words = [1, len(code), self.splits, self.deepest + 1, self.saved]
        first_set = len(words) + 3 * len(code)
        before = None
        for op, a, b in code:  # what follows a split is its second half, not an instruction
            words += (op, first_set + 8 * a if op in (_CLASS, _SPAN) and before != _SPLIT else a, b)
            before = op if before != _SPLIT else None
        for octets in self.sets:
            for k in range(0, 256, 32):
                words.append(sum(1 << bit for bit in range(32) if k + bit in octets))
        return words

    def put(self, op: int, a: int = 0, b: int = 0) -> list[int]:
        if len(self.code) >= self.most:
            raise PatternError("too-large", _TOO_LARGE if self.most == MOST else _LIST_TOO_LARGE)
        self.code.append([op, a, b])
        return self.code[-1]

    def split(self) -> list[int]:
        made = self.put(_SPLIT)
        self.put(self.splits, self.depth)  # the second half, which is never run
        self.splits += 1
        return made

    def sequence(self, program: Program) -> None:
        for k, piece in enumerate(program):
            if self.splits == 0 and k + 1 < len(program) and _is_span(piece, program[k + 1]):
                self.put(_SPAN, self.set_of(piece[1][0][1]), piece[2])
            else:
                self.piece(piece)

    def set_of(self, octets: bytes) -> int:
        return self.sets.setdefault(bytes(sorted(set(octets))), len(self.sets))

    def piece(self, piece: Any) -> None:
        if isinstance(piece, bytes):
            if piece:
                self.put(_LITERAL, self.place(piece), len(piece))
        elif piece == "*":
            self.times(("?",), 0, None, True)
        elif piece == "?":
            self.put(_ANY)
        elif piece == "$":
            self.put(_AT_END)
        elif piece[0] == "in":
            self.put(_CLASS, self.set_of(piece[1]))
        elif piece[0] == "or":
            self.choice(piece[1])
        elif piece[0] == "group":
            self.saved = max(self.saved, 2 * piece[1] + 2)
            self.put(_SAVE, 2 * piece[1])
            self.sequence(piece[2])
            self.put(_SAVE, 2 * piece[1] + 1)
        elif piece[0] == "optional":
            self.optional(piece[1], piece[2])
        else:
            self.times(*piece[1:])

    def choice(self, programs: tuple[Program, ...]) -> None:
        ends = []
        for program in programs[:-1]:
            split = self.split()
            split[1] = len(self.code)
            self.sequence(program)
            ends.append(self.put(_JUMP))
            split[2] = len(self.code)
        self.sequence(programs[-1])
        for end in ends:
            end[1] = len(self.code)

    def optional(self, program: Program, greedy: bool) -> None:
        split = self.split()
        inside = len(self.code)
        if self.depth == _DEEPEST:
            raise PatternError("too-deep", f"more than {_DEEPEST} optional groups lie within each other")
        self.put(_MARK, self.depth)
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        self.sequence(program)
        self.depth -= 1
        self.put(_NONEMPTY, self.depth)
        split[1:] = (inside, len(self.code)) if greedy else (len(self.code), inside)

    def times(self, program: Program, fewest: int, most: int | None, greedy: bool) -> None:
        start = len(self.code)
        for k in range(fewest):
            self.sequence(program)
            if k == 0 and len(self.code) == start:  # an empty text, however often
                return
        if most is None:
            split = self.split()
            inside = len(self.code)
            self.sequence(program)
            self.put(_JUMP, inside - 2)
            split[1:] = (inside, len(self.code)) if greedy else (len(self.code), inside)
            return
        for _ in range(most - fewest):
            self.optional(program, greedy)


def _is_span(piece: Any, after: Any) -> bool:
    """Return whether piece is a repeated class that no octet of the class can follow. Then it takes as many octets as
    there are, without a choice, because fewer cannot lead to a match. It may be run only once, or runs would not be
    linear."""
    if not (isinstance(piece, tuple) and piece[0] == "times" and piece[3] is None and piece[4]):
        return False
    inner = piece[1]
    if not (len(inner) == 1 and isinstance(inner[0], tuple) and inner[0][0] == "in"):
        return False
    return after == "$" or (isinstance(after, bytes) and after != b"" and after[0] not in inner[0][1])
