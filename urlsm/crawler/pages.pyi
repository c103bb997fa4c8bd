from collections.abc import Container, Iterable
from datetime import date
from typing import NamedTuple

from urlsm.crawler.profiles import DEFAULT_PROFILE as DEFAULT_PROFILE
from urlsm.crawler.record import Profile
from urlsm.crawler.sites import Suffixes
from urlsm.url.value import StrOrURL

TRAPS: tuple[str, ...]

class Link(NamedTuple):
    url: str
    key: str
    site: str | None
    @property
    def hash(self) -> int: ...

def latest_month(today: date | None) -> int: ...
def links(
    base: StrOrURL,
    refs: Iterable[StrOrURL],
    profile: str | Profile = "urlsm-1",
    *,
    sites: bool = True,
    suffixes: Suffixes | None = None,
    schemes: str | Iterable[str] | None = None,
    encoding: str = "utf-8",
) -> list[Link | None]: ...
def host_matches(url: StrOrURL, domains: str | Iterable[str]) -> bool: ...
def has_extension(url: StrOrURL, extensions: Container[str]) -> bool: ...
def traps(url: StrOrURL, today: date | None = None) -> tuple[str, ...]: ...
def shape(url: StrOrURL) -> str: ...
