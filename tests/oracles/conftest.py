"""Fewer cases than elsewhere: other programs are slow to start and to answer."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session")
def cases() -> int:
    """The number of cases for each oracle: URLSM_CASES, or a default."""
    return int(os.environ.get("URLSM_CASES", "0")) or 3_000
