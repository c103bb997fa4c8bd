"""Creates Starlette's QueryParams from a query, in C. Nothing in Starlette is replaced."""

from __future__ import annotations

from starlette.datastructures import QueryParams

from urlsm.stdlib._parse import fill_last

__all__ = ["query_params"]


def query_params(query: str | bytes) -> QueryParams:
    """Return `starlette.datastructures.QueryParams(query)`, created in C.

    Nothing in Starlette is replaced. If your version of Starlette stores the values differently, its own class creates
    the object.

    Args:
        query: the query as str, or the bytes `query_string` of a scope.

    Example:
        >>> query_params("a=1&b=%20&a=2").multi_items()
        [('a', '1'), ('b', ' '), ('a', '2')]
    """
    if not _FITS:
        return QueryParams(query)
    made = _NEW(QueryParams)
    last: dict[str, str] = {}
    made._dict = last
    made._list = fill_last(last, query)
    return made


_FITS, _NEW = True, QueryParams.__new__
_FITS = vars(query_params("a=1&b=%20&a=")) == vars(QueryParams("a=1&b=%20&a="))
