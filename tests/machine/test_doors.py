"""There is one door to the machine, read; and the older ones for third parties still work."""

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
DOORS = {"plain_or_prepare", "read", "read_by_machine", "read_component", "read_on"}
BEHIND = {"LANES", "Lane", "NO_LANE", "Plain", "enter", "lane", "prepare", "run", "run_authority"}
OTHERS = {  # who names another door than read
    "components/value.pyx": {"read", "read_on"},  # with a log
    "url/parser.pyx": {"read", "read_on"},  # on a base, with a log
    "url/edit.pyx": {"read_component"},  # the URL Standard's state override
    "patterns/hosts.pyx": {"lane"},  # is all of a text a plain host? No reading is wanted
    "url/value.pyx": {"lane", "read"},  # can_parse calls the lane directly, which saves a tenth of its time
}
OLDER = """
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine cimport ABSENT, HOST, Machine, RFC3986, WHATWG, dialect_at, prepare, run


def host_of(bytes text, bint browser=True):
    cdef Machine m
    cdef const uint8_t* p = text
    cdef uint32_t n = <uint32_t>len(text)
    cdef bint done
    with nogil:
        prepare(&m, p, n, dialect_at(WHATWG if browser else RFC3986))
        done = run(&m)
    if not done or m.spans[HOST].start == ABSENT:
        return None
    return text[m.spans[HOST].start:m.spans[HOST].end]
"""
FASTER = """
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine cimport ABSENT, HOST, MAX_LENGTH, Machine, Plain, RFC3986, WHATWG, dialect_at, plain_or_prepare, run


def host_of(bytes text, bint browser=True):
    cdef Machine m
    cdef Plain plain
    cdef const uint8_t* p = text
    cdef uint32_t n = <uint32_t>len(text)
    assert n <= MAX_LENGTH
    if plain_or_prepare(&m, p, n, dialect_at(WHATWG if browser else RFC3986), &plain):
        return text[plain.host_start:plain.host_end]
    if plain.scheme_end or not run(&m) or m.spans[HOST].start == ABSENT:
        return None
    return text[m.spans[HOST].start:m.spans[HOST].end]
"""
SETUP = """
import urlsm
from Cython.Build import cythonize
from setuptools import Extension, setup

modules = [Extension(name, [f"{name}.pyx"], include_dirs=[urlsm.get_include()]) for name in ("page", "older", "faster")]
setup(ext_modules=cythonize(modules))
"""
CHECK = """
import page, older, faster
for door in (page, older, faster):
    assert door.host_of(b"https://ex.com/a?b#c") == door.host_of(b"http://ex.com") == b"ex.com"
    assert door.host_of(b"http://me@Ex.com:80/") == b"Ex.com"
    assert door.host_of(b"http://a b/", browser=False) == b"a b"
    assert door.host_of(b"mailto:me@ex.com") is door.host_of(b"no scheme") is None
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


@pytest.mark.slow
def test_each_way_that_the_page_has_described_builds_and_answers(tmp_path):
    pytest.importorskip("Cython")
    [page] = re.findall("```cython\n(.*?)```", (ROOT / "docs/cython.md").read_text(encoding="utf-8"), re.DOTALL)
    for name, code in (("page", page), ("older", OLDER), ("faster", FASTER), ("setup", SETUP)):
        (tmp_path / f"{name}.{'py' if name == 'setup' else 'pyx'}").write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    for arguments in (["setup.py", "-q", "build_ext", "--inplace"], ["-c", CHECK]):
        subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=environment, check=True)
