"""The table of us and our peers: `python -m bench.table`, or `python bench/table.py`. Markdown, to standard output.

Rounds are interleaved: each round times every peer once, beginning with another one each time, with the garbage
collector off. A figure is the best of its rounds, in nanoseconds per call, less the bare loop.
"""

import argparse
import gc
import math
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter_ns, thread_time_ns

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import urlsm
from bench import corpora, peers
from bench import rows as single
from bench.peers import JOBS

OTHER_WORK = 0.05  # a peer whose answers differ more often does other work: shown, but never "the best peer"
SIZES = [2**16, 2**18, 2**20, 2**22]
UNITS = ["/", ".", "..", "../", "a/../", "@", ":", "%", "%2e/", "[", "\\", "?", "#", ";", "é", "xn--", "a.", "1.", "\t"]
SHAPES = {"path": "http://h/{}", "authority": "http://{}", "userinfo": "http://{}@h/", "query": "http://h/?{}",
          "opaque path": "x:a{}", "reference": "{}"}  # fmt: skip
# what other programs take is not in the processor's time of this thread; its clock is fine enough on Linux
now = thread_time_ns if sys.platform == "linux" else perf_counter_ns
TOO_STEEP = 1.2
TOO_SHORT = 20_000  # ns: what takes less is refused at its first characters, and grows by noise
TOO_LONG = 5_000_000_000  # ns: after this, no longer text of the same kind is tried

Differences = dict[str, dict[str, Counter[str]]]  # by job, by peer, by reason


def main(arguments: list[str] | None = None) -> None:
    every = [*JOBS, "rows", "import", "cold", "linear"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer texts, fewer rounds, no input above 1 MiB")
    parser.add_argument("--jobs", default=",".join(every), metavar="A,B", help="default: %(default)s")
    parser.add_argument("--corpus", choices=corpora.NAMES, help="default: the first there is")
    options = parser.parse_args(arguments)
    load = load_average()
    jobs = options.jobs.split(",")
    if unknown := sorted({*jobs} - {*every}):
        parser.error(f"no such job: {', '.join(unknown)}")
    corpus = corpora.load(peers.parsers(), options.corpus, 10_000 if options.quick else 1_000_000)
    rounds = 5 if options.quick else 9
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}. {corpus}\n")

    found, missing = peers.adapters()
    timed = [job for job in JOBS if job in jobs and "urlsm" in found[job]]
    differences = {job: peers.check(job, corpus) for job in timed}
    print_jobs(timed, "import" in jobs, corpus, rounds, differences)
    for job in jobs:
        if reason := missing.get((job, "urlsm")):
            print(f"Left out: {JOBS[job].title} ({reason}).\n")
    print_differences(differences)
    if "rows" in jobs:
        print_rows(5 * rounds)
    if "cold" in jobs:
        print_cold(corpus, rounds)
    if "linear" in jobs:
        print_linear(SIZES[:-1] if options.quick else SIZES)
    print(f"Load of the machine: {load} at the start, {load_average()} at the end (one core's work is ours).")


def load_average() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


# --- clocks ------------------------------------------------------------------------------------


def clocked(work: Callable[[], object]) -> int:
    start = now()
    work()
    return now() - start


def interleaved(clocks: dict[str, Callable[[], int]], rounds: int) -> dict[str, int]:
    """The best time that each clock shows."""
    names = list(clocks)
    best: dict[str, int] = {}
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds):
            for name in rotated(names, turn):
                best[name] = min(best.get(name, sys.maxsize), clocks[name]())
    finally:
        gc.enable()
    return best


def rotated(names: list[str], turn: int) -> list[str]:
    return names[turn % len(names) :] + names[: turn % len(names)]


