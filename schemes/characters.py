"""The characters that a component may contain unescaped: RFC 3986 section 2, RFC 1738 section 5."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from urlsm.components.parts import lower
from urlsm.octets.text import utf8

__all__ = [
    "ALPHA",
    "BAD_ESCAPE",
    "DIGIT",
    "ESCAPE",
    "FRAGMENT",
    "GENERIC_PATH",
    "HEXDIG",
    "HOST",
    "LABEL",
    "MARKED",
    "PCHAR",
    "QUERY",
    "SUB_DELIMS",
    "UNRESERVED",
    "USERINFO",
    "Characters",
    "lower_letters",
    "normal_escapes",
]

DIGIT = "0123456789"
HEXDIG = DIGIT + "ABCDEFabcdef"
ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Characters:
    """A set of characters that a component may contain unescaped. Use `+` and `-` to add and remove characters.

    Args:
        allowed: the characters.

    Example:
        >>> from urlsm.schemes import PCHAR
        >>> (PCHAR - ":").encode("a:b c")
        'a%3Ab%20c'
    """

    def __init__(self, allowed: str) -> None:
        self.allowed: str = "".join(dict.fromkeys(allowed))

    def __add__(self, more: str | Characters) -> Characters:
        return Characters(self.allowed + (more.allowed if isinstance(more, Characters) else more))

    def __sub__(self, fewer: str) -> Characters:
        return Characters("".join([c for c in self.allowed if c not in fewer]))

    def __contains__(self, character: str) -> bool:
        return character in self.allowed

    @cached_property
    def _fault(self) -> re.Pattern[str]:
        return re.compile(f"%(?![0-9A-Fa-f]{{2}})|[^%{re.escape(self.allowed)}]+")

    @cached_property
    def _others(self) -> re.Pattern[bytes]:
        return re.compile(b"[^" + re.escape(self.allowed.encode()) + b"]")

    def faults(self, text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int]]:
        """Yield an error code and a position for each fault in part of a string.

        The code is "bad-percent-escape" for a "%" that does not begin an escape, and "character-not-allowed" for each
        run of characters that are not in this set.

        Args:
            text: the string.
            start: where the part begins.
            end: where the part ends; None for the end of the string.
        """
        for fault in self._fault.finditer(text, start, len(text) if end is None else end):
            yield "bad-percent-escape" if fault[0] == "%" else "character-not-allowed", fault.start()

    def encode(self, text: str) -> str:
        """Encode a string as UTF-8, and percent-encode every byte that is not one of these characters, including "%".

        A lone surrogate that `decode` wrote in place of a byte is encoded as that byte. Any other lone surrogate is
        encoded as U+FFFD.

        Args:
            text: the decoded string.
        """
        octets = self._others.sub(lambda other: b"%%%02X" % other[0][0], utf8(text))
        return octets.decode("ascii")


Characters.__module__ = "urlsm.schemes"


UNRESERVED: Characters = Characters(ALPHA + DIGIT + "-._~")
MARKED: Characters = Characters(ALPHA + DIGIT + "-_.!~*'()")  # RFC 2396's unreserved: alphanum / mark
SUB_DELIMS = "!$&'()*+,;="
HOST: Characters = UNRESERVED + SUB_DELIMS  # reg-name
USERINFO: Characters = HOST + ":"
PCHAR: Characters = HOST + ":@"
GENERIC_PATH: Characters = PCHAR + "/"
QUERY: Characters = PCHAR + "/?"
FRAGMENT: Characters = QUERY

ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
BAD_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"  # the pattern of a domainlabel (RFC 1738, RFC 2396, RFC 3966)


def normal_escapes(text: str, decoded: Characters = UNRESERVED) -> str:
    """Decode the escapes of the characters in `decoded`, and write all other escapes in upper case (RFC 3986 sections
    6.2.2.1 and 6.2.2.2)."""
    if "%" not in text:
        return text
    if BAD_ESCAPE.search(text):  # after decoding, a bad escape might be a good one: "%%341" would become "%41"
        decoded = _NONE

    def normal(escape: re.Match[str]) -> str:
        character = chr(int(escape[0][1:], 16))
        return character if character in decoded else escape[0].upper()

    return ESCAPE.sub(normal, text)


def lower_letters(text: str) -> str:
    """Return the string with ASCII letters in lower case, but with the hexadecimal digits of its escapes in upper
    case."""
    return ESCAPE.sub(lambda escape: escape[0].upper(), lower(text))


_NONE = Characters("")
