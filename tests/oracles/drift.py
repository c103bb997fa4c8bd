"""Compares the readers with the live programs that are installed here, on fresh texts. Nothing is contacted.

    cd tests && python -m oracles.drift                    what each installed program reads otherwise than its reader
    python -m oracles.drift curl go -n 1000000 --seed 5    what these do, on so many texts; a seed makes the same texts
    python -m oracles.drift --texts code-points            one of the sources in oracles/texts.py

Says "curl 8.24.0 differs from curl@8.23.0 on ...", and exits with 1, if a reader is not exact for the release that is
installed: then record this release (oracles/replay.py), and add it to the reader.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from oracles.replay import REFUSED
from oracles.texts import SOURCES
from urlsm.readers.programs import HOMES, Program, number, program, release

HERE = Path(__file__).with_name("readers")
BATCH = 20_000  # texts that a program is asked at once
SHOWN = 20  # differences that are printed for each program
SECONDS = 3600
VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)+")
UNASKED = ("NUL", "unsendable")  # what a program says of a text that cannot be given to it


class Oracle(NamedTuple):
    """A live program: its command, and the names of the readers that it may answer for. hexadecimal: its input and
    output are not JSON but hexadecimal octets."""

    command: tuple[str, ...]
    names: tuple[str, ...]
    environment: dict[str, str]
    hexadecimal: bool = False


class Difference(NamedTuple):
    """A text on which a reader differs from the live program. kind: "read" or "connects"."""

    name: str
    live: str
    ours: str
    kind: str
    text: str
    answer: Any
    answer_of_ours: Any

    def __str__(self) -> str:
        return (
            f"{self.name} {self.live} differs from {self.name}@{self.ours} on {self.text!r} ({self.kind}):\n"
            f"    live {self.answer}\n    ours {self.answer_of_ours}"
        )


class Count(NamedTuple):
    """How many texts a program was asked, and of how many its answer is that of its reader."""

    name: str
    live: str
    kind: str
    texts: int
    equal: int


def pythons() -> list[str]:
    """Return the interpreters of CPython: those of pyenv, and this one."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [str(path) for path in sorted(root.glob("versions/3.*/bin/python"))]
    return [*found, sys.executable] if not any(f"/{sys.version.split()[0]}/" in path for path in found) else found


def compiled(command: Sequence[str], source: Path, name: str) -> str | None:
    """Return the path of a compiled program; None if there is no compiler, or it fails."""
    target = Path(scratch()) / name
    if not target.exists():
        if shutil.which(command[0]) is None:
            return None
        if subprocess.run([*command, str(target), str(source)], capture_output=True, check=False).returncode:
            return None
    return str(target)


