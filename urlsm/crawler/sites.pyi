from typing import Literal

from urlsm.crawler.suffix_list import Suffixes
from urlsm.url.value import StrOrURL

def only_listed(unknown: str) -> bool: ...
def registrable_domain(
    url_or_host: StrOrURL,
    *,
    private: bool = True,
    suffixes: Suffixes | None = None,
    unknown: Literal["rule", "null"] = "rule",
) -> str | None: ...
def public_suffix(
    url_or_host: StrOrURL,
    *,
    private: bool = True,
    suffixes: Suffixes | None = None,
    unknown: Literal["rule", "null"] = "rule",
) -> str | None: ...
def split_host(url_or_host: StrOrURL, suffixes: Suffixes, private: bool) -> tuple[str, str, str, bool] | None: ...
def same_site(a: StrOrURL, b: StrOrURL, *, schemeful: bool = True, suffixes: Suffixes | None = None) -> bool: ...
