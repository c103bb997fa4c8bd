"""The tokens of pattern strings. https://urlpattern.spec.whatwg.org/#tokens"""

from __future__ import annotations

import re
import unicodedata

from urlsm.octets.records import NamedTuple

__all__ = ["RUN", "Token", "is_name_char", "tokenize"]

# the kinds of tokens
OPEN, CLOSE, REGEXP, NAME, CHAR, ESCAPED_CHAR, OTHER_MODIFIER, ASTERISK, END, INVALID = range(10)


class Token(NamedTuple):
    kind: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    value: str


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


# Characters that no parser asks for one by one: they are one token. "/" may be the prefix of a group.
RUN = re.compile(r"[^*+?{}\\:(/#@\[\]]+")
_ASCII_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


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
        if run := RUN.match(text, k):
            tokens.append(Token(CHAR, k, run[0]))
            k = run.end()
        elif c in simple:
            tokens.append(Token(simple[c], k, c))
            k += 1
        elif c == "\\":
            if k == n - 1:
                k = bad(k + 1, k)
                continue
            tokens.append(Token(ESCAPED_CHAR, k, text[k + 1]))
            k += 2
        elif c == ":":
            name = _ASCII_NAME.match(text, k + 1)
            end = name.end() if name else k + 1
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
