"""The docstrings of columns: an example that runs, and an entry for each parameter."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest

import urlsm.columns as uc

pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")
NAMES = [name for name in uc.__all__ if name != "FIELDS"]
METHODS = [(kind, name) for kind in (uc.Array, uc.ChunkedArray) for name in vars(kind) if name[0] != "_"]


def examples_of(found):
    [test] = doctest.DocTestFinder(recurse=False).find(found, "found", globs={})
    assert 1 <= len(test.examples) <= 4 and doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_functions_and_classes(name):
    found = getattr(uc, name)
    if name in ("registrable_domain", "public_suffix", "commoncrawl"):
        pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    examples_of(found)
    first, blank, *_ = (inspect.getdoc(found) or "").split("\n")
    assert first.endswith(".") and blank == ""
    if inspect.isfunction(found):
        entries = re.search(r"^Args:\n((?: .*\n)*)", inspect.getdoc(found), re.MULTILINE)[1]
        assert re.findall(r"^    (\w+): ", entries, re.MULTILINE) == [*inspect.signature(found).parameters]


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_methods(kind, name):
    found = inspect.getattr_static(kind, name)
    if callable(found):
        examples_of(found)
    else:
        assert inspect.getdoc(found) or name in ("schema", "chunks")
