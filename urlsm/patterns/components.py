"""Pattern strings: reads and writes one component of a URLPattern, and makes it a program.

https://urlpattern.spec.whatwg.org/#pattern-strings
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from urlsm.octets.records import NamedTuple
from urlsm.patterns.backtracking import Backtracking, is_regular
from urlsm.patterns.program import Program
from urlsm.patterns.regexps import regexp_program
from urlsm.patterns.rule import MOST, joined
from urlsm.patterns.tokens import (
    ASTERISK,
    CHAR,
    CLOSE,
    END,
    ESCAPED_CHAR,
    NAME,
    OPEN,
    OTHER_MODIFIER,
    REGEXP,
    RUN,
    Token,
    is_name_char,
    tokenize,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Component", "Options", "Part", "compile_component", "escape_pattern"]

ESCAPED = frozenset("+*?:{}()\\")
# the kinds of parts, in the order of compare_component
FULL_WILDCARD, SEGMENT_WILDCARD, REGEXP_PART, FIXED = range(4)
# the modifiers of parts, in the same order
MODIFIERS = ("*", "?", "+", "")


class Options(NamedTuple):
    """#options-header"""

    delimiter: str = ""
    prefix: str = ""
    ignore_case: bool = False


class Part(NamedTuple):
    """#part"""

    kind: int
    value: str
    modifier: str
    name: str = ""
    prefix: str = ""
    suffix: str = ""


class Component:
    """#component

    Attributes:
        pattern: in normal form. names: of its groups. parts, options, encode: what it was made from.
    """

    __slots__ = ("_made", "encode", "names", "options", "parts", "pattern")

    def __init__(self, parts: list[Part], options: Options, encode: Callable[[str], str]) -> None:
        self.pattern = written(parts, options)
        self.names = tuple([part.name for part in parts if part.kind != FIXED])
        self.parts, self.options, self.encode = tuple(parts), options, encode
        self._made: tuple[tuple[Any, ...] | None, Program | Backtracking] | None = None

    def compile(self, text: str, irregular: bool = False) -> tuple[tuple[Any, ...] | None, Program | Backtracking]:
        """Return plain and program. text: the pattern, for errors; irregular: whether `re` may run it.

        PatternError: the program is too large.
        """
        parts, options = self.parts, self.options
        program = program_of(parts, options, text, irregular)
        if irregular and not is_regular(program):
            self._made = None, Backtracking(program, options.ignore_case, text)
            return self._made
        greedy: tuple[Any, ...] | None = None
        if all(part.kind in (FULL_WILDCARD, FIXED) and not part.modifier and not options.ignore_case for part in parts):
            plain: list[Any] = []
            for part in parts:
                fixed = part.kind == FIXED
                plain += (part.value.encode(),) if fixed else (part.prefix.encode(), "*", part.suffix.encode())
            greedy = (*joined(plain), "$")
        self._made = program if greedy is None else greedy, Program(program, greedy)
        return self._made

    @property
    def plain(self) -> tuple[Any, ...] | None:
        """A program (urlsm.patterns.rule) that matches the same texts, perhaps without groups; None: it is not
        regular."""
        return (self._made or self.compile(self.pattern))[0]

    @property
    def program(self) -> Program | Backtracking:
        """The compiled program, with groups."""
        return (self._made or self.compile(self.pattern))[1]

    @property
    def has_regexp_groups(self) -> bool:
        return any(part.kind == REGEXP_PART for part in self.parts)


class _Parser:
    """#pattern-parser"""

    def __init__(self, text: str, options: Options, encode: Callable[[str], str]) -> None:
        self.tokens = tokenize(text, True)
        self.options, self.encode = options, encode
        self.parts: list[Part] = []
        self.pending = ""
        self.at = self.numeric = 0
        self.names: set[str] = set()
        self.text = text

    def take(self, kind: int) -> Token | None:
        token = self.tokens[self.at]
        if token.kind != kind:
            return None
        self.at += 1
        return token

    def take_regexp(self, name: Token | None) -> Token | None:
        return self.take(REGEXP) or (self.take(ASTERISK) if name is None else None)

    def take_modifier(self) -> Token | None:
        return self.take(OTHER_MODIFIER) or self.take(ASTERISK)

    def take_text(self) -> str:
        made = ""
        while token := self.take(CHAR) or self.take(ESCAPED_CHAR):
            made += token.value
        return made

    def require(self, kind: int) -> None:
        if self.take(kind) is None:
            raise TypeError(f"the pattern {self.text!r} is not well formed at {self.tokens[self.at].index}")

    def run(self) -> list[Part]:
        while self.at < len(self.tokens):
            char, name = self.take(CHAR), self.take(NAME)
            regexp = self.take_regexp(name)
            if name or regexp:
                prefix = char.value if char else ""
                if prefix and prefix != self.options.prefix:
                    self.pending += prefix
                    prefix = ""
                self.flush()
                self.add(prefix, name, regexp, "", self.take_modifier())
                continue
            fixed = char or self.take(ESCAPED_CHAR)
            if fixed:
                self.pending += fixed.value
            elif self.take(OPEN):
                prefix, name = self.take_text(), self.take(NAME)
                regexp = self.take_regexp(name)
                suffix = self.take_text()
                self.require(CLOSE)
                self.add(prefix, name, regexp, suffix, self.take_modifier())
            else:
                self.flush()
                self.require(END)
        return self.parts

    def flush(self) -> None:
        if self.pending:
            self.parts.append(Part(FIXED, self.encode(self.pending), ""))
            self.pending = ""

    def add(self, prefix: str, name: Token | None, regexp: Token | None, suffix: str, modifier: Token | None) -> None:
        """#add-a-part"""
        repeat = modifier.value if modifier else ""
        if not name and not regexp and not repeat:
            self.pending += prefix
            return
        self.flush()
        if not name and not regexp:
            if prefix:
                self.parts.append(Part(FIXED, self.encode(prefix), repeat))
            return
        kind, value = REGEXP_PART, regexp.value if regexp else ""
        if regexp is None or value == segment_wildcard(self.options):
            kind, value = SEGMENT_WILDCARD, ""
        elif regexp.kind == ASTERISK or value == ".*":
            kind, value = FULL_WILDCARD, ""
        if name:
            called = name.value
        else:
            called = str(self.numeric)
            self.numeric += 1
        if called in self.names:
            raise TypeError(f"the pattern {self.text!r} has two groups of the name {called!r}")
        self.names.add(called)
        self.parts.append(Part(kind, value, repeat, called, self.encode(prefix), self.encode(suffix)))


