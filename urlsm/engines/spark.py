"""Spark: URL functions in SQL, and all the fields of a data frame's URLs in one trip to Python.

import urlsm.engines.spark
urlsm.engines.spark.install(spark).sql("select url_host(url) from links")
urlsm.engines.spark.columns(df, "url", ("host", "path"))     # df, with a struct "url_parts" after its columns
df.select(urlsm.engines.spark.parts("url", ("host", "path")).alias("p"))    # the struct as a column

The workers import urlsm: install it on each node, or send it (spark.archives, --py-files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from urlsm.columns.names import FIELDS, FIVE, OF_PARTS, check_fields
from urlsm.engines.named import OPTIONS, by_name
from urlsm.engines.required import required
from urlsm.engines.spark_functions import one, registered, struct, struct_type, with_option
from urlsm.url.value import URL

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

pyspark: Any = required("pyspark", "spark")
pyarrow: Any = required("pyarrow", "spark")

PARTS = URL.__match_args__
# for a name in SQL, the function of urlsm.columns and its type in Spark
FUNCTIONS = {
    **{name: (name.removeprefix("url_"), "string") for name in ("url_host", "url_href", "url_resolve")},
    **{name: (name.removeprefix("url_"), "boolean") for name in ("url_valid", "url_ambiguous")},
    **{name: (name.removeprefix("url_"), "array<string>") for name in ("url_segments", "url_traps", "url_audit")},
}


def _all_parts(*columns: Any) -> Any:
    return struct(columns[0], PARTS)


def install(spark: Any, *, sets: Mapping[str, PatternSet] | None = None) -> Any:
    """Register the URL functions with a session, which is returned: url_host, url_href, url_resolve(base, url)
    (string); url_valid, url_ambiguous (boolean); url_parts (a struct of eight); url_segments, url_traps, url_audit
    (arrays);
    url_param(url, name); of one or two arguments url_surt, url_canonical and url_hash(url, profile), url_site and
    url_suffix(url, private). url_hash is a bigint, whose bits are those of the unsigned number. Each is null where
    urlsm.columns has null, or an argument is; before Spark 4.1, url_parts is a struct of nulls there.

    sets: names of urlsm.patterns.PatternSets, for url_matches(url, 'name') (boolean).
    """
    for name, (function, result) in FUNCTIONS.items():
        spark.udf.register(name, registered(one(function, result), result))
    for name in OPTIONS:
        result = "bigint" if name == "url_hash" else "string"
        spark.udf.register(name, registered(with_option(name, result), result))
    spark.udf.register("url_parts", registered(_all_parts, struct_type(PARTS)))
    if sets is not None:
        spark.udf.register("url_matches", registered(by_name(dict(sets)), "boolean"))
    return spark


def parts(col: Any, fields: Sequence[str] = FIVE) -> Any:
    """Return a Column, a struct of the fields of the URLs in a column: one trip to Python, which takes the URL alone.

    col: a Column, or a column's name. Fields and nulls: as in columns. Raises ValueError for an unknown field.
    """
    names = check_fields(fields, FIELDS, OF_PARTS)

    def made(*columns: Any) -> Any:
        return struct(columns[0], names)

    return registered(made, struct_type(names))(col)


def columns(df: Any, column: str, fields: Sequence[str] = FIVE, into: str | None = None) -> Any:
    """Return the data frame with one more struct column, of the fields of its URLs: one trip for any number of fields.
    Since Spark 4.1 it takes the URL alone, and the plan reads only the columns that are asked for in the end.

    into: the name of the struct; None: the column's, with "_parts" appended. Fields and nulls: as in
    urlsm.columns.parse. Names mean whole columns ("a.b" is not a field of "a"), in any case, as in Spark.
    Raises ValueError for an unknown field or column, or where the data frame has a column of the struct's name.
    """
    from pyspark.sql import functions
    from pyspark.sql.types import StructType

    names, into = check_fields(fields, FIELDS, OF_PARTS), into or f"{column}_parts"
    fold: Callable[[str], str] = str if df.sparkSession.conf.get("spark.sql.caseSensitive") == "true" else str.lower
    there = [*map(fold, df.columns)]
    if there.count(fold(column)) != 1:
        raise ValueError(f"unknown column {column!r}, or not the only one; the columns are {', '.join(df.columns)}")
    if fold(into) in there:
        raise ValueError(f"the data frame has a column {into!r} already: name another with into=")
    # columns are selected by expressions: by name, Spark would take "a.b" for a field, and fail for two equal names
    plain = df.toDF(*[f"c{k}" for k in range(len(there))])
    number = there.index(fold(column))
    if hasattr(functions, "arrow_udf"):
        return plain.select("*", parts(f"c{number}", names)).toDF(*df.columns, into)
    schema = StructType([*plain.schema.fields]).add("made", struct_type(names))

    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = struct(batch.column(number), names)
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, made], names=schema.names)

    return plain.mapInArrow(mapped, schema).toDF(*df.columns, into)
