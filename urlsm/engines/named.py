"""The SQL functions: the functions of urlsm.columns in the table in columns/functions.py, for pyarrow columns.
Engines pass any further argument, such as a profile or the name of a set, as a column with one value per row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import urlsm.columns as uc
from urlsm.columns.functions import Function

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

__all__ = ["sql_function", "to_pyarrow"]

# any valid argument, for rows that are null whatever it is
_ANY = {"profile": "surt", "only_icann": False, "name": "", "dialect": "whatwg"}


def to_pyarrow(made: Any) -> Any:
    """Return a column that urlsm made as a pyarrow column, with text in place of dictionaries."""
    import pyarrow

    column = pyarrow.chunked_array(made) if isinstance(made, uc.ChunkedArray) else pyarrow.array(made)
    return column.cast(column.type.value_type) if pyarrow.types.is_dictionary(column.type) else column


def sql_function(row: Function, patterns: Mapping[str, PatternSet] | None = None) -> Callable[..., Any]:
    """Return a Python function that implements the SQL function described by a row of the table. It accepts a column of
    URLs and, if the row has an argument, a column of the argument's values. patterns: the pattern sets that this
    argument can name."""
    function = getattr(uc, row.name)
    options = {"fields": row.fields} if row.name in ("parse", "split") else {}

    def called(column: Any, *values: Any) -> Any:
        if len(values) > bool(row.takes) or len(values) < row.needs:
            raise TypeError(f"url_{row.name} takes a URL{row.takes and f' and its {row.takes}'}, not {1 + len(values)} "
                            "arguments")  # fmt: skip
        if not values:
            return to_pyarrow(function(column, **options))
        if row.takes == "base":
            return to_pyarrow(function(column, base=values[0]))
        if patterns is not None:
            return _by_value(lambda part, name: function(part, _named(patterns, name)), column, values[0], None)

        def of(part: Any, value: Any) -> Any:
            return function(part, **{row.takes: value}, **options)

        return _by_value(of, column, values[0], _ANY[row.takes])

    return called


def _named(patterns: Mapping[str, PatternSet], name: str | None) -> PatternSet:
    if name is None:  # the name of every row is null
        name = next(iter(patterns))
    if name not in patterns:
        raise ValueError(f"no patterns are named {name!r}: the names are {', '.join(map(repr, patterns))}")
    return patterns[name]


def _by_value(of: Callable[[Any, Any], Any], column: Any, values: Any, default: Any) -> Any:
    """Return a column with of(column, value) for each row, where `value` is the row's value in `values`; null where the
    value is null. `of` is called once for each distinct value, with the rows that have it. If all are null, it is
    called with the default."""
    import pyarrow
    import pyarrow.compute as pc

    known = [value for value in pc.unique(values).to_pylist() if value is not None] or [default]
    if values.null_count:
        column = pc.if_else(pc.is_valid(values), column, None) if values.null_count < len(values) else _nulls(column)
    if len(known) == 1:
        return to_pyarrow(of(column, known[0]))
    places: list[Any] = []
    made: list[Any] = []
    for k, value in enumerate(known):
        where = pc.fill_null(pc.equal(values, value), k == 0)
        places.append(pc.indices_nonzero(where))
        found = to_pyarrow(of(column.take(places[-1]), value))
        made += found.chunks if isinstance(found, pyarrow.ChunkedArray) else [found]
    return pyarrow.chunked_array(made).combine_chunks().take(pc.sort_indices(pyarrow.concat_arrays(places)))


def _nulls(column: Any) -> Any:
    import pyarrow

    return pyarrow.nulls(len(column), pyarrow.string())
