"""Putting the functions of urlsm.compat into the libraries they stand for, for the process, and taking them out."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType, TracebackType
from typing import Any

__all__ = ["install", "uninstall"]

# The library -> the module whose functions are replaced, and the names
_LIBRARIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "w3lib": (
        "w3lib.url",
        (
            # those of files stay: they ask the system
            *("add_http_if_no_scheme", "add_or_replace_parameter", "add_or_replace_parameters", "canonicalize_url"),
            *("is_url", "parse_data_uri", "parse_qsl_to_bytes", "parse_url", "safe_download_url", "safe_url_string"),
            *("url_query_cleaner", "url_query_parameter"),
        ),
    ),
    "surt": ("surt", ("surt",)),
}
_lock = threading.RLock()
_replaced: dict[tuple[int, str], tuple[str, dict[str, Any], Callable[..., Any], Callable[..., Any]]] = {}
"""(id of a module's namespace, name) -> library, that namespace, its function, ours. Guarded by _lock."""


class Installation(list[str]):
    """What install() returns: where the library's functions were found besides, as "module.name"; none without report
    or patch. As a context manager it uninstalls at its end what it installed."""

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
            uninstall(self.library)


def install(library: str, *, report: bool = False, patch: bool = False) -> Installation:
    """Put our functions into "w3lib" (w3lib.url) or "surt", for the process: what looks them up there gets ours.

    Args:
        report: list the modules that hold the library's functions already (`from w3lib.url import safe_url_string`).
        patch: list them, and replace the functions there too. Scrapy needs it only if it was imported before.

    Safe to call twice, and from several threads. uninstall(library) undoes it, and so does the end of a
    `with install(library):` that did install.

    Raises:
        ValueError: no such library here. ModuleNotFoundError: it is not installed.
    """
    where, names = _row(library)
    theirs, ours = vars(import_module(where)), vars(import_module(f"urlsm.compat.{library}"))
    with _lock:
        is_new = not any(row[0] == library for row in _replaced.values())
        originals = {name: _original(theirs, name) for name in names}
        for name, original in originals.items():
            _replace(library, theirs, name, original, ours[name])
        found = []
        if report or patch:
            places = {id(original): name for name, original in originals.items()}
            for module, namespace in _namespaces():
                if namespace is theirs:
                    continue
                for attribute, value in list(namespace.items()):
                    if id(value) in places:
                        found.append(f"{module}.{attribute}")
                        if patch:
                            _replace(library, namespace, attribute, value, ours[places[id(value)]])
        return Installation(library, sorted(found), is_new)


def uninstall(library: str) -> None:
    """Put the library's functions back, wherever ours still stand. Safe to call at any time. ValueError: no such
    library here."""
    _row(library)
    with _lock:
        for key, (owner, namespace, original, function) in list(_replaced.items()):
            if owner == library:
                if namespace.get(key[1]) is function:
                    namespace[key[1]] = original
                del _replaced[key]


def _row(library: str) -> tuple[str, tuple[str, ...]]:
    if library not in _LIBRARIES:
        raise ValueError(f"no library {library!r} here; there are {', '.join(_LIBRARIES)}")
    return _LIBRARIES[library]


def _original(namespace: dict[str, Any], name: str) -> Callable[..., Any]:
    """The library's own function, be ours in its place or not."""
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
    """The modules' (does not trigger lazy imports; skips proxies that only claim to be modules)."""
    return [
        (name, ModuleType.__getattribute__(module, "__dict__"))
        for name, module in list(sys.modules.items())
        if issubclass(type(module), ModuleType) and not name.startswith("urlsm.")
    ]
