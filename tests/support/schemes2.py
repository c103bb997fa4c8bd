"""The vectors of the second pack of schemes, which are others' data: ../shared/schemes-2, or the folder that
URLSM_SCHEMES_2 names."""

from __future__ import annotations

import json
import os

from support.suites import absent, folder


def vectors(name: str) -> list[dict]:
    """Return the rows of a file; skip the test without it."""
    place = folder("schemes-2", "schemes-2", os.environ.get("URLSM_SCHEMES_2"))
    if place is None or not (place / name).exists():
        absent("schemes-2", "URLSM_SCHEMES_2 names its folder")
    found = json.loads((place / name).read_text(encoding="utf-8"))
    return found if isinstance(found, list) else found["tests"]
