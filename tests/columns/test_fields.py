"""Each row of TABLE in columns/names.py has a case in C, and a number without one is an error, not the whole text."""

from __future__ import annotations

import pytest

import urlsm
from urlsm.columns import names, work
from urlsm.columns.work import source_of
from urlsm.security.plain import READS_ALIKE

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

# the lane takes the first; the machine reads the others, and the parser writes the last anew
TEXTS = ["http://h.example.org/a?b#c", "HTTP://u:p@h.example.org:8/a", "foo://h/a", "http://h.example.org/a b"]


def answers(field: str, texts: list[str]) -> list[object]:
    question = work.Question((field,), single=True).with_param("b").with_judge(READS_ALIKE)
    return work.Work(question, source_of(pa.array(texts))).run().to_pylist()


@pytest.mark.parametrize("text", TEXTS)
def test_a_field_without_a_case_is_an_error(text, monkeypatch):
    monkeypatch.setattr(work, "ALL_FIELDS", (*names.ALL_FIELDS, "forgotten"))
    with pytest.raises(AssertionError, match=f"field number {len(names.ALL_FIELDS)} has no case"):
        answers("forgotten", [text])


@pytest.mark.parametrize("field", names.TABLE, ids=lambda field: field.name)
def test_every_field_has_a_case(field):
    if field.of_list:
        pytest.importorskip("publicsuffixlist")
    found = answers(field.name, TEXTS)
    if hasattr(urlsm.URL, field.name) and field.of_parse and not field.of_list:  # (URL.name and .suffix are of a path)
        assert found == [getattr(urlsm.parse(text), field.name) for text in TEXTS]
    elif not field.format:
        assert not {*found} & {*TEXTS}, "the whole text"


@pytest.mark.parametrize("field", ["is_ambiguous", "hazards"])
def test_a_judged_field_needs_its_judge(field):
    with pytest.raises(TypeError, match="needs a judge"):
        work.Work(work.Question((field,)), source_of(pa.array(TEXTS))).run()
