"""Recordings: what live programs answered, over texts that generators of this project made. They are in tests/data, one
row of JSON a line behind a line that says what they are, compressed.

jury.jsonl.xz     hosts that 26 parsers find in hostile texts (tests/security/test_jury.py)
readers.jsonl.xz  components that 94 programs and releases find in hostile texts (tests/security/test_readers.py)
peers.jsonl.xz    what libraries make of keys, patterns and schemes (tests/oracles/recorded.py, which also makes it)
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def recorded(name: str) -> tuple[dict[str, Any], list[Any]]:
    """Return what a recording says of itself, and its rows. A test is skipped on a Python without lzma."""
    lzma = pytest.importorskip("lzma", reason="this Python was built without lzma")
    with lzma.open(DATA / f"{name}.jsonl.xz", "rt", encoding="utf-8", errors="surrogatepass") as lines:
        head, *rows = map(json.loads, lines)
    return head, rows


def record(name: str, head: dict[str, Any], rows: list[Any]) -> None:
    """Write a recording."""
    import lzma

    with lzma.open(DATA / f"{name}.jsonl.xz", "wt", preset=9 | lzma.PRESET_EXTREME, encoding="utf-8",
                   errors="surrogatepass", newline="\n") as file:  # fmt: skip
        for row in (head, *rows):
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
