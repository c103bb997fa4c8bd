from collections.abc import Sequence

def url_query_cleaner(
    url: str | bytes,
    parameterlist: str | Sequence[str] = (),
    sep: str = "&",
    kvsep: str = "=",
    remove: bool = False,
    unique: bool = True,
    keep_fragments: bool = False,
) -> str: ...
