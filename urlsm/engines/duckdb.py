"""Adds URL functions to the SQL of DuckDB. Columns are passed as Arrow arrays.

import duckdb, urlsm.engines.duckdb
con = urlsm.engines.duckdb.install(duckdb.connect())
con.sql("select url_host(url), count(*) from 'links.parquet' group by all")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import urlsm.columns as uc
from urlsm.columns.names import type_in
from urlsm.engines.named import OPTIONS, by_name, to_pyarrow, with_option
from urlsm.engines.required import required
from urlsm.url.value import URL

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

duckdb: Any = required("duckdb", "duckdb")
pyarrow: Any = required("pyarrow", "duckdb")

PARTS = URL.__match_args__
TEXT = "VARCHAR"
_type = partial(type_in, {"": TEXT, "S": "USMALLINT", "b": "BOOLEAN"})

# for each name in SQL: the number of arguments, the type of the result, the function of urlsm.columns
FUNCTIONS: dict[str, tuple[int, str, Callable[..., Any]]] = {
    "url_host": (1, TEXT, uc.host),
    "url_href": (1, TEXT, uc.href),
    "url_valid": (1, _type("valid"), uc.valid),
    "url_ambiguous": (1, _type("ambiguous"), uc.ambiguous),
    "url_segments": (1, "VARCHAR[]", uc.segments),
    "url_traps": (1, "VARCHAR[]", uc.traps),
    "url_audit": (1, "VARCHAR[]", uc.audit),
    "url_resolve": (2, TEXT, uc.resolve),
}
for _field in (*PARTS, "authority", "origin"):
    if _field != "host":
        FUNCTIONS[f"url_{_field}"] = (
            1,
            _type(_field),
            lambda column, field=_field: uc.parse(column, (field,)).field(field),
        )


def _for_arrow(function: Callable[..., Any], many: int = 1) -> Callable[..., Any]:
    """Return a function that calls `function` and returns its result as a pyarrow array. The new function has as many
    parameters as `many` says (1 or 2), because DuckDB counts them."""

    def one(column: Any) -> Any:
        return to_pyarrow(function(column))

    def two(first: Any, second: Any) -> Any:
        return to_pyarrow(function(first, second))

    return one if many == 1 else two


def _error(column: Any) -> Any:
    return to_pyarrow(uc.parse(column, ("error",)).field("error")).cast(pyarrow.string())


def install(con: Any, *, sets: Mapping[str, PatternSet] | None = None) -> Any:
    """Add the URL functions to a connection, and return the connection.

    url_host, url_href, url_scheme, url_username, url_password, url_port, url_path, url_query, url_fragment,
    url_authority, url_origin: VARCHAR (url_port USMALLINT); url_valid, url_ambiguous: BOOLEAN; url_parts: a STRUCT of
    the eight components; url_segments, url_traps, url_audit: VARCHAR[]; url_error: why a text is refused;
    url_resolve(base, url); url_param(url, name); and, with an optional second argument, url_surt, url_canonical and
    url_hash(url, profile), url_site and url_suffix(url, private): VARCHAR (url_hash UBIGINT). A result is NULL where an
    argument is NULL, or where the function of urlsm.columns returns null.

    sets: a mapping of names to urlsm.patterns.PatternSets. If it is given, url_matches(url, 'name') is added, a BOOLEAN
    that says whether the set of this name has the text. The new sets replace those of an earlier call.

    If the connection already has the functions, or is a cursor of such a connection, it keeps them. Raises duckdb.Error
    if another function has one of the names; no function is added then.
    """
    struct = ", ".join(f"{name} {_type(name)}" for name in PARTS)
    arrow = {
        **{name: (many, result, _for_arrow(function, many)) for name, (many, result, function) in FUNCTIONS.items()},
        "url_parts": (1, f"STRUCT({struct})", _for_arrow(lambda column: uc.parse(column, PARTS))),
        "url_error": (1, TEXT, _error),
        **{name: (0, "UBIGINT" if name == "url_hash" else TEXT, with_option(name)) for name in OPTIONS},
    }
    made: list[str] = []
    there: list[Exception] = []
    for name, (many, result, function) in arrow.items():
        try:
            _create(con, name, function, many, result)
            made.append(name)
        except duckdb.Error as error:
            there.append(error)
    other = [error for error in there if made or "already" not in str(error)]
    if other:
        for name in made:
            con.remove_function(name)
        raise other[0]
    if sets is not None:
        with suppress(duckdb.Error):
            con.remove_function("url_matches")
        _create(con, "url_matches", by_name(dict(sets)), 2, "BOOLEAN")
    return con


def _create(con: Any, name: str, function: Callable[..., Any], many: int, result: str) -> None:
    """Add a function to a connection. many: the number of its arguments, which are texts; 0: it takes one or more
    arguments of any type."""
    dtype = getattr(duckdb, "dtype", str)
    types = [dtype(TEXT)] * many or None
    # with its default handling of nulls, DuckDB would raise an error for a function that returns NULL for a text
    con.create_function(name, function, types, dtype(result), type="arrow", null_handling="special")
