"""Compiles ECMAScript's regular expressions (with the flag v) to programs, which match only ASCII strings. Back
references and assertions are rejected, because they are not regular, unless the caller allows pieces that Backtracking
runs.

https://tc39.es/ecma262/#sec-patterns
"""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["regexp_program"]

ASCII = frozenset(range(128))
DIGIT = frozenset(b"0123456789")
WORD = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
SPACE = frozenset(b"\t\n\v\f\r ")
_CLASSES = {"d": DIGIT, "D": ASCII - DIGIT, "w": WORD, "W": ASCII - WORD, "s": SPACE, "S": ASCII - SPACE}
_CONTROLS = {"f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_OF_A_CLASS = frozenset("&-!#%,:;<=>@`~")  # characters that may be escaped in a class under the flag v
_ALSO = {0x212A: "kK", 0x17F: "sS"}  # the Kelvin sign and the long s fold to these letters
_DOUBLED = frozenset("&!#$%*+,.:;<=>?@^`~")  # characters that may not occur twice in a row in a class


def regexp_program(
    text: str, first_group: int, ignore_case: bool, pattern: str, irregular: bool = False
) -> tuple[tuple[Any, ...], int]:
    """Return the program for a regular expression, and the number of its groups, which are numbered from first_group.
    irregular: whether back references and assertions are allowed; Backtracking runs these pieces.

    TypeError: the text is not a valid regular expression, or it uses back references or assertions and `irregular` is
    False.
    """
    # many patterns of a list have the same expression
    found = _usual(text, first_group, ignore_case, irregular) if len(text) <= _SHORT else None
    return _read(text, first_group, ignore_case, pattern, irregular) if found is None else found


_SHORT = 256


@lru_cache(256)
def _usual(text: str, first_group: int, ignore_case: bool, irregular: bool) -> tuple[tuple[Any, ...], int] | None:
    """Return what _read returns, or None if it raises an error, in which the pattern has to be named."""
    try:
        return _read(text, first_group, ignore_case, "", irregular)
    except TypeError:
        return None


def _read(text: str, first_group: int, ignore_case: bool, pattern: str, irregular: bool) -> tuple[tuple[Any, ...], int]:
    reader = _Reader(text, first_group, ignore_case, pattern, irregular)
    program = reader.choice()
    if reader.k < len(text) or not reader.wanted <= reader.names.keys():
        reader.fail()
    return program, reader.group - first_group


_REFERENCE = re.compile(r"k<([^>]+)>|([1-9][0-9]{0,3})")
_DEEPEST = 100  # levels of nested groups and classes; each level takes up to four nested calls


class _Reader:
    def __init__(self, text: str, first_group: int, ignore_case: bool, pattern: str, irregular: bool) -> None:
        self.text, self.k, self.group = text, 0, first_group
        self.ignore_case, self.pattern, self.irregular = ignore_case, pattern, irregular
        self.names: dict[str, int] = {}  # name of a group -> its number
        self.wanted: set[str] = set()  # the names that back references refer to
        self.depth = 0

    def fail(self, why: str = "is not well formed") -> None:
        raise TypeError(f"the regular expression {self.text!r} in {self.pattern!r} {why} (at {self.k})")

    def next(self, text: str) -> bool:
        if not self.text.startswith(text, self.k):
            return False
        self.k += len(text)
        return True

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail("is nested too deeply")

    def choice(self) -> tuple[Any, ...]:
        self.deeper()
        choices = [self.sequence()]
        while self.next("|"):
            choices.append(self.sequence())
        self.depth -= 1
        return choices[0] if len(choices) == 1 else (("or", tuple(choices)),)

    def sequence(self) -> tuple[Any, ...]:
        made: list[Any] = []
        while self.k < len(self.text) and self.text[self.k] not in "|)":
            made += self.repeated(self.atom())
        return tuple(made)

    def atom(self) -> tuple[Any, ...]:
        c = self.text[self.k]
        self.k += 1
        if c == "(":
            return self.parenthesis()
        if c == "[":
            return (self.set_of(self.brackets()),)
        if c == ".":
            return (self.set_of(ASCII - {10, 13}),)
        if c == "\\":
            return self.escape()
        if c == "^" or c == "$":
            if self.irregular:
                return self.assertion("begin" if c == "^" else "end")
            self.fail("asks where it is, which is not supported: the pattern always matches the whole component")
        if c in "*+?{}]":
            self.k -= 1
            self.fail()
        return (self.set_of(frozenset((ord(c),))),)

    def parenthesis(self) -> tuple[Any, ...]:
        number = -1
        look: tuple[Any, ...] = ()
        if self.next("?:"):
            pass
        elif self.next("?=") or self.next("?!") or self.next("?<=") or self.next("?<!"):
            if not self.irregular:
                self.fail("looks around, which is not regular")
            look = ("look", self.text[self.k - 2] == "?", self.text[self.k - 1] == "=")
        elif self.next("?<"):
            end = self.text.find(">", self.k)
            name = self.text[self.k : end]
            if end < 0 or not name or name in self.names or not name.replace("$", "_").isidentifier():
                self.fail()
            self.k = end + 1
            number = self.names[name] = self.group
            self.group += 1
        else:
            self.fail()
        inside = self.choice()
        if not self.next(")"):
            self.fail()
        if look:
            return self.assertion(*look, inside)
        return inside if number < 0 else (("group", number, inside),)

    def assertion(self, *piece: Any) -> tuple[Any, ...]:
        """Return the piece for an assertion, which cannot be repeated."""
        if self.k < len(self.text) and self.text[self.k] in "*+?{":
            self.fail()
        return (piece,)

    def repeated(self, atom: tuple[Any, ...]) -> tuple[Any, ...]:
        fewest, most = 1, 1
        if self.next("*"):
            fewest, most = 0, -1
        elif self.next("+"):
            fewest, most = 1, -1
        elif self.next("?"):
            fewest, most = 0, 1
        elif self.next("{"):
            end = self.text.find("}", self.k)
            low, comma, high = self.text[self.k : end].partition(",")
            if end < 0 or not _is_number(low) or (high and not _is_number(high)):
                self.fail()
            fewest = int(low[:9])
            most = int(high[:9]) if high else (-1 if comma else fewest)
            if 0 <= most < fewest:
                self.fail()
            self.k = end + 1
        else:
            return atom
        greedy = not self.next("?")
        if (fewest, most) == (0, 1):
            return (("optional", atom, greedy),)
        return (("times", atom, fewest, None if most < 0 else most, greedy),)

    def set_of(self, octets: frozenset[int]) -> Any:
        return ("in", bytes(sorted(self.folded(octets) & ASCII)))

    def folded(self, octets: frozenset[int]) -> frozenset[int]:
        """Return the bytes and, if case is ignored, also the other case of each letter (MaybeSimpleCaseFolding). A
        negated class is the complement of this result."""
        if not self.ignore_case:
            return octets
        forms = (form for octet in octets if octet < 128 for form in (chr(octet).lower(), chr(octet).upper()))
        others = (form for point, both in _ALSO.items() if point in octets for form in both)
        return frozenset(map(ord, (*forms, *others))) | octets

    def escape(self) -> tuple[Any, ...]:
        if self.k == len(self.text):
            self.fail()
        c = self.text[self.k]
        if c in "123456789k":
            if not self.irregular:
                self.fail("uses a back reference, which is not regular")
            return self.reference()
        if c in "bB":
            if not self.irregular:
                self.fail("asks where a word ends, which is not supported")
            self.k += 1
            return self.assertion("boundary", c == "b")
        return (self.set_of(self.escaped(False)),)

    def reference(self) -> tuple[Any, ...]:
        """Return the piece for a back reference. A numeric reference counts all groups of the component, starting at
        1."""
        found = _REFERENCE.match(self.text, self.k)
        if found is None:
            self.fail()
        self.k = found.end()  # type: ignore[union-attr]
        if found[1] is not None:  # type: ignore[index]
            self.wanted.add(found[1])  # type: ignore[index]
            number = self.names.get(found[1], -1)  # type: ignore[index]
            return (("back", number),) if number >= 0 else ()
        return (("back", int(found[2]) - 1),)  # type: ignore[index]

    def escaped(self, in_class: bool) -> frozenset[int]:
        """Return the bytes of the class, or the single code point, that the text after a backslash represents."""
        if self.k == len(self.text):
            self.fail()
        c = self.text[self.k]
        self.k += 1
        if c in _CLASSES:
            return _CLASSES[c]
        if c in _CONTROLS:
            return frozenset((_CONTROLS[c],))
        if c == "0" and not self.text[self.k : self.k + 1].isdigit():
            return frozenset((0,))
        if c == "b" and in_class:
            return frozenset((8,))
        if c == "c" and self.text[self.k : self.k + 1].isalpha():
            self.k += 1
            return frozenset((ord(self.text[self.k - 1]) & 31,))
        if c == "x":
            return frozenset((self.hex(2),))
        if c == "u":
            if self.next("{"):
                end = self.text.find("}", self.k)
                if end < 0 or end == self.k:
                    self.fail()
                value = self.hex(end - self.k)
                self.k += 1
                if value > 0x10FFFF:
                    self.fail()
                return frozenset((value,))
            return frozenset((self.hex(4),))
        if c in "pP":
            return self.property(c == "P")
        if c in _SYNTAX or (in_class and c in _OF_A_CLASS):
            return frozenset((ord(c),))
        self.fail()
        return ASCII

    def hex(self, n: int) -> int:
        digits = self.text[self.k : self.k + n]
        if len(digits) < n or not all(c in "0123456789abcdefABCDEF" for c in digits):
            self.fail()
        self.k += n
        return int(digits, 16)

    def property(self, other: bool) -> frozenset[int]:
        end = self.text.find("}", self.k)
        if not self.next("{") or end < 0:
            self.fail()
        name = self.text[self.k : end]
        self.k = end + 1
        found = _PROPERTIES.get(name.rpartition("=")[2] if name.startswith(("gc=", "General_Category=")) else name)
        if found is None:
            self.fail(f"names a property {name!r} that is not supported")
        found = self.folded(found)  # type: ignore[arg-type]
        return ASCII - found if other else found

    def brackets(self) -> frozenset[int]:
        """Return the bytes of a class in brackets: a union, an intersection or a difference. Only ASCII can match."""
        self.deeper()
        other = self.next("^")
        found: frozenset[int] = frozenset()
        first, how = True, ""
        while not self.next("]"):
            if self.k == len(self.text):
                self.fail()
            if not first and (self.next("--") or self.next("&&")):
                kind = self.text[self.k - 2 : self.k]
                if how not in ("", kind) or self.text[self.k : self.k + 1] == "&":
                    self.fail()
                how = kind
                right = self.folded(self.operand()[0])
                found = found - right if kind == "--" else found & right
                continue
            if how in ("--", "&&"):
                self.fail()
            left, single = self.operand()
            if single and self.text[self.k : self.k + 1] == "-" and self.text[self.k : self.k + 2] != "--":
                self.k += 1
                right, is_single = self.operand()
                if not is_single or max(right) < max(left):
                    self.fail()
                low, high = max(left), max(right)
                left = frozenset(range(low, min(high, 127) + 1))
                if high > 127:
                    left |= {c for c in _ALSO if low <= c <= high}
                single, how = False, "union"  # a range cannot be an operand of "--" or "&&" (ClassSetOperand)
            if not first:
                how = "union"
            found, first = found | self.folded(left), False
        self.depth -= 1
        return ASCII - found if other else found & ASCII

    def operand(self) -> tuple[frozenset[int], bool]:
        """Return an operand of a class, and whether it is a single code point."""
        if self.k == len(self.text):
            self.fail()
        if self.next("["):
            return self.brackets(), False
        c = self.text[self.k]
        if c == self.text[self.k + 1 : self.k + 2] and c in _DOUBLED:
            self.fail()
        self.k += 1
        if c == "\\":
            if self.text.startswith("q{", self.k):
                self.fail("has a string in a class, which is not supported")
            found = self.escaped(True)
            return (found, True) if len(found) == 1 else (self.folded(found), False)
        if c in "()[]{}/-|":
            self.k -= 1
            self.fail(f"is not well formed: escape the {c} in a class, as \\{c}")
        return frozenset((ord(c),)), True


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _made_properties() -> dict[str, frozenset[int]]:
    import unicodedata

    found: dict[str, frozenset[int]] = {"ASCII": ASCII, "Any": ASCII}
    for octet in range(128):
        kind = unicodedata.category(chr(octet))
        for name in (kind, kind[0]):
            found[name] = found.get(name, frozenset()) | {octet}
    letters = frozenset(octet for octet in ASCII if chr(octet).isalpha())
    long = {
        "Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Number": "N", "Decimal_Number": "Nd",
        "Punctuation": "P", "punct": "P", "Symbol": "S", "Separator": "Z", "Other": "C", "Control": "Cc",
    }  # fmt: skip
    found |= {name: found[short] for name, short in long.items()}
    hexes = frozenset(b"0123456789abcdefABCDEF")
    return found | {
        "Alphabetic": letters, "Alpha": letters, "Lowercase": found["Ll"], "Uppercase": found["Lu"],
        "White_Space": SPACE, "ASCII_Hex_Digit": hexes, "AHex": hexes, "Hex_Digit": hexes,
        "ID_Start": letters, "ID_Continue": WORD, "XID_Start": letters, "XID_Continue": WORD,
    }  # fmt: skip


_PROPERTIES = _made_properties()
