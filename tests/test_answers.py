"""No answer of a function that reads a text has changed, for any text of up to four pieces (oracles/answers.py)."""

from __future__ import annotations

import pytest
from oracles import answers

STORED = answers.stored()


def test_each_function_has_a_hash():
    assert set(STORED) == set(answers.NAMES)


@pytest.mark.parametrize("name", answers.NAMES)
def test_no_answer_has_changed(name):
    assert answers.hash_of(name) == STORED[name], (
        f"some answers of {name} changed. To see which, run `cd tests && python -m oracles.answers --print {name!r}`"
        " before and after the change, and compare what is printed. If they had to: `python -m oracles.answers --store`"
    )


def test_stdlib_answers_as_the_running_interpreter():
    assert answers.urllib_differences() == []
