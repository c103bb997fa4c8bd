"""The namespace .url on pandas series of str or urlsm.URL. Results have pandas' default dtypes.

import urlsm.engines.pandas
df["link"].url.host()
df.join(df["link"].url.parse())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import urlsm.columns as uc
from urlsm.engines.methods import Methods
from urlsm.engines.required import required
from urlsm.url.value import URL

if TYPE_CHECKING:
    from urlsm.columns.functions import Function

__all__: list[str] = []  # only methods, on the types of the engine

pandas: Any = required("pandas", "pandas")
pyarrow: Any = required("pyarrow", "pandas")

_NULLABLE = {
    **{pyarrow.uint16(): pandas.UInt16Dtype(), pyarrow.int32(): pandas.Int32Dtype()},
    **{pyarrow.uint64(): pandas.UInt64Dtype(), pyarrow.bool_(): pandas.BooleanDtype()},
    **dict.fromkeys([pyarrow.string(), pyarrow.large_string()], pandas.StringDtype("pyarrow")),
}


@pandas.api.extensions.register_series_accessor("url")
class Urls(Methods):
    """The namespace `series.url`: the functions of urlsm.columns as methods.

    A result keeps the index and the name of the series.

    Example:
        >>> import pandas, urlsm.engines.pandas
        >>> pandas.Series(["http://Ex.com/"]).url.host().tolist()
        ['ex.com']
    """

    nullable = False  # whether text, numbers and bools always get pandas' nullable dtypes

    def __init__(self, series: Any) -> None:
        self._series = series
        texts = series
        if series.dtype == object and any(isinstance(value, URL) for value in series):
            texts = [value.href if isinstance(value, URL) else value for value in series]
        try:
            column = pyarrow.array(texts, from_pandas=True)
        except pyarrow.ArrowException as error:
            raise AttributeError(f".url needs a series of str or URL: {error}") from error
        self._column = column.cast(pyarrow.string()) if column.type == pyarrow.null() else column
        kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
        if not str(kind).removeprefix("large_").startswith(("string", "binary", "null")):
            what = f"of {series.dtype}"
            if column.null_count == len(column) > 0:  # to a series that has only nulls, pandas gives the dtype float64
                what += " in which every value is missing; .astype(object).url takes such a series"
            raise AttributeError(f".url needs a series of str or URL, not {what}")

    def _made(self, made: Any, name: object) -> Any:
        array = pyarrow.chunked_array(made) if isinstance(made, uc.ChunkedArray) else pyarrow.array(made)
        if self.nullable and pyarrow.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        # pandas would turn hashes with nulls into float64, which has only 53 bits
        exact = self.nullable or (array.type == pyarrow.uint64() and array.null_count)
        made = array.to_pandas(types_mapper=_NULLABLE.get if exact else None)
        return made.set_axis(self._series.index).rename(name)

    def _answer(self, row: Function, options: dict[str, Any]) -> Any:
        given = {name: _column_of(value) for name, value in options.items()}
        made = getattr(uc, row.name)(self._column, **given)
        if row.result != "+s":
            return self._made(made, self._series.name)
        names = [child.name for child in made.schema.children]
        return pandas.DataFrame({name: self._made(made.field(name), name) for name in names}, index=self._series.index)


def _column_of(value: Any) -> Any:
    return pyarrow.array(value, from_pandas=True) if isinstance(value, pandas.Series) else value
