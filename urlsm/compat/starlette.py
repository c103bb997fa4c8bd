"""Starlette's QueryParams of a query, filled in C. Nothing of Starlette is replaced."""

from __future__ import annotations

from starlette.datastructures import QueryParams

from urlsm.stdlib import parse_qsl

__all__ = ["query_params"]


def query_params(query: str | bytes) -> QueryParams:
    """Return what starlette.datastructures.QueryParams makes of a query: str, or the octets of a scope's query_string.

    A release of Starlette that keeps its values in another way makes its class itself.
    """
    return _filled(query) if _FITS and isinstance(query, (str, bytes)) else QueryParams(query)


def _filled(query: str | bytes) -> QueryParams:
    made = QueryParams.__new__(QueryParams)
    made._list = parse_qsl(query if isinstance(query, str) else query.decode("latin-1"), True)
    made._dict = dict(made._list)
    return made


_FITS = vars(_filled("a=1&b=%20&a=")) == vars(QueryParams("a=1&b=%20&a="))
