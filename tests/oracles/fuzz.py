"""A mutating fuzzer over every public function (oracles/entries.py), guided by what the machine did.

    cd tests && python -m oracles.fuzz -n 1000000 --seed 5     this many calls; the same seed makes the same calls

A text that makes the machine take a new step, or a new transition between steps, in any dialect, or that provokes a new
code, joins the corpus. Prints calls, seed, and new states; each failure once for each place that raises it, shortest
text first. Exits with 1 after a failure.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
import sys
import time
import traceback
from collections.abc import Iterator
from typing import NamedTuple

from support import generate, suites

import urlsm
from oracles.entries import DIALECTS, ENTRIES, GRAMMARS
from urlsm.components.value import logged

TESTS = pathlib.Path(__file__).resolve().parents[1]
LONGEST = 400  # characters: longer texts take more time and hardly find more
TOKENS = [*generate.ODD, *generate.SEGMENTS, *generate.TAILS, *generate.HOSTS, *generate.PORTS, *generate.SCHEMES]


class Failed(NamedTuple):
    entry: str
    error: str
    where: str  # the innermost lines
    text: str
    other: str


def seeds() -> list[str]:
    """Return the texts that a run starts from: a base of each kind, each scheme's vectors, the parser's cases."""
    texts = [*generate.BASES]
    texts += [vector["url"] for vector in json.loads((TESTS / "schemes/vectors.json").read_text(encoding="utf-8"))]
    cases = json.loads((TESTS / "data/own_urls.json").read_text(encoding="utf-8"))
    if conformance := suites.wpt("urltestdata.json"):
        cases += json.loads(conformance.read_text(encoding="utf-8"))
    texts += [case["input"] for case in cases if isinstance(case, dict)]
    return list(dict.fromkeys(text[:LONGEST] for text in texts))


def states(text: str, base: str) -> Iterator[object]:
    """Yield what the machine and the judges did with a text: pairs of consecutive steps, and codes."""
    for dialect in DIALECTS:
        before = None
        for number, row, fatal, _, _ in logged(text, None, dialect)[0]:
            yield dialect, before, number, row, fatal
            before = number
    if urlsm.can_parse(base):
        before = None
        for number, row, fatal, _, _ in logged(text, base, "whatwg")[0]:
            yield "with a base", before, number, row, fatal
            before = number
    for dialect in GRAMMARS:
        for violation in urlsm.validate(text, dialect=dialect):
            yield dialect, violation.code, violation.component
    for hazard in urlsm.security.audit(text):
        yield hazard.code


class Fuzzer:
    """seed: that of every choice. corpus: the texts to mutate. seen: the states. failures: by entry and place."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.corpus = seeds()
        self.seen = {state for text in self.corpus for state in states(text, "http://h/")}
        self.known = len(self.seen)
        self.failures: dict[tuple[str, str], Failed] = {}
        self.calls = 0

    def run(self, calls: int) -> None:
        while self.calls < calls:
            text, other = self.mutated(), self.mutated()
            self.guide(text, other)
            for entry in ENTRIES:
                self.call(entry, text, other)

    def call(self, entry: str, text: str, other: str) -> None:
        self.calls += 1
        try:
            ENTRIES[entry](text, other)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)[1:]
            where = " < ".join(f"{pathlib.Path(frame.filename).name}:{frame.lineno}" for frame in frames[:-4:-1])
            found = Failed(entry, f"{type(error).__name__}: {str(error)[:300]}", where, text, other)
            kept = self.failures.setdefault((entry, where), found)
            if len(text) + len(other) < len(kept.text) + len(kept.other):
                self.failures[entry, where] = found

    def guide(self, text: str, base: str) -> None:
        try:
            found = set(states(text, base)) - self.seen
        except Exception:  # the entries will report it
            return
        if found:
            self.seen |= found
            self.corpus.append(text)

    def mutated(self) -> str:
        rng = self.rng
        text = rng.choice(self.corpus) if rng.random() < 0.9 else generate.build_url(rng.choice)
        for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))):
            text = self.once(text)
        return text[:LONGEST]

    def once(self, text: str) -> str:
        """Return text with one change: something inserted, removed, doubled, moved, or the tail of another text."""
        rng = self.rng
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 4, 8)))
        before, piece, after = text[:start], text[start:end], text[end:]
        kind = rng.randrange(8)
        if kind <= 2:
            return before + rng.choice(TOKENS) + after
        if kind == 3:
            return before + after
        if kind == 4:
            return before + piece * rng.choice((2, 3, 20)) + after
        if kind == 5:
            return before + "".join(f"%{octet:02x}" for octet in piece.encode("utf-8", "surrogatepass")) + after
        if kind == 6:
            return before + piece.swapcase() + chr(rng.choice((rng.randrange(0x80), rng.randrange(0x3100)))) + after
        other = rng.choice(self.corpus)
        return before + other[rng.randint(0, len(other)) :]

    def report(self) -> str:
        lines = [f"{self.calls} calls, {len(self.seen) - self.known} new states of {len(self.seen)}"]
        lines += [f"corpus: {len(self.corpus)} texts; {len(self.failures)} kinds of failure"]
        for failed in sorted(self.failures.values()):
            lines.append(f"{failed.entry}\n    text  {failed.text!a}\n    other {failed.other!a}")
            lines.append(f"    {failed.error}\n    at {failed.where}")
        return "\n".join(lines)


def main() -> int:
    options = argparse.ArgumentParser(description="A mutating fuzzer over every public function.")
    options.add_argument("-n", type=int, default=100_000, help="calls (default: 100000)")
    options.add_argument("--seed", type=int, default=None, help="of every choice (default: drawn)")
    given = options.parse_args()
    seed = random.randrange(1 << 32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    start = time.monotonic()
    fuzzer = Fuzzer(seed)
    fuzzer.run(given.n)
    print(fuzzer.report())
    print(f"{fuzzer.calls / (time.monotonic() - start):.0f} calls a second")
    return 1 if fuzzer.failures else 0


if __name__ == "__main__":
    sys.exit(main())
