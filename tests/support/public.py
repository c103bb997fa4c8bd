"""The public modules, and every public name, function and method in them. A test walks this list, so that a new name is
tested without being listed by hand."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
if str(DOCS) not in sys.path:
    sys.path.append(str(DOCS))
import reference_api  # noqa: E402  (the one list of public modules and names)
import signatures  # noqa: E402

# mirrors of other libraries and of browsers, whose names and arguments they have
MIRRORS = ("urlsm.stdlib", "urlsm.whatwg", "urlsm.compat.w3lib", "urlsm.compat.surt", "urlsm.compat.protego")


def names() -> Iterator[tuple[str, str, Any]]:
    """Yield each public name: its module, the name, and what it is. Names that need a package that is not installed are
    left out."""
    for module, name in reference_api.public():
        try:
            yield module, name, getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("urlsm"):
                raise


def is_record(kind: object) -> bool:
    """Return whether a class is a record, which has its fields by position, and tells them under Attributes."""
    return isinstance(kind, type) and (hasattr(kind, "_fields") or dataclasses.is_dataclass(kind))


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class or its bases of this library define, without the fields of
    records, and without methods that a client calls by the client's own rules."""
    for name in dir(kind):
        home = next(base for base in kind.__mro__ if name in vars(base))
        if not name.startswith("_") and home.__module__.startswith("urlsm"):
            member = inspect.getattr_static(kind, name)
            theirs = any(hasattr(base, name) for base in kind.__mro__[1:] if not base.__module__.startswith("urlsm"))
            if not theirs and (inspect.isroutine(member) or isinstance(member, property | staticmethod | classmethod)):
                yield name, member


def callables() -> Iterator[tuple[str, Any]]:
    """Yield each public function, class and method, with its dotted name."""
    for module, name, thing in names():
        if callable(thing):
            yield f"{module}.{name}", thing
        if isinstance(thing, type):
            for member, _ in members(thing):
                found = getattr(thing, member)
                if callable(found) and not isinstance(found, type):
                    yield f"{module}.{name}.{member}", found


def annotations_of(name: str) -> dict[str, ast.expr]:
    """Return the annotation of each parameter of a public name, from its stub or its source."""
    found = signatures.nodes(name)
    if not found:
        return {}
    node = found[0]
    if isinstance(node, ast.ClassDef):
        makers = [each for each in node.body if getattr(each, "name", "") in ("__init__", "__new__")]
        if not makers:
            return {}
        node = makers[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    given = node.args
    return {
        each.arg: each.annotation for each in (*given.posonlyargs, *given.args, *given.kwonlyargs) if each.annotation
    }
