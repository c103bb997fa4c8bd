"""Compiles a program (rule.py) to instructions, which tables.pyx writes as words."""

from __future__ import annotations

from urlsm.octets.records import NamedTuple
from urlsm.patterns.errors import PatternError
from urlsm.patterns.opcodes import (
    ANY_OCTET,
    AT_END,
    CLASS_OF,
    DEEPEST,
    DONE,
    JUMP,
    LITERAL,
    MARK,
    NONEMPTY,
    OF_SPLIT,
    SAVE,
    SPAN,
    SPLIT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.patterns.rule import Program

__all__ = ["MOST", "Instructions", "compile_program"]

MOST = 4096  # a program may have at most this many instructions
_TOO_LARGE = f"the pattern needs more than {MOST} instructions"
_LIST_TOO_LARGE = "the patterns in the list need too many instructions for the length of the list"


class Instructions(NamedTuple):
    """A compiled program.

    Attributes:
        code: [op, a, b] for each instruction (opcodes.py). For LITERAL, `a` is the bytes themselves; for CLASS_OF and
        SPAN, `a` is the index of a set. sets: the bytes of each set. splits: the number of splits. depth: how deep
        optional groups are nested. saved: the number of saved positions. error: why the program cannot be compiled, or
        None. If there is an error, `code` contains the instructions that were written before the error. They count
        towards the limit for a list. Otherwise, a list could contain many such programs, each of which takes a long
        time to compile.
    """

    code: list[list[Any]]
    sets: list[bytes]
    splits: int
    depth: int
    saved: int
    error: PatternError | None


def compile_program(program: Program, most: int) -> Instructions:
    """Return the instructions of a program that is not GREEDY. most: the maximum number of instructions; a program
    never has more than MOST."""
    writer = _Writer(min(most, MOST))
    error = None
    try:
        # "*" and "$" at the end change nothing: without them, anything may follow as well
        writer.sequence(program[:-2] if program[-2:] == ("*", "$") else program)
        writer.put(DONE)
    except PatternError as refused:
        error = refused
    return Instructions(writer.code, list(writer.sets), writer.splits, writer.deepest, writer.saved, error)


class _Writer:
    def __init__(self, most: int) -> None:
        self.most = most
        self.code: list[list[Any]] = []
        self.splits = self.depth = self.deepest = self.saved = 0
        self.sets: dict[bytes, int] = {}

    def put(self, op: int, a: Any = 0, b: int = 0) -> list[Any]:
        if len(self.code) >= self.most:
            raise PatternError("too-large", _TOO_LARGE if self.most == MOST else _LIST_TOO_LARGE)
        self.code.append([op, a, b])
        return self.code[-1]

    def split(self) -> list[Any]:
        made = self.put(SPLIT)
        self.put(OF_SPLIT, self.splits, self.depth)
        self.splits += 1
        return made

    def sequence(self, program: Program) -> None:
        for k, piece in enumerate(program):
            if self.splits == 0 and k + 1 < len(program) and _is_span(piece, program[k + 1]):
                self.put(SPAN, self.set_of(piece[1][0][1]), piece[2])
            else:
                self.piece(piece)

    def set_of(self, octets: bytes) -> int:
        return self.sets.setdefault(bytes(sorted(set(octets))), len(self.sets))

    def piece(self, piece: Any) -> None:
        if isinstance(piece, bytes):
            if piece:
                self.put(LITERAL, piece, len(piece))
        elif piece == "*":
            self.times(("?",), 0, None, True)
        elif piece == "?":
            self.put(ANY_OCTET)
        elif piece == "$":
            self.put(AT_END)
        elif piece[0] == "in":
            self.put(CLASS_OF, self.set_of(piece[1]))
        elif piece[0] == "or":
            self.choice(piece[1])
        elif piece[0] == "group":
            self.saved = max(self.saved, 2 * piece[1] + 2)
            self.put(SAVE, 2 * piece[1])
            self.sequence(piece[2])
            self.put(SAVE, 2 * piece[1] + 1)
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
            ends.append(self.put(JUMP))
            split[2] = len(self.code)
        self.sequence(programs[-1])
        for end in ends:
            end[1] = len(self.code)

    def optional(self, program: Program, greedy: bool) -> None:
        split = self.split()
        inside = len(self.code)
        if self.depth == DEEPEST:
            raise PatternError("too-deep", f"optional groups are nested more than {DEEPEST} deep")
        self.put(MARK, self.depth)
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        self.sequence(program)
        self.depth -= 1
        self.put(NONEMPTY, self.depth)
        split[1:] = (inside, len(self.code)) if greedy else (len(self.code), inside)

    def times(self, program: Program, fewest: int, most: int | None, greedy: bool) -> None:
        start = len(self.code)
        for k in range(fewest):
            self.sequence(program)
            # the program has no instructions: it matches only the empty text, however often it is repeated
            if k == 0 and len(self.code) == start:
                return
        if most is None:
            split = self.split()
            inside = len(self.code)
            self.sequence(program)
            self.put(JUMP, inside - 2)
            split[1:] = (inside, len(self.code)) if greedy else (len(self.code), inside)
            return
        for _ in range(most - fewest):
            self.optional(program, greedy)


def _is_span(piece: Any, after: Any) -> bool:
    """Return whether `piece` is a repeated class, and the next piece, `after`, cannot begin with a byte of that
    class. Then a match can take all bytes of the class at once: if it took fewer, `after` could not match. One
    instruction, SPAN, does that. It is only used before the first split, where it is executed once. After a split it
    could be executed many times, and matching would not take linear time."""
    if not (isinstance(piece, tuple) and piece[0] == "times" and piece[3] is None and piece[4]):
        return False
    inner = piece[1]
    if not (len(inner) == 1 and isinstance(inner[0], tuple) and inner[0][0] == "in"):
        return False
    return after == "$" or (isinstance(after, bytes) and after != b"" and after[0] not in inner[0][1])
