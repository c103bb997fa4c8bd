from collections.abc import Iterable

from urlsm.machine.driver import _Dialect
from urlsm.url.value import URL, StrOrURL

def resolve(base: StrOrURL, ref: StrOrURL, dialect: _Dialect = "whatwg", *, strict: bool = True) -> str: ...
def resolve_many(
    base: StrOrURL,
    refs: Iterable[StrOrURL],
    dialect: _Dialect = "whatwg",
    *,
    strict: bool = True,
    encoding: str = "utf-8",
) -> list[str | None]: ...
def same_document(base: StrOrURL, ref: StrOrURL, dialect: _Dialect = "rfc3986") -> bool: ...
def url_of_base(base: StrOrURL) -> URL: ...
