"""Polars: .url.host(), and the like, on expressions and series.

import urlsm.engines.polars
df.with_columns(pl.col("link").url.host(), pl.col("link").url.parse().alias("parts"))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import urlsm.columns as uc
from urlsm.columns import plugin
from urlsm.columns.names import FIELDS, FIVE, SPANS, asked, chosen, type_in
from urlsm.components.value import dialect_number
from urlsm.engines.required import required

polars: Any = required("polars", "polars")

_type = partial(type_in, {"": polars.String, "S": polars.UInt16, "b": polars.Boolean, "i": polars.Int32})


def _plugin(expression: Any, name: str, question: str) -> Any:
    """Return the expression by a function of our compiled module, which Polars calls without Python and its lock."""
    options = {"plugin_path": plugin.__file__, "function_name": name, "kwargs": {"q": question}}
    return polars.plugins.register_plugin_function(args=expression, is_elementwise=True, **options)


def _plugs() -> bool:
    """Return whether this Polars has the ABI of our module. Otherwise, columns go through Python."""
    try:
        made = polars.select(_plugin(polars.lit("http://a"), "url_host", asked("1-", ("host",))))
        return bool(made.item() == "a")
    except (polars.exceptions.PolarsError, AttributeError, polars.exceptions.PanicException):
        return False


PLUGS = _plugs()


def _answer(function: Callable[[Any], Any], dtype: Any, series: Any) -> Any:
    return polars.Series(series.name, function(series)).cast(dtype)  # (the codes of errors become texts)


class _Urls:
    """The methods, based on one that maps a function over a series; plugged: by our module's function, if possible."""

    _map: Callable[..., Any]

    def __init__(self, column: Any) -> None:
        self._column = column

    def parse(self, fields: Sequence[str] = FIVE, **options: Any) -> Any:
        """Return a struct of the fields of urlsm.columns.parse."""
        names = chosen(fields, FIELDS)
        struct = polars.Struct({name: _type(name) for name in names})
        plugged = None if options or "error" in names else ("url_parse", asked("+-", names))
        return self._map(lambda series: uc.parse(series, names, **options), struct, plugged)

    def split(self, dialect: str = "whatwg", fields: Sequence[str] = SPANS) -> Any:
        """Return the components as written, like urlsm.columns.split."""
        names = chosen(fields, SPANS)
        plugged = "url_split", asked(f"+{dialect_number(dialect)}", names)
        struct = polars.Struct(dict.fromkeys(names, polars.String))
        return self._map(lambda series: uc.split(series, dialect, fields=names), struct, plugged)

    def _field(self, name: str, function: Callable[[Any], Any], how: str = "1-") -> Any:
        return self._map(function, _type(name), (f"url_{name}", asked(how, (name,))))

    def host(self) -> Any:
        return self._field("host", uc.host)

    def href(self) -> Any:
        return self._field("href", uc.href)

    def valid(self) -> Any:
        return self._field("valid", uc.valid)

    def site(self) -> Any:
        """Return the registrable domain."""
        return self._field("site", uc.registrable_domain, "?-")

    def ambiguous(self) -> Any:
        return self._map(uc.ambiguous, _type("ambiguous"))

    def matches(self, patterns: Any) -> Any:
        """Return whether each text is in a urlsm.patterns.PatternSet."""
        return self._map(lambda series: uc.matches(series, patterns), polars.Boolean)

    def pattern_index(self, patterns: Any) -> Any:
        """The index of the pattern that puts it there, or null."""
        return self._map(lambda series: uc.pattern_index(series, patterns), polars.Int32)

    def param(self, name: str) -> Any:
        question = asked("1-", ("param",)) + str.encode(name, "utf-8", "replace").decode()
        return self._map(lambda series: uc.param(series, name), polars.String, ("url_param", question))

    def resolve(self, base: str) -> Any:
        """Return each text resolved against one base."""
        return self._map(lambda series: uc.resolve(base, series), polars.String)

    def canonicalize(self, profile: Any = "urlsm-1") -> Any:
        return self._map(lambda series: uc.canonicalize(series, profile), polars.String)

    def surt(self, **options: Any) -> Any:
        return self._map(lambda series: uc.surt(series, **options), polars.String)


@polars.api.register_expr_namespace("url")
class UrlExpressions(_Urls):
    """pl.col(...).url"""

    def _map(self, function: Callable[[Any], Any], dtype: Any, plugged: Any = None) -> Any:
        if plugged is not None and PLUGS:
            return _plugin(self._column, *plugged)
        python = partial(_answer, function, dtype)
        return self._column.map_batches(python, return_dtype=dtype, is_elementwise=True)


@polars.api.register_series_namespace("url")
class UrlSeries(_Urls):
    """pl.Series(...).url"""

    def _map(self, function: Callable[[Any], Any], dtype: Any, plugged: Any = None) -> Any:
        return _answer(function, dtype, self._column)
