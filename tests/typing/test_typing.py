"""The stubs: the types that a checker gives the public names, and whether they match the modules."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

import pytest
from support.pages import recipes
from support.public import MIRRORS, members, names

import urlsm
from urlsm.schemes.built_in import BUILT_IN

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(urlsm.__file__).resolve().parent

needs_mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
needs_pyright = pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")


def copy_of_package(to):
    """Copy the package as a wheel installs it, without its extensions."""
    shutil.copytree(PACKAGE, to, ignore=lambda folder, names: [name for name in names if name.endswith((".c", ".so"))])
    shutil.copytree(pathlib.Path(urlsm.schemes.__file__).parent, to / "schemes", dirs_exist_ok=True)


def folder_of_types(tmp_path):
    """Return where type checkers find urlsm: they do not follow the mapping of an editable install, so urlsm.schemes is
    in urlsm here."""
    copy = tmp_path / "types/urlsm"
    if not copy.exists():
        copy_of_package(copy)
    return copy.parent


def run(tmp_path, module, *argv):
    """Run python -m module with the tested urlsm and without configuration; return its complaints."""
    env = dict(os.environ)
    if PACKAGE.parent.name not in ("site-packages", "dist-packages"):  # there mypy looks by itself
        env |= {"MYPYPATH": str(folder_of_types(tmp_path)), "PYTHONPATH": str(PACKAGE.parent)}
    # may be absent, or untyped
    others = "django.*,duckdb.*,orjson.*,pandas.*,polars.*,publicsuffixlist.*,pyarrow.*,pydantic.*,pydantic_core.*"
    others += ",pyspark.*,starlette.*,werkzeug.*"
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = True\n[mypy-{others}]\nignore_missing_imports = True\n")
    done = subprocess.run(
        [sys.executable, "-m", module, *argv], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr if done.returncode else ""


def pyright(tmp_path, *programs):
    settings = {"extraPaths": [str(folder_of_types(tmp_path))], "reportUnnecessaryTypeIgnoreComment": "error"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    return run(tmp_path, "pyright", "--pythonpath", sys.executable, *programs)


@needs_mypy
@pytest.mark.slow(30)
def test_the_public_names_have_the_types_they_promise(tmp_path):
    assert run(tmp_path, "mypy", "--config-file=mypy.ini", str(HERE / "api.py")) == ""


@pytest.fixture
def each_scheme(tmp_path):
    """Return a program that says what the parts of each scheme are, and that they have no other field."""
    lines = ["from typing_extensions import assert_type", "import urlsm", "from urlsm import schemes"]
    for name in BUILT_IN:
        kind = urlsm.handler(name).parts_type.__name__
        for made in (f'urlsm.handler("{name}").parts("{name}:")', f'urlsm.parts("{name}:", "{name}")'):
            lines.append(f"assert_type({made}, schemes.{kind})")
            lines.append(f"{made}.nokey  # type: ignore[attr-defined]")
        lines.append(f'assert_type(urlsm.parts("{name}:", schemes.{kind}), schemes.{kind})')
    path = tmp_path / "each_scheme.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path.name


@needs_mypy
@pytest.mark.slow(30)
def test_the_parts_of_each_scheme_pass_mypy(tmp_path, each_scheme):
    assert run(tmp_path, "mypy", "--config-file=mypy.ini", each_scheme) == ""


@needs_pyright
@pytest.mark.slow(30)
def test_the_parts_of_each_scheme_pass_pyright(tmp_path, each_scheme):
    shutil.copy(HERE / "api.py", tmp_path)
    assert pyright(tmp_path, each_scheme, "api.py") == ""


def examples(text):
    """Return the lines of the examples in a page or in a docstring."""
    return re.findall(r"^ *(?:>>>|\.\.\.) ?(.*)$", text, re.MULTILINE)


def described():
    """Yield the module and the name of everything public that has an example, and its lines."""
    for module, name, thing in names():
        if not module.startswith(("urlsm.engines", "urlsm.compat", *MIRRORS)):
            members_of = members(thing) if isinstance(thing, type) else ()
            for dotted, each in ((name, thing), *((f"{name}.{member}", found) for member, found in members_of)):
                if lines := examples(each.__doc__ or ""):
                    yield module, dotted, lines


@pytest.fixture
def shown(tmp_path):
    """Return the examples of README, of docs' pages and of docstrings, as programs."""
    made = []
    for page in (HERE.parents[1] / "README.md", *sorted((HERE.parents[1] / "docs").glob("*.md"))):
        if lines := examples(page.read_text(encoding="utf-8")):
            made.append(tmp_path / f"page_{page.stem.replace('-', '_')}.py")
            made[-1].write_text("\n".join(lines), encoding="utf-8")
    assert len(made) > 30
    texts = {}
    for number, (module, name, lines) in enumerate(described()):
        root = (
            "import urlsm\n" if module in ("urlsm.columns", "urlsm.schemes") else "import urlsm\nfrom urlsm import *\n"
        )
        begin = f"\n\ndef example_{number}():  # {name}\n    "
        texts[module] = texts.get(module, f"{root}from {module} import *\n") + begin + "\n    ".join(lines)
    assert sum(text.count("\ndef example_") for text in texts.values()) > 300
    for module, text in texts.items():
        made.append(tmp_path / f"docstrings_{module.replace('.', '_')}.py")
        made[-1].write_text(text, encoding="utf-8")
    return [path.name for path in made]


