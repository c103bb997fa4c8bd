"""Wheels are built with a profile, but without gcc's copies of short texts by `rep movs`."""

import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROFILE = "/trained"


def flags_of_modules(monkeypatch):
    pytest.importorskip("setuptools")
    pytest.importorskip("Cython")
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("URLSM_BUILD", raising=False)
    return {module.name: module.extra_compile_args for module in runpy.run_path("setup.py")["modules"]}


def test_a_build_uses_the_profile_where_it_is_told_of_one(monkeypatch):
    monkeypatch.delenv("URLSM_PROFILE", raising=False)
    before = flags_of_modules(monkeypatch)
    monkeypatch.setenv("URLSM_PROFILE", PROFILE)
    after = flags_of_modules(monkeypatch)
    trained = {name for name, flags in after.items() if f"-fprofile-use={PROFILE}" in flags}
    assert {"urlsm.url.value", "urlsm.url.parser", "urlsm.machine.driver", "urlsm.stdlib._parse"} <= trained
    if platform.machine() == "x86_64":
        assert all("-mstringop-strategy=libcall" in after[name] for name in trained)
    assert not any("-Os" in after[name] for name in trained)
    assert all(after[name] == flags for name, flags in before.items() if name not in trained)
    assert not any("profile" in flag for flags in before.values() for flag in flags)


def test_wheels_and_pip_install_have_one_recipe():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert project.count('environment = { URLSM_PGO = "1" }') == 1 and "before-build" not in project


def test_urlsm_pgo_trains_and_then_builds_with_what_it_learnt(monkeypatch):
    ran = []
    monkeypatch.setattr(subprocess, "run", lambda command, **kwargs: ran.append(command))
    monkeypatch.delenv("URLSM_PROFILE", raising=False)
    monkeypatch.setenv("URLSM_PGO", "1")
    for argument, trains in (("bdist_wheel", True), ("egg_info", False), ("dist_info", False)):
        ran.clear()
        monkeypatch.setattr(sys, "argv", ["setup.py", argument])
        monkeypatch.setenv("URLSM_PROFILE", "")  # restored when this test ends
        monkeypatch.delenv("URLSM_PROFILE")
        modules = flags_of_modules(monkeypatch)
        used = {flag for flags in modules.values() for flag in flags if flag.startswith("-fprofile-use=")}
        if trains:
            [[_, script, folder]] = ran
            assert script == "tools/pgo.py" and used == {f"-fprofile-use={folder}"}
        else:
            assert not ran and not used


@pytest.mark.slow(600)
@pytest.mark.timeout(3600)
@pytest.mark.skipif("URLSM_PROFILED" not in os.environ, reason="it builds twice, for ten minutes: nox -s profiled")
def test_pip_install_with_a_profile(tmp_path):
    """A copy of the tree is trained, built and installed; gcc finds a profile for every module that it looks for."""
    if sys.platform != "linux":
        pytest.skip("gcc's profiles are used on Linux only")
    left = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.so", "*.c", "*.egg-info")
    shutil.copytree(ROOT, tmp_path / "source", ignore=left)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    done = subprocess.run([python, "-m", "pip", "install", "-v", tmp_path / "source"], capture_output=True, text=True,
                          env={**os.environ, "URLSM_PGO": "1"})  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    said = done.stdout + done.stderr
    trained = re.search(r"(\d+) profiles in (\S+)", said)
    assert trained and int(trained[1]) > 20 and f"-fprofile-use={trained[2]}" in said
    answer = "import urlsm; print(urlsm.parse('HTTP://Ex.com:80/a/../b'))"
    shown = subprocess.run([python, "-c", answer], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout == "http://ex.com/b\n"
