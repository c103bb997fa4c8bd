from urlsm.url.value import URL, StrOrURL

def base_of(
    document: str | bytes | None = None,
    enclosing: StrOrURL | None = None,
    retrieved: StrOrURL | None = None,
    default: StrOrURL | None = None,
    *,
    encoding: str | None = None,
) -> URL | None: ...
def base_in(octets: bytes, fallback: URL | None, queries: str) -> URL | None: ...
