"""Measurements in separate processes: import, the first use of what is loaded late, memory."""

import os
import statistics
import subprocess
import sys
from pathlib import Path

from bench.measure import Figures

ROOT = Path(__file__).resolve().parents[1]
PAGE = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 0
IMPORTS = {"urlsm": "urlsm", "can_ada": "can_ada", "url-py": "url", "ada-url": "ada_url",
           "pydantic_core": "pydantic_core", "yarl": "yarl", "urllib.parse": "urllib.parse"}  # fmt: skip
URL = "https://www.example.org/some/path?id=1"
PARSE = {"urlsm": f"import urlsm; urlsm.parse('{URL}')", "can_ada": f"import can_ada; can_ada.parse('{URL}')",
         "url-py": f"import url; url.URL.parse('{URL}')", "yarl": f"import yarl; yarl.URL('{URL}')",
         "urllib.parse": f"import urllib.parse; urllib.parse.urlsplit('{URL}')"}  # fmt: skip
READY = f"import urlsm; u = urlsm.parse('{URL}')"
TIMED = {  # title -> the untimed preparation; peer -> the timed work
    "`import`": ("", {peer: f"import {module}" for peer, module in IMPORTS.items()}),
    "`import`, then parse one URL": ("", PARSE),
    "`import urlsm.stdlib`": ("", {"urlsm": "import urlsm.stdlib", "urllib.parse": "import urllib.parse"}),
    "the first normalize": (READY, {"urlsm": f"urlsm.normalize('{URL}')"}),
    "the first normalize that asks the handler": (READY, {"urlsm": f"urlsm.normalize('{URL}%7e')"}),
    "the first refusal": (READY, {"urlsm": "try: urlsm.parse('')\nexcept ValueError: pass"}),
    "the first u.parts": (READY, {"urlsm": "u.parts"}),
}
MAKERS = {"urlsm": "from urlsm import parse as make", "can_ada": "from can_ada import parse as make",
          "url-py": "from url import URL; make = URL.parse", "pydantic_core": "from pydantic_core import Url as make",
          "yarl": "from yarl import URL as make", "urllib.parse": "from urllib.parse import urlsplit as make",
          "a bare str": "make = str"}  # fmt: skip


def processes(rounds: int) -> tuple[dict[str, Figures], dict[str, Figures]]:
    """Return two tables by title: microseconds, the median and 95th percentile of processes; octets of a URL with its
    text."""
    times = {}
    for title, (before, ways) in TIMED.items():
        found: dict[str, list[float]] = {}
        left_out: dict[str, str] = {}
        for turn in range(rounds + 1):
            for peer, work in ways.items():
                try:
                    time = in_new_process(before, work)
                except subprocess.CalledProcessError as error:
                    left_out[peer] = error.stderr.decode().splitlines()[-1]
                else:
                    found.setdefault(peer, []).extend([time] * bool(turn))  # the first writes the bytecode
        ns = {
            peer: (round(statistics.median(all_)), round(sorted(all_)[len(all_) * 95 // 100]))
            for peer, all_ in found.items()
        }
        times[title] = Figures(rounds, ns, {}, [], left_out)
    octets = {}
    if Path("/proc/self/statm").exists():
        for peer, make in MAKERS.items():
            try:
                octets[peer] = (round(memory_of(make)),) * 2
            except subprocess.CalledProcessError:
                continue
    return times, {"memory of a URL with its text": Figures(100_000, octets, {}, ["a bare str"], {})} if octets else {}


def in_new_process(before: str, work: str) -> float:
    """Return the microseconds of processor time in a new interpreter, without its own start."""
    # without site, whose .pth files import much; the folders of packages are passed instead
    path = [entry for entry in sys.path if entry.endswith("site-packages")]
    hooks = "; ".join(f"import {name}; {name}.install()" for name in sys.modules if name.startswith("__editable__"))
    before = f"{hooks}\n{before}" if before else ""  # a hook finds urlsm.schemes of an editable install
    clock = f"import sys; sys.path += {path}\n{before}\nfrom time import process_time_ns as now; t = now()"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-S", "-c", f"{clock}\n{work}\nprint(now() - t)"]
    return int(subprocess.run(command, cwd=ROOT, env=kept, check=True, capture_output=True).stdout) / 1000


def memory_of(make: str) -> float:
    """Return the octets of a URL with its text, in a new process that keeps 100,000 of them. make: the code that
    defines the function."""
    code = f"""{make}
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * {PAGE}
texts = range(100_000)
before = resident()
kept = [make(f"https://www.example.org/some/path/{{k}}?id={{k}}") for k in texts]
print((resident() - before) / len(kept) - 8)"""
    return float(subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True).stdout)
