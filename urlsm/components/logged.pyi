from urlsm.errors import ParseError
from urlsm.url.value import URL, StrOrURL

def logged(
    url: StrOrURL, base: StrOrURL | None, dialect: str
) -> tuple[list[tuple[int, int, bool, int, int]], int, URL | ParseError | None]: ...
