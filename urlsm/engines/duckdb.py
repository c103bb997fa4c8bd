"""URL functions for DuckDB's SQL.

import duckdb, urlsm.engines.duckdb
con = urlsm.engines.duckdb.install(duckdb.connect())
con.sql("select url_host(url), count(*) from 'links.parquet' group by all")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from urlsm.columns.functions import Function, functions
from urlsm.engines.named import sql_function
from urlsm.engines.required import required

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

__all__ = ["install"]

duckdb: Any = required("duckdb", "duckdb")
required("pyarrow", "duckdb")

TEXT = "VARCHAR"
TYPES = {  # Arrow's format string -> DuckDB's type
    **{"": TEXT, "c": TEXT, "S": "USMALLINT", "b": "BOOLEAN", "i": "INTEGER", "L": "UBIGINT", "+l": f"{TEXT}[]"},
}


def install(con: Any, *, patterns: Mapping[str, PatternSet] | None = None) -> Any:
    """Add the URL functions to a connection, and return the connection.

    They are the functions of urlsm.columns, with "url_" before each name, for example url_host(url) and url_parse(url).
    A result is NULL if an argument is NULL, or if the function of urlsm.columns returns null. A struct, such as the
    result of url_parse, is never NULL, but its fields are. A connection that already has the functions keeps them.

    Args:
        con: the DuckDB connection.
        patterns: sets of patterns by name; adds url_matches(url, 'name') and url_pattern_index(url, 'name').

    Raises:
        duckdb.Error: a different function already has one of the names. In that case, no function is added.

    Example:
        >>> import duckdb, urlsm.engines.duckdb
        >>> con = urlsm.engines.duckdb.install(duckdb.connect())
        >>> con.sql("select url_host('http://Ex.com/')").fetchall()
        [('ex.com',)]
    """
    made: list[str] = []
    there: list[Exception] = []
    for row in functions("SQL"):
        if row.takes == "patterns":
            continue
        try:
            _create(con, row, None)
            made.append(row.name)
        except duckdb.Error as error:
            there.append(error)
    other = [error for error in there if made or "already" not in str(error)]
    if other:
        for name in made:
            con.remove_function(f"url_{name}")
        raise other[0]
    for row in functions("SQL"):
        if row.takes == "patterns" and patterns:
            with suppress(duckdb.Error):
                con.remove_function(f"url_{row.name}")
            _create(con, row, dict(patterns))
    return con


def _create(con: Any, row: Function, patterns: Mapping[str, PatternSet] | None) -> None:
    """Add the function that a row of the table describes to a connection."""
    dtype = getattr(duckdb, "dtype", str)
    types = None if row.takes and not row.needs else [dtype(TEXT)] * (1 + row.needs)
    result = TYPES.get(row.result) or _struct(row)
    function = _with_parameters(sql_function(row, patterns), types)
    # with its default handling of nulls, DuckDB would raise an error for a function that returns NULL for a text
    con.create_function(f"url_{row.name}", function, types, dtype(result), type="arrow", null_handling="special")


def _struct(row: Function) -> str:
    return f"STRUCT({', '.join(f'{name} {TYPES[kind]}' for name, kind in row.formats(row.fields).items())})"


def _with_parameters(function: Callable[..., Any], types: list[Any] | None) -> Callable[..., Any]:
    """Return the function with one parameter per type, because DuckDB counts the parameters. If types is None, DuckDB
    allows any number of arguments of any type."""
    if types is None:
        return lambda *columns: function(*columns)
    return (lambda column: function(column)) if len(types) == 1 else (lambda column, value: function(column, value))
