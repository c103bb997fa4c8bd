"""The expressions of a URL that a Safe Browsing client looks up, and their hashes, in plain Python: the model of those
in C; and the model of same_site.

https://developers.google.com/safe-browsing/v4/urls-hashing
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from urlsm.crawler import canonicalize
from urlsm.domains import registrable_domain
from urlsm.url.value import URL

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["safebrowsing_expressions", "safebrowsing_hashes", "same_site"]

_KEY = re.compile(r"[^:]*://([^/?]*)([^?]*)(.*)", re.DOTALL)
_ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+|\[.*")


def _hosts(host: str) -> list[str]:
    """ "The exact hostname", and "up to four hostnames formed by starting with the last five components and
    successively removing the leading component"."""
    hosts = [host]
    if not _ADDRESS.fullmatch(host):
        labels = host.split(".")
        # "The top-level domain can be skipped."
        hosts += [".".join(labels[k:]) for k in range(max(1, len(labels) - 5), len(labels) - 1)][:4]
    return hosts


def _paths(path: str, query: str) -> list[str]:
    """ "The exact path of the URL, including query parameters", without them, and "the four paths formed by starting at
    the root and successively appending path components, including a trailing slash"."""
    paths = [path + query, path]
    end = 0
    for _ in range(4):
        end = path.find("/", end) + 1
        if not end:
            break
        paths.append(path[:end])
    return paths


def safebrowsing_expressions(url: StrOrURL) -> tuple[str, ...]:
    """The host-suffix and path-prefix expressions of a URL, at most 30: the longest host first, each once.

    Raises:
        ParseError: it has no host. TypeError: not a text.
    """
    match = _KEY.fullmatch(canonicalize(url, "safebrowsing"))
    assert match is not None  # the profile requires a host
    host, path, query = match.groups()
    paths = _paths(path, query)
    return tuple(dict.fromkeys(name + prefix for name in _hosts(host) for prefix in paths))


def safebrowsing_hashes(url: StrOrURL) -> tuple[bytes, ...]:
    """Return SHA-256 of each of safebrowsing_expressions. Raises the same errors."""
    return tuple(sha256(text.encode("utf-8")).digest() for text in safebrowsing_expressions(url))


def same_site(a: StrOrURL, b: StrOrURL) -> bool:
    """As urlsm.domains.same_site."""
    left, right = URL(a), URL(b)
    if left.origin == "null" or right.origin == "null":
        return False
    left, right = URL(left.origin), URL(right.origin)
    if left.scheme != right.scheme:
        return False
    site = registrable_domain(left)
    return left.host == right.host or (site is not None and site == registrable_domain(right))
