"""The recorded answers of libraries (recorded.py) are ours, but for the differences that the tests beside this list."""

from __future__ import annotations

import pytest

from oracles.recorded import PEERS, answers
from oracles.rows import judged


@pytest.mark.parametrize("name", PEERS)
def test_our_answers_are_those_recorded(name):
    peer, rows = PEERS[name], answers(name)
    assert len(rows) > 100
    seen = judged([(case, peer.ours(case), theirs) for case, theirs in rows], peer.rows)
    assert seen["agree"] > 0.3 * len(rows), seen
