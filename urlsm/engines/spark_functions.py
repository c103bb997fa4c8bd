"""Turns functions of Arrow columns into functions of Spark, with Spark's types, for spark.py to register."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from typing import Any

from urlsm.columns.names import type_in
from urlsm.engines.required import required

pyspark: Any = required("pyspark", "spark")
pyarrow: Any = required("pyarrow", "spark")

_ARROW = {
    **{"integer": pyarrow.int32(), "boolean": pyarrow.bool_(), "string": pyarrow.string()},
    "array<string>": pyarrow.list_(pyarrow.string()),
}
type_of = partial(type_in, {"": "string", "S": "integer", "b": "boolean", "i": "integer"})


def struct_type(fields: Sequence[str]) -> Any:
    from pyspark.sql.types import StructType

    struct = StructType()
    for name in fields:
        struct.add(name, type_of(name))
    return struct


def struct(column: Any, fields: Sequence[str]) -> Any:
    """Return a pyarrow struct of the fields of the URLs in a column, in types that Spark has: no views, no dictionaries
    and no unsigned numbers."""
    import urlsm.columns as uc

    made = pyarrow.array(uc.parse(column, fields, text="string"))
    columns = [made.field(name).cast(_ARROW[type_of(name)]) for name in fields]
    return pyarrow.StructArray.from_arrays(columns, names=[*fields], mask=made.is_null())


def one(name: str, result: str) -> Callable[..., Any]:
    """Return a function for Spark's workers, which calls the function of this name in urlsm.columns. result: the type
    of its result in Spark."""

    def called(*columns: Any) -> Any:
        import urlsm.columns as uc

        return pyarrow.array(getattr(uc, name)(*columns)).cast(_ARROW[result])

    return called


def with_option(name: str, result: str) -> Callable[..., Any]:
    """Return a function for Spark's workers, which calls the function of this name from urlsm.engines.named: with the
    URLs, or the URLs and an argument. result: the type of its result in Spark."""

    def called(*columns: Any) -> Any:
        from urlsm.engines import named

        made = named.with_option(name)(*columns)
        if isinstance(made, pyarrow.ChunkedArray):
            made = made.combine_chunks()
        return made.view(pyarrow.int64()) if result == "bigint" else made.cast(_ARROW[result])

    return called


def registered(function: Callable[..., Any], result: Any) -> Any:
    """Turn a function of Arrow arrays into a function of Spark: an Arrow UDF since Spark 4.1, before that a pandas UDF.
    Sets the function's type hints, because Spark reads them. result: the type of the function's result in Spark."""
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