@cache
def scratch() -> str:
    """Return the path of a folder that is removed at exit."""
    made = tempfile.mkdtemp(prefix="urlsm-drift-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def oracles() -> Iterator[Oracle]:
    """Yield the programs that seem to be installed; some of them may fail to start."""
    utf8 = {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
    hook = compiled(["cc", "-shared", "-fPIC", "-o"], HERE / "hook.c", "hook.so")
    yield Oracle(
        (sys.executable, str(HERE / "libcurl.py")), ("curl",), {**utf8, **({"LD_PRELOAD": hook} if hook else {})}
    )
    libraries = ("urllib3", "requests", "httpx", "yarl", "aiohttp", "rfc3986", "hyperlink", "furl", "pydantic")
    libraries += ("url-py", "ada", "qt-tolerant", "qt-strict")
    yield Oracle((sys.executable, str(HERE / "libraries.py")), libraries, utf8)
    for python in pythons():
        yield Oracle((python, str(HERE / "cpython.py")), ("urllib.parse", "urllib.request"), utf8)
    scripts = ("whatwg-url", "url-parse", "urijs", "fast-uri", "uri-js")
    modules = {"ORACLE_MODULES": os.environ["NODE_PATH"]} if "NODE_PATH" in os.environ else {}
    yield Oracle(("node", str(HERE / "node.cjs")), ("node", "node-legacy", *scripts), modules)
    yield Oracle(("php", str(HERE / "php.php")), ("php", "php-rfc3986", "php-whatwg"), {})
    yield Oracle(("perl", str(HERE / "perl.pl")), ("perl",), {})
    rubies = ("ruby", "ruby-rfc2396", "ruby-rfc3986", "addressable", "addressable-heuristic")
    yield Oracle(("ruby", str(HERE / "ruby.rb")), rubies, utf8)
    yield Oracle(("/usr/bin/python3", str(HERE / "glib.py")), ("glib", "glib-relaxed", "soup"), utf8)
    if go := compiled(["go", "build", "-o"], HERE / "go.go", "go"):
        yield Oracle((go,), ("go",), {})
    java = ("java", "-Dfile.encoding=UTF-8", "-XX:TieredStopAtLevel=1", str(HERE / "Readers.java"))
    yield Oracle(java, ("java.net.URI", "java.net.URL"), {}, hexadecimal=True)


def ask(oracle: Oracle, texts: Sequence[str], names: Sequence[str]) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the versions of a program's readers and its answers to each text; nothing if it cannot run."""
    if shutil.which(oracle.command[0]) is None:
        return {}, []
    lines = [text.encode().hex() if oracle.hexadecimal else json.dumps(text) for text in texts]
    # the settings of our sanitized build are not for other programs
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"} | oracle.environment
    chosen = names if oracle.command[-1].endswith("libraries.py") else ()
    done = subprocess.run(
        [*oracle.command, *chosen],
        input="".join([f"{line}\n" for line in lines]).encode(),
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=environment,
        cwd=scratch(),
    )
    if done.returncode:
        return {}, []
    said = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    found = done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
    if oracle.hexadecimal:
        count = len(oracle.names)
        answers = [
            {name: _fields(found[count * at + k]) for k, name in enumerate(oracle.names)} for at in range(len(texts))
        ]
        return dict.fromkeys(oracle.names, said[-1]), answers
    answers = [json.loads(line) for line in found]
    assert len(answers) == len(texts), oracle.command
    versions = {}
    for name, told in json.loads(next(line for line in said if line.startswith("{"))).items():
        version = VERSION.findall(told)
        if version:
            # "Mono 6.8.0 System.Uri", but "URI 5.17, perl v5.36.0" and "ruby 3.1.2, uri 0.11.0"
            versions[name] = version[0] if name.startswith(("perl", "ruby")) else version[-1]
    return versions, answers


def _fields(line: str) -> list[str | None]:
    """Return the answer that a line in hexadecimal holds."""
    if line == "!":
        return ["!"]
    return [None if field == "-" else bytes.fromhex(field[1:]).decode() for field in line.split("\t")]


def compared(found: Program, live: str, rows: Sequence[tuple[str, dict[str, Any]]]) -> Iterator[Difference | Count]:
    """Yield the texts on which a reader differs from a live program, and counts. rows: texts with the answers."""
    try:
        known = release(found, live)
    except ValueError:  # older than all that are known
        return
    version = number(known)
    for kind, column in (("read", found.name), ("connects", f"{found.name}>")):
        texts = equal = 0
        for text, answers in rows:
            answer = answers.get(column)
            if answer is None or (answer[0] == "!" and answer[1:2] and answer[1] in UNASKED):
                continue
            texts += 1
            # "!" is also a scheme to some
            told: Any = REFUSED if answer[0] == "!" and len(answer) < 7 else tuple([*answer, *[None] * 7][:7])
            ours: Any = found.read(text, version)
            if kind == "connects":
                told = told if told == REFUSED else told[2:4]
                ours = ours if isinstance(ours, str) else ours[7]
            ours = REFUSED if isinstance(ours, str) else ours[:7]
            equal += ours == told
            if ours != told:
                yield Difference(found.name, live, known, kind, text, told, ours)
        if texts:
            yield Count(found.name, live, kind, texts, equal)


def run(names: Sequence[str], source: str, count: int, seed: int) -> Iterator[Difference | Count]:
    """Yield the differences and counts for each installed program, in batches. names: the programs; all if empty.
    source: of the texts, one of SOURCES."""
    for oracle in oracles():
        wanted = [name for name in oracle.names if not names or name in names]
        if not wanted:
            continue
        texts = SOURCES[source](seed, count)
        while batch := [text for _, text in zip(range(BATCH), texts, strict=False)]:
            versions, answers = ask(oracle, batch, wanted)
            if not versions:
                break
            rows = list(zip(batch, answers, strict=True))
            for name in wanted:
                live = versions.get(name) or versions.get(f"{name}>")
                if live is not None:
                    yield from compared(program(name), live, rows)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--texts", choices=SOURCES, default="spliced")
    parser.add_argument("-n", type=int, default=20_000, help="how many texts")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    if unknown := set(options.names) - set(HOMES):
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    counts: dict[tuple[str, str, str], tuple[int, int]] = {}
    shown: dict[tuple[str, str], int] = {}
    print(f"--texts {options.texts} --seed {options.seed} -n {options.n}", flush=True)
    for found in run(options.names, options.texts, options.n, options.seed):
        if isinstance(found, Count):
            texts, equal = counts.get(found[:3], (0, 0))
            counts[found[:3]] = texts + found.texts, equal + found.equal
        else:
            shown[found[:2]] = shown.get(found[:2], 0) + 1
            if shown[found[:2]] <= SHOWN:
                print(found, flush=True)
    for (name, live, kind), (texts, equal) in counts.items():
        print(f"{name} {live} {kind}: {equal} / {texts}")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
