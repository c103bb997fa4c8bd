"""Fewer cases than elsewhere: other programs are slow to start and to answer."""

from __future__ import annotations

import pytest
from support.seeds import CASES, draws


@pytest.fixture(scope="session")
def cases() -> int:
    """The number of cases for each oracle: URLSM_CASES, or a default."""
    return CASES or draws(3_000)
