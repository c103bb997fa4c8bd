"""Wheels are built with a profile: what the build is told is what tools/pgo.py says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_flags_of_wheels_are_those_of_the_script():
    command = [sys.executable, str(ROOT / "tools/pgo.py"), "/tmp/profile", "--flags"]
    flags = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert "-mstringop-strategy=libcall" in flags
    assert f'CFLAGS = "{flags}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
