"""Time of this process, for tests of how it grows."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")  # its allocator keeps what is freed


def least_seconds(call: Callable[[], object], runs: int) -> float:
    """Return the shortest of several runs of a call, in seconds of this process."""
    taken = []
    for _ in range(runs):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def at_last(holds: Callable[[], bool]) -> bool:
    """Return whether it holds at one of four times: another program may have caused a steep result."""
    return any(holds() for _ in range(4))
