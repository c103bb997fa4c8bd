"""The command line beside trurl, lines a second of CPU time: `python -m bench.shell --trurl PATH`. Markdown.

The hosts that both print are compared before anything is timed. Each call is a separate process, including its start.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import urlsm
from bench import corpora
from bench.clocks import load_average, print_head, print_row
from bench.lists import Lists

ROUNDS = 3
JOBS = {  # job: our arguments, trurl's
    "JSON": ([], ["--json"]),
    "{host}": (["--get", "{host}"], ["--get", "{host}"]),
    "{path}": (["--get", "{path}"], ["--get", "{path}"]),
    "CSV": (["--csv"], None),
    **{
        " ".join(edit): (edit, edit)
        for edit in (
            ["--set", "host=h"],
            ["--set", "path=a b"],
            ["--append", "path=x"],
            ["--append", "query=a=b"],
            ["--sort-query"],
            ["--qtrim", "utm_*"],
        )
    },
}
STARTS = {  # a process for one URL, beside the bare interpreter
    "python -c pass": ["-c", "pass"],
    "urlsm parse URL": ["-m", "urlsm", "parse", "https://example.org/a?b#c"],
    "urlsm --version": ["-m", "urlsm", "--version"],
}
START_ROUNDS = 40


def run(call: list[str], out: str = os.devnull) -> float:
    """Return the seconds of CPU time that a call takes; infinite if it crashes (like trurl 0.16.1 on some links)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(out, "wb") as stream:
        done = subprocess.run(call, stdout=stream, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode < 0:
        return float("inf")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_starts() -> None:
    """Print the milliseconds of CPU time of whole processes, timed in turns."""
    took: dict[str, list[float]] = {name: [] for name in STARTS}
    for _ in range(START_ROUNDS):
        for name, call in STARTS.items():
            took[name].append(1000 * run([sys.executable, *call]))
    own = [min(took["python -c pass"]), statistics.median(took["python -c pass"])]
    print()
    print_head("milliseconds, one process", "least", "median", "times the interpreter's")
    for name, all_of in took.items():
        least, middle = min(all_of), statistics.median(all_of)
        print_row(name, f"{least:.1f}", f"{middle:.1f}", f"{least / own[0]:.2f}, {middle / own[1]:.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trurl", metavar="PATH", help="the program; without it, only ours is timed")
    parser.add_argument("--corpus", choices=corpora.NAMES)
    parser.add_argument("--lines", type=int, default=1_000_000, help="the links again and again (%(default)s)")
    args = parser.parse_args()
    links = [text for text in Lists(args.corpus).links if "\n" not in text and urlsm.can_parse(text)]
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/links"
        lines = (links * (args.lines // len(links) + 1))[: args.lines]
        Path(file).write_text("\n".join(lines) + "\n", encoding="utf-8")
        ours, theirs = [sys.executable, "-m", "urlsm", "parse", "-f", file], [str(args.trurl), "-f", file]
        print(f"{len(links):,} links, {args.lines:,} lines.\n")
        if args.trurl:
            for call, out in ((ours, "ours"), (theirs, "theirs")):
                run([*call, "--get", "{host}"], f"{folder}/{out}")
            hosts = [Counter(Path(folder, out).read_bytes().lower().split(b"\n")) for out in ("ours", "theirs")]
            apart = max((hosts[0] - hosts[1]).total(), (hosts[1] - hosts[0]).total())
            print(f"Lines on whose host they differ, or that one of them refuses: {apart:,} of {len(lines):,}.\n")
            if apart > len(lines) // 20:
                print("That is other work: nothing was timed.")
                return 1
        print_head("lines a second", "urlsm", "trurl", "times")
        for job, options in JOBS.items():
            best = [float("inf")] * 2
            for _ in range(ROUNDS):
                for k, call in enumerate((ours, theirs)):
                    if options[k] is not None and (k == 0 or args.trurl):
                        best[k] = min(best[k], run([*call, *options[k]]))
            rates = [f"{len(lines) / took:,.0f}" if took < float("inf") else "-" for took in best]
            print_row(job, *rates, f"{best[1] / best[0]:.1f}" if best[1] < float("inf") else "")
    print_starts()
    print(f"\nLoad: {load_average()}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
