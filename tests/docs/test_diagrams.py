"""docs/diagrams.py: the diagrams of states are today's, and no text of the conformance data takes another step."""

from __future__ import annotations

import importlib.util
import pathlib

import pytest

from urlsm.machine.driver import DIALECTS

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
SPEC = importlib.util.spec_from_file_location("diagrams", DOCS / "diagrams.py")
diagrams = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(diagrams)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_diagram_is_up_to_date(dialect):
    drawn = (DOCS / f"states-{dialect}.svg").read_text(encoding="utf-8")
    assert drawn == diagrams.diagram(dialect), "run python docs/made.py"
    edges = diagrams.edges_of(diagrams.own_texts(), dialect)
    assert all(f"<title>{one} → {other}: " in drawn for one, other in edges)
    assert f"{drawn.count(' → ')} steps" in drawn
    assert f"(states-{dialect}.svg)" in (DOCS / "dialects.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_conformance_inputs_take_no_other_step(dialect, conformance_cases):
    texts = [(case["input"], case.get("base")) for case in conformance_cases("urltestdata.json")]
    own = diagrams.edges_of(diagrams.own_texts(), dialect)
    assert diagrams.edges_of(texts, dialect).keys() <= own.keys()


def test_states_that_go_round_are_told():
    assert diagrams.in_order([("a text", "b"), ("b", "a URL"), ("a text", "a URL")]) == ["a text", "b", "a URL"]
    with pytest.raises(ValueError, match="lead to each other"):
        diagrams.in_order([("a", "b"), ("b", "a")])
