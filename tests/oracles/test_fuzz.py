"""A short run of the fuzzer (oracles/fuzz.py makes long ones)."""

from __future__ import annotations

from support.seeds import SEED

from oracles.entries import ENTRIES
from oracles.fuzz import Fuzzer, seeds


def test_every_function_stands_a_short_run(cases):
    fuzzer = Fuzzer(SEED or 9)
    fuzzer.run(cases)
    assert not fuzzer.failures, fuzzer.report()
    assert len(fuzzer.seen) > fuzzer.known and len(fuzzer.corpus) > len(seeds())  # it found new texts


def test_a_broken_function_is_found(monkeypatch):
    """Each place is reported once, with its shortest text."""

    def broken(text: str, other: str) -> None:
        assert "%" not in text

    monkeypatch.setitem(ENTRIES, "broken", broken)
    fuzzer = Fuzzer(1)
    for text in ("a", "a%41", "%41", "b%41"):
        fuzzer.call("broken", text, "")
    assert [failed.text for failed in fuzzer.failures.values()] == ["%41"] and "broken" in fuzzer.report()
