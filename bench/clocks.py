"""Clocks: they time several pieces of work in turns, in processor time, with the garbage collector off."""

import gc
import os
import sys
from collections.abc import Callable
from time import perf_counter_ns, thread_time_ns

# this thread's processor time does not include other programs; on Linux its clock is fine enough
now = thread_time_ns if sys.platform == "linux" else perf_counter_ns


def load_average() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def clocked(work: Callable[[], object]) -> int:
    start = now()
    work()
    return now() - start


def in_turns(clocks: dict[str, Callable[[], list[int]]], rounds: int) -> dict[str, list[int]]:
    """Return the best of each time of each clock; each round begins with another clock."""
    names = list(clocks)
    best: dict[str, list[int]] = {}
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds):
            first = turn % len(names)
            for name in names[first:] + names[:first]:
                times = clocks[name]()
                best[name] = [min(pair) for pair in zip(best.get(name, times), times, strict=True)]
    finally:
        gc.enable()
    return best


def interleaved(clocks: dict[str, Callable[[], int]], rounds: int) -> dict[str, int]:
    """Return the best time of each clock."""
    return {name: times[0] for name, times in in_turns({n: _of_one(c) for n, c in clocks.items()}, rounds).items()}


def _of_one(clock: Callable[[], int]) -> Callable[[], list[int]]:
    return lambda: [clock()]


# --- Markdown ----------------------------------------------------------------------------------


def row_of(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def print_row(*cells: object) -> None:
    print(row_of(*cells))


def print_head(*titles: str) -> None:
    print_row(*titles)
    print_row(*("---" if title == titles[0] else "---:" for title in titles))
