"""A filter that tells whether a request was seen before. It keeps fingerprints in a store of the caller's choice."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from urlsm.crawler.canonical import canonicalize, digest, fingerprint, fingerprint_many
from urlsm.crawler.profiles import DEFAULT_PROFILE, LATEST, SCRAPYS_PROFILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from urlsm.crawler.record import Profile
    from urlsm.url.value import StrOrURL

__all__ = ["DupeFilter"]

_LOCK = RLock()  # a store without add_new needs two steps: this lock is held from the look-up to the addition


class Store(Protocol):
    """A store of fingerprints: a set, or a database with these two methods."""

    def __contains__(self, key: Any, /) -> bool: ...
    def add(self, key: Any, /) -> object: ...


class BatchStore(Protocol):
    """A store that looks up and adds fingerprints in one step."""

    def add_new(self, keys: list[Any], /) -> Sequence[bool]:
        """Add the keys, all of which are different, and return for each key whether it was new."""


class DupeFilter:
    """Tells which requests were seen before, by their fingerprints. The class can be Scrapy's DUPEFILTER_CLASS.

    Args:
        store: an object that keeps the fingerprints and supports `in` and `add`, such as a set. If the store has a
            method `add_new(keys)`, only this method is called. It must add a list of different keys, and return for
            each key whether it was new. This makes a batch one transaction, which no other process can interrupt.
        profile: the name of a profile, or a Profile; None: "urlsm-1", or "w3lib-2.5" for the kind "scrapy". A name must
            have a number, because "w3lib" stands for the newest version, and the fingerprints of a newer version differ
            from those in the store.
        kind: as for urlsm.crawler.fingerprint. Fingerprints are int for "hash64", otherwise bytes. "scrapy" gives the
            fingerprints of Scrapy's own filter.

    A fingerprint covers the URL, the method and the body. For a GET without a body, it is the result of
    urlsm.crawler.fingerprint. XXH64 ("hash64") has no secret key: a site can make URLs whose hashes are equal, and so
    hide pages. With "blake2b-128" nobody can do this.

    Raises:
        ValueError: no such profile or kind; a profile's name without a number, or a profile other than w3lib's for
            "scrapy".
    """

    def __init__(
        self, store: Store | BatchStore, profile: str | Profile | None = None, kind: str = "blake2b-128"
    ) -> None:
        if isinstance(profile, str) and profile in LATEST:
            raise ValueError(f"{profile!r} moves to newer versions: a store keeps {LATEST[profile]!r}")
        # this call only checks the profile and the kind; it raises ValueError for an unknown one
        fingerprint_many((), profile, kind=kind)  # type: ignore[call-overload]
        if profile is None:
            profile = SCRAPYS_PROFILE if kind == "scrapy" else DEFAULT_PROFILE
        self.store: Store | BatchStore = store
        self.profile: str | Profile = profile
        self.kind: str = kind
        self._add_new: Callable[[list[Any]], Sequence[bool]] | None = getattr(store, "add_new", None)

    @classmethod
    def from_crawler(cls, crawler: Any) -> DupeFilter:
        """Return a filter with a set in memory and Scrapy's own fingerprints. Override this method to choose another
        store."""
        return cls(set(), kind="scrapy")

    def fingerprint(self, url: StrOrURL, method: str = "GET", body: bytes = b"") -> bytes | int:
        """Return the fingerprint of a request. Raises ParseError if the profile refuses the URL."""
        if self.kind == "scrapy":
            return fingerprint(url, self.profile, kind="scrapy", method=method, body=body)
        if method == "GET" and not body:
            return fingerprint(url, self.profile, kind=self.kind)  # type: ignore[call-overload, no-any-return]
        return digest(canonicalize(url, self.profile), self.kind, method, body)

    def _known(self, key: bytes | int) -> bool:
        if self._add_new is not None:
            return not self._add_new([key])[0]
        store: Any = self.store
        with _LOCK:
            if key in store:
                return True
            store.add(key)
            return False

    def seen(self, url: StrOrURL, method: str = "GET", body: bytes = b"") -> bool:
        """Return whether this request was seen before, and remember the request. Raises ParseError if the profile
        refuses the URL."""
        return self._known(self.fingerprint(url, method, body))

    def seen_many(self, urls: Iterable[StrOrURL]) -> list[bool | None]:
        """Return for each URL whether a GET of it was seen before, or None if the profile refuses the URL; and remember
        these requests.

        If two of the URLs have the same fingerprint, the second counts as seen before.
        """
        keys: list[Any] = fingerprint_many(urls, self.profile, kind=self.kind)  # type: ignore[call-overload]
        if self._add_new is None:
            return [None if key is None else self._known(key) for key in keys]
        differ = [*dict.fromkeys(key for key in keys if key is not None)]
        new = dict(zip(differ, self._add_new(differ), strict=True)) if differ else {}
        return [None if key is None else not new.pop(key, False) for key in keys]

    def request_seen(self, request: Any) -> bool:
        """Return whether a scrapy.Request was seen before, and remember the request. If "verbatim_url" is true in the
        request's meta, the request's URL is used as its key, unchanged."""
        if request.meta.get("verbatim_url"):
            return self._known(digest(request.url, self.kind, request.method, request.body))
        return self.seen(request.url, request.method, request.body)

    def open(self) -> None:
        """Do nothing: the store is open already."""

    def close(self, reason: str = "") -> None:
        """Close the store, if it can be closed."""
        close = getattr(self.store, "close", None)
        if close is not None:
            close()

    def log(self, request: Any, spider: Any) -> None:
        """Count the request in Scrapy's statistics."""
        spider.crawler.stats.inc_value("dupefilter/filtered")
