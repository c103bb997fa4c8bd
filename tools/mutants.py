"""Draw mutants of the product over all rooms, and tell which of them the tests kill.

    python tools/mutants.py --count 100 --seed 1 --to FOLDER

Each mutant is one change of one line of a copy of the tree, such as < for <=, or True for False. The tests of its room
run as they do by default. If they pass, those of its room and of tests/properties run with all random cases
(pytest --full). What only these kill, the whole default run has to kill too: else the mutant is listed as "full", for
the default run loses it. A mutant that none of them kills "lives" in both. FOLDER holds a copy of the tree for each
job, built in place, and mutants.jsonl, a line for each mutant, so that a run that was stopped goes on. A mutant of a
.pyx, .pxd or .h file takes a build. The interpreter needs what `pip install '.[test]'` installs, setuptools and Cython.
A hundred take about an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.egg-info", "suites")
SUFFIXES = {".py", ".pyx", ".pxd", ".h"}
# what stands there, what may stand there instead
SWAPS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" \+ ", " - "), (r" - ", " + "), (r" and ", " or "), (r" or ", " and "), (r" && ", " || "), (r" \|\| ", " && "),
    (r"\bnot (?!in)", ""), (r" is not ", " is "), (r" not in ", " in "), (r"\bTrue\b", "False"), (r"\bFalse\b", "True"),
    (r"\b0\b(?![.x])", "1"), (r"\b1\b(?!\.)", "2"), (r"\bbreak\b", "continue"), (r"\+= 1\b", "+= 2"),
]  # fmt: skip


def code_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that may be changed: no comments, docstrings, imports, declarations, texts of errors."""
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        marks = line.count('"""') + ("/*" in line and "*/" not in line)
        if inside or marks:
            inside ^= marks % 2 == 1 or (inside and "*/" in line)
            continue
        code = line.strip()
        if code and not re.match(
            r"#|//|/\*|from |import |cimport |cdef extern|def |class |@|raise |\"|'|Written by", code
        ):
            yield number, line


def drawn(seed: int, count: int) -> list[dict]:
    """Return mutants: as many of each room as its share, at least one."""
    rng = random.Random(seed)
    found: dict[str, list[dict]] = {}
    for top in ("urlsm", "schemes"):
        for path in sorted((ROOT / top).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if (
                path.suffix not in SUFFIXES
                or name.endswith("_table.h")
                or "Written by tools/" in path.read_text(encoding="utf-8")[:2000]
            ):
                continue
            room = "schemes" if top == "schemes" else name.split("/")[1] if name.count("/") > 1 else ""
            for number, line in code_lines(path):
                for before, after in SWAPS:
                    at = [m.span() for m in re.finditer(before, line.partition("  #")[0])]
                    for start, end in at:
                        mutant = {"file": name, "line": number + 1, "room": room}
                        mutant |= {"before": line, "after": line[:start] + after + line[end:]}
                        found.setdefault(room, []).append(mutant)
    rooms = sorted(found)
    total = sum(map(len, found.values()))
    mutants = [rng.choice(found[room]) for room in rooms]
    weights = [len(found[room]) / total for room in rooms]
    while len(mutants) < count:
        mutants.append(rng.choice(found[rng.choices(rooms, weights)[0]]))
    rng.shuffle(mutants)
    return mutants[:count]


class Tree:
    """A copy of the tree that is built in place, and in which one mutant lives at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tree"
        if not self.folder.exists():
            shutil.copytree(ROOT, self.folder, ignore=LEFT_OUT, symlinks=True)
            (self.folder / "urlsm/schemes").symlink_to("../schemes", target_is_directory=True)  # as a wheel has it
            if not self.build():
                shutil.rmtree(self.folder)  # so that the next run does not take it for built
                raise SystemExit("the copy of the tree cannot be built")
        self.passing: set[str] = set()  # the rooms whose tests pass without a mutant

    def run(self, *words: str, seconds: float = 3600) -> bool:
        """Return whether a command ends well; one that hangs does not."""
        path = os.pathsep.join([str(self.folder)])
        environment = os.environ | {"PYTHONPATH": path, "URLSM_BUILD": "quick", "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            [sys.executable, *words], cwd=self.folder, env=environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return False

    def build(self) -> bool:
        return self.run("setup.py", "build_ext", "--inplace")

    def tested(self, *words: str) -> bool:
        return self.run("-m", "pytest", "-q", "-x", "-p", "no:randomly", "--timeout=300", *words)

    def outcome(self, mutant: dict) -> str:
        """Return what kills the mutant: the compiler, the room, all, the full run; or "lives"."""
        room = f"tests/{mutant['room']}"
        own = [room] if mutant["room"] and (self.folder / room).is_dir() else ["tests/url", "tests/test_api.py"]
        if room not in self.passing:
            if not self.tested(*own):
                raise SystemExit(f"{room} fails without a mutant")
            self.passing.add(room)
        path = self.folder / mutant["file"]
        whole = path.read_text(encoding="utf-8")
        lines = whole.split("\n")
        assert lines[mutant["line"] - 1] == mutant["before"], mutant
        lines[mutant["line"] - 1] = mutant["after"]
        compiled = path.suffix != ".py"
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            if compiled and not self.build():
                return "compiler"
            if not self.tested(*own):
                return "room"
            if self.tested("--full", *own, "tests/properties"):
                return "lives"
            return "full" if self.tested() else "all"
        finally:
            path.write_text(whole, encoding="utf-8")
            if compiled:
                self.build()


def work(options: argparse.Namespace, mutants: list[dict], job: int) -> None:
    """Take every mutant of this job, and append what became of it to the log."""
    tree = Tree(options.to.resolve() / str(job))
    for mutant in mutants[job :: options.jobs]:
        start = perf_counter()
        mutant["outcome"] = tree.outcome(mutant)
        mutant["seconds"] = round(perf_counter() - start)
        with (options.to / "mutants.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(mutant) + "\n")
        print(f"{mutant['outcome']:8} {mutant['file']}:{mutant['line']} {mutant['after'].strip()}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Which of some drawn mutants do the tests kill?")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    log = options.to / "mutants.jsonl"
    log.touch()
    done = [(row["file"], row["line"], row["after"]) for row in map(json.loads, log.open(encoding="utf-8"))]
    mutants = [
        mutant
        for mutant in drawn(options.seed, options.count)
        if (mutant["file"], mutant["line"], mutant["after"]) not in done
    ]
    jobs = [multiprocessing.Process(target=work, args=(options, mutants, job)) for job in range(options.jobs)]
    for process in jobs:
        process.start()
    for process in jobs:
        process.join()
    outcomes = [json.loads(line)["outcome"] for line in log.read_text(encoding="utf-8").splitlines()]
    print({outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))})
    if any(process.exitcode for process in jobs):
        raise SystemExit("a job ended early, and has said why")


if __name__ == "__main__":
    main()
