"""External suites, which are not in this repository: where they are, and the messages without them.

tools/suites.py puts those with a public source (tests/data/suites.lock) into tests/suites. If the variable
URLSM_SUITES is "required", the absence of one of these is a failure. The others have no public source that could be
pinned: a test that uses one says why.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import NoReturn

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
LAID_OUT = TESTS / "suites"
BESIDE = TESTS.parent.parent / "shared"
PUBLIC: dict[str, dict] = json.loads((TESTS / "data/suites.lock").read_text(encoding="utf-8"))["suites"]
WPT = "web-platform-tests"
# the missing suites of this run: pytest names them at its end
ABSENT: dict[str, str] = {}


def absent(suite: str, advice: str, why: str = "no public source") -> NoReturn:
    """Skip a test of a missing suite, or fail it if the suite is required. why: the reason that no lock pins it."""
    ABSENT[suite] = f"{'python tools/suites.py fetches it' if suite in PUBLIC else why}; {advice}"
    if suite in PUBLIC and os.environ.get("URLSM_SUITES") == "required":
        pytest.fail(f"{suite} is required (URLSM_SUITES), and absent: {ABSENT[suite]}", pytrace=False)
    pytest.skip(f"{suite} is absent: {ABSENT[suite]}")


def folder(suite: str, beside: str, given: str | pathlib.Path | None = None) -> pathlib.Path | None:
    """Return where a suite is: as given; where tools/suites.py puts it; or in a folder `shared` beside the
    repository."""
    if given:
        return pathlib.Path(given)
    for candidate in (LAID_OUT / suite, BESIDE / beside):
        if candidate.is_dir():
            return candidate
    return None


def wpt(name: str, given: str | pathlib.Path | None = None) -> pathlib.Path | None:
    """Return a file of web-platform-tests by its name, or None. given: the option --wpt."""
    top = folder(WPT, "conformance", given)
    return None if top is None else found(top, name)


def wpt_or_skip(name: str, given: str | pathlib.Path | None = None) -> pathlib.Path:
    return wpt(name, given) or absent(WPT, f"--wpt PATH names a checkout ({name} is looked for)")


def found(top: pathlib.Path, name: str) -> pathlib.Path | None:
    """Return the file in a folder, or in a checkout of web-platform-tests, or of its url folder."""
    candidates = (top / part / name for part in (".", "resources", "url/resources", "fetch/data-urls/resources"))
    return next((path.resolve() for path in candidates if path.is_file()), None)
