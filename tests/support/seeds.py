"""The seed of all random draws, which is fixed unless URLSM_SEED gives another, and how many draws a run makes."""

from __future__ import annotations

import os
import random

SEED = int(os.environ["URLSM_SEED"]) if os.environ.get("URLSM_SEED") else None
CASES = int(os.environ.get("URLSM_CASES", "0"))  # of each test, or 0: as many as it says
ONE_OF = 1  # a run makes one of so many draws: tests/conftest.py sets it before it imports any test


def draws(all_of_them: int) -> int:
    """Return how many random cases this run draws where a full one draws all of them."""
    return max(CASES, all_of_them // ONE_OF)


def least(count: int) -> int:
    """Return how many there are at least in this run, of what a full one has count of."""
    return count // ONE_OF


def seeded(number: int | str) -> random.Random:
    """Return a generator for one loop over random cases; number identifies the loop."""
    return random.Random(number if SEED is None and isinstance(number, int) else f"{number!a} {SEED}")
