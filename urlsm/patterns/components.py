"""Pattern strings: reads and writes one component of a URLPattern, and makes it a program.

https://urlpattern.spec.whatwg.org/#pattern-strings
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from urlsm.octets.records import NamedTuple
from urlsm.patterns.backtracking import Backtracking, is_regular
from urlsm.patterns.program import Program
from urlsm.patterns.regexps import regexp_program
from urlsm.patterns.rule import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Component", "Options", "Part", "Token", "compile_component", "escape_pattern", "tokenize"]

ESCAPED = frozenset("+*?:{}()\\")
# the kinds of tokens
OPEN, CLOSE, REGEXP, NAME, CHAR, ESCAPED_CHAR, OTHER_MODIFIER, ASTERISK, END, INVALID = range(10)
# the kinds of parts, in the order of compare_component
FULL_WILDCARD, SEGMENT_WILDCARD, REGEXP_PART, FIXED = range(4)
# the modifiers of parts, in the same order
MODIFIERS = ("*", "?", "+", "")


class Token(NamedTuple):
    kind: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    value: str


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


class Component(NamedTuple):
    """#component

    Attributes:
        pattern: in normal form. plain: a program (urlsm.patterns.rule) that matches the same texts, perhaps without
        groups; None: it is not regular. program: compiled, with groups. names: of its groups. parts, options, encode:
        what it was made from.
    """

    pattern: str
    plain: tuple[Any, ...] | None
    program: Program | Backtracking
    names: tuple[str, ...]
    parts: tuple[Part, ...]
    options: Options
    encode: Callable[[str], str]

    @property
    def has_regexp_groups(self) -> bool:
        return any(part.kind == REGEXP_PART for part in self.parts)


def is_name_char(c: str, first: bool) -> bool:
    """Return whether c is ECMAScript's IdentifierStart (first) or IdentifierPart (#is-a-valid-name-code-point).
    str.isidentifier would normalise."""
    if c in "$_" or (c.isascii() and (c.isalpha() or (c.isdigit() and not first))):
        return True
    if c.isascii():
        return False
    if not first and c in "\u200c\u200d":
        return True
    if unicodedata.normalize("NFKC", c) == c:
        return c.isidentifier() if first else f"a{c}".isidentifier()
    kind = unicodedata.category(c)
    return kind in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl") or (not first and kind in ("Mn", "Mc", "Nd", "Pc"))


def tokenize(text: str, strict: bool) -> list[Token]:
    """Return the tokens of a pattern string (#tokenize). If it is not well formed: TypeError if strict, otherwise a
    token of the kind INVALID."""
    tokens: list[Token] = []
    k, n = 0, len(text)
    simple = {"*": ASTERISK, "+": OTHER_MODIFIER, "?": OTHER_MODIFIER, "{": OPEN, "}": CLOSE}

    def bad(end: int, start: int) -> int:
        if strict:
            raise TypeError(f"the pattern {text!r} is not well formed at {k}")
        tokens.append(Token(INVALID, k, text[start:end]))
        return end

    while k < n:
        c = text[k]
        if c in simple:
            tokens.append(Token(simple[c], k, c))
            k += 1
        elif c == "\\":
            if k == n - 1:
                k = bad(k + 1, k)
                continue
            tokens.append(Token(ESCAPED_CHAR, k, text[k + 1]))
            k += 2
        elif c == ":":
            end = k + 1
            while end < n and is_name_char(text[end], end == k + 1):
                end += 1
            if end == k + 1:
                k = bad(k + 1, k)
                continue
            tokens.append(Token(NAME, k, text[k + 1 : end]))
            k = end
        elif c == "(":
            end = _regexp_end(text, k + 1)
            if end < 0:
                k = bad(k + 1, k)
                continue
            tokens.append(Token(REGEXP, k, text[k + 1 : end]))
            k = end + 1
        else:
            tokens.append(Token(CHAR, k, c))
            k += 1
    tokens.append(Token(END, k, ""))
    return tokens


def _regexp_end(text: str, start: int) -> int:
    """Return where the ")" of the regular expression is that begins at start; -1 if it is not one."""
    depth, k, n = 1, start, len(text)
    while k < n:
        c = text[k]
        if not c.isascii() or (k == start and c == "?"):
            return -1
        if c == "\\":
            if k == n - 1 or not text[k + 1].isascii():
                return -1
            k += 2
            continue
        if c == ")":
            depth -= 1
            if depth == 0:
                return k if k > start else -1
        elif c == "(":
            depth += 1
            if k == n - 1 or text[k + 1] != "?":
                return -1
        k += 1
    return -1


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


def program_of(
    parts: list[Part], options: Options, text: str, irregular: bool
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return #generate-a-regular-expression-and-name-list as a program, and the names of its groups."""
    made: list[Any] = []
    names = []
    group = 0  # the number of groups, also of those in regular expressions
    for part in parts:
        if part.kind == FIXED:
            made += _times(_literal(part.value, options), part.modifier)
            continue
        names.append(part.name)
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
    return (*joined(made), "$"), tuple(names)


def compile_component(
    text: str, encode: Callable[[str], str], options: Options, regexps: bool | str = True
) -> Component:
    """Return the component of a pattern string (#compile-a-component). TypeError: it cannot be read."""
    parts = _Parser(text, options, encode).run()
    if not regexps and any(part.kind == REGEXP_PART for part in parts):
        raise TypeError(f"the pattern {text!r} has a regular expression, which regexps=False refuses")
    program, names = program_of(parts, options, text, regexps == "re")
    compiled: Program | Backtracking
    if regexps == "re" and not is_regular(program):
        compiled = Backtracking(program, options.ignore_case, text)
        return Component(written(parts, options), None, compiled, names, tuple(parts), options, encode)
    if all(part.kind in (FULL_WILDCARD, FIXED) and not part.modifier and not options.ignore_case for part in parts):
        plain: list[Any] = []
        for part in parts:
            plain += (part.value.encode(),) if part.kind == FIXED else (part.prefix.encode(), "*", part.suffix.encode())
        greedy: tuple[Any, ...] | None = (*joined(plain), "$")
    else:
        greedy = None
    return Component(
        written(parts, options),
        program if greedy is None else greedy,
        Program(program, greedy),
        names,
        tuple(parts),
        options,
        encode,
    )
