"""Calls with an allocation that fails, at each place of the call.

python memory.py AREA               each call of the area (support.calls.AREAS), its first 100 allocations: prints each
                                    answer that is neither a MemoryError nor the right one, and each crash
python memory.py AREA CALL PLACE    the allocations of one call up to that place, in this process: for a debugger

The calls run in a child, so that a crash ends only that: the next child goes on at the next place.
"""

from __future__ import annotations

import _testcapi
import faulthandler
import gc
import os
import pathlib
import re
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from support.calls import AREAS, told

PLACES = 100

# Since 3.11 the interpreter loses the current exception if memory runs out for the frame object of a
# Python function, also of one that lru_cache wraps: see interpreter_loses_exceptions.
LOST = re.compile(
    r"error return without exception set"
    r"|<(?:function|functools\._lru_cache_wrapper object) .*> returned NULL without setting an exception"
)


def answer(call: Callable[[], object]) -> object:
    try:
        return told(call())
    except MemoryError:
        raise
    except Exception as error:
        return told(error)


def fail_at(place: int, call: Callable[[], object]) -> tuple[object, BaseException | None, bool]:
    """Return the call's value, its exception, and whether it ended before the failing allocation (numbered from 0)."""
    value = error = spare = None
    _testcapi.set_nomemory(place, place + 1)
    try:
        value = call()
    except BaseException as caught:
        error = caught
    try:
        spare = [bytes(64) for _ in range(place + 2)]
    except MemoryError:
        too_late = True
    else:
        too_late = False
    _testcapi.remove_mem_hooks()
    del spare
    return value, error, too_late


def interpreter_loses_exceptions() -> bool:
    def fails() -> None:
        raise ValueError

    return any(type(fail_at(place, fails)[1]) is SystemError for place in range(10))


def attempts(name: str, call: Callable[[], object], places: range, reached: Callable[[int], object]) -> None:
    """Try these places, until one is past the end of the call. reached: called with each place before the attempt."""
    expected = answer(call)  # and warm
    loses = interpreter_loses_exceptions()
    for place in places:
        reached(place)
        value, error, too_late = fail_at(place, call)
        if too_late or type(error) is not MemoryError:
            found = told(value if error is None else error)
            lost = loses and type(error) is SystemError and LOST.fullmatch(str(error))
            if found != expected and not lost:
                print(f"WRONG {name!r} {place}: {found} instead of {expected}", flush=True)
        if too_late:
            break
    if answer(call) != expected:
        print(f"WRONG {name!r}: another answer ever after", flush=True)


def in_the_child(name: str, call: Callable[[], object], start: int, pipe: int) -> NoReturn:
    try:
        attempts(name, call, range(start, PLACES), lambda place: os.write(pipe, bytes([place])))
        os._exit(0)
    finally:
        os._exit(1)


def try_call(name: str, call: Callable[[], object]) -> None:
    start = 0
    while start < PLACES:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            in_the_child(name, call, start, write)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            reached = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        start = reached[-1] + 1 if reached and status else PLACES
        if status < 0:
            print(f"CRASH {name!r} {start - 1}: {signal.Signals(-status).name}", flush=True)
        elif status:
            print(f"WRONG {name!r} {start - 1}: the test itself failed", flush=True)


def main(area: str, *one: str) -> None:
    gc.disable()
    faulthandler.enable(all_threads=False)
    calls = AREAS[area]()
    if one:
        attempts(one[0], calls[one[0]], range(int(one[1]) + 1), bool)
    else:
        for name, call in calls.items():
            try_call(name, call)


if __name__ == "__main__":
    main(*sys.argv[1:])
