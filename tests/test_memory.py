"""Where memory runs out, every function raises MemoryError or returns the right answer; nothing crashes."""

from __future__ import annotations

import ast
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from support import calls

import urlsm
from urlsm.schemes.built_in import BUILT_IN

ROOT = pathlib.Path(urlsm.__file__).parents[1]
SOURCES = sorted(path for kind in ("pyx", "pxd", "pxi") for path in ROOT.glob(f"urlsm/**/*.{kind}"))
SCRIPT = pathlib.Path(calls.__file__).with_name("memory.py")


# --- what Cython cannot do where memory runs out --------------------------------------------------

LITERAL = re.compile(r"""(?s)\"\"\".*?\"\"\"|'''.*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*""")
EXCEPT = re.compile(r"except\b")
LEAVES = re.compile(r"(?:^|[:;])\s*(?:return|break|continue)\b|^except\b[^:]*\bas\s+\w+\s*:")


def departures(source: str) -> list[tuple[int, str]]:
    """Return the lines of Cython source that leave an except clause by return, break or continue, or bind the
    exception.

    (It also rejects a break or continue of a loop within the clause.)
    """
    blank = LITERAL.sub(lambda match: "x" + "\n" * match[0].count("\n"), source)  # words of a literal do not count
    found: list[tuple[int, str]] = []
    clause: int | None = None  # the indentation of the except clause that the line stands in
    statement, depth = "", 0  # a logical line so far, and its open brackets
    for number, line in enumerate(blank.split("\n"), 1):
        if not statement:
            indent = len(line) - len(line.lstrip())
        statement = f"{statement} {line.strip()}".strip()
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if not statement or depth or line.endswith("\\"):
            continue
        if clause is not None and indent <= clause:
            clause = None
        if clause is None and EXCEPT.match(statement):
            clause = indent
        if clause is not None and LEAVES.search(statement):
            found.append((number, statement))
        statement = ""
    return found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("try:\n    return f()\nexcept X:\n    return y\n", [4]),
        ("for x in y:\n    try:\n        f()\n    except (X,\n            Y):\n        continue\n", [6]),
        ("try:\n    f()\nexcept X: return y\n", [3]),
        ("try:\n    f()\nexcept X:\n    if y:\n        z = 1; break\n", [5]),
        ("try:\n    f()\nexcept X:\n    if y: break\n    return (1,\n 2)\nreturn 3\n", [4, 6]),
        ("try:\n    f()\nexcept X as error:\n    y = 1\n", [3]),
        ("try:\n    f()\nexcept X:\n    y = 1  # return\nelse:\n    return y\n", []),
        ('try:\n    f()\nexcept X:\n    """\nreturn\n"""\n    y = "return"; returned = 1\nreturn y\n', []),
        ("cdef int f() except -1:\n    return 1\n", []),
        ("cdef int f(\n    int x) except -1 nogil:\n    return 1\n", []),
    ],
)
def test_departures_are_found(body: str, found: list[int]) -> None:
    assert [number for number, _ in departures(body)] == found


@pytest.mark.skipif(not SOURCES, reason="installed without its sources: see the wheel's own files")
def test_no_except_clause_is_left_by_return_break_or_continue() -> None:
    """Cython's code for those dereferences the exception, like "as error"; after MemoryError the interpreter may have
    lost it. Assign in the clause, and leave after it."""
    found = {str(path.relative_to(ROOT)): departures(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path: lines for path, lines in found.items() if lines} == {}


# --- an allocation that fails ----------------------------------------------------------------------


def run(*arguments: str, debugger: tuple[str, ...] = ()) -> str:
    """Return the script's output. The same hashes each time make the same number of allocations."""
    return subprocess.run(
        [*debugger, sys.executable, str(SCRIPT), *arguments],
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=1200,
    ).stdout


def native_trace(area: str, name: str, place: str) -> list[str]:
    """Return the frames of a crash, innermost first; empty without gdb."""
    if shutil.which("gdb") is None:
        return []
    told = run(area, name, place, debugger=("gdb", "-q", "-batch", "-ex", "run", "-ex", "bt 30", "--args"))
    return re.findall(r"(?m)^#.*", told)


@functools.cache
def problems(area: str) -> tuple[list[str], list[str]]:
    """Return what went wrong, and the crashes in the interpreter's own frames, with their traces."""
    ours, theirs = [], []
    for line in run(area).splitlines():
        crash = re.fullmatch(r"CRASH (.*) ([0-9]+): \w+", line)
        trace = native_trace(area, ast.literal_eval(crash[1]), crash[2]) if crash else []
        of_the_interpreter = trace and "urlsm" not in trace[0]
        (theirs if of_the_interpreter else ours).append("\n".join([line, *trace]))
    return ours, theirs


@pytest.mark.slow(40)
@pytest.mark.parametrize("area", calls.AREAS)
def test_an_allocation_that_fails(area: str) -> None:
    pytest.importorskip("_testcapi", reason="this interpreter has no _testcapi, which makes allocations fail")
    if not hasattr(os, "fork"):
        pytest.skip("needs os.fork")
    ours, theirs = problems(area)
    print("\n".join(theirs))  # the interpreter's own: listed, with their traces
    assert ours == []


def test_every_public_function_is_called() -> None:
    called = {area: " ".join(make()) for area, make in calls.AREAS.items()}
    errors = {"ParseError", "PluginError", "SchemeError", "UnsafeValue"}
    results = errors | {"Trace", "Violation"}
    others = {"__version__", "get_include", "unregister"}  # (register's call calls unregister)
    functions = set(urlsm.__all__) - results - others
    assert {name for name in functions if not re.search(rf"\b{name}\b", called["functions"])} == set()
    theirs = {name for name in urlsm.stdlib.__all__ if not isinstance(getattr(urlsm.stdlib, name), type)}
    assert {name for name in theirs if f"stdlib.{name}(" not in called["stdlib"]} == set()
    names = {name for name in vars(urlsm.URL) if name[0] != "_" and hasattr(urlsm.URL, name)}  # others are hints
    assert {name for name in names if f").{name}" not in called["values"]} == set()
    names = {name for name in vars(urlsm.QueryParams) if name[0] != "_" and hasattr(urlsm.QueryParams, name)}
    assert {name for name in names if f"s.{name}" not in called["values"]} == set()
    for kind in (urlsm.whatwg.URL, urlsm.whatwg.URLSearchParams):
        assert {name for name in vars(kind) if name[0] != "_" and f".{name}" not in called["whatwg"]} == set()
    built = re.findall(r"(\S+): build", called["handlers"])
    assert {BUILT_IN[name] for name in built} == {*BUILT_IN.values()}
