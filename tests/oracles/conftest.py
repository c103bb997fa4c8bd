"""Fewer cases than elsewhere: other programs are slow to start, and slow to ask."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session")
def cases() -> int:
    """How many cases each oracle judges: URLSM_CASES, or some."""
    return int(os.environ.get("URLSM_CASES", "0")) or 3_000