def per_call(job: str, rounds: int, inputs: Callable[[], Sequence[str]]) -> dict[str, float]:
    """Each peer's nanoseconds per call, less the bare loop, for the texts that inputs() gives each time."""
    refusal = JOBS[job].refusal
    loops = {peer: peers.loop(adapter, refusal) for peer, adapter in peers.adapters()[0][job].items()}
    loops["loop"] = peers.loop(None)

    def clock(loop: peers.Loop) -> int:
        texts = inputs()
        return clocked(lambda: loop(texts))

    best = interleaved({peer: partial(clock, loop) for peer, loop in loops.items()}, rounds)
    bare, count = best.pop("loop"), len(inputs())
    return {peer: (time - bare) / count for peer, time in best.items()}


# --- the tables --------------------------------------------------------------------------------


def print_row(*cells: object) -> None:
    print("|", " | ".join(str(cell) for cell in cells), "|")


def print_head(*titles: str) -> None:
    print_row(*titles)
    print_row(*("---" if title == titles[0] else "---:" for title in titles))


def print_jobs(
    jobs: list[str], with_import: bool, corpus: corpora.Corpus, rounds: int, differences: Differences
) -> None:
    found = {*peers.adapters()[0]["parse"]}
    print_head("ns per call", "best peer", "urllib.parse", "urlsm", "to best peer", "to can_ada", "to url-py", "aim")
    for job in jobs:
        texts = partial(getattr, corpus, JOBS[job].inputs)
        times = per_call(job, rounds, texts)
        equal = [peer for peer, reasons in differences[job].items() if reasons.total() <= OTHER_WORK * len(texts())]
        print_job(JOBS[job].title, times, equal, JOBS[job].aims)
    if with_import:
        times = {peer: time / 1000 for peer, time in import_times(2 * rounds).items()}
        print_job("`import`, in µs (aim: at most 1500)", times, list(times), ())
        pair = {"urlsm": "urlsm.stdlib", "urllib.parse": "urllib.parse"}
        best = interleaved({peer: partial(peers.import_time, module) for peer, module in pair.items()}, 2 * rounds)
        print_job("`import urlsm.stdlib`, in µs", {peer: time / 1000 for peer, time in best.items()}, [], ())
    if peers.PAGE and Path("/proc/self/statm").exists():
        octets = {peer: peers.memory_of(make) for peer, make in peers.MAKERS.items() if peer in found}
        print_job("memory of a URL with its text, in octets", octets, list(octets), ())
    print()


def print_job(title: str, times: dict[str, float], equal: list[str], aims: tuple[tuple[str, float], ...]) -> None:
    ratios = {peer: time / times["urlsm"] for peer, time in times.items()}
    best = min((peer for peer in equal if peer not in ("urlsm", "urllib.parse")), key=times.__getitem__, default="")
    told = [
        f">= {aim}x {peer}: {'reached' if ratios[peer] >= aim else 'missed'}" for peer, aim in aims if peer in ratios
    ]
    print_row(
        title,
        f"{best} {times[best]:.0f}" if best else "-",
        f"{times['urllib.parse']:.0f}" if "urllib.parse" in times else "-",
        f"**{times['urlsm']:.1f}**",
        *(f"{ratios[peer]:.1f}x" if peer in ratios else "-" for peer in (best, "can_ada", "url-py")),
        ", ".join(told) or "-",
    )


def import_times(rounds: int) -> dict[str, int]:
    installed = {peer: module for peer, module in peers.IMPORTS.items() if ("parse", peer) not in peers.adapters()[1]}
    return interleaved({peer: partial(peers.import_time, module) for peer, module in installed.items()}, rounds)


def print_differences(differences: Differences) -> None:
    print("Answers checked before timing. Those that differ from ours, all for these reasons:\n")
    for job, reasons in differences.items():
        for peer, counts in reasons.items():
            if counts:
                told = ", ".join(f"{reason} ({count})" for reason, count in counts.most_common())
                print(f"- {JOBS[job].title}, {peer}: {told}")
    print()


