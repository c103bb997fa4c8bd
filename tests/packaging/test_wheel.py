"""The wheel: what is in it, and that it works away from the source. Needs pip, a package index and a C compiler."""

import re
import sysconfig
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MAX_WHEEL = 1 << 20
UNUSUAL = "HTTP://Ex.com:80/a/../b?q#f"

THIRD_PARTY_SETUP = """\
import os
import urlsm
from Cython.Build import cythonize
from setuptools import Extension, setup

headers = os.path.dirname(urlsm.__file__)
setup(name="party", ext_modules=cythonize([Extension("party", ["party.pyx"], include_dirs=[headers])]))
"""


@pytest.fixture(scope="module")
def names(wheel) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_size(wheel):
    assert wheel.stat().st_size <= MAX_WHEEL


def test_holds_every_module_stub_and_header(names):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for source in (ROOT / "urlsm").rglob("*.*"):
        path = source.relative_to(ROOT).as_posix()
        if source.suffix == ".pyx":
            assert path.removesuffix(".pyx") + suffix in names
        elif source.suffix in (".py", ".pyi", ".pxd", ".h"):
            assert path in names
    for source in (ROOT / "schemes").glob("*.py"):
        assert f"urlsm/schemes/{source.name}" in names
    assert {"urlsm/py.typed", "urlsm/schemes/py.typed"} <= names
    assert any(name.endswith("/LICENSE") for name in names)


def test_holds_nothing_else(names):
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"urlsm"}
    assert not [name for name in names if name.endswith((".c", ".pyx", ".pyc"))]
    assert not [name for name in names if name.startswith("urlsm/") and "/test" in name]


def test_parses_away_from_the_source(python, elsewhere, run):
    code = f"import urlsm, urlsm.schemes; print(urlsm.__file__, urlsm.schemes.__name__, urlsm.parse({UNUSUAL!r}))"
    file, name, href = run(python, "-W", "error", "-c", code, cwd=elsewhere).split()
    assert Path(file).is_relative_to(elsewhere)
    assert (name, href) == ("urlsm.schemes", "http://ex.com/b?q#f")


def test_every_module_imports(python, elsewhere, names, run):
    paths = sorted({name.split(".")[0] for name in names if name.endswith((".py", ".so", ".pyd"))})
    modules = [path.replace("/", ".") for path in paths if not path.endswith(("/__init__", "/__main__"))]
    assert len(modules) > 10
    run(python, "-W", "error", "-c", f"import {', '.join(modules)}", cwd=elsewhere)


def test_schemes_is_no_module_of_its_own(python, elsewhere, run):
    code = "import importlib.util; print(importlib.util.find_spec('schemes'))"
    assert run(python, "-c", code, cwd=elsewhere) == "None\n"


@pytest.mark.parametrize("folder", ["elsewhere", "source"])
def test_command(python, elsewhere, folder, run):
    cwd = elsewhere if folder == "elsewhere" else ROOT  # there urlsm/ without compiled modules must not be in the way
    version = (ROOT / "urlsm" / "__init__.py").read_text().partition('__version__ = "')[2].partition('"')[0]
    assert run(python.with_name("urlsm"), "--version", cwd=cwd).split()[-1] == version
    assert "ex.com" in run(python.with_name("urlsm"), "parse", UNUSUAL, cwd=cwd)


def test_module_is_the_command(python, elsewhere, run):
    assert "ex.com" in run(python, "-m", "urlsm", "parse", UNUSUAL, cwd=elsewhere)


def test_readmes_cython_code_runs_the_installed_machine(python, elsewhere, run):
    party = elsewhere / "party"
    party.mkdir()
    [code] = re.findall("```cython\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (party / "party.pyx").write_text(code)
    (party / "setup.py").write_text(THIRD_PARTY_SETUP)
    run(python, "-m", "pip", "install", "-q", "setuptools", "Cython>=3.1", cwd=party)
    run(python, "setup.py", "-q", "build_ext", "--inplace", cwd=party)
    code = """if True:
        from party import host_of
        assert host_of(b"http://me@Ex.com:80/", 0) == b"Ex.com"
        assert host_of(b"http://a b/", 1) == b"a b"
        assert host_of(b"mailto:me@ex.com", 0) is None
        assert host_of(b"no scheme", 0) is None
    """
    run(python, "-c", code, cwd=party)
