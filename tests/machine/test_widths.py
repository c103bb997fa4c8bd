"""The headers that read many octets at once, as C: no warnings, and every width agrees with the portable path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import urlsm

SOURCE = Path(__file__).resolve().parents[1] / "support/widths.c"
FLAGS = ["-std=c11", "-D_DEFAULT_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{urlsm.get_include()}"]
ARM = "aarch64-linux-gnu-gcc"
MICROSOFT = ["-D_MSC_VER=1940", f"-I{SOURCE.parent / 'msvc'}"]  # its part, by gcc


@pytest.mark.once
@pytest.mark.parametrize(
    ("compiler", "flags", "emulator"),
    [
        ("gcc", [], []),
        ("gcc", ["-DURLSM_NO_VECTORS"], []),
        ("gcc", MICROSOFT, []),
        ("clang", [], []),
        ("musl-gcc", [], []),
        (ARM, ["-static"], ["qemu-aarch64"]),
    ],
    ids=["gcc", "no vectors", "as Microsoft's", "clang", "musl", "aarch64"],
)
def test_every_width_says_what_the_portable_path_says(compiler, flags, emulator, tmp_path):
    if sys.platform == "win32":
        pytest.skip("widths.c needs mmap")
    if flags == MICROSOFT and sys.platform != "linux":
        pytest.skip("gcc may be clang here, which does not stand in for Microsoft's")
    for tool in (compiler, *emulator):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} here")
    program = str(tmp_path / "widths")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # a sanitizer, say
    subprocess.run([compiler, *FLAGS, *flags, str(SOURCE), "-o", program], env=environment, check=True)
    done = subprocess.run(
        [*emulator, program], env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "agree" in done.stdout
    if compiler == ARM:
        assert done.stdout.startswith("1 16 ")
