"""The names of groups. https://urlpattern.spec.whatwg.org/#is-a-valid-name-code-point"""

from __future__ import annotations

import unicodedata

__all__ = ["is_name_char"]


def is_name_char(c: str, first: bool) -> bool:
    """Return whether c is in ECMAScript's IdentifierStart or, unless `first` is set, IdentifierPart. str.isidentifier
    alone is not enough, because it normalises the text."""
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
