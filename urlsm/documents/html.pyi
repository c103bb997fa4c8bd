from urlsm.url.value import URL, StrOrURL

def base_of(
    document: str | bytes | None = None,
    enclosing: StrOrURL | None = None,
    retrieved: StrOrURL | None = None,
    default: StrOrURL | None = None,
) -> URL | None: ...