def segment_wildcard(options: Options) -> str:
    """#generate-a-segment-wildcard-regexp"""
    return f"[^{escape_regexp(options.delimiter)}]+?"


def escape_regexp(text: str) -> str:
    return "".join("\\" + c if c in ".+*?^${}()[]|/\\" else c for c in text)


def escape_pattern(text: str) -> str:
    """#escape-a-pattern-string"""
    return "".join("\\" + c if c in ESCAPED else c for c in text)


def written(parts: list[Part], options: Options) -> str:
    """#generate-a-pattern-string"""
    made = ""
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else None
        after = parts[index + 1] if index + 1 < len(parts) else None
        if part.kind == FIXED:
            text = escape_pattern(part.value)
            made += text if not part.modifier else f"{{{text}}}{part.modifier}"
            continue
        custom = not part.name[0].isdigit()
        group = part.suffix != "" or (part.prefix != "" and part.prefix != options.prefix)
        if not group and custom and part.kind == SEGMENT_WILDCARD and not part.modifier \
                and after and not after.prefix and not after.suffix:  # fmt: skip
            group = is_name_char(after.value[0], False) if after.kind == FIXED else after.name[0].isdigit()
        if not group and not part.prefix and before and before.kind == FIXED and before.value[-1:] == options.prefix:
            group = options.prefix != ""
        text = escape_pattern(part.prefix)
        if custom:
            text += f":{part.name}"
        if part.kind == REGEXP_PART:
            text += f"({part.value})"
        elif part.kind == SEGMENT_WILDCARD:
            if not custom:
                text += f"({segment_wildcard(options)})"
        elif not custom and (before is None or before.kind == FIXED or before.modifier or group or part.prefix):
            text += "*"
        else:
            text += "(.*)"
        if part.kind == SEGMENT_WILDCARD and custom and part.suffix and is_name_char(part.suffix[0], False):
            text += "\\"
        text += escape_pattern(part.suffix)
        made += (f"{{{text}}}" if group else text) + part.modifier
    return made


# --- programs --------------------------------------------------------------------------------------


def _literal(text: str, options: Options) -> tuple[Any, ...]:
    octets = text.encode()
    if not options.ignore_case or text.lower() == text.upper():
        return (octets,)
    return tuple(("in", bytes((octet,)).lower() + bytes((octet,)).upper()) for octet in octets)


def _times(program: tuple[Any, ...], modifier: str) -> tuple[Any, ...]:
    """Return the program with its modifier."""
    if modifier == "?":
        return (("optional", program, True),)
    if modifier:
        return (("times", program, int(modifier == "+"), None, True),)
    return program


def program_of(parts: Sequence[Part], options: Options, text: str, irregular: bool) -> tuple[Any, ...]:
    """Return #generate-a-regular-expression-and-name-list as a program."""
    made: list[Any] = []
    group = 0  # the number of groups, also of those in regular expressions
    for part in parts:
        if part.kind == FIXED:
            made += _times(_literal(part.value, options), part.modifier)
            continue
        here, inner = group, 0
        if part.kind == FULL_WILDCARD:
            one: tuple[Any, ...] = (("times", ("?",), 0, None, True),)
        elif part.kind == SEGMENT_WILDCARD:
            others = bytes(set(range(256)) - set(options.delimiter.encode()))
            one = (("times", (("in", others),), 1, None, False),)
        else:
            one, inner = regexp_program(part.value, here + 1, options.ignore_case, text, irregular)
        group += 1 + inner
        prefix, suffix = _literal(part.prefix, options), _literal(part.suffix, options)
        if part.modifier in ("", "?"):
            made += _times((*prefix, ("group", here, one), *suffix), part.modifier)
        elif not part.prefix and not part.suffix:
            made.append(("group", here, _times(one, part.modifier)))
        else:
            again = ("times", (*suffix, *prefix, *one), 0, None, True)
            whole = (*prefix, ("group", here, (*one, again)), *suffix)
            made += _times(whole, "?" if part.modifier == "*" else "")
    return (*joined(made), "$")


def compile_component(
    text: str, encode: Callable[[str], str], options: Options, regexps: bool | str = True
) -> Component:
    """Return the component of a pattern string (#compile-a-component). TypeError: it cannot be read."""
    if text and RUN.fullmatch(text):
        return Component([Part(FIXED, encode(text), "")], options, encode)
    parts = _Parser(text, options, encode).run()
    custom = any(part.kind == REGEXP_PART for part in parts)
    if not regexps and custom:
        raise TypeError(f"the pattern {text!r} has a regular expression, which regexps=False refuses")
    made = Component(parts, options, encode)
    if custom or len(text) > _SURELY_SHORT:
        made.compile(text, regexps == "re")
    return made


# Without a regular expression a character of a pattern makes at most 12 octets, and in "{ab:c}+" each is written twice:
# a pattern as short as this is never too large, so it is compiled when it is first asked.
_SURELY_SHORT = MOST // 32
