"""Spark: URL functions in SQL, and all the fields of a data frame's URLs in one trip to Python.

import urlsm.engines.spark
urlsm.engines.spark.install(spark).sql("select url_host(url) from links")
urlsm.engines.spark.columns(df, "url", ("host", "path"))     # df, with a struct "url_parts" after its columns

The workers import urlsm: install it on each node, or send it (spark.archives, --py-files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from urlsm.columns.names import FIELDS, FIVE, chosen, type_in
from urlsm.engines.named import by_name
from urlsm.engines.required import required
from urlsm.url.value import URL

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

pyspark: Any = required("pyspark", "spark")
pyarrow: Any = required("pyarrow", "spark")

PARTS = URL.__match_args__
# name in SQL: function of urlsm.columns; a text but for url_valid
FUNCTIONS = {
    **{"url_host": "host", "url_href": "href", "url_valid": "valid", "url_resolve": "resolve", "url_surt": "surt"},
    **{"url_site": "registrable_domain", "url_canonical": "canonicalize"},
}
_ARROW = {"integer": pyarrow.int32(), "boolean": pyarrow.bool_(), "string": pyarrow.string()}
_type = partial(type_in, {"": "string", "S": "integer", "b": "boolean", "i": "integer"})


def _struct_type(fields: Sequence[str]) -> Any:
    from pyspark.sql.types import StructType

    struct = StructType()
    for name in fields:
        struct.add(name, _type(name))
    return struct


def _struct(column: Any, fields: Sequence[str]) -> Any:
    """Return the fields in Spark's types: it has neither views, nor dictionaries, nor unsigned numbers."""
    import urlsm.columns as uc

    made = pyarrow.array(uc.parse(column, fields, text="string"))
    columns = [made.field(name).cast(_ARROW[_type(name)]) for name in fields]
    return pyarrow.StructArray.from_arrays(columns, names=[*fields], mask=made.is_null())


def _one(name: str) -> Callable[..., Any]:
    """Return the function of urlsm.columns, within a worker."""

    def called(*columns: Any) -> Any:
        import urlsm.columns as uc

        return pyarrow.array(getattr(uc, name)(*columns)).cast(_ARROW[_type(name)])

    return called


def _registered(function: Callable[..., Any], result: Any) -> Any:
    """Return a function of Arrow arrays as a function of Spark: by Arrow since 4.1, by pandas before. Spark reads type
    hints."""
    from pyspark.sql import functions

    def by_pandas(*columns: Any) -> Any:
        made = function(*(pyarrow.array(column, pyarrow.string(), from_pandas=True) for column in columns))
        if not isinstance(result, str):
            made = pyarrow.RecordBatch.from_arrays(made.flatten(), [field.name for field in made.type])
        return made.to_pandas(integer_object_nulls=True)

    arrow: Any = getattr(functions, "arrow_udf", None)
    if arrow is not None:
        function.__annotations__ = {"columns": pyarrow.Array, "return": pyarrow.Array}
        return arrow(function, result)
    pandas = required("pandas", "spark")
    kind = pandas.DataFrame if not isinstance(result, str) else pandas.Series
    by_pandas.__annotations__ = {"columns": pandas.Series, "return": kind}
    return getattr(functions, "pandas_udf")(by_pandas, result)  # noqa: B009  (it is not in Spark's stubs)


def install(spark: Any, *, sets: Mapping[str, PatternSet] | None = None) -> Any:
    """Register the URL functions with a session, which is returned: url_host, url_href, url_site, url_surt,
    url_canonical (string), url_valid (boolean), url_parts (a struct of eight), url_resolve(base, url). Each is null
    where urlsm.columns has null; before Spark 4.1, url_parts is a struct of nulls there.

    sets: names of urlsm.patterns.PatternSets, for url_matches(url, 'name') (boolean).
    """
    for name, function in FUNCTIONS.items():
        spark.udf.register(name, _registered(_one(function), _type(function)))
    spark.udf.register("url_parts", _registered(lambda *columns: _struct(columns[0], PARTS), _struct_type(PARTS)))
    if sets is not None:
        spark.udf.register("url_matches", _registered(by_name(dict(sets)), "boolean"))
    return spark


def columns(df: Any, column: str, fields: Sequence[str] = FIVE, into: str | None = None) -> Any:
    """Return the data frame with one more struct column, of the fields of its URLs: one trip for any number of fields.

    into: the name of the struct; None: the column's, with "_parts" appended. Fields and nulls: as in
    urlsm.columns.parse. Names are taken as they are ("a.b" is not a field of "a"), in any case, as in Spark.
    Raises ValueError for an unknown field or column, or where the data frame has a column of the struct's name.
    """
    from pyspark.sql.types import StructType

    names, into = chosen(fields, FIELDS), into or f"{column}_parts"
    fold: Callable[[str], str] = str if df.sparkSession.conf.get("spark.sql.caseSensitive") == "true" else str.lower
    there = [*map(fold, df.columns)]
    if there.count(fold(column)) != 1:
        raise ValueError(f"unknown column {column!r}, or not the only one; the columns are {', '.join(df.columns)}")
    if fold(into) in there:
        raise ValueError(f"the data frame has a column {into!r} already: name another with into=")
    # mapInArrow selects columns by expressions: it would take "a.b" for a field, and fail with two equal names
    plain = df.toDF(*[f"c{k}" for k in range(len(there))])
    number, schema = there.index(fold(column)), StructType([*plain.schema.fields]).add("made", _struct_type(names))

    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = _struct(batch.column(number), names)
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, made], names=schema.names)

    return plain.mapInArrow(mapped, schema).toDF(*df.columns, into)
