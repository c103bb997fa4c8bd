"""The readers against the live programs that are installed in a known release, on fresh texts. oracles/drift.py asks
more texts, and newer releases."""

from __future__ import annotations

import itertools

import pytest
from support.seeds import SEED

from oracles import drift
from oracles.drift import Count, Difference, compared, oracles
from oracles.replay import REFUSED
from oracles.texts import SOURCES, code_points, spliced
from urlsm.readers.programs import HOMES, program

TEXTS = 300  # of each source
ORACLES = list(oracles())


@pytest.mark.parametrize("oracle", ORACLES, ids=[" ".join(oracle.command[:2]).rpartition("/")[2] for oracle in ORACLES])
def test_readers_are_exact_on_fresh_texts(oracle):
    texts = [text for source in SOURCES.values() for text in source(SEED or 9, TEXTS)]
    versions, answers = drift.ask(oracle, texts, oracle.names)
    if not versions:
        pytest.skip("it is not installed, or cannot run here")
    rows = list(zip(texts, answers, strict=True))
    live = {name: versions.get(name) or versions.get(f"{name}>") for name in oracle.names}
    known = {name: release for name, release in live.items() if release in program(name).releases}
    if not known:
        pytest.skip(f"no release here is known, and oracles.drift tells how they differ: {live}")
    found = [row for name, release in known.items() for row in compared(program(name), release, rows)]
    assert any(isinstance(row, Count) for row in found) or not found
    assert "\n".join([str(row) for row in found if isinstance(row, Difference)]) == ""


def test_the_programs_have_readers():
    assert {name for oracle in ORACLES for name in oracle.names} <= {*HOMES}


@pytest.mark.parametrize("source", SOURCES)
def test_a_seed_makes_the_same_texts(source):
    texts = SOURCES[source]
    assert [*texts(5, 50)] == [*texts(5, 50)] != [*texts(6, 50)]
    assert len({*texts(5, 500)}) > 450


def test_texts_are_made_one_by_one():
    assert [*itertools.islice(spliced(5, 10**9), 50)] == [*spliced(5, 50)]


def test_every_code_point_is_in_three_hosts():
    texts = {*code_points(0, 10**6)}
    for char in "\x80ß\ud7ff\ue000一\U0003ffff\U000e01ef":
        assert {f"http://{char}.example/", f"http://a{char}.example/"} <= texts
    assert "http://xn--zca.example/" in texts


def test_a_difference_is_told():
    """A later release is compared with the newest that is known, an older one with none."""
    curl = program("curl")
    answers = {"curl": ["http", None, "h", None, "/", None, None], "curl>": ["!", "6"]}
    other = {"curl": ["!", "3"], "curl>": [None, None, "h", "80", None, None, None]}
    found = list(compared(curl, "99.1", [("http://h/", answers), ("http://h/", other), ("\0", {"curl": ["!", "NUL"]})]))
    newest = curl.releases[-1]
    assert [row for row in found if isinstance(row, Count)] == [
        Count("curl", "99.1", "read", 2, 1),
        Count("curl", "99.1", "connects", 2, 1),
    ]
    first, second = [row for row in found if isinstance(row, Difference)]
    assert str(first).startswith(f"curl 99.1 differs from curl@{newest} on 'http://h/' (read):\n    live refused")
    assert second.answer == REFUSED and second.answer_of_ours == ("h", "80")
    assert list(compared(curl, "1.0", [("http://h/", answers)])) == []
