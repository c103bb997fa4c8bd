"""Adds .url to series of Dask, with the same names as in urlsm.engines.pandas. Each partition is computed by itself.

import urlsm.engines.dask
frame["link"].url.host
frame["link"].url.parse(("host", "port"))

One partition may have nulls and another none, so texts, numbers and truth values always have pandas' nullable dtypes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from urlsm.engines.required import required

required("dask", "dask")
dask: Any = required("dask.dataframe", "dask")

from urlsm.engines import pandas  # noqa: E402  (if this came first, its ImportError would name pandas' extra)


class Nullable(pandas.Urls):
    """The answers for one partition. Their dtypes do not depend on the values in the partition."""

    nullable = True


def _answer(series: Any, name: str, *arguments: Any, **options: Any) -> Any:
    found = getattr(Nullable(series), name)
    return found(*arguments, **options) if callable(found) else found


@dask.extensions.register_series_accessor("url")
class Urls:
    """series.url, with the properties and methods of pandas' accessor."""

    def __init__(self, series: Any) -> None:
        self._series = series
        Nullable(series._meta)  # raises an error for a wrong dtype, as pandas' accessor does

    def __dir__(self) -> list[str]:
        return [name for name in dir(Nullable) if name[0] != "_" and name != "nullable"]

    def __getattr__(self, name: str) -> Any:
        if name not in dir(self):
            raise AttributeError(f"'Urls' object has no attribute {name!r}", name=name, obj=self)
        method = partial(self._mapped, name)
        return method if callable(getattr(Nullable, name)) else method()

    def _mapped(self, name: str, *arguments: Any, **options: Any) -> Any:
        of_none = [getattr(argument, "_meta", argument) for argument in arguments]
        meta = _answer(self._series._meta, name, *of_none, **options)
        return self._series.map_partitions(_answer, name, *arguments, meta=meta, **options)
