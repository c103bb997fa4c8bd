from collections.abc import Iterable

from urlsm.crawler.profiles import DEFAULT_PROFILE as DEFAULT_PROFILE
from urlsm.crawler.record import Profile
from urlsm.url.value import StrOrURL

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
