"""Functions of a column and one further argument, such as a profile or the name of a set. Engines pass this argument as
a column with a value for each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import urlsm.columns as uc

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

__all__ = ["OPTIONS", "by_name", "to_pyarrow", "with_option"]

# for each name in SQL: the function of urlsm.columns, and the argument that may follow the URL (for url_param: must)
OPTIONS = {
    "url_canonical": ("canonicalize", "profile"),
    "url_hash": ("fingerprint", "profile"),
    "url_param": ("query_param", "name"),
    "url_site": ("registrable_domain", "private"),
    "url_suffix": ("public_suffix", "private"),
    "url_surt": ("surt", "profile"),
}


def to_pyarrow(made: Any) -> Any:
    """Return a column that urlsm made as a column of pyarrow."""
    import pyarrow

    return pyarrow.chunked_array(made) if isinstance(made, uc.Chunked) else pyarrow.array(made)


def with_option(name: str) -> Callable[..., Any]:
    """Return the SQL function of this name, one of OPTIONS, as a Python function. It takes an Arrow column of URLs and
    a column with the argument, which only url_param requires."""
    function, argument = OPTIONS[name]

    def called(*columns: Any) -> Any:  # because of "*columns", DuckDB allows any number of arguments
        of = getattr(uc, function)
        if len(columns) == 1 and name != "url_param":
            return to_pyarrow(of(*columns))
        if len(columns) != 2:
            raise TypeError(f"{name} takes a URL and its {argument}, not {len(columns)} arguments")
        return _by_value(lambda part, value: of(part, **{argument: value}), *columns)

    return called


def by_name(sets: Mapping[str, PatternSet]) -> Callable[..., Any]:
    """Return url_matches(url, name) as a function of Arrow columns. It raises ValueError if no set has the name."""

    def in_set(column: Any, name: str) -> Any:
        if name not in sets:
            raise ValueError(f"there is no set {name!r}; there are {', '.join(map(repr, sets))}")
        return uc.matches(column, sets[name])

    def matches(column: Any, names: Any) -> Any:
        import pyarrow

        if names.null_count == len(names):
            return pyarrow.nulls(len(column), pyarrow.bool_())
        return _by_value(in_set, column, names)

    return matches


def _by_value(of: Callable[[Any, Any], Any], column: Any, values: Any) -> Any:
    """Return a column with of(column, value) for each row, where `value` is the row's value in `values`; null where the
    value is null. `of` is called once for each distinct value, with the rows that have it."""
    import pyarrow
    import pyarrow.compute as pc

    # if all values are null, all results are null too: any valid argument, such as "surt", will do
    known = [value for value in pc.unique(values).to_pylist() if value is not None] or ["surt"]
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
