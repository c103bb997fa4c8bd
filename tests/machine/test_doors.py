"""There is one door to the machine: read."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

import urlsm

PACKAGE = pathlib.Path(urlsm.get_include())
ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMED = re.compile(r"^from urlsm\.machine(?:\.(?:driver|reading|lanes))? cimport (\([^)]*\)|.*)", re.MULTILINE)
DOORS = {"read", "read_by_machine", "read_component", "read_on"}
BEHIND = {"LANES", "Lane", "NO_LANE", "enter", "lane", "prepare", "run"}
OTHERS = {  # who names another door than read
    "components/value.pyx": {"read", "read_on"},  # with a log
    "url/parser.pyx": {"read", "read_on"},  # on a base, with a log
    "url/edit.pyx": {"read_component"},  # the URL Standard's state override
    "patterns/hosts.pyx": {"lane"},  # is all of a text a plain host? No reading is wanted
    "url/value.pyx": {"lane", "read"},  # can_parse calls the lane directly, which saves a tenth of its time
}
SETUP = """
import urlsm
from Cython.Build import cythonize
from setuptools import Extension, setup

setup(ext_modules=cythonize([Extension("page", ["page.pyx"], include_dirs=[urlsm.get_include()])]))
"""
CHECK = """
from page import host_of
assert host_of(b"https://ex.com/a?b#c") == host_of(b"http://ex.com") == b"ex.com"
assert host_of(b"http://me@Ex.com:80/") == b"Ex.com"
assert host_of(b"http://a b/", browser=False) == b"a b"
assert host_of(b"mailto:me@ex.com") is host_of(b"no scheme") is None
"""


def doors_named() -> dict[str, set[str]]:
    """Return the doors, and the functions behind them, that each file outside machine/ uses."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.p[xy][dix]")):
        where = path.relative_to(PACKAGE).as_posix()
        names = set(re.findall(r"\w+", " ".join(NAMED.findall(path.read_text(encoding="utf-8"))))) & (DOORS | BEHIND)
        if names and not where.startswith("machine/"):
            found[where] = names
    return found


@pytest.mark.skipif(not (PACKAGE / "url/value.pyx").exists(), reason="no sources")
def test_callers_outside_the_machine_name_one_door():
    named = doors_named()
    assert {where: names for where, names in named.items() if names != {"read"}} == OTHERS
    assert len(named) > 8


@pytest.mark.slow(20)
def test_the_module_of_the_page_builds_and_answers(tmp_path):
    pytest.importorskip("Cython")
    [page] = re.findall("```cython\n(.*?)```", (ROOT / "docs/cython.md").read_text(encoding="utf-8"), re.DOTALL)
    for name, code in (("page", page), ("setup", SETUP)):
        (tmp_path / f"{name}.{'py' if name == 'setup' else 'pyx'}").write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    for arguments in (["setup.py", "-q", "build_ext", "--inplace"], ["-c", CHECK]):
        subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=environment, check=True)
