"""The cost of asking what others see: `python -m bench.compare`. Markdown, to standard output.

No peer answers these questions, so the ratio is to our own split. Interleaved rounds, best of each, less the loop.
"""

import gc
from collections.abc import Callable
from functools import partial
from time import perf_counter_ns

import urlsm
from bench import corpora
from bench.table import interleaved, load_average

BASE = "https://www.example.org/news/"
JOBS: dict[str, Callable[[str], object]] = {
    "split": urlsm.split,
    "is_ambiguous": urlsm.is_ambiguous,
    "compare": urlsm.compare,
    "compare, then read agree": lambda text: urlsm.compare(text).agree,
    "audit": urlsm.audit,
    "is_safe_redirect": lambda text: urlsm.is_safe_redirect(text, BASE, ("www.example.org",)),
}
AIMS = {"compare": 5000, "audit": 10_000}


def main() -> None:
    gc.freeze()
    corpus = corpora.load({"urlsm": urlsm.parse}, limit=10_000)
    texts = {"all": corpus.urls, 'with "%"': [url for url in corpus.urls if "%" in url]}
    print(f"{corpus}\n\n| ns per call | {' | '.join(texts)} | to split | aim |\n|---|---:|---:|---:|---:|")
    clocks = {
        (job, kind): partial(clock, work, kept)
        for kind, kept in texts.items()
        for job, work in {**JOBS, "": id}.items()
    }
    best = interleaved(clocks, 7)
    for job in JOBS:
        net = [(best[job, kind] - best["", kind]) / len(kept) for kind, kept in texts.items()]
        ratio = net[0] * len(corpus.urls) / (best["split", "all"] - best["", "all"])
        print(f"| {job} | {' | '.join(f'{ns:.0f}' for ns in net)} | {ratio:.1f}x | {AIMS.get(job, '-')} |")
    print(f"\nLoad of the machine: {load_average()}.")


def clock(work: Callable[[str], object], texts: list[str]) -> int:
    start = perf_counter_ns()
    for text in texts:
        work(text)
    return perf_counter_ns() - start


if __name__ == "__main__":
    main()
