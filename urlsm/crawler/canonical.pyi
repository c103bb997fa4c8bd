from collections.abc import Iterable
from typing import Literal, overload

from urlsm.crawler.profiles import DEFAULT_PROFILE as DEFAULT_PROFILE
from urlsm.crawler.profiles import SCRAPYS_PROFILE as SCRAPYS_PROFILE
from urlsm.crawler.record import Profile
from urlsm.url.value import StrOrURL

KINDS: tuple[str, ...]

def canonicalize(
    url: StrOrURL, profile: str | Profile = "urlsm-1", *, base: StrOrURL | None = None, encoding: str | None = None
) -> str: ...
def surt(
    url: StrOrURL, profile: str | Profile = "surt", *, with_scheme: bool = False, trailing_comma: bool = False
) -> str: ...
def try_canonicalize(
    url: StrOrURL, profile: str | Profile = "urlsm-1", *, base: StrOrURL | None = None, encoding: str | None = None
) -> str | None: ...
def canonicalize_many(urls: Iterable[StrOrURL], profile: str | Profile = "urlsm-1") -> list[str | None]: ...
def robots_path(url: StrOrURL) -> str: ...
def hash64(data: bytes) -> int: ...
def use_sha1_instructions(wanted: bool) -> bool: ...
@overload
def fingerprint(
    url: StrOrURL,
    profile: str | Profile | None = None,
    *,
    kind: Literal["hash64"] = "hash64",
    method: str = "GET",
    body: bytes = b"",
) -> int: ...
@overload
def fingerprint(
    url: StrOrURL,
    profile: str | Profile | None = None,
    *,
    kind: Literal["scrapy", "sha1", "blake2b-128"],
    method: str = "GET",
    body: bytes = b"",
) -> bytes: ...
@overload
def fingerprint_many(
    urls: Iterable[StrOrURL], profile: str | Profile | None = None, *, kind: Literal["hash64"] = "hash64"
) -> list[int | None]: ...
@overload
def fingerprint_many(
    urls: Iterable[StrOrURL],
    profile: str | Profile | None = None,
    *,
    kind: Literal["scrapy", "sha1", "blake2b-128"],
) -> list[bytes | None]: ...
def digest(key: str, kind: str, method: str = "GET", body: bytes = b"") -> bytes | int: ...
def safebrowsing_expressions(url: StrOrURL) -> tuple[str, ...]: ...
def safebrowsing_hashes(url: StrOrURL) -> tuple[bytes, ...]: ...
