"""The namespace .url on Polars expressions and series.

import urlsm.engines.polars
df.with_columns(pl.col("link").url.host(), pl.col("link").url.parse().alias("parts"))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from urlsm.columns import work
from urlsm.columns.names import plugin_arguments
from urlsm.engines.polars_methods import Urls
from urlsm.engines.required import required

__all__: list[str] = []  # only methods, on the types of the engine

polars: Any = required("polars", "polars")


def _plugin(expression: Any, name: str, question: str) -> Any:
    """Return an expression that Polars computes with a function of urlsm's plug-in, without Python and without the GIL.
    question: the request (columns/kwargs.h)."""
    options = {"plugin_path": work.__file__, "function_name": name, "kwargs": {"q": question}}
    return polars.plugins.register_plugin_function(args=expression, is_elementwise=True, **options)


def _plugs() -> bool:
    """Return whether this version of Polars can call urlsm's plug-in. If it cannot, Polars calls urlsm's Python
    functions."""
    try:
        made = polars.select(_plugin(polars.lit("http://a"), "url_host", plugin_arguments("1-", ("host",))))
        return bool(made.item() == "a")
    except (polars.exceptions.PolarsError, AttributeError, polars.exceptions.PanicException):
        return False


PLUGS = _plugs()


def _answer(function: Callable[[Any], Any], dtype: Any, series: Any) -> Any:
    return polars.Series(series.name, function(series)).cast(dtype)  # error codes, which are a dictionary, become texts


@polars.api.register_expr_namespace("url")
class UrlExpressions(Urls):
    """The namespace `pl.col(...).url`: the functions of urlsm.columns as methods.

    Example:
        >>> import polars as pl, urlsm.engines.polars
        >>> pl.DataFrame({"u": ["http://Ex.com/"]}).select(pl.col("u").url.host()).item()
        'ex.com'
    """

    def _map(self, function: Callable[[Any], Any], dtype: Any, plugged: Any = None) -> Any:
        if plugged is not None and PLUGS:
            return _plugin(self._column, *plugged)
        python = partial(_answer, function, dtype)
        return self._column.map_batches(python, return_dtype=dtype, is_elementwise=True)


@polars.api.register_series_namespace("url")
class UrlSeries(Urls):
    """The namespace `pl.Series(...).url`: the functions of urlsm.columns as methods.

    Example:
        >>> import polars as pl, urlsm.engines.polars
        >>> pl.Series(["http://Ex.com/"]).url.host().to_list()
        ['ex.com']
    """

    def _map(self, function: Callable[[Any], Any], dtype: Any, plugged: Any = None) -> Any:
        return _answer(function, dtype, self._column)
