"""Scrapy's request fingerprints, and a duplicate filter for Scrapy's setting DUPEFILTER_CLASS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlsm.crawler.canonical import request_digest, request_fingerprint, request_fingerprints
from urlsm.crawler.dupes import DupeFilter as _DupeFilter
from urlsm.crawler.profiles import SCRAPYS_PROFILE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlsm.crawler.dupes import BatchStore, Store
    from urlsm.url.value import StrOrURL

__all__ = ["DupeFilter", "fingerprint"]


def fingerprint(url: StrOrURL, *, method: str = "GET", body: bytes = b"") -> bytes:
    """Return the 20-byte fingerprint that Scrapy 2.7 and later computes for a request without headers.

    As in scrapy.Request, the URL first passes through w3lib's safe_url_string. The keys are the same as in w3lib 2.5.

    Args:
        url: str, bytes or URL.
        method: the method of the request.
        body: the body of the request.

    Raises:
        ParseError: scrapy.Request or w3lib rejects the URL.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> fingerprint("http://example.org/?b&a").hex()
        'a06931586039149d09582c99212f7ba4f0d48af2'
    """
    return request_fingerprint(url, method, body)


class DupeFilter(_DupeFilter):
    """A duplicate filter for Scrapy's setting DUPEFILTER_CLASS. It computes the same fingerprints as Scrapy's own
    filter.

    Args:
        store: an object that stores the fingerprints, as for urlsm.crawler.DupeFilter.

    Example:
        >>> DupeFilter(set()).seen("http://example.org/")
        False
    """

    def __init__(self, store: Store | BatchStore) -> None:
        self._start(store, SCRAPYS_PROFILE, "scrapy")

    @classmethod
    def from_crawler(cls, crawler: Any) -> DupeFilter:
        """Return a filter with an in-memory set. Override this method to choose another store.

        Args:
            crawler: the scrapy.crawler.Crawler. It is not used.

        Example:
            >>> DupeFilter.from_crawler(None).store
            set()
        """
        return cls(set())

    def fingerprint(self, url: StrOrURL, *, method: str = "GET", body: bytes = b"") -> bytes:
        """Return the fingerprint of a request, like urlsm.compat.scrapy.fingerprint.

        Args:
            url: str, bytes or URL.
            method: the method of the request.
            body: the body of the request.

        Raises:
            ParseError: scrapy.Request or w3lib rejects the URL.
            TypeError: `url` is not str, bytes or URL.

        Example:
            >>> DupeFilter(set()).fingerprint("http://example.org/") == fingerprint("http://example.org/")
            True
        """
        return request_fingerprint(url, method, body)

    def _fingerprints(self, urls: Iterable[StrOrURL], method: str, body: bytes) -> list[Any]:
        return request_fingerprints(urls, method, body)

    def request_seen(self, request: Any) -> bool:
        """Return whether a scrapy.Request has been seen before, and remember it.

        If "verbatim_url" is true in the request's meta, the request's unchanged URL is the key.

        Args:
            request: the scrapy.Request.

        Raises:
            ParseError: w3lib rejects the URL.
        """
        if request.meta.get("verbatim_url"):
            return self._known(request_digest(request.url, request.method, request.body))
        return self.seen(request.url, method=request.method, body=request.body)

    def open(self) -> None:
        """Do nothing, because the store is already open."""

    def log(self, request: Any, spider: Any) -> None:
        """Count a filtered request in Scrapy's statistics.

        Args:
            request: the scrapy.Request.
            spider: the spider whose crawler collects the statistics.
        """
        spider.crawler.stats.inc_value("dupefilter/filtered")