def print_rows(rounds: int) -> None:
    """Operations on one URL, beside the fastest peer that has them."""
    times = range(2000)
    print_head("one URL, ns", "fastest peer", "urlsm", "to fastest", "others")
    for row in single.rows():
        found = single.statements(row)
        clocks = {peer: partial(single.looped(*how), times, now) for peer, how in found.items()}
        best = interleaved({**clocks, "loop": partial(single.looped("pass", {}), times, now)}, rounds)
        bare = best.pop("loop")
        spent = {peer: max(1, time - bare) / len(times) for peer, time in best.items()}
        ours = spent.pop("urlsm")
        ranked = sorted(spent, key=spent.__getitem__)
        first = ranked[0] if ranked else ""
        print_row(
            row.title,
            f"{first} {spent[first]:.0f}" if first else "-",
            f"**{ours:.0f}**",
            f"{spent[first] / ours:.2f}x" if first else "-",
            ", ".join(f"{peer} {spent[peer] / ours:.2f}x" for peer in ranked[1:]) or "-",
        )
    print()


def print_cold(corpus: corpora.Corpus, rounds: int) -> None:
    """parse() over few texts again and again, over all, and over strings just made."""
    few = corpora.fresh(corpus.urls[:: len(corpus.urls) // 500][:500]) * (len(corpus.urls) // 500)
    columns = {
        "500 texts, again and again": per_call("parse", rounds, lambda: few),
        "all texts, the same strings": per_call("parse", rounds, lambda: corpus.urls),
        "all texts, new strings": per_call("parse", rounds, lambda: corpora.fresh(corpus.urls)),
    }
    print_head("parse, ns per call", *columns)
    for peer in columns["all texts, new strings"]:
        print_row(peer, *(f"{times[peer]:.1f}" for times in columns.values()))
    print()


# --- linear time -------------------------------------------------------------------------------


def print_linear(sizes: list[int]) -> None:
    """ns per octet of parse() for long texts of one unit; the growth exponent is 1 where time is linear."""
    base = urlsm.parse(corpora.BASE)
    steep = 0
    print_head("parse, ns per octet", *(f"{size // 1024} KiB" for size in sizes), "growth exponents")
    for shape, form in SHAPES.items():
        for unit in UNITS:
            texts = [form.format(unit * (size // len(unit.encode()))) for size in sizes]
            times, growth = grown(base.join if shape == "reference" else urlsm.parse, texts)
            steep += max(growth) > TOO_STEEP
            cells = [f"{time / size:.3f}" for time, size in zip(times, sizes, strict=False)]
            cells += ["-"] * (len(sizes) - len(cells))
            print_row(f"{shape} of `{unit!r}`", *cells, " ".join(f"{e:.2f}{'!' * (e > TOO_STEEP)}" for e in growth))
    print(f"\nRows with a step steeper than {TOO_STEEP}: {steep}\n")


def grown(parse: Callable[[str], object], texts: list[str]) -> tuple[list[int], list[float]]:
    """The times of texts each four times as long as the one before, and the exponents between them."""
    times: list[int] = []
    growth = [math.inf]
    for _ in range(5):  # what looks steep is timed again: it may have been another program's doing
        again: list[int] = []
        for text in texts:
            if not again or again[-1] < TOO_LONG:
                again.append(long_time(parse, text))
        times = [min(pair) for pair in zip(times, again, strict=False)] if times else again
        growth = [math.log(b / a, 4) if b > TOO_SHORT else 0 for a, b in pairwise(times)]
        if max(growth) <= TOO_STEEP:
            break
    return times, growth


def long_time(parse: Callable[[str], object], text: str) -> int:
    """The best of 3 to 50 runs. The text may be refused."""
    best, spent, runs = sys.maxsize, 0, 0
    while runs < 3 or (runs < 50 and spent < 20_000_000):
        time = clocked(lambda: corpora.accepts(parse, text))
        best, spent, runs = min(best, time), spent + time, runs + 1
        if time > TOO_LONG:
            break
    return best


if __name__ == "__main__":
    main()
