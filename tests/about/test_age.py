"""tools/age.py: which tables it compares, what its report says, and that nothing makes it fail."""

from __future__ import annotations

import datetime
import pathlib
import sys

import pytest

from urlsm import about

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
age = pytest.importorskip("age", reason="tools/ is not installed")
TODAY = datetime.date(2026, 12, 1)


def test_each_comparer_has_a_table():
    assert age.COMPARERS.keys() <= {table.name for table in about.tables()} | {"public suffixes"}


def test_the_report_says_what_differs_and_what_was_not_compared():
    found = {"trackers": age.Found("Brave's query filter", 60, ["xclid: new"]), "encodings": "nothing is installed"}
    text = age.report(found, TODAY)
    assert f"1 of {len(about.tables())} tables compared, 1 differ; 1 are older than 400 days." in text
    assert "| trackers | 2026-11-22 | 9 | Brave's query filter | 60 | 1 |" in text
    assert "| encodings | 2025-06 | 548 (stale) | not compared: nothing is installed | | |" in text
    assert text.endswith("## trackers\n\n- xclid: new\n")


def test_a_comparison_is_recorded(monkeypatch):
    monkeypatch.setattr(age, "COMPARED", {"trackers": age.Compared("tools/age.py", "x", "2026-01-01", 1, 0)})
    text = age.written({"encodings": age.Found("webencodings 1", 228, []), "hops": "none"}, "2026-12-01")
    names: dict[str, object] = {}
    exec(text, names)
    assert names["COMPARED"] == {
        "encodings": ("tools/age.py", "webencodings 1", "2026-12-01", 228, 0),
        "trackers": ("tools/age.py", "x", "2026-01-01", 1, 0),
    }


def test_nothing_makes_it_fail(monkeypatch, capsys):
    def absent():
        raise age.Absent("undici of Node is not installed")

    def broken():
        raise KeyError("moved")

    monkeypatch.setattr(age, "COMPARERS", {"blocked ports": absent, "trackers": broken})
    assert age.main([]) == 0
    shown = capsys.readouterr().out
    assert "not compared: undici of Node is not installed" in shown and "not compared: KeyError: 'moved'" in shown


def test_the_lists_of_this_interpreter():
    """A comparison that needs nothing else finds what differs, and no more."""
    found = age.lists()
    assert found.over == 41 and all(line.endswith(("new", "not there")) for line in found.differences)
    assert age.between(["a", "b"], ["b", "c"]) == ["a: new", "c: not there"]
    assert age.between(["a"], ["b"], only_new=True) == ["a: new"]
