"""Have I seen this request? Fingerprints in a store of one's own."""

from __future__ import annotations

from hashlib import blake2b, sha1
from typing import TYPE_CHECKING, Any, Protocol

from urlsm.crawler.canonical import canonicalize
from urlsm.crawler.digests import fingerprint, hash64

if TYPE_CHECKING:
    from urlsm.crawler.record import Profile
    from urlsm.url.value import StrOrURL

__all__ = ["DupeFilter"]


class Store(Protocol):
    """What holds the fingerprints: a set, or a database with these two methods."""

    def __contains__(self, key: Any, /) -> bool: ...
    def add(self, key: Any, /) -> object: ...


class DupeFilter:
    """Tells which requests were seen before, by their fingerprints. It has the interface of Scrapy's DUPEFILTER_CLASS.

    Args:
        store: an object with `in` and `add`, such as a set, which keeps the fingerprints. profile: of the keys; the
            name of one, or a Profile. kind: as for urlsm.crawler.fingerprint: int for "hash64", else bytes. With
            "scrapy" they are those of Scrapy's own filter.

    A fingerprint covers the method and the body, too. That of a GET without a body is urlsm.crawler.fingerprint's.
    XXH64 ("hash64") has no key: a site can make URLs whose hashes are equal, and so hide pages; "blake2b-128" cannot be
    forged.

    Raises:
        ValueError: no such profile or kind.
    """

    def __init__(self, store: Store, profile: str | Profile = "w3lib", kind: str = "scrapy") -> None:
        fingerprint("http://h/", profile, kind=kind)  # type: ignore[call-overload]  # raises where one is unknown
        self.store, self.profile, self.kind = store, profile, kind

    @classmethod
    def from_crawler(cls, crawler: Any) -> DupeFilter:
        """Return a filter with a set in memory, for Scrapy; override it to choose another store."""
        return cls(set())

    def fingerprint(self, url: StrOrURL, method: str = "GET", body: bytes = b"") -> bytes | int:
        """Return the fingerprint of a request. ParseError: the profile refuses the URL."""
        if self.kind == "scrapy":
            return fingerprint(url, self.profile, method=method, body=body)
        if method == "GET" and not body:
            return fingerprint(url, self.profile, kind=self.kind)  # type: ignore[call-overload, no-any-return]
        key = canonicalize(url, self.profile)
        return self._hashed(f"{method.upper()} {key}", body)

    def _hashed(self, head: str, body: bytes) -> bytes | int:
        octets = head.encode("utf-8", "surrogateescape") + b"\n" + body  # (no key begins with a word and a space)
        if self.kind == "hash64":
            return hash64(octets)
        return blake2b(octets, digest_size=16).digest() if self.kind == "blake2b-128" else sha1(octets).digest()

    def _known(self, key: bytes | int) -> bool:
        if key in self.store:
            return True
        self.store.add(key)
        return False

    def seen(self, url: StrOrURL, method: str = "GET", body: bytes = b"") -> bool:
        """Return whether such a request was seen before; now it was. ParseError: the profile refuses the URL."""
        return self._known(self.fingerprint(url, method, body))

    def request_seen(self, request: Any) -> bool:
        """Return whether a scrapy.Request was seen before; one with verbatim_url counts by its URL as it is."""
        if request.meta.get("verbatim_url"):
            return self._known(self._hashed(f"verbatim {request.method} {request.url}", request.body))
        return self.seen(request.url, request.method, request.body)

    def open(self) -> None:
        """Do nothing: the store is open."""

    def close(self, reason: str = "") -> None:
        """Close the store, if it can be closed."""
        close = getattr(self.store, "close", None)
        if close is not None:
            close()

    def log(self, request: Any, spider: Any) -> None:
        """Count the request in Scrapy's statistics."""
        spider.crawler.stats.inc_value("dupefilter/filtered")
