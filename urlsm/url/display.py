"""Formats URLs for people to read (https://url.spec.whatwg.org/#url-rendering). The result is not meant to be
parsed."""

from __future__ import annotations

import unicodedata

from urlsm.errors.masking import cut
from urlsm.octets.text import readable
from urlsm.unicode.domains import LOOKALIKES
from urlsm.url.masked import spans_in
from urlsm.url.value import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["display", "is_safe_label"]

# scripts that may be mixed in one label, with Latin or without (UTS 39, highly restrictive)
_TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "LATIN"})
_DIGITS = frozenset("-0123456789")
_COMMON = frozenset({"DIGIT", "HYPHEN-MINUS", "MIDDLE", "COMBINING", "ZERO", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"})


def _script(c: str) -> str | None:
    """Return the first word of a character's name, which is usually its script. Return None for a non-ASCII character
    that is not a letter, mark or digit."""
    if not c.isascii() and unicodedata.category(c)[0] not in "LMN":
        return None
    return unicodedata.name(c, "UNKNOWN").partition(" ")[0]


def is_safe_label(label: str, script: Callable[[str], str | None] = _script) -> bool:
    """Return whether a domain label may be shown in Unicode.

    A label is not shown in Unicode if it mixes scripts (except Latin with Chinese, Japanese or Korean), if it contains
    characters other than letters, marks and digits, or if it consists only of Cyrillic or Greek letters that look like
    Latin ones. Look-alikes within one script, and whole words that look like others, are not detected. script: a
    function that returns the script of a character; a caller that checks many labels may pass a cached one.
    """
    if label.isascii():
        return True
    chars = set(label)
    scripts = set(map(script, chars)) - _COMMON
    if None in scripts:
        return False
    return (len(scripts) <= 1 or scripts <= _TOGETHER) and not chars - _DIGITS <= LOOKALIKES


def display(url: URL) -> str:
    """Return the URL in a form for people to read: the host is in Unicode if that is safe, escapes of readable
    characters are decoded, and secrets are masked. The result is not meant to be parsed.
    https://url.spec.whatwg.org/#url-rendering"""
    host = url.host
    if host is not None and "xn--" in host:
        from urlsm.unicode.idna import to_unicode

        in_unicode = to_unicode(host)
        script = {c: _script(c) for c in set(in_unicode)}.__getitem__  # computes the script of each character only once
        found = dict(zip(host.split("."), in_unicode.split("."), strict=True))
        safe = {label: shown if is_safe_label(shown, script) else label for label, shown in found.items()}
        host = ".".join([safe[label] for label in host.split(".")])
    shown = f"{url.scheme}:"
    if host is not None:
        shown += f"//{host}" + ("" if url.port is None else f":{url.port}")
    elif url.path.startswith("//"):
        shown += "/."  # as in href: otherwise the beginning of the path would look like a host
    shown += readable(url.path)
    if url.query is not None:
        shown += "?" + readable(url.query)
    if url.fragment is not None:
        shown += "#" + readable(url.fragment)
    return cut(shown, spans_in(shown, url))
