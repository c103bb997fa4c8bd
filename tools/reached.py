"""Tell which lines and branches of the Python code only the full run of the tests reaches, not the default one.

    python tools/reached.py FOLDER    measures both at once, a core each, in FOLDER, and compares

Needs coverage (pip install coverage) beside what the tests need. What is measured there already is not run again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RUNS = {"default": [], "full": ["--full"]}


def measured(folder: Path) -> dict[str, dict[str, Any]]:
    """Return coverage's files of both runs, by the run's name."""
    runs = []
    for name, words in RUNS.items():
        if not (folder / f"{name}.json").exists():
            environment = os.environ | {"COVERAGE_FILE": str(folder / f".{name}")}
            run = ["run", "--branch", f"--source={ROOT / 'urlsm'},{ROOT / 'schemes'}", "-m", "pytest", "-q", "-n0"]
            with (folder / f"{name}.log").open("w", encoding="utf-8") as log:
                command = [sys.executable, "-m", "coverage", *run, *words]
                runs.append((name, environment, subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log)))
    for name, environment, process in runs:
        process.wait()
        report = [sys.executable, "-m", "coverage", "json", "-q", "-o", str(folder / f"{name}.json")]
        subprocess.run(report, cwd=ROOT, env=environment, check=True)
    return {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["files"] for name in RUNS}


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    found = measured(folder.resolve())
    lost = 0
    for name, full in found["full"].items():
        default = found["default"].get(name, {"executed_lines": [], "executed_branches": []})
        lines = sorted({*full["executed_lines"]} - {*default["executed_lines"]})
        branches = {*map(tuple, full["executed_branches"])} - {*map(tuple, default["executed_branches"])}
        arrows = [f"{start} -> {end}" for start, end in sorted(branches) if end not in lines and start not in lines]
        if lines or arrows:
            print(f"{name}: lines {lines}, branches {arrows}")
        lost += len(lines) + len(arrows)
    print(f"{lost} lines and branches are reached by the full run alone")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
