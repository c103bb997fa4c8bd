"""Memory that columns have freed is kept for the next ones: at most 64 MiB, of any thread, until its release."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import threading

import pytest
from support.times import SANITIZED

import urlsm.columns as uc
from urlsm.columns.work import column_of_lines

pytestmark = pytest.mark.slow(12)
MOST = 64 << 20
LINES = [b"http://host%d.example/path/%d?q=%d#f" % (k % 977, k, k) for k in range(60_000)]


def lines(rows: int) -> uc.Array:
    return column_of_lines(b"\n".join((LINES * (rows // len(LINES) + 1))[:rows]))


@pytest.fixture(autouse=True)
def released():
    gc.collect()
    uc.release_memory()
    yield
    uc.release_memory()


def test_what_is_freed_is_kept_and_released():
    column = lines(50_000)
    made = uc.parse(column, layout="string")
    first = uc.release_memory()
    del made
    kept = uc.release_memory()
    assert 50_000 * 5 * 4 < kept <= MOST
    assert first < kept
    assert uc.release_memory() == 0


def test_at_most_64_mib_is_kept():
    column = lines(300_000)
    made = [uc.parse(column, layout=text) for text in ("string", "large_string", "view", "string")]
    del made
    assert MOST // 2 < uc.release_memory() <= MOST


@pytest.mark.skipif(sys.platform != "linux", reason="blocks are the system's pages")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer has pages of its own")
def test_batches_use_the_pages_of_those_before():
    """A few kinds of batches in turn, whose first rows do not predict the length of later fields."""
    import resource

    long, short = b"http://a.example/%s?%s" % (b"p" * 40, b"q" * 60), b"http://a.example/"
    halves = [b"\n".join([first] * 8_000 + [then] * 24_000) for first, then in ((long, short), (short, long))]
    columns = [column_of_lines(half) for half in halves] * 2

    def faults() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for column in columns * 5:
            uc.parse(column, layout="string")
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    faults()
    faults()
    assert min(faults() for _ in range(3)) < 5 * len(columns)


def test_a_column_does_not_change_while_others_come_and_go():
    """Answers of many sizes, which reuse each other's memory: each stays unchanged."""
    chosen = random.Random(21)
    whole = lines(60_000)
    expected = {text: uc.parse(whole, layout=text).to_pylist() for text in ("string", "view")}
    held = []
    for _ in range(40):
        rows, text = chosen.choice((300, 5_000, 20_000, 60_000)), chosen.choice(("string", "view"))
        held.append((rows, text, uc.parse(lines(rows), layout=text, threads=chosen.choice((1, 2, 5)))))
        if len(held) > 6:
            rows, text, made = held.pop(chosen.randrange(len(held)))
            assert made.to_pylist() == expected[text][:rows]
            if chosen.random() < 0.2:
                uc.release_memory()
    for rows, text, made in held:
        assert made.to_pylist() == expected[text][:rows]


def test_consumers_free_in_other_threads_at_once():
    pa = pytest.importorskip("pyarrow", minversion="16")
    column = lines(60_000)
    expected = uc.host(column, layout="string").to_pylist()
    wrong = []

    def work() -> None:
        for _ in range(12):
            made = pa.array(uc.parse(column, ("host", "path"), layout="string"))
            if made.field("host").to_pylist() != expected:
                wrong.append(made)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        assert 0 <= uc.release_memory() <= MOST
    for thread in threads:
        thread.join()
    assert not wrong
    gc.collect()
    assert 0 <= uc.release_memory() <= MOST


FREED_LATE = """
import ctypes, sys
import urlsm.columns as uc
from urlsm.columns.work import column_of_lines
class Array(ctypes.Structure): pass
Array._fields_ = [(name, ctypes.c_int64) for name in ("length", "nulls", "offset", "buffers", "children")] + [
    (name, ctypes.c_void_p) for name in ("p", "c", "dictionary", "release", "data")]
column = column_of_lines(b"http://a.example/b?c#d\\n" * 200_000)
_, capsule = uc.parse(column, layout="string").__arrow_c_array__()
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
given = Array.from_address(pointer(capsule, b"arrow_array"))
moved = Array()
ctypes.memmove(ctypes.byref(moved), ctypes.byref(given), ctypes.sizeof(Array))
given.release = None
# C's own end of the process, behind the interpreter's: release(&moved)
libc = ctypes.CDLL(None)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(moved))
at_end = libc.__cxa_atexit
at_end.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
assert at_end(moved.release, ctypes.addressof(moved), None) == 0
print("registered", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="__cxa_atexit of glibc")
def test_a_consumer_frees_after_the_interpreter_s_end():
    run = subprocess.run([sys.executable, "-c", FREED_LATE], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "registered\n"), run.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_has_memory_of_its_own():
    column = lines(60_000)
    expected = uc.host(column, layout="string").to_pylist()
    held = uc.parse(column, layout="string")
    uc.parse(column, layout="string")  # its memory is kept
    child = os.fork()
    if child == 0:
        code = 1
        try:
            made = uc.parse(column, layout="string")
            right = held.field("host").to_pylist() == made.field("host").to_pylist() == expected
            del made
            code = 0 if right and 0 < uc.release_memory() <= MOST else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert uc.parse(column, layout="string").field("host").to_pylist() == expected
    assert held.field("host").to_pylist() == expected
    assert uc.release_memory() > 0
