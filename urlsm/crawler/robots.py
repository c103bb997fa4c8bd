"""The path of a URL for rules of robots.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlsm.crawler.canonical import canonicalize
from urlsm.crawler.profiles import profile

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["robots_path"]

_ROBOTS = profile("urlsm-1").replace(form="bare", split_fields=False, empty_query=True)


def robots_path(url: StrOrURL) -> str:
    """Return the path of a URL with its "?" and query, as matchers of robots.txt compare it: escapes of unreserved
    octets decoded, other escapes in upper case, characters beyond ASCII encoded as UTF-8; "%2F" is not "/".

    A text that begins with "/" is a path already.

    Raises:
        ParseError: it is not a URL. TypeError: not a text.

    RFC 9309 section 2.2.2
    """
    base = "http://h/" if isinstance(url, str) and url.startswith("/") and not url.startswith("//") else None
    key = canonicalize(url, _ROBOTS, base=base)
    start = min(key.find(mark) if mark in key else len(key) for mark in "/?")
    return key[start:] if key[start : start + 1] == "/" else "/" + key[start:]
