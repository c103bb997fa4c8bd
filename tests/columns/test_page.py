"""The examples of the pages on data frames and SQL run where their packages are installed."""

from __future__ import annotations

import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGES = {name: (DOCS / name).read_text(encoding="utf-8") for name in ("data-frames.md", "sql.md")}
BLOCKS = [
    pytest.param(block, id=f"{name}: {block.split()[1]}")
    for name, text in PAGES.items()
    for block in re.findall(r"^```py\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
]


@pytest.mark.filterwarnings("default")  # the engines have warnings of their own
@pytest.mark.parametrize("block", BLOCKS)
def test_an_example(block):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pytest.importorskip(block.split()[1], reason=f"{block.split()[1]} is not installed")
    exec(compile(block, "<example>", "exec"), {})
