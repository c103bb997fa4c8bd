"""Conversion of IRIs to URIs, and of URIs to IRIs (RFC 3987 section 3)."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from urlsm.components.parts import decode, lower
from urlsm.components.value import Components, split
from urlsm.errors import scheme_error
from urlsm.meaning.registry import handler
from urlsm.octets.objects import url_string
from urlsm.schemes.characters import BAD_ESCAPE, UNRESERVED
from urlsm.schemes.iris import FORMATTING, PRIVATE, UCSCHAR, hosts_are_domains, uri_of
from urlsm.unicode.idna import IDNAError, parse_domain, to_unicode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["iri_to_uri", "uri_to_iri"]

# "the printable characters in US-ASCII that are not allowed in URIs" (section 3.1)
_PRINTABLE = re.compile(r'[<>" {}|\\^`]')
_IN_NEITHER = re.compile(f"[^ -~{UCSCHAR}{PRIVATE}]")
_BEYOND_ASCII = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")
_ESCAPES = re.compile(f"{_BEYOND_ASCII.pattern}|%[2-7][0-9A-Fa-f]")
_OF_IRI = re.compile(f"(?![{FORMATTING}])[{UCSCHAR}]")
# white space, controls, formatting, private use, and what this Python's Unicode does not have yet
_INAPPROPRIATE = ("Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn")


def iri_to_uri(iri: StrOrURL, *, idna: bool = False) -> str:
    """Convert an IRI to a URI: characters beyond ASCII become escapes of their UTF-8.

    The ASCII characters that a URI may not contain (space, `"`, `<`, `>`, `\\`, `^`, backquote, `{`, `|`, `}`) become
    escapes, too. Everything else stays as written. To convert what a user typed as browsers do, use `parse`.

    Args:
        iri: the IRI, or a relative reference.
        idna: whether a host is written with Punycode ("xn--") instead of escapes, if the handler of its scheme says
            that hosts are domain names.

    Raises:
        SchemeError: the IRI contains a character that neither an IRI nor a URI may contain, such as a line break.
        urlsm.domains.IDNAError: `idna` is true, and the host is not a domain name.
        TypeError: `iri` is not str, bytes or URL.

    Example:
        >>> urlsm.iri_to_uri("http://bücher.example/straße")
        'http://b%C3%BCcher.example/stra%C3%9Fe'
        >>> urlsm.iri_to_uri("http://bücher.example/straße", idna=True)
        'http://xn--bcher-kva.example/stra%C3%9Fe'

    RFC 3987 section 3.1
    """
    c = split(url_string(iri), dialect="rfc3987")
    wrong = _IN_NEITHER.search(c.text)
    if wrong is not None:
        raise scheme_error(c.text, "character-not-allowed", "url", wrong.start())
    host = c.host or ""
    if idna and (not host.isascii() or _BEYOND_ASCII.search(host)) and _has_domain(c):
        c = c.replace(host=parse_domain(decode(host)))
    return _PRINTABLE.sub(lambda char: f"%{ord(char[0]):02X}", uri_of(c))


def uri_to_iri(uri: StrOrURL, *, idna: bool = False) -> str:
    """Convert a URI to an IRI: escapes become characters, if converting the IRI back gives the same URI.

    What stays escaped: reserved characters, "%", bytes that are not UTF-8, and characters that RFC 3987 calls
    inappropriate: spaces, bidirectional formatting, private use, and what character normalisation (NFKC) would change.

    Args:
        uri: the URI, or a relative reference.
        idna: whether Punycode ("xn--") in a host is decoded, if the handler of its scheme says that hosts are domain
            names.

    Raises:
        TypeError: `uri` is not str, bytes or URL.

    Example:
        >>> urlsm.uri_to_iri("http://xn--bcher-kva.example/stra%C3%9Fe%2F%E2%80%AE")
        'http://xn--bcher-kva.example/straße%2F%E2%80%AE'
        >>> urlsm.uri_to_iri("http://xn--bcher-kva.example/", idna=True)
        'http://bücher.example/'

    RFC 3987 section 3.2
    """
    c = split(url_string(uri), dialect="rfc3987")
    host = c.host or ""
    if idna and "xn--" in host.lower() and _has_domain(c):
        c = c.replace(host=_in_unicode(host))
    text = c.text
    if BAD_ESCAPE.search(text):  # after decoding, a bad escape might be a good one: "%%341" would become "%41"
        return text
    iri = _ESCAPES.sub(_character_or_escapes, text)
    if normalize("NFC", iri) != iri:  # two characters that no longer are what they were, once somebody normalises them
        iri = _ESCAPES.sub(lambda escapes: _character_or_escapes(escapes, marks=False), text)
    return iri


def _has_domain(c: Components) -> bool:
    return c.scheme is not None and hosts_are_domains(handler(c.scheme))


def _in_unicode(host: str) -> str:
    """Return a domain in Unicode if its form in ASCII is the domain as written, or else the domain as written."""
    try:
        name = to_unicode(host)
        return name if parse_domain(name) == lower(host) else host
    except IDNAError:
        return host


def _character_or_escapes(found: re.Match[str], marks: bool = True) -> str:
    """Return escapes with each character decoded that an IRI should contain. marks: whether to decode combining
    marks."""
    if found[0] < "%8":
        char = chr(int(found[0][1:], 16))
        return char if char in UNRESERVED else found[0]
    octets = bytes.fromhex(found[0].replace("%", ""))
    written, before, at = "", "", 0
    while at < len(octets):
        size = 1 if octets[at] < 0xC2 else 2 if octets[at] < 0xE0 else 3 if octets[at] < 0xF0 else 4
        try:
            char = octets[at : at + size].decode()
        except UnicodeDecodeError:
            char, size = "", 1
        if char and _is_appropriate(before, char) and (marks or category(char)[0] != "M"):
            written, before = written + char, char
        else:
            written, before = written + found[0][3 * at : 3 * (at + size)], ""
        at += size
    return written


def _is_appropriate(before: str, char: str) -> bool:
    """Return whether an IRI should contain a character after another one (sections 2.2, 4.1 and 6.1).

    "This includes the full-width equivalents of Latin characters, half-width Katakana characters for Japanese, and many
    others. It also includes many look-alikes of "space", "delims", and "unwise""; NFKC changes all of these.
    """
    if not _OF_IRI.match(char) or category(char) in _INAPPROPRIATE or normalize("NFKC", char) != char:
        return False
    return normalize("NFC", before + char) == before + char
