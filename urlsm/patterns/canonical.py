"""Writes URLPattern components in normal form. https://urlpattern.spec.whatwg.org/#canon-encoding-callbacks"""

from __future__ import annotations

import re

from urlsm.machine.driver import SPECIAL
from urlsm.url.value import try_parse
from urlsm.whatwg import URL

__all__ = ["ENCODERS", "IPV6", "OPAQUE_PATHNAME"]

_DUMMY = "https://dummy.invalid/"
_DROPPED = re.compile("[\t\n\r]")


def protocol(text: str) -> str:
    """#canonicalize-a-protocol"""
    if not text:
        return text
    url = try_parse(f"{text}://dummy.invalid")
    if url is None or url.host != "dummy.invalid":
        raise TypeError(f"{text!r} is not a protocol")
    return url.scheme


def username(text: str) -> str:
    """#canonicalize-a-username"""
    if not text:
        return text
    url = URL(_DUMMY)
    url.username = text
    return url.username


def password(text: str) -> str:
    """#canonicalize-a-password"""
    if not text:
        return text
    url = URL(_DUMMY)
    url.password = text
    return url.password


def hostname(text: str) -> str:
    """#canonicalize-a-hostname"""
    if not text:
        return text
    url = URL(_DUMMY)
    url.hostname = text
    if url.hostname == "dummy.invalid" and text.lower() != "dummy.invalid":
        raise TypeError(f"{text!r} is not a hostname")
    return url.hostname


def ipv6(text: str) -> str:
    """#canonicalize-an-ipv6-hostname"""
    if re.fullmatch(r"[0-9A-Fa-f:\[\]]*", text) is None:
        raise TypeError(f"{text!r} is not part of an IPv6 address")
    return text.lower()


def port(text: str, scheme: str = "") -> str:
    """#canonicalize-a-port"""
    if not text:
        return text
    digits = re.match("[0-9]*", _DROPPED.sub("", text))[0]  # type: ignore[index]
    if not digits or int(digits[:9]) > 0xFFFF or len(digits.lstrip("0")) > 5:
        raise TypeError(f"{text!r} is not a port")
    number = int(digits)
    return "" if SPECIAL.get(scheme) == number else str(number)


def pathname(text: str) -> str:
    """#canonicalize-a-pathname"""
    if not text:
        return text
    url = URL(_DUMMY)
    url.pathname = text if text[0] == "/" else f"/-{text}"
    return url.pathname if text[0] == "/" else url.pathname[2:]


def opaque_pathname(text: str) -> str:
    """#canonicalize-an-opaque-pathname"""
    text = re.match("[^?#]*", _DROPPED.sub("", text))[0]  # type: ignore[index]
    return "".join(c if " " <= c <= "~" else "".join(f"%{octet:02X}" for octet in c.encode()) for c in text)


def search(text: str) -> str:
    """#canonicalize-a-search"""
    if not text:
        return text
    url = URL(_DUMMY)
    url.search = f"?{text}"
    return url.search[1:]


def hash(text: str) -> str:
    """#canonicalize-a-hash"""
    if not text:
        return text
    url = URL(_DUMMY)
    url.hash = f"#{text}"
    return url.hash[1:]


# the functions for the components in order, then the functions for IPv6 hostnames and opaque pathnames; the enum
# Canonical in pattern_strings.pyx has the same order
ENCODERS = (protocol, username, password, hostname, port, pathname, search, hash, ipv6, opaque_pathname)
IPV6, OPAQUE_PATHNAME = 8, 9
