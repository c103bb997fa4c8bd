"""Go's net/http: ServeMux."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from oracles.hops.programs import Begun, Listener, Program, executables, says
from oracles.hops.sockets import free_ports

SOURCE = Path(__file__).with_name("mux.go")


def begin(go: str, folder: Path, upstream: int) -> Begun:
    shutil.copy(SOURCE, folder)
    (folder / "go.mod").write_text("module mux\n\ngo 1.22\n")  # of which ServeMux has its present rules
    own = {**os.environ, "GOTOOLCHAIN": "local", "GOPROXY": "off"}
    subprocess.run([go, "build", "-o", "mux"], cwd=folder, env=own, check=True)
    (port,) = free_ports(1)
    return Begun([str(folder / "mux"), f"127.0.0.1:{port}"], [Listener({}, port)])


def installed() -> Iterator[Program]:
    for path in executables("go"):
        if version := says([path, "version"], r"go([0-9.]+)"):
            yield Program("go", version, partial(begin, path))
