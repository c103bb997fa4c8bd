"""The stubs: what a type checker makes of the public names, and whether they say what the modules are."""

import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import urlsm

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(urlsm.__file__).resolve().parent

needs_mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")


def run(tmp_path, module, *argv):
    """python -m module, seeing the urlsm that is tested here and no configuration; what it says, if it objects."""
    env = dict(os.environ)
    if PACKAGE.parent.name not in ("site-packages", "dist-packages"):  # there mypy looks by itself
        # no type checker follows the mapping of an editable install: urlsm.schemes lies in urlsm here
        copy = tmp_path / "types/urlsm"
        if not copy.exists():
            shutil.copytree(PACKAGE, copy, ignore=lambda folder, names: [n for n in names if n.endswith((".c", ".so"))])
            shutil.copytree(pathlib.Path(urlsm.schemes.__file__).parent, copy / "schemes", dirs_exist_ok=True)
        env |= {"MYPYPATH": str(copy.parent), "PYTHONPATH": str(PACKAGE.parent)}
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n")
    done = subprocess.run(
        [sys.executable, "-m", module, *argv], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr if done.returncode else ""


@needs_mypy
@pytest.mark.slow
def test_the_public_names_have_the_types_they_promise(tmp_path):
    assert run(tmp_path, "mypy", "--config-file=mypy.ini", str(HERE / "api.py")) == ""


@needs_mypy
@pytest.mark.slow
def test_the_stubs_say_what_the_compiled_modules_are(tmp_path):
    names = [f"urlsm.{stub.stem}" for stub in sorted(PACKAGE.glob("*.pyi"))]
    names += [f"urlsm.{stub.parent.name}" for stub in sorted(PACKAGE.glob("*/__init__.pyi"))]  # and all within
    options = ["--mypy-config-file=mypy.ini", f"--allowlist={HERE / 'stubtest_allowlist.txt'}", "--concise"]
    assert run(tmp_path, "mypy.stubtest", *options, "--ignore-unused-allowlist", *names) == ""


def test_every_compiled_module_has_a_stub():
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    compiled = {
        path.with_name(path.name.partition(".")[0]) for path in PACKAGE.rglob("*") if path.name.endswith(suffixes)
    }
    assert {PACKAGE / "url", PACKAGE / "machine", PACKAGE / "stdlib" / "_parse"} <= compiled
    assert compiled <= {path.with_suffix("") for path in PACKAGE.rglob("*.pyi")}
