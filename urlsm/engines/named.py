"""Sets of patterns by name, for engines whose functions take texts alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import urlsm.columns as uc

if TYPE_CHECKING:
    from urlsm.patterns import PatternSet

__all__ = ["by_name"]


def by_name(sets: Mapping[str, PatternSet]) -> Callable[..., Any]:
    """The function url_matches(url, name) over Arrow columns."""

    def matches(column: Any, names: Any) -> Any:
        return _matched(sets, column, names)

    return matches


def _matched(sets: Mapping[str, PatternSet], column: Any, names: Any) -> Any:
    """Is each text of an Arrow column in the set whose name is beside it? Null where either is null.

    ValueError: there is no set of that name.
    """
    import pyarrow
    import pyarrow.compute as pc

    made = pyarrow.nulls(len(column), pyarrow.bool_())
    for name in pc.unique(names).to_pylist():
        if name is None:
            continue
        if name not in sets:
            raise ValueError(f"there is no set {name!r}; there are {', '.join(map(repr, sets))}")
        found = uc.matches(column, sets[name])
        found = pyarrow.chunked_array(found) if isinstance(found, uc.Chunked) else pyarrow.array(found)
        made = pc.if_else(pc.fill_null(pc.equal(names, name), False), found, made)
    return made
