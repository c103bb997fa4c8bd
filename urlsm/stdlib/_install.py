"""install() puts the functions of urlsm.stdlib into urllib.parse, for the whole process; uninstall() removes them."""

from __future__ import annotations

import sys
import urllib.parse as theirs
from _thread import RLock
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType
    from typing import Any

_lock = RLock()
_replaced: dict[tuple[int, str], tuple[dict[str, Any], Callable[..., Any], Callable[..., Any]]] = {}
"""(id of a module's namespace, name) -> that namespace, the interpreter's function, ours. Guarded by _lock."""


ORIGINALS: dict[str, Callable[..., Any]] = {
    name: value for name, value in vars(theirs).items() if callable(value) and not isinstance(value, type)
}


class Installation(list[str]):
    """The result of install(): the other places of the interpreter's functions, as "module.name"; empty without report
    or patch. As a context manager it uninstalls, at its end, the functions that it installed."""

    def __init__(self, found: Iterator[str], is_new: bool) -> None:
        super().__init__(found)
        self.is_new = is_new

    def __enter__(self) -> Installation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_new:
            uninstall()


def install(*, report: bool = False, patch: bool = False) -> Installation:
    """Put the functions of urlsm.stdlib into urllib.parse, for the process: code that looks them up there gets ours.

    Args:
        report: list the modules that hold the interpreter's functions already (`from urllib.parse import urlsplit`).
        patch: list them, and replace the functions there too.

    Safe to call twice, and from several threads. uninstall() undoes it; so does the end of `with install():`, if that
    call installed them.
    """
    from urlsm.stdlib import FUNCTIONS

    with _lock:
        is_new = not _replaced
        for name, function in FUNCTIONS.items():
            _replace(vars(theirs), name, ORIGINALS[name], function)
        found = []
        if report or patch:
            names = {id(ORIGINALS[name]): name for name in FUNCTIONS}
            for module, namespace in _namespaces():
                for attribute, value in list(namespace.items()):
                    if id(value) in names:
                        found.append(f"{module}.{attribute}")
                        if patch:
                            _replace(namespace, attribute, value, FUNCTIONS[names[id(value)]])
        return Installation(iter(sorted(found)), is_new)


def uninstall() -> None:
    """Put the interpreter's functions back wherever ours still are. Safe to call at any time."""
    with _lock:
        for (_, name), (namespace, original, function) in _replaced.items():
            if namespace.get(name) is function:
                namespace[name] = original
        _replaced.clear()


def _replace(namespace: dict[str, Any], name: str, original: Callable[..., Any], function: Callable[..., Any]) -> None:
    if namespace.get(name) is original:
        namespace[name] = function
        _replaced[id(namespace), name] = namespace, original, function


def _namespaces() -> Iterator[tuple[str, dict[str, Any]]]:
    """The other modules' (does not trigger lazy imports; skips proxies that only claim to be modules)."""
    for name, module in list(sys.modules.items()):
        if issubclass(type(module), ModuleType) and module is not theirs and not name.startswith("urlsm.stdlib"):
            yield name, ModuleType.__getattribute__(module, "__dict__")
