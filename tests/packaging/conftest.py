"""A wheel of this source, and an environment that holds it. Needs pip, a package index and a C compiler.

The wheel is built, or given with --wheel.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command: object, cwd: Path) -> str:
    """Return the command's output; nothing of the source tree is on its path."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "URLSM_BUILD")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="session")
def wheel(request, elsewhere) -> Path:
    if given := request.config.getoption("--wheel"):
        return Path(given).resolve()
    # built from a copy: a build leaves files behind
    built = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.so", "*.pyd", "*.c", "*.egg-info")
    shutil.copytree(ROOT, elsewhere / "source", ignore=built)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", elsewhere, elsewhere / "source", cwd=elsewhere)
    shutil.rmtree(elsewhere / "source")
    [made] = elsewhere.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def python(elsewhere, wheel) -> Path:
    """The interpreter of an environment that holds the wheel and its dependencies."""
    run(sys.executable, "-m", "venv", elsewhere / "venv", cwd=elsewhere)
    scripts = elsewhere / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "-q", wheel, cwd=elsewhere)
    return scripts / "python"


@pytest.fixture(scope="session", name="run")
def run_elsewhere():
    return run
