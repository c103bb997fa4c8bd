"""Runs commands until all have ended: python -m oracles.hops.together COMMAND..., each a list in Python's syntax."""

from __future__ import annotations

import ast
import subprocess
import sys

if __name__ == "__main__":
    for one in [subprocess.Popen(ast.literal_eval(command)) for command in sys.argv[1:]]:
        one.wait()
