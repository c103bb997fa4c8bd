"""The hops against the live servers and routers that are installed (oracles/hops asks more)."""

from __future__ import annotations

import os

import pytest
from support.seeds import SEED

from oracles.hops.compare import MODULES, difference, installed, known, rows
from oracles.hops.sockets import ask
from oracles.hops.targets import targets

TARGETS = 500
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the servers are ended as a process group")


@pytest.mark.parametrize("module", MODULES)
def test_hops_are_exact_on_fresh_targets(module):
    programs = [program for program in installed(modules=[module]) if known(program)]
    if not programs:
        pytest.skip("none of them is installed, in a release that is known")
    asked = list(targets(TARGETS, SEED or 9))
    found = []
    for program in programs:
        for made in rows(program, asked):
            assert sum(one.said.kind == "matched" for one in made) > TARGETS / 4, program
            found += [(str(program), one, text) for one in made if (text := difference(one.target, one.said))]
    assert found == []


def test_a_refused_request_takes_no_answer_from_the_others():
    node = next((one for one in installed(modules=["node"]) if one.name == "node"), None)
    if node is None:
        pytest.skip("Node is not installed")
    asked = [b"/a", b"/b\xff", b"/c", b"/d", b"/\x01", b"/\x02", b"/e"] * 20
    from oracles.hops.programs import live

    with live(node) as listeners:
        many = list(ask(listeners[0].matched, asked, depth=16))
        one = list(ask(listeners[0].matched, asked, depth=1))
    assert [answer.status for answer in many] == [200, 400, 200, 200, 400, 400, 200] * 20
    assert many == one


def test_a_seed_makes_the_same_targets():
    assert [*targets(50, 5)] == [*targets(50, 5)] != [*targets(50, 6)]
