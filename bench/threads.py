"""Two threads beside one, without the interpreter's lock: python -m bench.threads [SECONDS for each row]

Each thread makes calls over a list of its own, in batches of a fifth of a millisecond, and writes down when each ended,
and the processor time that it took. Of two threads only those batches count during which both ran all the time, so that
other programs on the machine do not disturb. 2.0 is twice the work in the same time; the bare loop shows how much of
that this machine can do.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import sys
import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from statistics import median
from typing import Any

import urlsm
from bench import corpora
from bench.clocks import load_average
from urlsm import columns
from urlsm.columns.work import column_of_lines

Batch = tuple[int, int, int]  # beginning and end by the clock, and processor time, in nanoseconds
RUNNING = 0.97  # of a batch's time its thread had a processor
LONG = 200_000  # nanoseconds of a batch


def links(seed: int) -> list[str]:
    real = [path for name in corpora.NAMES[:-1] if (path := corpora.FOLDER / f"{name}.txt").exists()]
    lines = [line for path in real for line in corpora.read(path)] or corpora.generate(20_000)
    return corpora.fresh([line for line in lines[seed::7] if line.isascii() and urlsm.can_parse(line)][:1000])


def bare(texts: list[str]) -> None:
    for _text in texts:
        pass


def each(call: Callable[[str], object]) -> Callable[[list[str]], None]:
    def work(texts: list[str], call: Callable[[str], object] = call) -> None:  # not a cell: threads lock that in turn
        for text in texts:
            call(text)

    return work


def rows() -> dict[str, Callable[[list[str]], object]]:
    made: dict[str, Callable[[list[str]], object]] = {
        "a bare loop": bare,
        "can_parse": each(urlsm.can_parse),
        "parse": each(urlsm.parse),
        "canonicalize, urlsm-1": each(urlsm.crawler.canonicalize),
        "columns.parse, four fields": lambda column: columns.parse(column, ("scheme", "host", "path", "query")),
    }
    with contextlib.suppress(ImportError):
        cached: Any = importlib.import_module("yarl._url").encode_url  # the constructor without its cache
        made["yarl.URL"] = each(getattr(cached, "__wrapped__", cached))
    return made


def batch_of(work: Callable[[Any], object], texts: Any) -> list[Any]:
    """Return lists to work on in a fifth of a millisecond: the texts several times, or a part of them once."""
    times = []
    for _ in range(9):
        start = time.thread_time_ns()
        work(texts)
        times.append(time.thread_time_ns() - start)
    return [texts] * (LONG // min(times)) or [texts[: max(1, len(texts) * LONG // min(times))]]


def batches(work: Callable[[Any], object], lists: list[Any], seconds: float) -> list[list[Batch]]:
    """Return the batches of threads that work on these lists at once."""
    begin, found = threading.Barrier(len(lists)), [[] for _ in lists]

    def run(given: list[Any], mine: list[Batch]) -> None:
        begin.wait()
        start, used = time.perf_counter_ns(), time.thread_time_ns()
        until = start + int(seconds * 1e9)
        while start < until:
            for texts in given:
                work(texts)
            end, then = time.perf_counter_ns(), time.thread_time_ns()
            mine.append((start, end, then - used))
            start, used = end, then

    threads = [threading.Thread(target=run, args=pair) for pair in zip(lists, found, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def undisturbed(mine: list[Batch]) -> list[Batch]:
    return [batch for batch in mine if batch[2] >= RUNNING * (batch[1] - batch[0])]


def beside(mine: list[Batch], other: list[Batch]) -> list[int]:
    """Return the times of my batches during which the other thread ran, too."""
    ran, starts = set(undisturbed(other)), [start for start, _, _ in other]
    found = []
    for start, end, used in undisturbed(mine):
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end) - 1
        if first >= 0 and end <= other[last][1] and all(batch in ran for batch in other[first : last + 1]):
            found.append(used)
    return found


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"{sys.version.split()[0]}, {'with' if lock else 'without'} the lock, load {load_average()}")
    gc.disable()
    texts = [links(0), links(1)]
    for name, work in rows().items():
        given: list[Any] = texts
        if name.startswith("columns"):
            given = [column_of_lines("\n".join(half).encode()) for half in texts]
        given = [batch_of(work, half) for half in given]
        alone: list[list[int]] = [[], []]
        both: list[list[int]] = [[], []]
        for _ in range(4):  # in turns, so that a slower moment of the machine is in both
            for k in (0, 1):
                alone[k] += [used for _, _, used in undisturbed(batches(work, [given[k]], seconds / 8)[0])]
            first, second = batches(work, given, seconds / 4)
            both[0] += beside(first, second)
            both[1] += beside(second, first)
        if not all(alone) or not all(both):
            print(f"{name:28} no batch was undisturbed")
            continue
        ratio = sum(median(one) / median(two) for one, two in zip(alone, both, strict=True))
        print(f"{name:28} {ratio:5.2f}   ({sum(map(len, both))} batches, {median(alone[0]) / 1e6:.2f} ms each alone)")


if __name__ == "__main__":
    main()
