"""Constructor strings: a whole pattern in one text, cut into its components.

https://urlpattern.spec.whatwg.org/#constructor-string-parsing
"""

from __future__ import annotations

from collections.abc import Callable

from urlsm.patterns.tokens import (
    ASTERISK,
    CHAR,
    CLOSE,
    END,
    ESCAPED_CHAR,
    INVALID,
    NAME,
    OPEN,
    REGEXP,
    tokenize,
)

__all__ = ["parse_constructor_string"]

_STATES = (
    "init",
    "protocol",
    "authority",
    "username",
    "password",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
    "done",
)
INIT, PROTOCOL, AUTHORITY, USERNAME, PASSWORD, HOSTNAME, PORT, PATHNAME, SEARCH, HASH, DONE = range(11)


def parse_constructor_string(text: str, is_special: Callable[[str], bool]) -> dict[str, str]:
    """Return the components of a constructor string. TypeError: its protocol cannot be read."""
    return _Parser(text, is_special).run()


class _Parser:
    """#constructor-string-parser"""

    def __init__(self, text: str, is_special: Callable[[str], bool]) -> None:
        self.text, self.tokens, self.is_special = text, tokenize(text, False), is_special
        self.result: dict[str, str] = {}
        self.start = self.at = self.depth = self.brackets = 0
        self.step, self.state, self.special = 1, INIT, False

    def run(self) -> dict[str, str]:
        while self.at < len(self.tokens):
            self.step = 1
            kind, _, value = self.tokens[self.at]
            if len(value) > 1 and kind == CHAR:  # it is not any of the characters that one asks for
                self.at += 1
                continue
            if kind == END:
                if self.state == INIT:
                    self.rewind(INIT)
                    if self.is_char(self.at, "#"):
                        self.change(HASH, 1)
                    elif self.is_search():
                        self.change(SEARCH, 1)
                    else:
                        self.change(PATHNAME, 0)
                elif self.state == AUTHORITY:
                    self.rewind(HOSTNAME)
                else:
                    self.change(DONE, 0)
                    break
            elif kind == OPEN:
                self.depth += 1
            elif self.depth:
                self.depth -= kind == CLOSE
            else:
                self.one()
            self.at += self.step
        if "hostname" in self.result and "port" not in self.result:
            self.result["port"] = ""
        return self.result

    def one(self) -> None:
        """Handle the current token in the current state."""
        at, state = self.at, self.state
        if state == INIT:
            if self.is_char(at, ":"):
                self.rewind(PROTOCOL)
        elif state == PROTOCOL:
            if self.is_char(at, ":"):
                self.special = self.is_special(self.component())
                if self.is_char(at + 1, "/") and self.is_char(at + 2, "/"):
                    self.change(AUTHORITY, 3)
                else:
                    self.change(AUTHORITY if self.special else PATHNAME, 1)
        elif state == AUTHORITY:
            if self.is_char(at, "@"):
                self.rewind(USERNAME)
            elif self.is_char(at, "/") or self.is_search() or self.is_char(at, "#"):
                self.rewind(HOSTNAME)
        elif state == USERNAME and self.is_char(at, ":"):
            self.change(PASSWORD, 1)
        elif state in (USERNAME, PASSWORD):
            if self.is_char(at, "@"):
                self.change(HOSTNAME, 1)
        elif state == HOSTNAME and self.is_char(at, "["):
            self.brackets += 1
        elif state == HOSTNAME and self.is_char(at, "]"):
            self.brackets -= 1
        elif state == HOSTNAME and self.is_char(at, ":") and self.brackets == 0:
            self.change(PORT, 1)
        elif state <= PORT and self.is_char(at, "/"):
            self.change(PATHNAME, 0)
        elif state <= PATHNAME and self.is_search():
            self.change(SEARCH, 1)
        elif state <= SEARCH and self.is_char(at, "#"):
            self.change(HASH, 1)

    def rewind(self, state: int) -> None:
        """#rewind-and-set-state"""
        self.at, self.step, self.state = self.start, 0, state

    def change(self, state: int, skip: int) -> None:
        """#change-state"""
        before = self.state
        if before not in (INIT, AUTHORITY, DONE):
            self.result[_STATES[before]] = self.component()
        if before != INIT and state != DONE:
            if before <= PASSWORD and state >= PORT:
                self.result.setdefault("hostname", "")
            if before <= PORT and state in (SEARCH, HASH):
                self.result.setdefault("pathname", "/" if self.special else "")
            if before <= PATHNAME and state == HASH:
                self.result.setdefault("search", "")
        self.state = state
        self.at += skip
        self.start, self.step = self.at, 0

    def component(self) -> str:
        """#make-a-component-string"""
        return self.text[self.tokens[min(self.start, len(self.tokens) - 1)].index : self.tokens[self.at].index]

    def is_char(self, at: int, char: str) -> bool:
        """#is-a-non-special-pattern-char"""
        token = self.tokens[min(at, len(self.tokens) - 1)]
        return token.value == char and token.kind in (CHAR, ESCAPED_CHAR, INVALID)

    def is_search(self) -> bool:
        """Return whether a "?" that is not a modifier is here (#is-a-search-prefix)."""
        if self.is_char(self.at, "?"):
            return True
        if self.tokens[self.at].value != "?":
            return False
        return self.at == 0 or self.tokens[self.at - 1].kind not in (NAME, REGEXP, CLOSE, ASTERISK)
