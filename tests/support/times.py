"""Time of this process, for tests of how it grows."""

from __future__ import annotations

import time
from collections.abc import Callable


def least_seconds(call: Callable[[], object], runs: int) -> float:
    """The shortest of so many runs of a call: seconds of this process."""
    taken = []
    for _ in range(runs):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)
