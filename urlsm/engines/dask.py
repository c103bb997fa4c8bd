"""The namespace .url on Dask series, with the methods of urlsm.engines.pandas.

import urlsm.engines.dask
frame["link"].url.host()
frame["link"].url.parse(("host", "port"))

Text, numbers and bools get pandas' nullable dtypes, so that partitions with and without nulls have the same dtype.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from urlsm.engines.required import required

if TYPE_CHECKING:
    from urlsm.columns.functions import Function

__all__: list[str] = []  # only methods, on the types of the engine

required("dask", "dask")
dask: Any = required("dask.dataframe", "dask")

from urlsm.engines import pandas  # noqa: E402  (if this came first, its ImportError would name pandas' extra)
from urlsm.engines.methods import Methods  # noqa: E402


class Nullable(pandas.Urls):
    """The results for one partition. Their dtypes do not depend on the values in the partition."""

    nullable = True


def _of_partition(name: str, options: list[str], series: Any, *values: Any) -> Any:
    return getattr(Nullable(series), name)(**dict(zip(options, values, strict=True)))


@dask.extensions.register_series_accessor("url")
class Urls(Methods):
    """The namespace `series.url`: the functions of urlsm.columns as methods."""

    def __init__(self, series: Any) -> None:
        self._series = series
        Nullable(series._meta)  # raises an error for a wrong dtype, as pandas' accessor does

    def _answer(self, row: Function, options: dict[str, Any]) -> Any:
        function = partial(_of_partition, row.name, list(options))
        meta = function(self._series._meta, *[getattr(value, "_meta", value) for value in options.values()])
        return self._series.map_partitions(function, *options.values(), meta=meta)
