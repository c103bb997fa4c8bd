"""Wheels are built with a profile, and never so that gcc copies short texts by `rep movs`."""

import platform
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROFILE = "/tmp/profile"


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


def test_wheels_are_told_of_the_profile_that_is_made_before():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"python tools/pgo.py {PROFILE}" in project
    assert f'URLSM_PROFILE = "{PROFILE}"' in project
