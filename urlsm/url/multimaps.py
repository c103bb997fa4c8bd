"""Reads all names and values from other libraries' multi-maps, whose items() may return only one value for each
name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["all_items"]

# methods that return every pair: the first in Starlette and httpx, the second in furl and Bottle
_PAIRS = ("multi_items", "allitems")
# methods that return a list of values for each name: the first in Django and Werkzeug, the second in WebOb
_LISTS = ("lists", "dict_of_lists")
_VALUES = ("getlist", "getall", "get_all", "get_list")  # methods that return all values of a name


def all_items(source: Any) -> Iterable[Any]:
    """Return the (name, value) pairs of a mapping, one pair for each value.

    Raises:
        TypeError: the mapping returns only one of several values for a name, and has none of the methods in _PAIRS,
            _LISTS and _VALUES.
    """
    for name in _PAIRS:
        method = getattr(source, name, None)
        if callable(method):
            return list(method())
    every = _every_item(source)
    if every is not None:
        return every
    for name in _LISTS:
        method = getattr(source, name, None)
        if callable(method):
            found = method()
            found = list(found.items() if hasattr(found, "items") else found)
            # in another library, a method with this name may return something else
            if all(map(_is_of_lists, found)) and (found or not len(source)):
                return [(key, value) for key, values in found for value in values]
    pairs = list(source.items())
    names = list(dict.fromkeys(name for name, _ in pairs))
    # if names repeat, items() shows every value, as in multidict and in the standard library's messages
    if len(names) < len(pairs):
        return pairs
    for method_name in _VALUES:
        method = getattr(source, method_name, None)
        if callable(method):
            return [(name, value) for name in names for value in method(name)]
    if len(source) > len(pairs) or _stores_others(source, pairs):
        raise TypeError(
            f"{type(source).__name__} returns only one value for each name: pass a list of (name, value) pairs instead"
        )
    return pairs


def _every_item(source: Any) -> list[Any] | None:
    """Return the result of Werkzeug's items(multi=True), or None if items() does not take that argument."""
    try:
        return list(source.items(multi=True))
    except TypeError:
        return None


def _is_of_lists(pair: Any) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], (list, tuple))


def _stores_others(source: Any, pairs: list[Any]) -> bool:
    """Return whether source is a dict that stores lists of values, but shows only one value of each list."""
    if not isinstance(source, dict):
        return False
    stored = dict(dict.items(source))
    return any(
        isinstance(held := stored.get(name), (list, tuple)) and len(held) > 1 and not isinstance(shown, (list, tuple))
        for name, shown in pairs
    )
