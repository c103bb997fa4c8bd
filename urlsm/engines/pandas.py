"""Adds .url to series of pandas that hold texts or URLs. The answers are series with pandas' default dtypes.

import urlsm.engines.pandas
df["link"].url.host
df.join(df["link"].url.parse())
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import urlsm.columns as uc
from urlsm.columns.names import FIVE
from urlsm.crawler.profiles import DEFAULT_PROFILE
from urlsm.engines.required import required
from urlsm.url.value import URL

pandas: Any = required("pandas", "pandas")
pyarrow: Any = required("pyarrow", "pandas")

_NULLABLE = {
    **{pyarrow.uint16(): pandas.UInt16Dtype(), pyarrow.int32(): pandas.Int32Dtype()},
    **{pyarrow.uint64(): pandas.UInt64Dtype(), pyarrow.bool_(): pandas.BooleanDtype()},
    **dict.fromkeys([pyarrow.string(), pyarrow.large_string()], pandas.StringDtype("pyarrow")),
}


@pandas.api.extensions.register_series_accessor("url")
class Urls:
    """The answers of urlsm.columns for a series of texts or urlsm.URL objects. They have the index of the series."""

    nullable = False  # whether texts, numbers and truth values always get pandas' nullable dtypes

    def __init__(self, series: Any) -> None:
        self._series = series
        texts = series
        if series.dtype == object and any(isinstance(value, URL) for value in series):
            texts = [value.href if isinstance(value, URL) else value for value in series]
        try:
            column = pyarrow.array(texts, from_pandas=True)
        except pyarrow.ArrowException as error:
            raise AttributeError(f"only a series of texts or URLs has .url: {error}") from error
        self._column = column.cast(pyarrow.string()) if column.type == pyarrow.null() else column
        kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
        if not str(kind).removeprefix("large_").startswith(("string", "binary", "null")):
            what = f"of {series.dtype}"
            if column.null_count == len(column) > 0:  # to a series that has only nulls, pandas gives the dtype float64
                what += " in which every value is missing; .astype(object).url takes such a series"
            raise AttributeError(f"only a series of texts or URLs has .url, not one {what}")

    def _made(self, made: Any, name: object = None) -> Any:
        array = pyarrow.chunked_array(made) if isinstance(made, uc.Chunked) else pyarrow.array(made)
        if self.nullable and pyarrow.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        # pandas would turn hashes with nulls into float64, which has only 53 bits
        exact = self.nullable or (array.type == pyarrow.uint64() and array.null_count)
        made = array.to_pandas(types_mapper=_NULLABLE.get if exact else None)
        return made.set_axis(self._series.index).rename(self._series.name if name is None else name)

    def parse(self, fields: Sequence[str] = FIVE, **options: Any) -> Any:
        """Return a data frame of the fields that urlsm.columns.parse returns."""
        made = uc.parse(self._column, fields, **options)
        return pandas.DataFrame({name: self._made(made.field(name), name) for name in fields}, index=self._series.index)

    @property
    def host(self) -> Any:
        return self._made(uc.host(self._column), "host")

    @property
    def href(self) -> Any:
        return self._made(uc.href(self._column), "href")

    @property
    def valid(self) -> Any:
        return self._made(uc.valid(self._column), "valid")

    @property
    def site(self) -> Any:
        """Return the registrable domain."""
        return self._made(uc.registrable_domain(self._column), "site")

    @property
    def suffix(self) -> Any:
        """Return the public suffix."""
        return self._made(uc.public_suffix(self._column), "suffix")

    def hash(self, profile: Any = DEFAULT_PROFILE, kind: Any = "hash64") -> Any:
        """Return the fingerprint of each text's key, like urlsm.columns.fingerprint. The dtype for "hash64" is UInt64
        if a row is null, otherwise uint64."""
        return self._made(uc.fingerprint(self._column, profile, kind=kind), "hash")

    @property
    def ambiguous(self) -> Any:
        return self._made(uc.ambiguous(self._column), "ambiguous")

    def resolve(self, base: Any) -> Any:
        """Return each text resolved against a base. base: one text for all rows, or a series with a base for each
        row."""
        if isinstance(base, pandas.Series):
            base = pyarrow.array(base, from_pandas=True)
        return self._made(uc.resolve(base, self._column))

    def matches(self, patterns: Any) -> Any:
        """Return whether each text is in a urlsm.patterns.PatternSet."""
        return self._made(uc.matches(self._column, patterns))

    def pattern_index(self, patterns: Any) -> Any:
        """Return the index of the pattern that puts each text into the set; missing if none does."""
        return self._made(uc.pattern_index(self._column, patterns))

    def param(self, name: str) -> Any:
        return self._made(uc.query_param(self._column, name), name)

    def canonicalize(self, profile: Any = DEFAULT_PROFILE) -> Any:
        return self._made(uc.canonicalize(self._column, profile))

    def surt(self, **options: Any) -> Any:
        return self._made(uc.surt(self._column, **options))
