"""Every example of the README and of each page in docs/, run."""

import doctest
import importlib.util
import inspect
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import urlsm
from urlsm.cli.app import main

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.name: page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def run_examples(name: str, source: str) -> None:
    examples = doctest.DocTestParser().get_doctest(source, {}, name, name, 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("name", [name for name, text in PAGES.items() if blocks(text, "python")])
def test_python(name):
    found = blocks(PAGES[name], "python")
    run_examples(name, "\n".join(block for block in found if ">>>" in block))  # a page's examples build on each other
    for block in found:
        if ">>>" not in block:
            exec(compile(block, name, "exec"), {})


COMMANDS = [
    pytest.param(command, output, id=f"{name}: {command}")
    for name, text in PAGES.items()
    for block in blocks(text, "console")
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE)
]


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_commands(command, output, capsys):
    program, *arguments = shlex.split(command)
    if program == "urlsm":
        main(arguments)
        said = capsys.readouterr().out
    else:
        assert program == "python", f"no example should run {program}"
        said = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout
    expected = re.escape(output).replace(re.escape("...\n"), r"(?s:.*)")
    assert re.fullmatch(expected, said), said


def test_links_lead_somewhere():
    for name, text in PAGES.items():
        folder = ROOT if name == "README.md" else ROOT / "docs"
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (folder / target).exists(), f"{name}: {target}"


def test_made_from_the_code():
    made = subprocess.run([sys.executable, ROOT / "docs/made.py", "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


DIALECTS = ("whatwg", "rfc3986", "barth")
ROWS = re.findall(r"^\| `(\S+)` \| (.*) \| (.*) \| (.*) \|$", PAGES["dialects.md"], flags=re.MULTILINE)
CELLS = [(text, dialect, cell) for text, *cells in ROWS for dialect, cell in zip(DIALECTS, cells, strict=True)]


@pytest.mark.parametrize(("text", "dialect", "cell"), CELLS)
def test_dialect_table(text, dialect, cell):
    found = urlsm.split(text, dialect)
    components = dict(re.findall(r"(\w+) `([^`]*)`", cell))
    assert components
    for name in ("host", "query", *components):
        assert getattr(found, name) == components.get(name)


DEFAULTS = re.findall(r"^\| `(\w+)` \| `(\w+)` \| ", PAGES["parsing.md"], flags=re.MULTILINE)


@pytest.mark.parametrize(("name", "dialect"), DEFAULTS)
def test_the_table_of_defaults(name, dialect):
    assert inspect.signature(getattr(urlsm, name)).parameters["dialect"].default == dialect


def test_every_function_with_a_dialect_is_in_that_table():
    functions = {name: getattr(urlsm, name) for name in urlsm.__all__ if inspect.isroutine(getattr(urlsm, name))}
    with_dialect = {name for name, made in functions.items() if "dialect" in inspect.signature(made).parameters}
    assert {name for name, _ in DEFAULTS} == with_dialect


def test_examples_give_dialect_and_base_by_keyword():
    positional = re.compile(r"""\w\([^()=]*, "(whatwg|rfc3986|rfc2396|rfc1738|barth|stdlib)"\)""")
    for name, text in PAGES.items():
        for block in blocks(text, "python"):
            assert not positional.search(block), name


def test_tables_are_found():
    assert len(CELLS) == 9
    assert len(COMMANDS) > 3


ROOMS = ("columns", "compat", "crawler", "logging", "pictures", "schemes", "security", "testing", "whatwg")


def test_the_reference_has_every_public_class_and_function():
    names = re.findall(r"^\.\. auto\w+:: (\S+)$", PAGES["api.md"], re.MULTILINE)
    assert len(set(names)) == len(names)
    if importlib.util.find_spec("pydantic") is None:  # what is imported by pydantic only
        names = [name for name in names if not name.startswith("urlsm.compat.pydantic.")]
    found = [pkgutil.resolve_name(name) for name in names]
    for room in [urlsm, *[getattr(urlsm, room) for room in ROOMS]]:
        for name in room.__all__:
            assert not callable(getattr(room, name)) or getattr(room, name) in found, f"{room.__name__}.{name}"
