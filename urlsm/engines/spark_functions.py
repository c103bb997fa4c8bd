"""Turns functions for Arrow columns into Spark functions, with Spark's types, for spark.py to register."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from urlsm.columns.functions import FUNCTIONS, Function
from urlsm.engines.required import required

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

pyspark: Any = required("pyspark", "spark")
pyarrow: Any = required("pyarrow", "spark")

TYPES = {  # Arrow's format string -> Spark's type
    **{"": "string", "c": "string", "S": "integer", "b": "boolean", "i": "integer", "L": "bigint"},
    **{"+l": "array<string>"},
}
PARSE = next(row for row in FUNCTIONS if row.name == "parse")


def struct_type(row: Function, fields: Iterable[str]) -> Any:
    """Return Spark's type for a struct of these fields. row: the table row of the function that makes them."""
    from pyspark.sql.types import StructType

    struct = StructType()
    for name, kind in row.formats(fields).items():
        struct.add(name, TYPES[kind])
    return struct


def fitted(made: Any) -> Any:
    """Return a pyarrow column with types that Spark supports: one chunk, no views, no dictionaries, no unsigned
    numbers."""
    if isinstance(made, pyarrow.ChunkedArray):
        made = made.combine_chunks()
    kind = made.type
    if pyarrow.types.is_struct(kind):
        columns = [fitted(column) for column in made.flatten()]
        return pyarrow.StructArray.from_arrays(columns, names=[field.name for field in kind])
    if kind == pyarrow.uint64():
        return made.view(pyarrow.int64())
    if pyarrow.types.is_list(kind) or kind in (pyarrow.bool_(), pyarrow.int32(), pyarrow.string()):
        return made
    return made.cast(pyarrow.int32() if kind == pyarrow.uint16() else pyarrow.string())


def struct(column: Any, fields: Sequence[str]) -> Any:
    """Return a pyarrow struct of the fields of the URLs in a column, with types that Spark supports."""
    import urlsm.columns as uc

    return fitted(pyarrow.array(uc.parse(column, fields)))


def function_of(row: Function, patterns: Mapping[str, PatternSet] | None = None) -> Callable[..., Any]:
    """Return the SQL function that a row of the table describes (engines/named.py), for Spark's workers."""

    def called(*columns: Any) -> Any:
        from urlsm.engines.named import sql_function

        return fitted(sql_function(row, patterns)(*columns))

    return called


def registered(function: Callable[..., Any], result: Any) -> Any:
    """Turn a function for Arrow arrays into a Spark function: an Arrow UDF since Spark 4.1, a pandas UDF before that.
    Set the function's type hints, because Spark reads them. result: the type of the function's result in Spark."""
    from pyspark.sql import functions

    def by_pandas(*columns: Any) -> Any:
        made = function(*(pyarrow.array(column, from_pandas=True) for column in columns))
        if not isinstance(result, str):
            made = pyarrow.RecordBatch.from_arrays(made.flatten(), [field.name for field in made.type])
        return made.to_pandas(integer_object_nulls=True)

    arrow: Any = getattr(functions, "arrow_udf", None)
    if arrow is not None:
        function.__annotations__ = dict.fromkeys([*signature(function).parameters, "return"], pyarrow.Array)
        return arrow(function, result)
    pandas = required("pandas", "spark")
    kind = pandas.DataFrame if not isinstance(result, str) else pandas.Series
    by_pandas.__annotations__ = {"columns": pandas.Series, "return": kind}
    return getattr(functions, "pandas_udf")(by_pandas, result)  # noqa: B009  (it is not in Spark's stubs)
