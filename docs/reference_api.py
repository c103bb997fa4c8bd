"""The API pages, one for each public module: the names in `__all__`, with types from the stubs."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import signatures
from reference_text import code, prose, sentence, table

# the public modules, in the order of the pages; tests/docs/test_reference.py compares them with urlsm
MODULES = (
    *("urlsm", "urlsm.domains", "urlsm.documents", "urlsm.security", "urlsm.guard", "urlsm.patterns", "urlsm.server"),
    "urlsm.formats",
    *("urlsm.crawler", "urlsm.columns", "urlsm.engines.polars", "urlsm.engines.pandas", "urlsm.engines.dask"),
    *("urlsm.engines.duckdb", "urlsm.engines.spark", "urlsm.schemes", "urlsm.testing", "urlsm.whatwg", "urlsm.stdlib"),
    *("urlsm.compat", "urlsm.compat.w3lib", "urlsm.compat.surt", "urlsm.compat.protego", "urlsm.compat.scrapy"),
    *("urlsm.compat.pydantic", "urlsm.compat.starlette", "urlsm.compat.django", "urlsm.compat.werkzeug"),
    *("urlsm.logging", "urlsm.pictures", "urlsm.about"),
)


def modules() -> list[str]:
    """Return the public modules that exist."""
    return [name for name in MODULES if name == "urlsm" or importlib.util.find_spec(name) is not None]


def names(module: str) -> list[str]:
    """Return the public names of a module, even if a library that it needs is not installed."""
    tree = signatures.source(module)
    try:
        found = importlib.import_module(module)
    except ImportError:
        found = None
    if found is not None and hasattr(found, "__all__"):
        return [name for name in found.__all__ if not name.startswith("_")]
    for node in tree.body:
        if isinstance(node, ast.Assign) and [getattr(target, "id", "") for target in node.targets] == ["__all__"]:
            return [name for name in ast.literal_eval(node.value) if not name.startswith("_")]
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in tree.body if isinstance(node, defined) and not node.name.startswith("_")]


def public() -> Iterator[tuple[str, str]]:
    """Yield the module and the name of every public object."""
    for module in modules():
        for name in names(module):
            yield module, name


def found(dotted: str) -> Any:
    """Return the object of a public name, or None if it needs a library that is not installed."""
    module, _, name = dotted.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError:
        return None


@cache
def _homes() -> dict[int, str]:
    """Return the first public name of each object."""
    homes: dict[int, str] = {}
    for module, name in public():
        value = found(f"{module}.{name}")
        if callable(value):
            homes.setdefault(id(value), f"{module}.{name}")
    return homes


def members(kind: type) -> list[str]:
    """Return the public attributes and methods that a class of urlsm adds, except the fields of a tuple
    and the attributes that its docstring lists."""
    fields = set(getattr(kind, "_fields", ()) if issubclass(kind, tuple) else ())
    fields |= set(re.findall(r"^ {4,}(\w+)(?: \([^)]*\))?: ", (kind.__doc__ or "").partition("Attributes:")[2], re.M))
    added: dict[str, None] = {}
    for base in kind.__mro__:
        if base.__module__.startswith("urlsm"):
            told = [name for name, value in vars(base).items() if not name.startswith("_") and value.__doc__]
            added |= dict.fromkeys(told)
    return [name for name in added if name not in fields and hasattr(kind, name)]


def doc(module: str, name: str) -> str:
    """Return the docstring of a public name."""
    value = found(f"{module}.{name}")
    if value is None:
        return next((said for node in signatures.nodes(f"{module}.{name}") if (said := ast.get_docstring(node))), "")
    return (inspect.getdoc(value) or "") if callable(value) else ""


def directive(module: str, name: str) -> str:
    """Return the directive with which Sphinx writes the entry for a name."""
    dotted = f"{module}.{name}"
    value = found(dotted)
    if value is None:
        return static(dotted)
    home = _homes().get(id(value), dotted)
    if home != dotted:
        return f".. py:attribute:: {dotted}\n\n   ``{home}``.\n"
    if isinstance(value, type):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
        listed = members(value)
        return f".. {kind}:: {dotted}\n" + (f"   :members: {', '.join(listed)}\n" if listed else "")
    if callable(value):
        return f".. autofunction:: {dotted}\n"
    shown = repr(value)
    end = f"\n   {code(shown).replace('`', '``')}\n" if len(shown) <= 60 and "`" not in shown else ""
    return f".. py:data:: {dotted}\n   :type: {type(value).__name__}\n{end}"


def static(dotted: str, indent: str = "") -> str:
    """Return the entry for a name that cannot be imported here because it needs a library that is not installed."""
    nodes = signatures.nodes(dotted)
    is_class = bool(nodes) and isinstance(nodes[0], ast.ClassDef)
    kind = "class" if is_class else "method" if indent else "function"
    given, returned = signatures.signature(dotted) or ("()", None)
    text = next((said for node in nodes if (said := ast.get_docstring(node))), "")
    body = "".join(f"{indent}   {line}\n" if line else "\n" for line in signatures.docstring(text, dotted))
    made = f"{indent}.. py:{kind}:: {dotted}{given}{f' -> {returned}' if returned else ''}\n\n{body}\n"
    for node in nodes[0].body if is_class else ():
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            made += static(f"{dotted}.{node.name}", "   ")
    return made


def page(module: str) -> str:
    """Return the page for a module."""
    try:
        said = importlib.import_module(module).__doc__
    except ImportError:
        said = ast.get_docstring(signatures.source(module))
    text = f"# {module}\n\n{prose(sentence(said))}\n"
    every = names(module)
    rows = [(f"[{code(name)}](#{module}.{name})", prose(sentence(doc(module, name)))) for name in every]
    text += "\n" + table(("name", "what it does"), rows)
    for name in every:
        text += f"\n## {name}\n\n```{{eval-rst}}\n{directive(module, name)}```\n"
    return text


def pages() -> dict[str, str]:
    """Return all API pages, by file."""
    made = {f"api/{module}.md": page(module) for module in modules()}
    rows = [(f"[{code(module)}](api/{module}.md)", prose(_of(module))) for module in modules()]
    entries = "".join(f"api/{module}\n" for module in modules())
    made["api.md"] = (
        "# API by module\n\nEvery public class and function, with the type and the meaning of each parameter.\n\n"
        f"{table(('module', 'what it is for'), rows)}\n"
        f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{entries}../browser\n../cython\n```\n"
    )
    return made


def _of(module: str) -> str:
    try:
        return sentence(importlib.import_module(module).__doc__)
    except ImportError:
        return sentence(ast.get_docstring(signatures.source(module)))
