"""Converts hosts that are not ASCII in the same way as the libraries whose keys the profiles reproduce. These libraries
use IDNA 2003. w3lib and surt call CPython's codec "idna", and this module does the same.

IDNA 2003 is not UTS 46: "faß.de" becomes "fass.de" here. Bytes that are not UTF-8 are left out, kept or escaped,
depending on the library.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress

from urlsm.crawler.rules import CHOICES

__all__ = ["changes_delimiters", "host_to_ascii", "lower_case", "whole_to_ascii"]

_MAX_LABEL = 1024  # code points: the codec takes quadratic time, and no valid label has more than 63 octets
_FULL_STOP = re.compile("[.\u3002\uff0e\uff61]")
_NO_DELIMITERS = str.maketrans("", "", "@:#?")


def _to_ascii(host: str) -> str:
    """Return the host as CPython's codec "idna" encodes it. Raises UnicodeError if the codec rejects the host."""
    if any(len(label) > _MAX_LABEL for label in _FULL_STOP.split(host)):
        raise UnicodeError("label too long")
    return host.encode("idna").decode("ascii")


def _percent_encode(host: bytes) -> str:
    """Return the host decoded as UTF-8; a byte that does not decode is percent-encoded."""
    text = host.decode("utf-8", "surrogateescape")
    return "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else c for c in text)


def host_to_ascii(host: bytes, mode: int, zone_kept: bool) -> bytes | None:
    """Return the host in ASCII, or None if the conversion fails. mode: the index in CHOICES of a choice for the rule
    `idna`.

    With "nfkc-2003", a host that cannot be encoded is returned in lower case. zone_kept: whether this leaves the text
    from the first "%" onwards unchanged.
    """
    how = CHOICES["idna"][mode]
    if how == "nfkc-2003":
        text = _percent_encode(host)
        name, percent, zone = text.partition("%")
        text = name.lower() + percent + zone
        try:
            return _to_ascii(unicodedata.normalize("NFKC", text.translate(_NO_DELIMITERS))).encode()
        except UnicodeError:
            return (text if zone_kept else text.lower()).encode("utf-8")
    if how == "uts46":
        from urlsm.unicode.idna import IDNAError, parse_domain

        try:
            return parse_domain(host.decode("utf-8")).encode("ascii")
        except (IDNAError, UnicodeError):
            return None
    try:
        return _to_ascii(host.decode("utf-8", "ignore" if how == "2003-ignoring" else "strict")).encode("ascii")
    except UnicodeError:
        return None


def lower_case(host: bytes, mode: int) -> bytes:
    """Convert a host that has no ASCII form to lower case. mode: as for host_to_ascii.

    With "2003-ignoring", only ASCII letters change.
    """
    if CHOICES["idna"][mode] == "2003-ignoring":
        return host.lower()
    return host.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")


def whole_to_ascii(authority: bytes) -> bytes:
    """Return a whole authority, encoded with the codec "idna" as if it were a host, or unencoded if the codec rejects
    it. In both cases, the text after the last "@" is converted to lower case."""
    text = _percent_encode(authority)
    with suppress(UnicodeError):
        text = _to_ascii(text)
    userinfo, at, host = text.rpartition("@")
    return (userinfo + at + host.lower()).encode("utf-8")


def changes_delimiters(authority: bytes, refused: bytes) -> bool:
    """Return whether NFKC, applied to an authority without its delimiters, introduces one of the bytes in `refused`. If
    so, CPython's urlsplit rejects the authority (CVE-2019-9636)."""
    text = _percent_encode(authority).translate(_NO_DELIMITERS)
    normal = unicodedata.normalize("NFKC", text)
    return text != normal and any(chr(octet) in normal for octet in refused)
