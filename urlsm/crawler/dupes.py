"""A filter that detects whether a request was seen before. It keeps fingerprints in a store of the caller's choice."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, Protocol

from urlsm.crawler.canonical import canonicalize, canonicalize_many, digest, fingerprint, fingerprint_many
from urlsm.crawler.profiles import DEFAULT_PROFILE, LATEST

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
        """Add the keys, which are all different, and return for each key whether it was new."""


class DupeFilter:
    """A filter that detects repeated requests by their fingerprints, which it keeps in a store of your choice.

    A fingerprint covers the URL, the method and the body. XXH64 has no secret key, so a site can create URLs whose
    hashes collide, and thereby hide pages. This is not possible with "blake2b-128". urlsm.compat.scrapy.DupeFilter
    computes the same fingerprints as Scrapy's own filter.

    Args:
        store: an object that supports `in` and has an `add` method, such as a set; or an object with an `add_new(keys)`
            method. `add_new` adds keys that are all different, and returns for each key whether it was new. With
            `add_new`, a batch is a single transaction.
        profile: the name of a profile with its version number, or a Profile. Different versions produce different
            fingerprints.
        kind: "xxh64" (int), "sha1" or "blake2b-128" (bytes), as for `fingerprint`.

    Raises:
        ValueError: the profile or the kind does not exist, or the profile's name has no version number.

    Example:
        >>> seen = DupeFilter(set())
        >>> seen.seen("http://h/?b=2&a=1"), seen.seen("http://h/?a=1&b=2#top")
        (False, True)
    """

    __module__ = "urlsm.crawler"

    def __init__(
        self,
        store: Store | BatchStore,
        *,
        profile: str | Profile = DEFAULT_PROFILE,
        kind: Literal["xxh64", "sha1", "blake2b-128"] = "blake2b-128",
    ) -> None:
        if isinstance(profile, str) and profile in LATEST:
            raise ValueError(
                f"{profile!r} always means the newest version, which may change and make the store invalid: "
                f"pass {LATEST[profile]!r} instead"
            )
        # this call only checks the profile and the kind; it raises ValueError for an unknown one
        fingerprint_many((), profile, kind=kind)
        self._start(store, profile, kind)

    def _start(self, store: Store | BatchStore, profile: str | Profile, kind: str) -> None:
        self.store: Store | BatchStore = store
        self.profile: str | Profile = profile
        self.kind: str = kind
        self._add_new: Callable[[list[Any]], Sequence[bool]] | None = getattr(store, "add_new", None)

    def __repr__(self) -> str:
        store: Any = self.store
        held = f" of {len(store)}" if hasattr(store, "__len__") else ""
        return f"<{type(self).__name__} {self.profile} {self.kind}, {type(self.store).__name__}{held}>"

    def fingerprint(self, url: StrOrURL, *, method: str = "GET", body: bytes = b"") -> bytes | int:
        """Return the fingerprint of a request.

        Args:
            url: str, bytes or URL.
            method: the method of the request.
            body: the body of the request.

        Raises:
            ParseError: the profile rejects the URL.
            TypeError: `url` is not str, bytes or URL.

        Example:
            >>> digest = DupeFilter(set()).fingerprint("http://h/", method="POST", body=b"x")
            >>> isinstance(digest, bytes) and len(digest)
            16
        """
        if method == "GET" and not body:
            return fingerprint(url, self.profile, kind=self.kind)  # type: ignore[call-overload, no-any-return]
        return digest(canonicalize(url, self.profile), self.kind, method, body)

    def _fingerprints(self, urls: Iterable[StrOrURL], method: str, body: bytes) -> list[Any]:
        if method == "GET" and not body:
            return fingerprint_many(urls, self.profile, kind=self.kind)  # type: ignore[call-overload, no-any-return]
        keys = canonicalize_many(urls, self.profile)
        return [None if key is None else digest(key, self.kind, method, body) for key in keys]

    def _known(self, key: bytes | int) -> bool:
        if self._add_new is not None:
            return not self._add_new([key])[0]
        store: Any = self.store
        with _LOCK:
            if key in store:
                return True
            store.add(key)
            return False

    def seen(self, url: StrOrURL, *, method: str = "GET", body: bytes = b"") -> bool:
        """Return whether a request was seen before, and remember it.

        Args:
            url: str, bytes or URL.
            method: the method of the request.
            body: the body of the request.

        Raises:
            ParseError: the profile rejects the URL.
            TypeError: `url` is not str, bytes or URL.

        Example:
            >>> DupeFilter(set()).seen("http://h/")
            False
        """
        return self._known(self.fingerprint(url, method=method, body=body))

    def seen_many(self, urls: Iterable[StrOrURL], *, method: str = "GET", body: bytes = b"") -> list[bool | None]:
        """Return for each URL whether it was seen before, or None if the profile rejects it. Remember the requests.

        If two of the URLs have the same fingerprint, the second counts as seen before.

        Args:
            urls: an iterable of str, bytes or URL.
            method: the method of the requests.
            body: the body of the requests.

        Raises:
            TypeError: `urls` is a str, or an item is not str, bytes or URL.

        Example:
            >>> DupeFilter(set()).seen_many(["http://h/?a&b", "http://h/?b&a", "http://h:x/"])
            [False, True, None]
        """
        keys = self._fingerprints(urls, method, body)
        if type(self.store) is set:  # it answers at once, so no other thread waits long for the lock
            with _LOCK:
                return _seen_in_set(self.store, keys)
        if self._add_new is None:
            return [None if key is None else self._known(key) for key in keys]
        differ = [*dict.fromkeys(key for key in keys if key is not None)]
        new = dict(zip(differ, self._add_new(differ), strict=True)) if differ else {}
        return [None if key is None else not new.pop(key, False) for key in keys]

    def close(self, reason: str = "") -> None:
        """Close the store if it has a `close` method.

        Args:
            reason: the reason why the crawl ended. This argument is ignored.

        Example:
            >>> DupeFilter(set()).close()
        """
        close = getattr(self.store, "close", None)
        if close is not None:
            close()


def _seen_in_set(store: set[Any], keys: list[Any]) -> list[bool | None]:
    """Return for each key whether the set has it, or None for None. Add the keys. The caller holds the lock."""
    made: list[bool | None] = []
    for key in keys:
        known = None if key is None else key in store
        if known is False:
            store.add(key)
        made.append(known)
    return made
