"""The seed of all random draws: URLSM_SEED, or else a fixed one, so that the cases are the same each time."""

from __future__ import annotations

import os
import random

SEED = int(os.environ["URLSM_SEED"]) if os.environ.get("URLSM_SEED") else None


def seeded(number: int | str) -> random.Random:
    """Return a generator for one loop over random cases; number identifies the loop."""
    return random.Random(number if SEED is None and isinstance(number, int) else f"{number!a} {SEED}")
