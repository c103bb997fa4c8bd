"""The examples of docs/columns.md run where their packages are installed."""

from __future__ import annotations

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/columns.md"
BLOCKS = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("default")  # the engines have warnings of their own
@pytest.mark.parametrize("block", BLOCKS)
def test_an_example(block):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pytest.importorskip(block.split()[1], reason=f"{block.split()[1]} is not installed")
    exec(compile(block, "columns.md", "exec"), {})
