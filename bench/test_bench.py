"""One group of benchmarks per job, us and the peers side by side: `python -m pytest bench --benchmark-only`.

A round does the job for every text of the same list, so a time counts len(list) calls and as many turns of the loop,
which "(bare loop)" shows by itself: a millisecond over 10,000 texts is 100 ns per call.
"""

import subprocess
import sys
from functools import cache

import pytest

from bench import corpora, peers
from bench.peers import IMPORTS, JOBS, PEERS

pytest.importorskip("pytest_benchmark")
pytestmark = pytest.mark.benchmark(disable_gc=True)

TEXTS = 10_000
BARE = "(bare loop)"


@pytest.fixture(scope="session")
def corpus():
    return corpora.load(peers.parsers(), limit=TEXTS)


@pytest.fixture(scope="session")
def check(corpus):
    return cache(lambda job: peers.check(job, corpus))


@pytest.mark.parametrize("peer", [*PEERS, BARE])
@pytest.mark.parametrize("job", JOBS)
def test_job(benchmark, corpus, check, job, peer):
    found, missing = peers.adapters()
    if reason := missing.get((job, peer)) or missing.get((job, "urlsm")):
        pytest.skip(reason)
    differences = check(job)
    texts = getattr(corpus, JOBS[job].inputs)
    benchmark.group = f"{JOBS[job].title} ({len(texts)} texts)"
    benchmark.extra_info.update(corpus=corpus.name, texts=len(texts), differs=differences.get(peer, {}))
    benchmark.pedantic(peers.loop(found[job].get(peer), JOBS[job].refusal), (texts,), rounds=9, warmup_rounds=1)


@pytest.mark.parametrize("peer", [*PEERS, BARE])
def test_import(benchmark, peer):
    if reason := peers.adapters()[1].get(("parse", peer)):
        pytest.skip(reason)
    benchmark.group = "import, with the interpreter's start and end"
    command = [sys.executable, "-c", f"import {IMPORTS.get(peer, 'sys')}"]
    benchmark.pedantic(lambda: subprocess.run(command, cwd=peers.ROOT, check=True), rounds=9, warmup_rounds=1)