@needs_mypy
@pytest.mark.slow(30)
def test_all_examples_pass_mypy(tmp_path, shown):
    options = ["--config-file=mypy.ini", "--ignore-missing-imports", "--allow-untyped-defs", "--check-untyped-defs"]
    assert run(tmp_path, "mypy", *options, *shown) == ""


@needs_pyright
@pytest.mark.slow(30)
def test_all_examples_pass_pyright(tmp_path, shown):
    settings = {"extraPaths": [str(folder_of_types(tmp_path))]}
    settings |= dict.fromkeys(["reportMissingImports", "reportMissingModuleSource", "reportUnusedExpression"], "none")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    assert run(tmp_path, "pyright", "--pythonpath", sys.executable, *shown) == ""


RECIPES = recipes((HERE.parents[1] / "docs/integrations.md").read_text(encoding="utf-8"))


@pytest.fixture
def programs(tmp_path):
    """Return the recipes, and the hand-overs of URLs from and to other libraries, as typed programs."""
    for library in ("fastapi", "httpx", "pydantic", "starlette", "yarl"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    made = [tmp_path / "handovers.py"]
    shutil.copy(HERE / "handovers.py", made[0])
    for name, code in RECIPES.items():
        if name in ("logging", "opentelemetry") or importlib.util.find_spec({"attrs": "attr"}.get(name, name)):
            made.append(tmp_path / f"recipe_{name}.py")
            made[-1].write_text(code, encoding="utf-8")
    return [path.name for path in made]


@needs_mypy
@pytest.mark.slow(30)
def test_handovers_and_recipes_pass_mypy(tmp_path, programs):
    assert run(tmp_path, "mypy", "--config-file=mypy.ini", *programs) == ""


@needs_pyright
@pytest.mark.slow(30)
def test_handovers_and_recipes_pass_pyright(tmp_path, programs):
    assert pyright(tmp_path, *programs) == ""


@needs_mypy
@pytest.mark.slow(30)
def test_the_stubs_say_what_the_compiled_modules_are(tmp_path):
    for library in ("aiohttp", "httpx", "requests", "urllib3"):  # of which the guard's classes are made
        pytest.importorskip(library, reason=f"{library} is not installed")
    options = ["--mypy-config-file=mypy.ini", f"--allowlist={HERE / 'stubtest_allowlist.txt'}", "--concise"]
    assert run(tmp_path, "mypy.stubtest", *options, "--ignore-unused-allowlist", "urlsm") == ""


@needs_pyright
@pytest.mark.slow(30)
def test_the_types_of_all_that_is_public_are_complete(tmp_path):
    home = tmp_path / "venv"  # where pyright looks for an installed package
    venv.create(home, symlinks=True)
    copy_of_package(next(home.glob("lib/python*/site-packages")) / "urlsm")
    env = os.environ | {"VIRTUAL_ENV": str(home), "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    pyright = [sys.executable, "-m", "pyright", "--verifytypes=urlsm", "--ignoreexternal", "--outputjson"]
    done = subprocess.run(pyright, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)["typeCompleteness"]
    incomplete = [symbol["name"] for symbol in found["symbols"] if symbol["isTypeAmbiguous"]]
    assert found["completenessScore"] >= 0.99, incomplete


def test_every_compiled_module_has_a_stub():
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    compiled = {
        path.with_name(path.name.partition(".")[0]) for path in PACKAGE.rglob("*") if path.name.endswith(suffixes)
    }
    library = urlsm._core.__file__
    made = [name for name, module in sys.modules.items() if getattr(module, "__file__", None) == library]
    compiled |= {PACKAGE.parent / name.replace(".", "/") for name in made}
    assert {PACKAGE / "url" / "value", PACKAGE / "machine" / "driver", PACKAGE / "stdlib" / "_parse"} <= compiled
    compiled = {path for path in compiled if path.parent != PACKAGE / "readers"}  # found by `programs`, which has types
    assert compiled <= {path.with_suffix("") for path in PACKAGE.rglob("*.pyi")}
