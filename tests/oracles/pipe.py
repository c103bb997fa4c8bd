"""Other programs as oracles: one process for many cases, JSON in and out; skipped without the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest

SECONDS = 3600  # for one batch of any length


def as_utf_16(text: str) -> str:
    """Return text as in JavaScript and Java: a high surrogate before a low one is one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def ask_lines(command: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return the answer to each line, from a program that reads and writes lines of ASCII."""
    answers = _run(command, "".join(f"{line}\n" for line in lines)).splitlines()
    assert len(answers) == len(lines)
    return answers


def ask(command: Sequence[str], cases: Sequence[Any]) -> list[Any]:
    """Return the answer to each case, from a program that reads a JSON array and writes one."""
    answers: list[Any] = json.loads(_run(command, json.dumps(cases)))
    assert len(answers) == len(cases)
    return answers


def _run(command: Sequence[str], given: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"the program {command[0]} is not installed")
    # the settings of our sanitized build are not for other programs
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(
        [*command],
        input=given,
        stdout=subprocess.PIPE,
        timeout=SECONDS,
        check=True,
        encoding="utf-8",
        env=environment,
    ).stdout
