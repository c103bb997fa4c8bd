"""One group of benchmarks for each row of parse and resolve, urlsm and the peers side by side:
`python -m pytest bench --benchmark-only`.

A round does the row's work once for each of the same inputs, so a time includes all these calls, and the loop.
"""

import subprocess
import sys

import pytest

from bench import peers
from bench.clocks import now
from bench.lists import TARGETS, Lists
from bench.measure import REFUSED, Way
from bench.processes import IMPORTS, ROOT
from bench.rows import GROUPS

pytest.importorskip("pytest_benchmark")
pytestmark = pytest.mark.benchmark(disable_gc=True)

TEXTS = 2_000
WAYS = [(row, peer) for row in GROUPS["parse"] for peer in ("urlsm", *row.peers)]


@pytest.fixture(scope="session")
def lists():
    return Lists(limit=TEXTS)


@pytest.mark.parametrize("row, peer", WAYS, ids=[f"{row.title}-{peer}" for row, peer in WAYS])
def test_row(benchmark, lists, row, peer):
    if isinstance(why := peers.names_of(peer), str):
        pytest.skip(f"{peer} {why}")
    way = Way(row.ours if peer == "urlsm" else row.peers[peer], peer, TARGETS.get(row.given, "u"), row.refused)
    given = [one for one in lists[row.given] if way.answer(one) != REFUSED]
    benchmark.group = f"{row.title} ({len(given)} inputs)"
    prepared = [way.prepare(one) for one in given] if way.prepare else given
    benchmark.pedantic(way.loop, ([prepared], now), rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("peer", IMPORTS)
def test_import(benchmark, peer):
    if isinstance(why := peers.names_of(peer), str):
        pytest.skip(f"{peer} {why}")
    benchmark.group = "import, with the interpreter's start and end"
    command = [sys.executable, "-c", f"import {IMPORTS[peer]}"]
    benchmark.pedantic(lambda: subprocess.run(command, cwd=ROOT, check=True), rounds=9, warmup_rounds=1)
