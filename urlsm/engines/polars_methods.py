"""The methods of .url on Polars expressions and series; polars.py registers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import urlsm.columns as uc
from urlsm.columns.functions import Function
from urlsm.columns.names import FIELDS, OF_PARTS, SPANS, check_fields, plugin_arguments
from urlsm.components.value import dialect_number
from urlsm.engines.methods import Methods
from urlsm.engines.required import required

polars: Any = required("polars", "polars")

TYPES = {  # Arrow's format string -> Polars' type
    **{"": polars.String, "c": polars.String, "S": polars.UInt16, "b": polars.Boolean, "i": polars.Int32},
    **{"L": polars.UInt64, "+l": polars.List(polars.String)},
}


class Urls(Methods):
    """The methods of .url. Subclasses define _map(function, dtype, plugged=None), which maps a function over a column.
    plugged: the name of a plug-in function that can do the same, and the request for it (columns/kwargs.h); or None."""

    _map: Callable[..., Any]

    def __init__(self, column: Any) -> None:
        self._column = column

    def _answer(self, row: Function, options: dict[str, Any]) -> Any:
        if "fields" in options:
            known = (FIELDS, OF_PARTS) if row.name == "parse" else (SPANS,)
            options["fields"] = check_fields(options["fields"], *known)
        if row.name == "resolve" and isinstance(options["base"], polars.Expr):
            return polars.map_batches([self._column, options["base"]], _resolved, return_dtype=polars.String)
        function = partial(getattr(uc, row.name), **options)
        return self._map(function, _dtype(row, options), _plugged(row, options))


def _resolved(columns: Sequence[Any]) -> Any:
    column, base = columns
    return polars.Series(column.name, uc.resolve(column, base=base))


def _dtype(row: Function, options: dict[str, Any]) -> Any:
    if row.result == "+s":
        formats = row.formats(options.get("fields", row.fields))
        return polars.Struct({name: TYPES[format] for name, format in formats.items()})
    return TYPES[row.result] if options.get("kind") in (None, "xxh64") else polars.Binary


def _plugged(row: Function, options: dict[str, Any]) -> tuple[str, str] | None:
    """Return the plug-in function to call, and the request for it; None if only Python can compute the result."""
    name, fields = row.name, options.get("fields", ())
    request = None
    if options["threads"] != 1:
        return None
    if name == "parse":
        by_python = "error_code" in fields or any(field.startswith(OF_PARTS) for field in fields)
        request = None if by_python or options["base"] is not None else plugin_arguments("+-", fields)
    elif name == "split":
        request = plugin_arguments(f"+{dialect_number(options['dialect'])}", fields)
    elif name == "query_param":
        request = plugin_arguments("1-", (name,)) + str.encode(options["name"], "utf-8", "replace").decode()
    elif name in ("registrable_domain", "public_suffix"):
        field = f"icann_{name}" if options["only_icann"] else name
        is_usual = options["accept_unknown"] is True and options["suffix_list"] is None
        request = plugin_arguments("?-", (field,)) if is_usual else None
    elif name in FIELDS and name != "error_code":
        request = plugin_arguments("1-", (name,))
    return None if request is None else (f"url_{name}", request)
