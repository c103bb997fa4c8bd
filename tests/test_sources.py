"""What tools/tables.py writes of the tables in Python."""

from __future__ import annotations

import pathlib
import re
import runpy
import shutil
import subprocess
import sys

import pytest

import urlsm

pytestmark = pytest.mark.skipif(not pathlib.Path(urlsm.__file__).with_name("whatwg.pyx").exists(), reason="no sources")

PACKAGE = pathlib.Path(urlsm.__file__).parent


@pytest.fixture
def tables():
    tool = PACKAGE.parent / "tools" / "tables.py"
    if not tool.exists():
        pytest.skip("not a clone")
    return tool


def test_what_is_made_of_tables_is_current(tables):
    assert runpy.run_path(str(tables))["stale"]() == []


def test_the_tables_of_c_are_written_where_nothing_is_compiled(tables, tmp_path):
    """As in a fresh clone: a broken build needs the tool to mend it."""
    shutil.copytree(PACKAGE, tmp_path / "urlsm", ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__"))
    (tmp_path / "tools").mkdir()
    shutil.copy(tables, tmp_path / "tools")
    written = [tmp_path / "urlsm" / name for name in runpy.run_path(str(tables))["WRITTEN"]]
    for path in written:
        path.unlink()
    command = [sys.executable, "-I", "-S", str(tmp_path / "tools" / "tables.py")]
    assert subprocess.run([*command, "--check"], check=False).returncode == 1
    subprocess.run(command, check=True)
    for path in written:
        assert path.read_bytes() == (PACKAGE / path.relative_to(tmp_path / "urlsm")).read_bytes()


def test_a_wheel_has_every_package(tables):
    root = tables.parents[1]
    settings = (root / "pyproject.toml").read_text(encoding="utf-8")
    listed = set(re.findall(r'"(urlsm(?:\.\w+)*)"', settings.partition("\npackages = [")[2].partition("]")[0]))
    found = {path.parent.relative_to(root) for top in ("urlsm", "schemes") for path in (root / top).rglob("*.py*")}
    names = {".".join(folder.parts) for folder in found if folder.name != "__pycache__"}
    assert listed == {f"urlsm.{name}" if name.startswith("schemes") else name for name in names}
