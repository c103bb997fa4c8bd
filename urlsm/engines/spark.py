"""URL functions for Spark SQL and Spark data frames.

import urlsm.engines.spark
urlsm.engines.spark.install(spark).sql("select url_host(url) from links")
urlsm.engines.spark.with_columns(df, "url", ("host", "path"))     # df and, as its last column, the struct "url_parsed"
df.select(urlsm.engines.spark.parse("url", ("host", "path")).alias("p"))    # only the struct, as a column

The workers import urlsm, so install it on each node or ship it with the job (spark.archives, --py-files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from urlsm.columns.functions import functions
from urlsm.columns.names import FIELDS, FIVE, OF_PARTS, check_fields
from urlsm.engines.required import required
from urlsm.engines.spark_functions import PARSE, TYPES, function_of, registered, struct, struct_type

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

__all__ = ["install", "parse", "with_columns"]

pyspark: Any = required("pyspark", "spark")
pyarrow: Any = required("pyarrow", "spark")


def install(spark: Any, *, patterns: Mapping[str, PatternSet] | None = None) -> Any:
    """Register the URL functions with a session, and return the session.

    They are the functions of urlsm.columns, with "url_" before each name, for example url_host(url) and url_parse(url).
    A result is null if an argument is null, or if the function of urlsm.columns returns null. A struct, as
    url_parse returns, is never null, but its fields are. url_fingerprint returns a bigint with the same bits as the
    unsigned number.

    Args:
        spark: the Spark session.
        patterns: sets of patterns by name; adds url_matches(url, 'name') and url_pattern_index(url, 'name').

    Example:
        >>> from pyspark.sql import SparkSession
        >>> import urlsm.engines.spark
        >>> spark = urlsm.engines.spark.install(SparkSession.builder.getOrCreate())
        >>> spark.sql("select url_host('http://Ex.com/')").first()[0]
        'ex.com'
    """
    for row in functions("SQL"):
        if row.takes == "patterns" and not patterns:
            continue
        function = function_of(row, dict(patterns or {}) if row.takes == "patterns" else None)
        result = struct_type(row, row.fields) if row.result == "+s" else TYPES[row.result]
        spark.udf.register(f"url_{row.name}", registered(function, result))
    return spark


def parse(col: Any, fields: Sequence[str] = FIVE) -> Any:
    """Return a Column of structs with the fields of each URL, like urlsm.columns.parse.

    Spark sends only the URLs to Python, once for all fields.

    Args:
        col: a Column of URLs, or its name.
        fields: names from `urlsm.columns.FIELDS`, or "parts.NAME" for a part of `URL.parts`.

    Raises:
        ValueError: a field does not exist.

    Example:
        >>> from pyspark.sql import SparkSession
        >>> import urlsm.engines.spark
        >>> df = SparkSession.builder.getOrCreate().createDataFrame([("http://Ex.com/",)], "url string")
        >>> df.select(urlsm.engines.spark.parse("url", ("host",)).alias("p")).select("p.host").first()[0]
        'ex.com'
    """
    names = check_fields(fields, FIELDS, OF_PARTS)

    def made(*columns: Any) -> Any:
        return struct(columns[0], names)

    return registered(made, struct_type(PARSE, names))(col)


def with_columns(df: Any, column: str, fields: Sequence[str] = FIVE, *, into: str | None = None) -> Any:
    """Return the data frame with an additional column: a struct of the fields of each URL, like urlsm.columns.parse.

    Since Spark 4.1, only the URLs are sent to Python, once for all fields, and Spark reads only the columns that are
    used.

    Args:
        df: the data frame.
        column: the name of the column of URLs. The name always means a whole column: "a.b" does not mean the field "b"
            of the column "a".
        fields: names from `urlsm.columns.FIELDS`, or "parts.NAME" for a part of `URL.parts`.
        into: the name of the new column; None for the name of the column with "_parsed" appended.

    Raises:
        ValueError: a field or the column does not exist, or the data frame already has a column with the new name.

    Example:
        >>> from pyspark.sql import SparkSession
        >>> import urlsm.engines.spark
        >>> df = SparkSession.builder.getOrCreate().createDataFrame([("http://Ex.com/",)], "url string")
        >>> urlsm.engines.spark.with_columns(df, "url").select("url_parsed.host").first()[0]
        'ex.com'
    """
    from pyspark.sql import functions
    from pyspark.sql.types import StructType

    names, into = check_fields(fields, FIELDS, OF_PARTS), into or f"{column}_parsed"
    fold: Callable[[str], str] = str if df.sparkSession.conf.get("spark.sql.caseSensitive") == "true" else str.lower
    there = [*map(fold, df.columns)]
    if there.count(fold(column)) != 1:
        raise ValueError(f"unknown or repeated column {column!r}: the columns are {', '.join(df.columns)}")
    if fold(into) in there:
        raise ValueError(f"the data frame already has a column {into!r}: pass another name as into=")
    # columns get new names here: with the old ones, Spark would take "a.b" for a field, and fail for two equal names
    plain = df.toDF(*[f"c{k}" for k in range(len(there))])
    number = there.index(fold(column))
    if hasattr(functions, "arrow_udf"):
        return plain.select("*", parse(f"c{number}", names)).toDF(*df.columns, into)
    schema = StructType([*plain.schema.fields]).add("made", struct_type(PARSE, names))

    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = struct(batch.column(number), names)
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, made], names=schema.names)

    return plain.mapInArrow(mapped, schema).toDF(*df.columns, into)
