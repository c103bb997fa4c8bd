"""Components of a URLPattern. Writes the pattern string of a component in normal form, and compiles it to a program.

https://urlpattern.spec.whatwg.org/#components
"""

from __future__ import annotations

from urlsm.patterns.backtracking import Backtracking, is_regular
from urlsm.patterns.canonical import ENCODERS
from urlsm.patterns.names import is_name_char
from urlsm.patterns.opcodes import MOST
from urlsm.patterns.pattern_strings import KINDS, PatternString
from urlsm.patterns.programs import Program
from urlsm.patterns.regexps import regexp_program
from urlsm.patterns.rule import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Component", "compile_component", "escape_pattern"]

FULL_WILDCARD: int
SEGMENT_WILDCARD: int
REGEXP_PART: int
FIXED: int
FULL_WILDCARD, SEGMENT_WILDCARD, REGEXP_PART, FIXED = KINDS
# the modifiers of parts, in the order that compare_component needs
MODIFIERS: tuple[str, ...] = ("*", "?", "+", "")


class Component(PatternString):
    """A component of a URLPattern (#component). The pattern string and the programs are computed on first use."""

    __slots__ = ("_pattern", "_plain", "_program")
    _pattern: str
    _plain: tuple[Any, ...] | None
    _program: Program | Backtracking

    @property
    def pattern(self) -> str:
        """The component's pattern string, in normal form."""
        try:
            return self._pattern
        except AttributeError:
            self._pattern = written(self)
            return self._pattern

    def compile(self, text: str, irregular: bool = False) -> None:
        """Set the properties `plain` and `program`. text: the pattern, for error messages. irregular: whether `re` may
        run the program.

        PatternError: the program is too large.
        """
        program = program_of(self, text, irregular)
        if irregular and not is_regular(program):
            self._plain, self._program = None, Backtracking(program, self.ignore_case, text)
        else:
            plain = self.plain_program()
            self._plain = program if plain is None else plain
            self._program = Program(program, self._plain)

    @property
    def plain(self) -> tuple[Any, ...] | None:
        """A program (urlsm.patterns.rule) that matches the same strings, perhaps without groups; None if the pattern is
        not regular."""
        try:
            return self._plain
        except AttributeError:
            self._plain = self.plain_program()
            if self._plain is None:
                self.compile(self.pattern)
            return self._plain

    @property
    def program(self) -> Program | Backtracking:
        """The compiled program, with groups."""
        try:
            return self._program
        except AttributeError:
            self.compile(self.pattern)
            return self._program


_ESCAPES = {ord(c): "\\" + c for c in "+*?:{}()\\"}


def escape_pattern(text: str) -> str:
    """#escape-a-pattern-string"""
    return text.translate(_ESCAPES)


def written(component: Component) -> str:
    """#generate-a-pattern-string"""
    made = []
    parts = component.parts
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else None
        after = parts[index + 1] if index + 1 < len(parts) else None
        if part.kind == FIXED:
            text = escape_pattern(part.value)
            made.append(text if not part.modifier else f"{{{text}}}{part.modifier}")
            continue
        custom = not part.name[0].isdigit()
        group = part.suffix != "" or (part.prefix != "" and part.prefix != component.prefix)
        if not group and custom and part.kind == SEGMENT_WILDCARD and not part.modifier \
                and after and not after.prefix and not after.suffix:  # fmt: skip
            if after.kind == FIXED:  # the value is empty if the pattern had only tabs and newlines there
                group = after.value != "" and is_name_char(after.value[0], False)
            else:
                group = after.name[0].isdigit()
        if not group and not part.prefix and before and before.kind == FIXED and before.value[-1:] == component.prefix:
            group = component.prefix != ""
        text = escape_pattern(part.prefix)
        if custom:
            text += f":{part.name}"
        if part.kind == REGEXP_PART:
            text += f"({part.value})"
        elif part.kind == SEGMENT_WILDCARD:
            if not custom:
                text += f"({component.segment_wildcard})"
        elif not custom and (before is None or before.kind == FIXED or before.modifier or group or part.prefix):
            text += "*"
        else:
            text += "(.*)"
        if part.kind == SEGMENT_WILDCARD and custom and part.suffix and is_name_char(part.suffix[0], False):
            text += "\\"
        text += escape_pattern(part.suffix)
        made.append((f"{{{text}}}" if group else text) + part.modifier)
    return "".join(made)


# --- programs --------------------------------------------------------------------------------------


def _literal(text: str, ignore_case: bool) -> tuple[Any, ...]:
    octets = text.encode()
    if not ignore_case or text.lower() == text.upper():
        return (octets,)
    return tuple(("in", bytes((octet,)).lower() + bytes((octet,)).upper()) for octet in octets)


def _times(program: tuple[Any, ...], modifier: str) -> tuple[Any, ...]:
    """Return the program, repeated as the modifier says."""
    if modifier == "?":
        return (("optional", program, True),)
    if modifier:
        return (("times", program, int(modifier == "+"), None, True),)
    return program


def program_of(component: Component, text: str, irregular: bool) -> tuple[Any, ...]:
    """Return the program for a component. It matches the same strings as the standard's regular expression
    (#generate-a-regular-expression-and-name-list)."""
    made: list[Any] = []
    ignore_case = component.ignore_case
    group = 0  # the number of groups so far, including the groups within regular expressions
    for part in component.parts:
        if part.kind == FIXED:
            made += _times(_literal(part.value, ignore_case), part.modifier)
            continue
        here, inner = group, 0
        if part.kind == FULL_WILDCARD:
            one: tuple[Any, ...] = (("times", ("?",), 0, None, True),)
        elif part.kind == SEGMENT_WILDCARD:
            others = bytes(set(range(256)) - set(component.delimiter.encode()))
            one = (("times", (("in", others),), 1, None, False),)
        else:
            one, inner = regexp_program(part.value, here + 1, ignore_case, text, irregular)
        group += 1 + inner
        prefix, suffix = _literal(part.prefix, ignore_case), _literal(part.suffix, ignore_case)
        if part.modifier in ("", "?"):
            made += _times((*prefix, ("group", here, one), *suffix), part.modifier)
        elif not part.prefix and not part.suffix:
            made.append(("group", here, _times(one, part.modifier)))
        else:
            again = ("times", (*suffix, *prefix, *one), 0, None, True)
            whole = (*prefix, ("group", here, (*one, again)), *suffix)
            made += _times(whole, "?" if part.modifier == "*" else "")
    return (*joined(made), "$")


def compile_component(text: str, which: int, ignore_case: bool = False, regexps: bool | str = True) -> Component:
    """Compile a pattern string to a component (#compile-a-component). which: the component's index in
    canonical.ENCODERS. TypeError: the pattern string is not valid."""
    made = Component(text, which, ENCODERS[which], ignore_case)
    if made.has_regexp_groups:
        if not regexps:
            raise TypeError(f"the pattern {text!r} contains a regular expression, which regexps=False does not allow")
        made.compile(text, regexps == "re")
    elif len(text) > _SURELY_SHORT:
        made.compile(text)
    return made


# Without a regular expression, a character of a pattern becomes at most 12 octets, and "{ab:c}+" writes each octet
# twice. So a pattern of this length is never too large, and need not be compiled before its first use.
_SURELY_SHORT = MOST // 32
