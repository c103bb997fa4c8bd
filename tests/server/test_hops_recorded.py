"""The hops are equal to the recorded answers of live programs: tests/data/hops.json.xz (oracles/hops/recorded.py)."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("lzma", reason="this Python was built without lzma")

from oracles.hops import recorded
from oracles.hops.compare import difference

from urlsm.server import Hop, Paths
from urlsm.server.hop_list import every_hop


def test_the_hops_read_as_the_live_programs_did():
    _, programs, rows = recorded.read()
    assert len(programs) >= 60
    different, count = [], 0
    for target, said in rows:
        count += 1
        for one in said:
            if text := difference(target, one):
                different.append((one.asked.program, dict(one.asked.options), target, text))
    assert count == 2000
    assert different == []


def test_those_and_only_those_that_disagree_are_refused():
    """By what the programs matched on. In a path with a line feed, it depends on the kind of a route."""
    every = {reading(hop) for hop in every_hop()}
    _, programs, rows = recorded.read()
    asked = [reading(Hop(one.program, **one.options)) for one in programs]
    assert every <= {*asked}
    paths, split, unsure = Paths(protected=["/admin"]), 0, 0
    for target, said in rows:
        if not target.startswith(b"/"):
            continue
        sides = {
            f"{text}/".startswith("/admin/")
            for one, each in zip(said, asked, strict=True)
            if each in every and (octets := one.matched) is not None
            for text in [octets.decode("latin-1").lower() if each[2] else octets.decode("latin-1")]
        }
        verdict = paths.check(target)
        if verdict.codes == ("hop-refuses",):
            assert b"%0a" in target.lower()
            unsure += 1
        else:
            assert bool(verdict) == (len(sides) < 2), (target, verdict.message)
            split += not verdict
    assert split > 150 and unsure < 20


def reading(hop: Hop) -> object:
    return hop.settings.reads.steps, hop.settings.match.steps, hop.settings.folds


def test_a_third_of_the_targets_is_served_and_a_third_is_changed():
    _, _, rows = recorded.read()
    served: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    count = 0
    for target, said in rows:
        count += 1
        for one in said:
            name = f"{one.asked.program} {one.asked.options}"
            served[name] += one.matched is not None
            changed[name] += one.matched not in (None, target) or one.forwarded not in (None, target)
    assert {name: number for name, number in served.items() if number < count / 3} == {}
    # those that only cut off the query change fewer
    few = {name.split("@")[0] for name, number in changed.items() if number < count / 3}
    assert few <= {"haproxy", "envoy", "node", "express"}
