"""tools/stub_docs.py: the docstrings of the sources stand in a wheel's stubs, where editors look for them."""

from __future__ import annotations

import ast
import importlib
import inspect
import pathlib
import re
import runpy

import pytest

import urlsm

PACKAGE = pathlib.Path(urlsm.__file__).parent
TOOL = pathlib.Path(__file__).parents[1] / "tools/stub_docs.py"
STUBS = sorted(path.relative_to(PACKAGE.parent).as_posix() for path in PACKAGE.rglob("*.pyi"))
pytestmark = pytest.mark.skipif(not TOOL.exists() or not (PACKAGE / "_core.pyx").exists(), reason="needs the sources")


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> pathlib.Path:
    """A folder with the stubs, into which the tool has written."""
    folder = tmp_path_factory.mktemp("stubs")
    for name in STUBS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text((PACKAGE.parent / name).read_text(encoding="utf-8"), encoding="utf-8")
    assert runpy.run_path(str(TOOL))["write"](folder, PACKAGE.parent) > 20
    assert runpy.run_path(str(TOOL))["write"](folder, PACKAGE.parent) == 0  # a second time changes nothing
    return folder


def told(thing: object) -> str:
    """Return a docstring, without the signature that Cython writes before it."""
    return re.sub(r"(?s)\A.*?\n--\n\n", "", inspect.cleandoc(thing.__doc__ or "")).strip()


@pytest.mark.parametrize("name", STUBS)
def test_each_function_and_class_of_a_module_has_its_docstring(written, name):
    if name == "urlsm/_words.pyi":
        return  # types alone, without a module
    module = importlib.import_module(re.sub(r"(/__init__)?\.pyi$", "", name).replace("/", "."))
    before = (PACKAGE.parent / name).read_text(encoding="utf-8")
    seen = set()
    for node in ast.parse((written / name).read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name in seen:
            continue  # of overloads, the first has it
        seen.add(node.name)
        thing = vars(module).get(node.name)
        if thing is not None and told(thing) and getattr(thing, "__module__", None) == module.__name__:
            assert inspect.cleandoc(ast.get_docstring(node) or "") == inspect.cleandoc(told(thing)), node.name
    assert [ast.unparse(node) for node in stripped(before)] == [
        ast.unparse(node) for node in stripped((written / name).read_text(encoding="utf-8"))
    ]


def stripped(text: str) -> list[ast.stmt]:
    """Return the statements of a stub without docstrings and "..."."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.body = [
                each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ] or [ast.Pass()]
    return tree.body
