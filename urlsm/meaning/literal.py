"""Reads literal fields, which clients of a scheme use without decoding them, such as the key of an object in a store.

The text contains such a field unchanged. In the URL that is parsed from the text, the parser has escaped some
characters of the field, and this module undoes these escapes. The result is exact only if the text had no escapes: "a
b" and "a%20b" are two keys, but the same URL.
"""

from __future__ import annotations

import re

from urlsm.components.parts import Parts, inexact, lower
from urlsm.components.value import split
from urlsm.octets.objects import url_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.meaning.connections import Connection
    from urlsm.schemes.generic import Scheme
    from urlsm.url.value import URL

__all__ = ["parts_of_text", "undone"]

# The escapes that the parser writes, always in upper case: escapes of the characters in the percent-encode set of a
# component, and escapes of UTF-8. https://url.spec.whatwg.org/#path-percent-encode-set
_QUERY = "[01][0-9A-F]|2[02]|3[CE]|7F"
_SETS = (f"{_QUERY}|5E|60|7[BD]", _QUERY, f"{_QUERY}|60")  # for the path, the query and the fragment
_UTF8 = "%(?:C[2-9A-F]|D[0-9A-F]|E[0-9A-F]%[89AB][0-9A-F]|F[0-4](?:%[89AB][0-9A-F]){2})%[89AB][0-9A-F]"
_WRITTEN = [re.compile(f"%(?:{ascii_only})|{_UTF8}") for ascii_only in _SETS]
_COMPONENTS = re.compile(r"([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)


def undone(handler: Scheme[Any], parts: Parts) -> Any:
    """Return the parts that a handler has read from a URL, with the parser's escapes undone in the literal field."""
    given = parts[handler.literal]
    found = _COMPONENTS.fullmatch(given) if "%" in given else None
    if found is None:
        return parts
    pieces = [written.sub(_character, text) for written, text in zip(_WRITTEN, found.groups(""), strict=True)]
    made = "".join(pieces)
    return parts if made == given else inexact(parts.__replace__(**{handler.literal: made}))


def _character(escapes: re.Match[str]) -> str:
    try:
        return bytes.fromhex(escapes[0].replace("%", "")).decode()
    except UnicodeDecodeError:  # a surrogate or an overlong form, which no parser writes
        return escapes[0]


def parts_of_text(text: str | bytes, url: URL | Connection) -> Parts:
    """Return the parts of a text. url: the result of parsing the text. The parts are read from the text if the scheme
    has a literal field and the text has the same scheme according to RFC 3986, otherwise from the URL. Raises the same
    errors as URL.parts."""
    parts: Parts
    c = split(url_string(text), dialect="rfc3986") if url.handler.literal else None
    if c is not None and c.scheme is not None and lower(c.scheme) == url.scheme:
        parts = url.handler.read_parts(c)
    else:
        parts = url.parts
    return parts
