"""For Sphinx: the signatures and types of compiled functions, from the stubs."""

from __future__ import annotations

import ast
import copy
import re
from functools import cache
from pathlib import Path

import urlsm

ROOT = Path(urlsm.__file__).resolve().parents[1]  # the stubs are beside the installed modules


@cache
def _tree(module: str) -> ast.Module | None:
    """Return the stub of a module or package, or None."""
    place = ROOT.joinpath(*module.split("."))
    for path in (place.with_suffix(".pyi"), place / "__init__.pyi"):
        if path.is_file():
            return ast.parse(path.read_text(encoding="utf-8"))
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


def _shown(node: ast.AST) -> str:
    return re.sub(r"\b_(?=[A-Z])", "", ast.unparse(node))


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def signature(dotted: str) -> tuple[str, str | None] | None:
    """The arguments and what is returned, with types; of overloads, that which says least of literal values, and what
    others of the same result take."""
    found = nodes(dotted)
    if found and isinstance(found[0], ast.ClassDef):
        made = [node for node in found[0].body if getattr(node, "name", "") in ("__new__", "__init__")]
        found = made
    functions = [node for node in found if isinstance(node, ast.FunctionDef)]
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


_ERROR = re.compile(r"[A-Z]\w*Error")
_BEGINNING = re.compile(r"(?:^|(?<=[.?] ))((?:\w+, )*\w+)(?=: )")


def entries(lines: list[str], dotted: str) -> list[str]:
    """Return the lines of a docstring, with a line for each argument and each error, as napoleon reads them."""
    arguments = {one.arg for node in nodes(dotted) if isinstance(node, ast.FunctionDef) for one in _arguments(node)}
    made: list[str] = []
    at = 0
    while at < len(lines):
        made.append(lines[at])
        at += 1
        if made[-1] in ("Args:", "Raises:"):
            end = next((k for k in range(at, len(lines)) if not lines[k].startswith(" ")), len(lines))
            text = " ".join(line.strip() for line in lines[at:end])
            found = [0]
            for place in _BEGINNING.finditer(text):
                names = place[1].split(", ")
                if all(_ERROR.fullmatch(name) if made[-1] == "Raises:" else name in arguments for name in names):
                    found.append(place.start())
            made += [
                f"    {text[one:other].strip()}"
                for one, other in zip(found, [*found[1:], None], strict=True)
                if text[one:other]
            ]
            at = end
    return made


def process_docstring(app, what, name, obj, options, lines):
    """Sphinx's event autodoc-process-docstring. Docstrings are plain text: a "*" in them is one. That of an attribute
    begins with its type, or napoleon would take what precedes a colon for it."""
    lines[:] = [line.replace("*", r"\*") for line in entries(lines, name)]
    if what in ("attribute", "property") and lines:
        lines[0] = f"{type_of(name) or 'object'}: {lines[0]}"


def setup(app):
    app.connect("autodoc-process-signature", process_signature)
    app.connect("autodoc-process-docstring", process_docstring, priority=100)
