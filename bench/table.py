"""All figures, from one run: `python -m bench.table --record` writes results.json, and from it the tables of
RESULTS.md, docs/benchmarks.md and README.md. Without --record it prints them.

Each row is timed over up to 10,000 links, as many as its time allows; README.md in this folder explains it.
"""

import argparse
import dataclasses
import gc
import importlib.metadata
import json
import os
import platform
import sys
import sysconfig
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench import corpora, figures, long, peers
from bench.clocks import load_average
from bench.lists import Lists
from bench.measure import Row, measure, say, told
from bench.pages import pages
from bench.processes import processes
from bench.rows import CLASSES_OF_LINKS, GROUPS


@dataclasses.dataclass
class Pace:
    rounds: int
    seconds: float  # for a row
    seconds_of_class: float
    pages: int


FULL = Pace(rounds=7, seconds=1.5, seconds_of_class=0.5, pages=20)
QUICK = Pace(rounds=3, seconds=0.25, seconds_of_class=0.1, pages=5)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two minutes instead of ten: fewer links, fewer rounds")
    parser.add_argument("--record", action="store_true", help="write results.json and the pages")
    parser.add_argument("--only", metavar="TEXT", help="rows whose titles hold this; not with --record")
    parser.add_argument("--corpus", choices=corpora.NAMES, help="default: top100 and bookmarks, or generated links")
    options = parser.parse_args(arguments)
    if options.record and options.only:
        parser.error("a record holds every row")
    gc.freeze()
    record = run(QUICK if options.quick else FULL, Lists(options.corpus), options.only or "")
    if options.record:
        figures.JSON.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        figures.write()
        say(f"Written: {figures.JSON}, and the tables of {', '.join(path.name for path in figures.PAGES)}.")
    else:
        print("\n".join(figures.blocks(record).values()))


def run(pace: Pace, lists: Lists, only: str) -> dict[str, Any]:
    """Return the record: a description of the machine, and each row's figures, without links."""
    start, load = perf_counter(), load_average()
    rows: dict[str, dict[str, Any]] = {}
    for group, of_group in GROUPS.items():
        seconds = pace.seconds_of_class if group in CLASSES_OF_LINKS else pace.seconds
        for row in of_group:
            if only in row.title:
                rows.setdefault(group, {})[row.title] = one(row, lists, pace.rounds, seconds)
    record: dict[str, Any] = {"machine": {}, "rows": rows}
    if not only:
        times, octets = processes(2 * pace.rounds + 1)
        rows["processes"] = {title: dataclasses.asdict(found) for title, found in times.items()}
        rows["memory"] = {title: dataclasses.asdict(found) for title, found in octets.items()}
        record["pages"] = pages_of(lists, pace)
        record["steep"] = long.steep(long.SIZES[:-1])
    record["machine"] = {
        "date": date.today().isoformat(),
        "urlsm": importlib.metadata.version("urlsm"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "python built with PGO": "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or ""),
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "load": [load, load_average()],
        "seconds": round(perf_counter() - start),
        "links": {"sources": lists.sources, "count": len(lists.links), "of each class": 3,
                  "octets": round(sum(map(len, lists["octets"])) / len(lists["octets"]), 1),
                  "not in normal form": len(lists.links) - len(lists.normal)},
        "versions": peers.versions(),
        "not installed": {peer: why for peer in peers.PEERS if isinstance(why := peers.names_of(peer), str)},
    }  # fmt: skip
    return record


def one(row: Row, lists: Lists, rounds: int, seconds: float) -> dict[str, Any]:
    found = measure(row, lists, rounds, seconds)
    say(told(row, found))
    return dataclasses.asdict(found)


def pages_of(lists: Lists, pace: Pace) -> dict[str, float]:
    try:
        return pages(lists.web, pace.pages)
    except ImportError as error:
        say(f"Left out: pages of Scrapy ({error})")
        return {}


def cpu() -> str:
    """Return the processor's name and its vector extensions."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    told = dict(line.split("\t: ", 1) for line in text.split("\n") if "\t: " in line)
    known = {key.strip(): value for key, value in told.items()}
    vectors = next((name for name in ("avx512bw", "avx2", "ssse3") if name in known.get("flags", "").split()), "")
    return " ".join(f"{known.get('model name', platform.machine())} {vectors}".split())


if __name__ == "__main__":
    main()
