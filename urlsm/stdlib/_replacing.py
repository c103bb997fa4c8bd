"""Replaces the functions of another library with urlsm's, in the library's own module and in other modules, and
restores them."""

from __future__ import annotations

import sys
from threading import RLock
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType
    from typing import Any

_lock = RLock()
_replaced: dict[tuple[int, str], tuple[str, dict[str, Any], Callable[..., Any], Callable[..., Any]]] = {}
"""The replaced functions, by (id of a module's namespace, name): the library, that namespace, the library's function
and ours. Guarded by _lock."""


class Installation(list[str]):
    """The result of install(): a list of the other places that refer to the library's functions, as "module.name". The
    list is empty if neither report nor patch is true. As a context manager, it restores the library's functions on
    exit."""

    def __init__(self, library: str, found: list[str], is_new: bool) -> None:
        super().__init__(found)
        self.library = library
        self.is_new = is_new

    def __enter__(self) -> Installation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_new:
            put_back(self.library)


def replace(
    library: str,
    theirs: dict[str, Any],
    ours: Mapping[str, Callable[..., Any]],
    originals: Mapping[str, Callable[..., Any]] | None,
    report: bool,
    patch: bool,
) -> Installation:
    """Replace the library's functions with urlsm's in the library's namespace and, if patch is true, in other modules
    that imported them.

    originals: the library's original functions. None: take them from its namespace or, if urlsm has already replaced
    them there, use the saved originals.
    """
    with _lock:
        is_new = not any(row[0] == library for row in _replaced.values())
        own = {name: _original(theirs, name) if originals is None else originals[name] for name in ours}
        for name, original in own.items():
            _replace(library, theirs, name, original, ours[name])
        found = []
        if report or patch:
            names = {id(original): name for name, original in own.items()}
            for module, namespace in _namespaces():
                if namespace is theirs:
                    continue
                for attribute, value in list(namespace.items()):
                    if id(value) in names:
                        found.append(f"{module}.{attribute}")
                        if patch:
                            _replace(library, namespace, attribute, value, ours[names[id(value)]])
        return Installation(library, sorted(found), is_new)


def put_back(library: str) -> None:
    """Restore the library's functions wherever urlsm's are still in place."""
    with _lock:
        for key, (owner, namespace, original, function) in list(_replaced.items()):
            if owner == library:
                if namespace.get(key[1]) is function:
                    namespace[key[1]] = original
                del _replaced[key]


def _original(namespace: dict[str, Any], name: str) -> Callable[..., Any]:
    row = _replaced.get((id(namespace), name))
    original: Callable[..., Any] = namespace[name] if row is None else row[2]
    return original


def _replace(
    library: str, namespace: dict[str, Any], name: str, original: Callable[..., Any], function: Callable[..., Any]
) -> None:
    if namespace.get(name) is original:
        namespace[name] = function
        _replaced[id(namespace), name] = library, namespace, original, function


def _namespaces() -> list[tuple[str, dict[str, Any]]]:
    """Return the namespaces of all modules, without triggering lazy imports. Objects that only pretend to be modules
    are skipped."""
    return [
        (name, ModuleType.__getattribute__(module, "__dict__"))
        for name, module in list(sys.modules.items())
        if issubclass(type(module), ModuleType) and not name.startswith("urlsm.")
    ]
