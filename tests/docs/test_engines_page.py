"""docs/engines.md: the answers of urlsm in its tables are those of today; docs/engines.py asks the other engines."""

from __future__ import annotations

import pathlib
import re

import pytest

import urlsm

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/engines.md").read_text(encoding="utf-8")


def rows(name):
    """Return the cells of a table; those in backquotes without them, null is None."""
    table = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", PAGE, flags=re.S)[1]
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.strip().splitlines()[2:]]
    return [[read(cell[1:-1]) for cell in row] for row in cells]


def read(cell):
    if cell == "null":
        return None
    return cell.replace("\\|", "|").strip("`") if cell[:1] == "`" else cell.replace('""', "")


def test_hosts():
    *found, last = rows("hosts")
    assert len(found) == 19 and last[0] == "differ, of 19"
    for text, host, *theirs in found:
        url = urlsm.try_parse(text)
        assert (url and url.host) == host, text
        assert all(cell and cell.startswith("**") for cell in theirs if (cell or None) != host), text


ANSWERS = {
    "path": lambda text: urlsm.parse(text).path,
    "port": lambda text: (port := urlsm.parse(text).port) and str(port),
    "query": lambda text: urlsm.parse(text).query,
    "parameter `a`": lambda text: urlsm.parse(text).query_params.get("a"),
    "site": urlsm.domains.registrable_domain,
}


def test_questions():
    pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    found = rows("questions")
    assert len(found) == 13
    for what, text, answer, *_ in found:
        assert ANSWERS[what](text) == answer, (what, text)
