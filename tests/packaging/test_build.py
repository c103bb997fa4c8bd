"""After an edit, only the modules that include the edited file are rebuilt."""

import os
import runpy
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def modules(monkeypatch):
    """The extension modules of setup.py, by name."""
    pytest.importorskip("setuptools")
    pytest.importorskip("Cython")
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("URLSM_BUILD", raising=False)
    return {module.name: module for module in runpy.run_path("setup.py")["modules"]}


def built_anew(modules, path):
    return {name for name, module in modules.items() if path in module.depends}


def test_an_edit_builds_what_it_goes_into(modules):
    assert built_anew(modules, "urlsm/crawler/sha1.h") == {"urlsm.crawler.canonical", "urlsm.columns.rows"}
    assert built_anew(modules, "urlsm/unicode/punycode.h") == {"urlsm.unicode.domains"}
    assert {"urlsm.columns.rows"} <= built_anew(modules, "urlsm/machine/lane/batch_body.h") < set(modules)
    assert all(name.startswith("urlsm.columns.") for name in built_anew(modules, "urlsm/machine/lane/batch_body.h"))
    # the functions of the writing half go into few modules, its structs (a leaf) into many
    assert {"urlsm.url.parser"} < built_anew(modules, "urlsm/url/write/path.pxd")
    assert 2 * len(built_anew(modules, "urlsm/url/write/path.pxd")) < len(built_anew(modules, "urlsm/url/structs.pxd"))
    assert 2 * len(built_anew(modules, "urlsm/octets/chars.h")) > len(modules)


def test_every_header_goes_into_a_module(modules):
    headers = {path.relative_to(ROOT).as_posix() for path in (ROOT / "urlsm").rglob("*.h")}
    assert headers <= {path for module in modules.values() for path in module.depends}


@pytest.mark.slow(5)
def test_gcc_has_no_warning_about_a_header(monkeypatch, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from compilers import compile_headers

    includes = [f"-I{sysconfig.get_paths()['include']}"]
    assert compile_headers(["gcc"], ROOT, tmp_path, includes) >= 10  # exits where there is a warning


@pytest.mark.slow(3)
def test_the_compiler_reads_no_header_that_is_not_listed(modules):
    made = [module for module in modules.values() if Path(module.sources[0]).with_suffix(".c").exists()]
    if not made or shutil.which("cc") is None:
        pytest.skip("nothing was built here, or there is no cc")
    includes = ["-Iurlsm", f"-I{sysconfig.get_paths()['include']}"]
    for module in made:
        source = Path(module.sources[0]).with_suffix(".c").as_posix()
        said = subprocess.run(["cc", "-MM", *includes, source], capture_output=True, text=True, check=True).stdout
        read = {os.path.normpath(path) for path in said.replace("\\\n", " ").split()[1:]}
        assert {path for path in read if path.startswith("urlsm/")} <= {source, *module.depends}
