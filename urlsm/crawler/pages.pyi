from collections.abc import Container, Iterable
from datetime import date
from typing import NamedTuple

from urlsm.crawler.profiles import DEFAULT_PROFILE as DEFAULT_PROFILE
from urlsm.crawler.record import Profile
from urlsm.crawler.sites import PublicSuffixList
from urlsm.url.value import StrOrURL

TRAPS: tuple[str, ...]

class Link(NamedTuple):
    url: str
    key: str
    registrable_domain: str | None
    @property
    def hash(self) -> int: ...

def latest_month(today: date | None) -> int: ...
def links(
    refs: Iterable[StrOrURL],
    *,
    base: StrOrURL,
    profile: str | Profile = "urlsm-1",
    schemes: Iterable[str] | None = None,
    domains: bool = False,
    suffix_list: PublicSuffixList | None = None,
    encoding: str = "utf-8",
) -> list[Link | None]: ...
def in_domains(url: StrOrURL, domains: Iterable[str]) -> bool: ...
def has_extension(url: StrOrURL, extensions: Container[str]) -> bool: ...
def traps(url: StrOrURL, *, today: date | None = None) -> tuple[str, ...]: ...
def shape(url: StrOrURL) -> str: ...
