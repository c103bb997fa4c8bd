"""Makes Starlette's QueryParams of a query, in C. Nothing in Starlette is replaced."""

from __future__ import annotations

from starlette.datastructures import QueryParams

from urlsm.stdlib._parse import fill_last

__all__ = ["query_params"]


def query_params(query: str | bytes) -> QueryParams:
    """Return starlette.datastructures.QueryParams(query). query: str, or the octets of a scope's query_string.

    If the installed release of Starlette stores the values in an unknown way, Starlette's class itself makes the
    object.
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
