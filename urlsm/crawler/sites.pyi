from os import PathLike
from typing import final

from urlsm.url.value import StrOrURL

@final
class PublicSuffixList:
    path: str
    version: str
    rules: int
    def __new__(cls, path: str | PathLike[str] | None = None) -> PublicSuffixList: ...
    def public_suffix(
        self, url_or_host: StrOrURL, *, only_icann: bool = False, accept_unknown: bool = True
    ) -> str | None: ...
    def registrable_domain(
        self, url_or_host: StrOrURL, *, only_icann: bool = False, accept_unknown: bool = True
    ) -> str | None: ...
    def split(self, url_or_host: StrOrURL, *, only_icann: bool = False) -> tuple[str, str, str, bool] | None: ...

def list_of(path: str | PathLike[str] | None = None) -> PublicSuffixList: ...
def registrable_domain(
    url_or_host: StrOrURL,
    *,
    only_icann: bool = False,
    accept_unknown: bool = True,
    suffix_list: PublicSuffixList | None = None,
) -> str | None: ...
def public_suffix(
    url_or_host: StrOrURL,
    *,
    only_icann: bool = False,
    accept_unknown: bool = True,
    suffix_list: PublicSuffixList | None = None,
) -> str | None: ...
def split_host(
    url_or_host: StrOrURL, suffixes: PublicSuffixList, private: bool
) -> tuple[str, str, str, bool] | None: ...
def same_site(
    a: StrOrURL, b: StrOrURL, *, schemeful: bool = True, suffix_list: PublicSuffixList | None = None
) -> bool: ...
def to_ascii(domain: str, *, strict: bool = False) -> str: ...
