"""A URL as people read it (https://url.spec.whatwg.org/#url-rendering); not meant to be parsed."""

from __future__ import annotations

import unicodedata

from urlsm.errors.masking import cut
from urlsm.octets.text import decode_escapes
from urlsm.url.masked import spans_in
from urlsm.url.value import URL

__all__ = ["display", "is_safe_label", "readable"]

# scripts that are written together in one word (UTS 39, highly restrictive); LATIN may join these
_TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "LATIN"})
# letters of other scripts that look like ASCII ones: a label of these alone may be a disguise
_LOOKALIKES = frozenset("асԁеһіјӏорԛѕԝхуъьҽпгѵѡ" + "οανικτυρχγω")
_COMMON = frozenset({"DIGIT", "HYPHEN-MINUS", "MIDDLE", "COMBINING", "ZERO", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"})


def is_safe_label(label: str) -> bool:
    """May a domain label be shown in Unicode?

    Refused: a mix of scripts (except Latin with Chinese, Japanese or Korean), characters other than letters, marks and
    digits, and labels made only of Cyrillic or Greek letters that look like Latin ones. Not detected: look-alikes
    within one script, and whole words that look like others.
    """
    scripts = set()
    for c in label:
        if not (c.isascii() or unicodedata.category(c)[0] in "LMN"):
            return False
        script = unicodedata.name(c, "UNKNOWN").split()[0]
        if script not in _COMMON:
            scripts.add(script)
    if label.isascii():
        return True
    return (len(scripts) <= 1 or scripts <= _TOGETHER) and not set(label) - set("-0123456789") <= _LOOKALIKES


def readable(text: str) -> str:
    """text with the escapes of visible characters beyond ASCII decoded."""
    pieces = []
    for decoded, written in decode_escapes(text):
        visible = not decoded.isascii() and decoded.isprintable() and unicodedata.category(decoded)[0] in "LNPS"
        pieces.append(decoded if visible else written)
    return "".join(pieces)


def display(url: URL) -> str:
    """The URL for people: the host in Unicode where that is safe, readable escapes, nothing secret. Not meant to be
    parsed. https://url.spec.whatwg.org/#url-rendering"""
    host = url.host
    if host is not None and "xn--" in host:
        from urlsm.octets.idna import domain_to_unicode

        labels = zip(host.split("."), domain_to_unicode(host).split("."), strict=False)
        host = ".".join([shown if is_safe_label(shown) else label for label, shown in labels])
    shown = f"{url.scheme}:"
    if host is not None:
        shown += f"//{host}" + ("" if url.port is None else f":{url.port}")
    shown += readable(url.path)
    if url.query is not None:
        shown += "?" + readable(url.query)
    if url.fragment is not None:
        shown += "#" + readable(url.fragment)
    return cut(shown, spans_in(shown, url))
