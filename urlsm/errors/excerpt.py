"""Builds the text of a ParseError: the message for the cause, and the part of the URL around the error, with a caret
under it. Both are safe for logs and terminals."""

from __future__ import annotations

import re
import unicodedata

from urlsm.errors.masking import cut, secret_spans, spans_near
from urlsm.octets.objects import url_text

__all__ = ["cause", "meant", "printable", "shortened", "with_caret"]

# a domain whose last label is of letters, or an IPv4 address; perhaps a port; then the end, or the beginning of a path,
# query or fragment
_HOST = re.compile(r"(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:[A-Za-z]{2,18}|[0-9]{1,3})(?::[0-9]{1,5})?(?=[/?#]|$)")
_FILES = frozenset(("html", "htm", "css", "js", "json", "xml", "txt", "md", "py", "png", "jpg", "gif", "svg", "pdf"))
_WIDTH = 80  # at most this many characters are shown, counted before escaping
_LONG = 4096  # in longer texts, only the characters near the position are searched for secrets


def printable(text: str) -> str:
    """Return text with escapes in place of characters that would control a terminal or would be invisible."""
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text])


def shortened(text: str, longest: int = 2000) -> str:
    """Return the string. If it has more than `longest` characters, leave out its middle."""
    return text if len(text) <= longest else f"{text[: longest // 2]}…{text[-longest // 2 :]}"


def with_caret(url: object, position: int) -> str:
    """Return two lines: at most 80 characters of url around position, with secrets masked, and the caret."""
    given = url_text(url)
    text = (
        given.decode("latin-1") if isinstance(given, bytes) else given
    )  # position counts bytes, so each byte becomes one character
    first, last = 0, len(text)
    if last > _LONG:
        first, last = max(0, position - _WIDTH), min(last, position + _WIDTH)
    spans = spans_near(text, first, last) if len(text) > _LONG else secret_spans(text, refused=True)
    position = next((begin for begin, end in spans if begin < position < end), position)
    ahead, behind = "…" if first else "", "…" if last < len(text) else ""
    text, position = cut(text, spans, first, last), len(cut(text, spans, first, position))
    start = max(0, min(position - _WIDTH // 2, len(text) - _WIDTH))
    before = ("…" if start else ahead) + printable(text[start:position])
    after = printable(text[position : start + _WIDTH]) + ("…" if start + _WIDTH < len(text) else behind)
    return f"  {before}{after}\n  {' ' * len(before)}^"


# the authority, the character that ends it, and the rest of the text
_AUTHORITY = re.compile(r"(?:[^:/?#\\]*:)?[/\\]*([^/?#\\]*)([/?#\\]?)(.*)", re.DOTALL)
_PORT = re.compile(r":[0-9]*$")
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})|.", re.DOTALL)
# the parser removes tabs and line breaks; "/", "?" and "#" end a host unless they are escaped
_FORBIDDEN = frozenset([*map(chr, (*range(9), 11, 12, *range(14, 33), 127)), *"#/:<>?@[\\]^|%"])
_IN_HOSTS = ("domain-to-ASCII", "host-invalid-code-point")


def cause(url: object, code: str) -> str | None:
    """Return a message that names the character that makes the host or port invalid, or None."""
    text = url_text(url)
    found = _AUTHORITY.match(text.decode("latin-1") if isinstance(text, bytes) else text)
    authority, end, rest = found.groups() if found is not None else ("", "", "")
    if code in ("port-invalid", "port-out-of-range") and end and "@" in rest:
        return f'an unescaped "{end}" ends the port, and "@" follows: in a password write "{end}" as %{ord(end):02X}'
    if code in _IN_HOSTS:
        for piece in _ESCAPE.finditer(_PORT.sub("", authority.rpartition("@")[2])):
            escaped = piece[1] is not None
            character = chr(int(piece[1], 16)) if escaped else piece[0]
            # an opaque host may hold escapes, and so may "%" stand in it
            if _is_forbidden(character) and not (code == "host-invalid-code-point" and piece[0][0] == "%"):
                return f"the host contains {_named(character, escaped)}"
    return None


def _is_forbidden(character: str) -> bool:
    """Return whether a host cannot contain a character, or the mapping of a domain (UTS 46) would turn it into one that
    a host cannot contain."""
    if character.isascii():
        return character in _FORBIDDEN
    return any(one in _FORBIDDEN for one in unicodedata.normalize("NFKC", character))


def _named(character: str, escaped: bool) -> str:
    if character == " ":
        return "an escaped space" if escaped else "a space"
    shown = f'"{character}"' if character.isprintable() else f"U+{ord(character):04X}"
    return f"an escaped {shown}" if escaped else shown


def meant(url: object) -> str:
    """Return a hint ("Did you mean ...") for text without a scheme that begins like a host; otherwise ""."""
    text = url_text(url)
    text = text.decode("latin-1") if isinstance(text, bytes) else text
    host = _HOST.match(text.removeprefix("//"))
    if host is None or (host[0].rpartition(".")[2].lower() in _FILES and not text.startswith("//")):
        return ""
    shown = printable(text.removeprefix("//")[:_WIDTH])
    return f". Did you mean https://{shown}?" if len(text) <= _WIDTH and "@" not in text else ""
