"""Columns by several threads: the same answers, in any number of threads, before and after fork, at the interpreter's
end, and where a thread fails."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
import weakref

import pytest
from support.generate import random_case

import urlsm.columns as uc
from urlsm.columns import pool
from urlsm.columns.names import LISTED
from urlsm.columns.work import column_of_lines

LINES = b"\n".join(b"http://h%d.example/p%d?q=%d" % (k % 97, k, k) for k in range(20_000))
FIELDS = tuple(name for name in uc.FIELDS if name not in LISTED)


def test_any_number_of_threads_gives_the_same_octets():
    pa = pytest.importorskip("pyarrow", minversion="16")
    chosen = random.Random(4)
    texts = [None if chosen.random() < 0.05 else random_case(chosen)[0] for _ in range(3000)]
    column = pa.array([text and text.encode("utf-8", "replace").decode() for text in texts])
    for text in ("string", "large_string", "view"):
        expected = pa.array(uc.parse(column, FIELDS, layout=text))
        for threads in (2, 3, 7, 256):
            made = pa.array(uc.parse(column, FIELDS, layout=text, threads=threads))
            made.validate(full=True)
            assert made.equals(expected) if text != "view" else made.to_pylist() == expected.to_pylist()


def test_the_threads_stay():
    column = column_of_lines(LINES)
    uc.host(column, threads=2)
    before = {*threading.enumerate()}
    for _ in range(20):
        uc.host(column, threads=2)
    ours = {thread for thread in threading.enumerate() if thread.name.startswith("urlsm.columns")}
    assert 0 < len(ours) <= (os.cpu_count() or 1)
    assert {*threading.enumerate()} <= before | ours


def test_several_callers_at_once():
    column = column_of_lines(LINES)
    expected = uc.host(column).to_pylist()
    wrong = []

    def work() -> None:
        for _ in range(10):
            if uc.host(column, threads=3).to_pylist() != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong and not any(thread.is_alive() for thread in threads)


def test_a_caller_does_not_wait_for_threads_that_are_busy():
    free = threading.Event()
    pool._call(free.wait, 2 * (os.cpu_count() or 1))
    try:
        assert len(uc.host(column_of_lines(LINES), threads=4)) == 20_000
    finally:
        free.set()


def test_threads_that_come_late_hold_no_column():
    """Nor do those that have not yet begun when all is done: the work, which has the column, is freed at once."""

    class Work:
        def part(self, number: int) -> None:
            pass

        def leave_off(self) -> None:
            pass

    free, work = threading.Event(), Work()
    pool._call(free.wait, 2 * (os.cpu_count() or 1))
    try:
        pool.each(work.part, 4, work.leave_off)
        gone = weakref.ref(work)
        del work
        assert gone() is None
    finally:
        free.set()


def test_the_first_error_of_any_thread_is_raised_when_all_have_ended():
    ended = []
    stopped = threading.Event()

    def work(number: int) -> None:
        if number == 3:
            raise LookupError(number)
        stopped.wait(20)
        ended.append(number)

    with pytest.raises(LookupError, match="3"):
        # the other threads, and this one, wait until the one that fails has said so
        pool.each(lambda number: work(number if number else 3), 2, stopped.set)
    assert ended == [1]
    assert pool.each(ended.append, 3, stopped.set) is None and sorted(ended) == [0, 1, 1, 2]


def test_a_malformed_part_is_an_error_in_any_thread():
    pa = pytest.importorskip("pyarrow", minversion="16")
    good = pa.array(["http://host.example/a/long/path"] * 2000, pa.string_view())
    views = bytearray(good.buffers()[1])
    views[1990 * 16 + 12 : 1990 * 16 + 16] = (1 << 30).to_bytes(4, sys.byteorder)  # leaves its buffer
    bad = pa.Array.from_buffers(good.type, 2000, [None, pa.py_buffer(views), *good.buffers()[2:]])
    for threads in (1, 2, 5):
        with pytest.raises(ValueError, match="buffers"):
            uc.host(bad, threads=threads)
    assert uc.host(good, threads=2).null_count == 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_an_interrupt_ends_a_call():
    column = column_of_lines(b"\n".join([b"http://h%d.example/a/../b c" % (k % 97) for k in range(1000)] * 3000))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(3):
            began = time.thread_time()
            with pytest.raises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.02)
                while time.thread_time() < began + 60:
                    uc.parse(column, FIELDS, threads=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert uc.host(column_of_lines(LINES), threads=2).null_count == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_before_and_after_fork_in_parent_and_child():
    column = column_of_lines(LINES)
    expected = uc.host(column, threads=2).to_pylist()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            forgotten = pool._threads is None
            right = uc.host(column, threads=2).to_pylist() == expected == uc.host(column, threads=5).to_pylist()
            code = 0 if forgotten and right and pool._threads is not None else 2
        finally:
            os._exit(code)
    assert uc.host(column, threads=2).to_pylist() == expected
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


SCRIPT = """
import atexit, threading, time
import urlsm.columns as uc
from urlsm.columns.work import column_of_lines
column = column_of_lines(b"http://host.example/a/../b?c\\n" * 200_000)
def late():
    print(len(uc.parse(column, threads=2)), len(uc.host(column, threads=3)), flush=True)
"""
ENDS = {
    "atexit": "uc.host(column, threads=2); atexit.register(late)",
    "atexit, no thread before": "atexit.register(late)",
    "a thread that is waited for": "threading.Thread(target=lambda: (time.sleep(0.1), late())).start()",
    "a daemon": "late(); threading.Thread(target=lambda: [uc.parse(column, threads=2) for _ in range(99)], "
    "daemon=True).start(); time.sleep(0.05)",
}


@pytest.mark.parametrize("end", ENDS)
def test_at_the_interpreter_s_end(end):
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT + ENDS[end]], capture_output=True, text=True, timeout=300, check=False
    )
    assert (run.returncode, run.stdout) == (0, "200000 200000\n"), run.stderr
    assert not run.stderr
