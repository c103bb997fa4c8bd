"""What somebody who had not written the code has tried, one step beside the tests: the inputs, and the marks.

tests/data/tried.jsonl has a line for each: its kind, an expression, what it gave, and whether that was right ("right"),
was wrong before ("mended"), or stays ("left"), and why. Without an expression it is told in words: trials of clients,
terminals and files, and what the urllib.parse of one release answers.
"""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
from importlib.util import find_spec

import pytest

import urlsm
import urlsm.columns
import urlsm.compat.scrapy
import urlsm.guard
import urlsm.logging
import urlsm.patterns
import urlsm.server

FILE = pathlib.Path(__file__).parent / "data" / "tried.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
ROOMS = (urlsm.domains, urlsm.crawler, urlsm.security, urlsm.documents, urlsm)
NAMES = {
    **{name: getattr(room, name) for room in ROOMS for name in room.__all__},
    **{"urlsm": urlsm, "uc": urlsm.columns, "copy": copy, "pickle": pickle},
    **{"crawler": urlsm.crawler, "scrapy": urlsm.compat.scrapy, "security": urlsm.security, "stdlib": urlsm.stdlib},
    **{"PatternSet": urlsm.patterns.PatternSet, "Policy": urlsm.guard.Policy, "Hosts": urlsm.server.Hosts},
}


def answer(call: str) -> str:
    """Return the repr of a call's value, or its error's name and the first words of its text."""
    try:
        return repr(eval(call, dict(NAMES)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def is_right(row: dict[str, str]) -> bool:
    got, expected = answer(row["call"]), row["got"]
    kind = expected.partition(":")[0]
    if kind in ("AttributeError", "TypeError"):  # whose words are often the interpreter's, of one release
        expected = f"{kind}:"
    # of an error the first words are kept
    return got == expected or (kind.endswith("Error") and got.startswith(expected))


@pytest.mark.once
@pytest.mark.parametrize("start", range(0, len(ROWS), 100))
def test_they_answer_as_marked(start):
    rows = [row for row in ROWS[start : start + 100] if row["call"]]
    rows = [row for row in rows if all(map(find_spec, row.get("needs", "").split()))]
    assert [(row["call"], answer(row["call"]), row["why"]) for row in rows if not is_right(row)] == []


def test_every_row_has_a_mark():
    assert {row["mark"] for row in ROWS} <= {"right", "mended", "left"}
    assert all(row["kind"] and (row["call"] or row["why"]) for row in ROWS)
