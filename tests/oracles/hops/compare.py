"""Compares the hops of urlsm.server with the live programs that are installed here. Only loopback is contacted.

    cd tests && python -m oracles.hops.compare                     each program, on 2,000 targets
    cd tests && python -m oracles.hops.compare nginx go@1.27.3 -n 100000 --seed 5   these; a seed fixes the targets
    cd tests && python -m oracles.hops.compare --rows FILE         writes what the programs answer; compares nothing
    cd tests && python -m oracles.hops.compare --record DATE       writes tests/data/hops.json.xz: 2,000 targets each
    cd tests && python -m oracles.hops.compare --proofs DATE FILE  writes urlsm/readers/hop_proofs.py: FILE has what
                                                                   comparisons have printed, which may take hours

It prints for each program and its options how many targets it served, changed and refused, and the first differences;
it exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from oracles.hops import recorded
from oracles.hops.programs import Listener, Program, live
from oracles.hops.recorded import Asked, Said
from oracles.hops.sockets import Answer, ask
from oracles.hops.targets import targets

MODULES = ["nginx", "haproxy", "apache", "envoy", "caddy", "java", "node", "go", "python_servers"]
RAW = b"\0raw\0"
SHOWN = 10  # differences that are printed for each program and options
FEW = 2000


class Row(NamedTuple):
    """What a program made of a target. raw: what a server hands on beside the path, such as raw_path."""

    target: bytes
    said: Said
    raw: bytes | None


def row(asked: Asked, hexadecimal: bool, target: bytes, matched: Answer, forwarded: Answer | None) -> Row:
    path = raw = None
    rule = ""
    if 200 <= matched.status < 300:
        rule = matched.body[:1].decode("latin-1")
        path, mark, raw = matched.body[1:].partition(RAW)
        raw = raw if mark else None
        path = bytes.fromhex(path.decode("ascii")) if hexadecimal else path
    sent = forwarded.body if forwarded and 200 <= forwarded.status < 300 else None
    return Row(target, Said(asked, matched.status, rule, path, sent), raw)


def answers(listeners: Sequence[Listener], asked: Sequence[bytes]) -> Iterator[tuple[Listener, list[Answer], Any]]:
    """Yield each listener with its answers, and those of its proxy. Several may have the same rules."""
    known: dict[int, list[Answer]] = {}
    for listener in listeners:
        if listener.matched not in known:
            known = {listener.matched: list(ask(listener.matched, asked))}
        proxied = [None] * len(asked) if listener.forwarded is None else list(ask(listener.forwarded, asked))
        yield listener, known[listener.matched], proxied


def rows(program: Program, asked: Sequence[bytes], options: bool = True) -> Iterator[list[Row]]:
    """Run a program, and yield what it made of the targets with each of its options, or with the first alone."""
    with live(program) as listeners:
        for listener, matched, forwarded in answers(listeners if options else listeners[:1], asked):
            who = Asked(str(program), listener.options, listener.forwarded is not None)
            yield [row(who, listener.hexadecimal, *each) for each in zip(asked, matched, forwarded, strict=True)]


def installed(names: Sequence[str] = (), modules: Sequence[str] = MODULES) -> Iterator[Program]:
    """Yield the programs of these names, or all, that these modules start."""
    for module in modules:
        for program in import_module(f"oracles.hops.{module}").installed():
            if not names or program.name in names or str(program) in names:
                yield program


# --- the comparison ---


def known(program: Program) -> bool:
    """Return whether urlsm knows a release of it that is not newer: nothing is said of those before."""
    from urlsm.server.hop_list import answer

    try:
        answer(b"/", str(program))
    except ValueError:
        return False
    return True


def difference(target: bytes, said: Said) -> str | None:
    """Return how urlsm differs from what a program made of a target, or None."""
    from urlsm.server.hop_list import answer

    if not target.startswith(b"/"):  # refused before any hop is asked
        return None
    kind, matched, forwarded = answer(target, said.asked.program, **said.asked.options)
    if kind != said.kind:
        return f"{said.kind} ({said.status}) {said.matched!r}, not {kind} {matched!r}"
    if matched != said.matched:
        return f"matched {said.matched!r}, not {matched!r}"
    if said.asked.forwards and forwarded != said.forwarded:
        return f"forwarded {said.forwarded!r}, not {forwarded!r}"
    return None


def shares(found: Sequence[Row]) -> str:
    part = 100 / len(found)
    served = [one for one in found if one.said.matched is not None]
    counts = {
        "served": len(served),
        "changed": sum(one.said.matched != one.target.partition(b"?")[0] for one in served),
        "under /admin": sum(one.said.rule in ("A", "R") for one in served),
        "redirected": sum(one.said.kind == "redirected" for one in found),
        "changed when sent on": sum(one.said.forwarded not in (None, one.target) for one in found),
    }
    return ", ".join(f"{name} {count * part:.1f} %" for name, count in counts.items() if count)


def compare(program: Program, asked: Sequence[bytes], options: bool = True) -> int:
    """Print how a program differs from its hop, and return on how many of the targets."""
    total = 0
    for found in rows(program, asked, options):
        different = [(one, text) for one in found if (text := difference(one.target, one.said))]
        total += len(different)
        name = f"{program} {found[0].said.asked.options}"
        print(f"{name}: {len(found)} targets, {len(different)} differences; {shares(found)}", flush=True)
        for one, text in different[:SHOWN]:
            print(f"    {one.target!r}: {text}", flush=True)
    return total


def write(path: str, programs: Iterable[Program], asked: Sequence[bytes]) -> None:
    """Write what the programs answer, a line of JSON for each target; octets are Latin-1."""

    def text(octets: bytes | None) -> str | None:
        return None if octets is None else octets.decode("latin-1")

    with open(path, "w", encoding="ascii") as file:
        for one in (one for program in programs for found in rows(program, asked) for one in found):
            line = {"program": one.said.asked.program, "options": one.said.asked.options, "target": text(one.target),
                    "status": one.said.status, "matched": text(one.said.matched), "rule": one.said.rule,
                    "forwarded": text(one.said.forwarded), "raw": text(one.raw)}  # fmt: skip
            file.write(json.dumps(line) + "\n")


def record(date: str, programs: Iterable[Program], asked: Sequence[bytes]) -> None:
    """Record these programs, beside the others of the file if these were asked about the same targets."""
    said = {}
    before = list(recorded.read()[2]) if recorded.FILE.exists() else []
    if [target for target, _ in before] == list(asked):
        said = {row_of[0].asked.name: row_of for row_of in zip(*(row for _, row in before), strict=True)}
    for program in programs:
        said = {name: row_of for name, row_of in said.items() if name[0] != str(program)}
        for found in rows(program, asked):
            said[found[0].said.asked.name] = tuple(one.said for one in found)
        print(program, flush=True)
    recorded.write(date, asked, list(said.values()))


PRINTED = re.compile(r"(\S+)@(\S+) \{.*\}: (\d+) targets, (\d+) differences; .*\n")


def write_proofs(date: str, printed: str) -> None:
    """Write the proofs of the releases that comparisons have printed, over all options; the others stay."""
    from oracles.replay import write_table
    from urlsm.readers import hop_proofs
    from urlsm.readers.hops import PROGRAMS
    from urlsm.readers.proofs import Proof

    counted: dict[tuple[str, str], tuple[int, int]] = {}
    for name, release, asked, different in PRINTED.findall(printed):
        texts, equal = counted.get((name, release), (0, 0))
        counted[name, release] = texts + int(asked), equal + int(asked) - int(different)
    proofs: dict[str, dict[str, Proof]] = {}
    for program in sorted(PROGRAMS, key=lambda program: program.name):
        for release in program.releases:
            proof = hop_proofs.HOP_PROOFS.get(program.name, {}).get(release)
            if now := counted.get((program.name, release)):
                proof = Proof(date, *now)
            if proof is not None:
                proofs.setdefault(program.name, {})[release] = proof
    write_table(Path(hop_proofs.__file__), proofs)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the hops of urlsm.server with live programs.")
    parser.add_argument(
        "names", nargs="*", help="programs: nginx, go, nginx@1.22.1 ... (default: all that are installed)"
    )
    parser.add_argument("-n", type=int, default=FEW, help=f"targets for each program (default: {FEW})")
    parser.add_argument("--defaults", action="store_true", help="without the options of programs")
    parser.add_argument("--seed", type=int, default=None, help="of the targets (default: drawn)")
    parser.add_argument("--rows", metavar="FILE", help="write the rows, a line of JSON each")
    parser.add_argument("--record", metavar="DATE", help="write tests/data/hops.json.xz")
    parser.add_argument("--proofs", nargs=2, metavar=("DATE", "FILE"), help="write urlsm/readers/hop_proofs.py")
    given = parser.parse_args()
    if given.proofs:
        write_proofs(given.proofs[0], Path(given.proofs[1]).read_text(encoding="utf-8"))
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are ended too
    seed = given.seed if given.seed is not None else recorded.SEED if given.record else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    programs = list(installed(given.names))
    asked = list(targets(given.n, seed))
    if given.rows:
        write(given.rows, programs, asked)
        return 0
    if given.record:
        record(given.record, programs, asked)
        return 0
    for program in programs:
        if not known(program):
            print(f"{program}: no such release is known, nor an earlier one")
    total = sum(compare(program, asked, not given.defaults) for program in programs if known(program))
    print(f"{total} differences")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
