"""A clone: before it is built, and after README's commands, from its root."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import urlsm

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_importing_unbuilt_sources_says_in_one_sentence_what_to_do(tmp_path):
    built = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__")
    shutil.copytree(Path(urlsm.__file__).parent, tmp_path / "urlsm", ignore=built)
    # -S: the finder of an editable install finds modules of its own tree for any package of its name
    done = subprocess.run([sys.executable, "-S", "-c", "import urlsm"], cwd=tmp_path, capture_output=True, text=True)
    said = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert said.startswith(f"ModuleNotFoundError: {tmp_path / 'urlsm'} ")
    assert "pip install -e ." in said and "No module named" not in done.stderr


def test_a_module_that_is_missing_elsewhere_is_named_as_ever(tmp_path):
    shutil.copytree(Path(urlsm.__file__).parent, tmp_path / "urlsm")
    core = tmp_path / "urlsm/_core.py"
    for compiled in core.parent.glob("_core.*.*"):
        compiled.unlink()
    core.write_text("import not_to_be_had\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", "import urlsm"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'not_to_be_had'\n")


@pytest.fixture(scope="module")
def commands() -> list[str]:
    """Return README's commands for a fresh clone: one parses a URL, one runs the tests."""
    found = re.findall(r"^```sh\n(.*)\n```$", README, re.MULTILINE)
    assert len(found) == 2 and found[1].endswith("-m pytest")
    return found


def test_both_commands_install_in_place(commands):
    assert "pip install -e '.[" in commands[0] and "pip install -q -e '.[" in commands[1]


@pytest.mark.slow(60)
@pytest.mark.timeout(1800)
@pytest.mark.skipif(os.name == "nt", reason="README's commands are for a POSIX shell")
def test_readmes_tasks_run_in_the_clone_behind_its_first_command(tmp_path, commands, run):
    clone = tmp_path / "clone"
    # modules built in place are copied with their times, and not rebuilt
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.egg-info"))
    assert "http://ex.com/b?q#f" in run("sh", "-c", commands[0], cwd=clone)
    # from the root, which holds the folder urlsm, as its Python would start there
    tasks = "\n".join(re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))
    (clone / "tasks.txt").write_text(tasks, encoding="utf-8")
    program = "import doctest, sys; sys.exit(doctest.testfile('tasks.txt', module_relative=False).failed)"
    run(clone / ".venv/bin/python", "-c", program, cwd=clone)
    # the second command's installation rebuilds nothing
    built = {path: path.stat().st_mtime_ns for path in clone.glob("urlsm/**/*.so")}
    assert len(built) > 20
    run("sh", "-c", commands[1].rpartition(" && ")[0], cwd=clone)
    assert {path: path.stat().st_mtime_ns for path in clone.glob("urlsm/**/*.so")} == built
    run(clone / ".venv/bin/python", "-c", "import urlsm, pytest", cwd=clone)
