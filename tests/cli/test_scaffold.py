"""urlsm schemes --new writes a complete package: its test passes, and after its installation urlsm knows its scheme."""

from __future__ import annotations

import ast
import keyword
import re
import subprocess
import sys

import pytest

from urlsm.cli import app as cli
from urlsm.cli.scaffold import BASES, write
from urlsm.machine.driver import SPECIAL

OTHERS = [pytest.param(name, marks=pytest.mark.slow(1)) for name in ("book", "a.b-c1", "true", "scheme", "mailto")]


@pytest.mark.parametrize("name", ["svn+book", pytest.param("none", marks=pytest.mark.once), *OTHERS])
def test_a_new_package_passes_its_own_test(name, tmp_path, capsys):
    folder = tmp_path / "new"
    assert cli.main(["schemes", "--new", name, "-o", str(folder)]) == 0
    written = capsys.readouterr().out.split()
    assert sorted(written) == sorted(str(path) for path in folder.iterdir()) and len(written) == 3
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert cli.main(["schemes", "--new", name, "-o", str(folder)]) == 2  # it exists already


@pytest.mark.parametrize("base", [base for base in BASES if base != "scheme"])
def test_a_new_package_of_a_family_passes_its_own_test(base, tmp_path, capsys, monkeypatch):
    from importlib.util import module_from_spec, spec_from_file_location

    for name in (base, "svn+book"):
        folder = tmp_path / name
        assert cli.main(["schemes", "--new", name, "--base", base, "-o", str(folder)]) == 0
        for path in sorted(capsys.readouterr().out.split(), key=len)[:2]:  # the handler, then its test
            if path.endswith(".py"):
                module = path.rpartition("/")[2].removesuffix(".py")
                spec = spec_from_file_location(module, path)
                found = module_from_spec(spec)
                monkeypatch.setitem(sys.modules, module, found)
                spec.loader.exec_module(found)
        [path] = folder.glob("test_*.py")
        scope = {}
        exec(compile(path.read_text(encoding="utf-8"), path, "exec"), scope)
        scope["test_the_handler_keeps_its_contract"]()


def test_the_bases_of_the_command_are_those_of_the_scaffold(tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["schemes", "--new", "book", "--base", "nothing", "-o", str(tmp_path / "new")])
    said = capsys.readouterr().err.partition("choose from")[2]
    assert re.findall("[a-z]+", said)[: len(BASES)] == [*BASES]


@pytest.mark.parametrize("name", ["Book", "1book", "bo ok", ""])
def test_a_name_that_no_scheme_can_have_is_refused(name, tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["schemes", "--new", name, "-o", str(tmp_path / "new")])
    assert "invalid scheme " in capsys.readouterr().err and not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", SPECIAL)
def test_only_register_replaces_a_special_scheme(name, tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["schemes", "--new", name, "-o", str(tmp_path / "new")])
    assert "call urlsm.register(handler)" in capsys.readouterr().err and not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", [*(word.lower() for word in keyword.kwlist), "scheme", "hierarchical", "a-scheme"])
def test_what_is_written_is_python(name, tmp_path):
    for path in write(name, str(tmp_path / "new")):
        if path.endswith(".py"):
            with open(path, encoding="utf-8") as stream:
                found = [node.name for node in ast.parse(stream.read()).body if isinstance(node, ast.ClassDef)]
            assert not {*found} & {"Scheme", "HierarchicalParts"}  # these are imported


@pytest.mark.slow(5)
def test_a_new_package_is_known_once_it_is_installed(tmp_path):
    assert cli.main(["schemes", "--new", "book", "-o", str(tmp_path / "new")]) == 0
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", tmp_path / "site"]
    subprocess.run([*install, tmp_path / "new"], timeout=300, check=True)
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); import urlsm"
    code += "; print(urlsm.schemes.known()['book']); print(urlsm.parse('book://Crime/x').parts.host)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "urlsm-book 0.1\ncrime\n"
