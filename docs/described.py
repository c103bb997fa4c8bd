"""What the reference says of a scheme: the fields of its parts, an example, its rules; from docstrings and tables."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

import urlsm
from urlsm.schemes import Parts
from urlsm.schemes.built_in import BUILT_IN

_ATTRIBUTES = re.compile(r"^Attributes:\n((?: {4}.*\n?)+)", re.MULTILINE)
_ONE = re.compile(r"^(\w+): (.+(?:\n {4}.+)*)", re.MULTILINE)


class Described(NamedTuple):
    """A class of parts: what it is, the type and the meaning of each field, an example, and its schemes."""

    summary: str
    fields: dict[str, tuple[str, str]]
    example: str
    schemes: tuple[str, ...]


def described(kind: type[Parts]) -> Described:
    """Return what the docstrings and annotations of a class of parts and of its bases say."""
    fields: dict[str, tuple[str, str]] = {}
    for base in reversed(kind.__mro__):
        text = inspect.cleandoc(vars(base).get("__doc__") or "")
        found = _ATTRIBUTES.search(text) if issubclass(base, Parts) else None
        for name, said in _ONE.findall(inspect.cleandoc(found[1]) if found else ""):
            fields[name] = str(inspect.get_annotations(base)[name]), " ".join(said.split())
    text = inspect.getdoc(kind) or ""
    example = text.partition("\nExample:\n")[2]
    schemes = tuple([name for name in BUILT_IN if urlsm.handler(name).parts_type is kind])
    return Described(text.partition("\n")[0], {name: fields[name] for name in kind._fields}, example, schemes)


def rules(scheme: str) -> dict[str, str]:
    """Return the codes and messages of the rules that only this scheme's handler has."""
    return dict(urlsm.handler(scheme).rules)


def families() -> dict[str, list[str]]:
    """Return the schemes of each family, by the folder of their handlers; "rows" are those of a table."""
    found: dict[str, list[str]] = {}
    for name, place in BUILT_IN.items():
        found.setdefault(re.split("[.:]", place)[0], []).append(name)
    return found
