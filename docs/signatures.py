"""For Sphinx: the signatures and types of compiled functions, from the stubs."""

from __future__ import annotations

import ast
import copy
import importlib.util
import re
from functools import cache
from pathlib import Path

import urlsm

ROOT = Path(urlsm.__file__).resolve().parents[1]  # the stubs are beside the installed modules


@cache
def _tree(module: str) -> ast.Module | None:
    """Return the stub of a module or package, its source if it has no stub, or None."""
    place = ROOT.joinpath(*module.split("."))
    for path in (place.with_suffix(".pyi"), place / "__init__.pyi"):
        if path.is_file():
            return ast.parse(path.read_text(encoding="utf-8"))
    try:
        return source(module)
    except (ImportError, FileNotFoundError):
        return None


def nodes(dotted: str) -> list[ast.stmt]:
    """Return the definitions of a public name in the stubs, such as urlsm.URL.join; several for overloads."""
    names = dotted.split(".")
    for end in range(len(names) - 1, 0, -1):
        tree = _tree(".".join(names[:end]))
        if tree is not None:
            return _inside(tree, names[end:], ".".join(names[:end]))
    return []


def _inside(tree: ast.Module | ast.ClassDef, names: list[str], module: str) -> list[ast.stmt]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module != module:  # a package imports its own modules
            for alias in node.names:
                if (alias.asname or alias.name) == names[0] and node.module:
                    return nodes(".".join([node.module, alias.name, *names[1:]]))
    found = [node for node in tree.body if getattr(node, "name", None) == names[0]]
    if len(names) > 1:
        return _inside(found[0], names[1:], module) if found and isinstance(found[0], ast.ClassDef) else []
    return found


@cache
def source(module: str) -> ast.Module:
    """Return the syntax tree of a module's source; of a compiled module's stub."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(module)
    path = Path(found.origin)
    if path.suffix != ".py":
        path = path.with_name(module.rpartition(".")[2] + ".pyi")
    return ast.parse(path.read_text(encoding="utf-8"))


def _shown(node: ast.AST) -> str:
    return re.sub(r"\b_(?=[A-Z])", "", ast.unparse(node))


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _functions(dotted: str) -> list[ast.FunctionDef]:
    found: list[ast.stmt] = nodes(dotted)
    if found and isinstance(found[0], ast.ClassDef):
        found = [node for node in found[0].body if getattr(node, "name", "") in ("__new__", "__init__")]
    return [node for node in found if isinstance(node, ast.FunctionDef)]


def signature(dotted: str) -> tuple[str, str | None] | None:
    """The arguments and what is returned, with types; of overloads, that which says least of literal values, and what
    others of the same result take."""
    functions = _functions(dotted)
    if not functions:
        return None
    least = min(ast.unparse(function).count("Literal") for function in functions)
    *others, node = (copy.deepcopy(node) for node in functions if ast.unparse(node).count("Literal") == least)
    for other in others:
        if other.returns is None or node.returns is None or _shown(other.returns) != _shown(node.returns):
            node = other  # the first
            break
        for one, same in zip(_arguments(node), _arguments(other), strict=False):
            if one.annotation and same.annotation and _shown(one.annotation) != _shown(same.annotation):
                both = f"{_shown(same.annotation)} | {_shown(one.annotation)}"
                one.annotation = ast.parse(both, mode="eval").body
    taken = [*node.args.posonlyargs, *node.args.args]
    if taken and taken[0].arg in ("self", "cls"):
        (node.args.posonlyargs or node.args.args).pop(0)
    returned = None if node.name in ("__new__", "__init__") or node.returns is None else _shown(node.returns)
    return f"({_shown(node.args)})", returned


def type_of(dotted: str) -> str | None:
    """Return the type of an attribute."""
    for node in nodes(dotted):
        if isinstance(node, ast.FunctionDef) and node.returns is not None and node.decorator_list:
            return _shown(node.returns)
    return None


def process_signature(app, what, name, obj, options, given, returned):
    """Sphinx's event autodoc-process-signature."""
    if what == "class" and given is None:  # Sphinx has no signature to replace
        return None
    return signature(name) if what in ("function", "method", "class") else None


def parameters(dotted: str) -> dict[str, str]:
    """Return the parameters of a function, method or class, each with its type."""
    found: dict[str, str] = {}
    for node in _functions(dotted):
        every = [*_arguments(node), *(one for one in (node.args.vararg, node.args.kwarg) if one)]
        for one in every:
            if one.arg not in ("self", "cls"):
                found.setdefault(one.arg, _shown(one.annotation) if one.annotation else "")
    return found


def entries(lines: list[str], dotted: str) -> list[str]:
    """Return the lines of a docstring, in which each parameter has an entry under "Args:": those that the docstring
    leaves out are listed with their types."""
    given = parameters(dotted)
    if not given:
        return lines
    begin = next((k for k, line in enumerate(lines) if line.strip() == "Args:"), None)
    if begin is None:
        return [*lines, "", "Args:", *_listed(given)]
    end = next((k for k in range(begin + 1, len(lines)) if lines[k] and not lines[k].startswith(" ")), len(lines))
    while not lines[end - 1].strip():
        end -= 1
    told = {name.strip("* ") for line in lines[begin:end] for name in documented(line)}
    return [*lines[:end], *_listed({name: kind for name, kind in given.items() if name not in told}), *lines[end:]]


def documented(line: str) -> list[str]:
    """Return the parameters that an entry of "Args:" is about."""
    found = re.match(r" {4}([\w*]+(?: \([^)]*\))?(?:, [\w*]+)*): ", line + " ")
    return [name.partition(" (")[0].lstrip("*") for name in found[1].split(", ")] if found else []


def _listed(given: dict[str, str]) -> list[str]:
    return [f"    {name} ({kind}):" if kind else f"    {name}:" for name, kind in given.items()]


def docstring(text: str, dotted: str) -> list[str]:
    """Return a docstring as lines of reStructuredText, for what autodoc cannot import; without Sphinx, as it is."""
    process_docstring(None, "function", dotted, None, None, lines := text.splitlines())
    try:
        from sphinx.ext.napoleon import Config, GoogleDocstring
    except ImportError:
        return lines
    return str(GoogleDocstring(lines, Config(napoleon_numpy_docstring=False), what="function")).splitlines()


_CODE = re.compile(r"(``.+?``|`[^`]+`)")
_MARKUP = re.compile(r"[\\*|]|(?<=\w)_(?!\w)")  # what reStructuredText takes for markup


def plain(lines: list[str]) -> list[str]:
    """Return lines of plain text, with code in backquotes, as reStructuredText; examples stay as they are."""
    made, example = [], False
    for line in lines:
        example = line.lstrip().startswith(">>> ") or (example and bool(line.strip()))
        parts = [line] if example else _CODE.split(line)
        made.append(
            "".join(
                part if example else f"``{part.strip('`')}``" if k % 2 else _MARKUP.sub(r"\\\g<0>", part)
                for k, part in enumerate(parts)
            )
        )
    return made


def process_docstring(app, what, name, obj, options, lines):
    """Sphinx's event autodoc-process-docstring. Docstrings are plain text: a "*" in them is one. That of an attribute
    begins with its type, or napoleon would take what precedes a colon for it."""
    lines[:] = plain(entries(lines, name))
    if what in ("attribute", "property") and lines:
        lines[0] = f"{type_of(name) or 'object'}: {lines[0]}"


def setup(app):
    app.connect("autodoc-process-signature", process_signature)
    app.connect("autodoc-process-docstring", process_docstring, priority=100)
