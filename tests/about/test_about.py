"""The tables of the world: each has a declaration beside it, with a source, a date and its number of rows."""

from __future__ import annotations

import ast
import fnmatch
import importlib
import json
import pathlib
import re
from collections.abc import Iterator
from datetime import date

import pytest

import urlsm.schemes
from urlsm import about
from urlsm.about.compared import COMPARED
from urlsm.about.declared import MODULES
from urlsm.cli.app import main
from urlsm.unicode.domains import LOOKALIKES

PACKAGE = pathlib.Path(urlsm.__file__).parent
FOLDERS = {"urlsm": PACKAGE, "schemes": pathlib.Path(urlsm.schemes.__file__).parent}
ENTRIES = {
    name: (module, said)
    for module in MODULES
    for name, said in importlib.import_module(module).ABOUT.items()
}  # fmt: skip
MANY = 16  # constants in one statement, or lines of a text
MANY_NUMBERS = 64  # of an array in C

# Statements with many constants that are no facts of the world.
OWN = """
*/__init__:*                     names of modules, and their homes
*:__all__ *:*_HOMES *:HOMES urlsm/about/declared:MODULES
                                 the same
*:ABOUT *:COMPARED               the declarations, and what tools/age.py records
*:*_MESSAGES *:_WHY *:_OF_FORMAT
                                 what our messages say
urlsm/cli/*:*                    options, examples, templates of packages; octets at which formats of files begin
urlsm/columns/functions:* urlsm/columns/names:TABLE urlsm/columns/names:_PRIMITIVES
                                 our fields, and Arrow's formats, which do not change
urlsm/crawler/profiles:_W3LIB urlsm/crawler/profiles:_SURT urlsm/crawler/profiles:SAFE_URL
                                 parts of _ROWS
urlsm/crawler/rules:TABLE        the fields of our profiles
urlsm/machine/*:*                the states of the parser; opaque schemes, which follow from the handlers
urlsm/patterns/explaining:* urlsm/patterns/linting:* urlsm/patterns/opcodes:* urlsm/patterns/syntax:_BUILT_IN
                                 our findings, instructions and syntaxes
urlsm/pictures/*:*               colours, and our words
urlsm/readers/hops:* urlsm/readers/programs:*
                                 what HOP_PROOFS and PROOFS count
urlsm/server/errors:TABLE        our codes
urlsm/stdlib/*:* urlsm/testing:* texts to try
urlsm/unicode/encoding:_GB18030_2022 urlsm/unicode/encoding:_BIG5_FIXES
                                 how "encodings" are made of Python's
urlsm/url/elsewhere:*            what names of other libraries mean here
schemes/built_in:*               our handlers
schemes/contract:* schemes/rows:_SHAPES schemes/rows:_TRAITS
                                 our traits
schemes/apps/otpauth:_FIELDS schemes/network/coap:_OVER
                                 of one document each, which does not change
"""
OWN_NAMES = OWN.split()


def sources() -> Iterator[tuple[str, pathlib.Path]]:
    """Yield each Python file: its path without ".py", "urlsm/security/addresses", and where it is."""
    for root, folder in FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            if root == "schemes" or FOLDERS["schemes"] not in path.parents:
                yield f"{root}/{path.relative_to(folder).with_suffix('').as_posix()}", path


def module_of(place: str) -> str:
    return ("urlsm." if place.startswith("schemes") else "") + place.replace("/", ".").removesuffix(".__init__")


def size(value: ast.expr) -> int:
    """Return how many constants are in an expression, and how many lines in its texts."""
    constants = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant)]
    lines = [len(text.strip().splitlines()) for text in constants if isinstance(text, str)]
    words = [len(text.split()) for text in constants if isinstance(text, str) and "\n" in text and " | " not in text]
    return max([len(constants), *lines, *words])


def assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.expr):
            yield target.id, value


def undeclared(place: str, text: str, declared: set[str]) -> list[str]:
    """Return the large tables of a module that are neither declared, nor parts of those, nor our own."""
    values = dict(assigned(ast.parse(text)))
    parts = set(declared)
    for _ in range(3):  # a table may be made of a table that is made of a text
        parts |= {
            node.id
            for name in parts & values.keys()
            for node in ast.walk(values[name])
            if isinstance(node, ast.Name)
        }  # fmt: skip
    return [
        f"{place}:{name}"
        for name, value in values.items()
        if name not in parts and size(value) >= MANY
        and not any(fnmatch.fnmatch(f"{place}:{name}", own) for own in OWN_NAMES)
    ]  # fmt: skip


def declared_in(module: str) -> set[str]:
    return {table for home, said in ENTRIES.values() if home == module for table in said.get("tables", "").split()}


def test_each_table_has_a_declaration():
    found = [
        name
        for place, path in sources()
        for name in undeclared(place, path.read_text(encoding="utf-8"), declared_in(module_of(place)))
    ]
    assert found == [], "declare these in ABOUT beside the table, or, if they are our own, in OWN here"


def test_a_table_without_a_declaration_is_found():
    text = f"A = {list(range(20))}\nB = frozenset(A)\nC = 1"
    assert undeclared("urlsm/x", text, set()) == ["urlsm/x:A"]
    assert undeclared("urlsm/x", text, {"B"}) == undeclared("urlsm/cli/x", text, set()) == []


def test_nothing_is_excused_in_vain():
    places = [
        f"{place}:{name}"
        for place, path in sources()
        for name, value in assigned(ast.parse(path.read_text(encoding="utf-8")))
        if size(value) >= MANY
    ]
    patterns = [word for word in OWN_NAMES if ":" in word]
    assert [word for word in patterns if not fnmatch.filter(places, word)] == []


@pytest.mark.skipif(not (PACKAGE / "unicode/domains.pyx").exists(), reason="no sources")
def test_each_array_of_c_has_a_declaration():
    """Large arrays of numbers in headers and units belong to a table, whose rows they are."""
    arrays = re.compile(
        r"^(?:static const|cdef) [\w ]*(?:\[[^\]]*\] )?(\w+)(?:\[[^\]]*\])? = [\[{](.*?)[\]}]", re.M | re.S
    )
    files = {(home.rpartition(".")[0], said["file"]) for home, said in ENTRIES.values() if "file" in said}
    files |= {("urlsm.readers", "ages.pyx")}
    found = []
    for path in (path for kind in ("*.h", "*.pyx") for path in PACKAGE.rglob(kind)):
        home = f"urlsm.{path.parent.relative_to(PACKAGE).as_posix().replace('/', '.')}"
        if (home, path.name) not in files:
            found += [f"{home}/{path.name}: {name}" for name, body in arrays.findall(path.read_text(encoding="utf-8"))
                      if body.count(",") >= MANY_NUMBERS]  # fmt: skip
    assert found == []


@pytest.mark.skipif(not (PACKAGE / "unicode/domains.pyx").exists(), reason="no sources")
def test_the_rows_in_c_are_counted():
    """Their sizes stand in the sources: those of the arrays that are not only an index of another."""
    text = (PACKAGE / "unicode/toascii_table.h").read_text(encoding="utf-8")
    sizes = {name: int(count) for name, count in re.findall(r"URLSM_TOASCII_(\w+)\[(\d+)\] = ", text)}
    kept = ("CLASSES", "MAPPINGS", "EXPANDING", "COMPOSITIONS", "COMBINING", "JOINING")
    assert ENTRIES["domain names"][1]["rows"] == sum(sizes[name] for name in kept)
    text = (PACKAGE / "unicode/idna2008_table.h").read_text(encoding="utf-8")
    assert ENTRIES["IDNA 2008"][1]["rows"] == sum(map(int, re.findall(r"URLSM_\w+\[(\d+)\] = ", text)))
    text = (PACKAGE / "unicode/domains.pyx").read_text(encoding="utf-8")
    scripts = re.search(r"cdef Script\[(\d+)\]", text)
    assert scripts and ENTRIES["scripts and look-alikes"][1]["rows"] == int(scripts[1]) + len(LOOKALIKES)
    text = (PACKAGE / "readers/ages.pyx").read_text(encoding="utf-8")
    assert ENTRIES["code points by age"][1]["rows"] == sum(
        int(count) for count in re.findall(r"^    (?:RANGES|CHANGES|CAPITALS) = (\d+)", text, re.M)
    )


def test_every_declaration_is_listed():
    found = [module_of(place) for place, path in sources() if re.search(r"^ABOUT = {", path.read_text("utf-8"), re.M)]
    assert sorted(found) == sorted(MODULES)
    assert len(ENTRIES) == sum(len(importlib.import_module(module).ABOUT) for module in MODULES)


@pytest.mark.parametrize("name", ENTRIES)
def test_a_declaration_says_what_is_needed(name):
    _, said = ENTRIES[name]
    assert said.keys() <= {"tables", "file", "rows", "source", "url", "version", "date", "licence", "used_by"}
    assert said["source"] and said["used_by"] and re.fullmatch(r"\d{4}-\d\d(-\d\d)?", said["date"])
    assert said.get("url", "https://").startswith("https://")
    assert ("tables" in said) is not ("rows" in said)


def test_the_tables():
    found = {table.name: table for table in about.tables(today=date(2028, 1, 1))}
    assert found.keys() >= ENTRIES.keys() >= COMPARED.keys()
    assert all(table.rows > 0 and 0 < table.age < 2000 for table in found.values())
    old = found["special addresses"]
    assert (old.date, old.age, old.stale) == ("2026-07-18", 532, True)
    assert not about.tables(today=date(2026, 12, 1))[0].stale
    with pytest.raises(TypeError, match=r"today must be a datetime.date, not str"):
        about.tables(today="2026-12-01")


def test_the_public_suffix_list_is_the_installed_one():
    pytest.importorskip("publicsuffixlist")
    [found] = [table for table in about.tables() if table.name == "public suffixes"]
    assert found.rows > 9000 and found.version.endswith(found.date.replace("-", ""))


def test_the_command_shows_each_table(capsys):
    assert main(["data", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in found] == [table.name for table in about.tables()]
    assert found[0].keys() == {*about.Table._fields, "stale"}
    assert main(["data"]) == 0
    shown = capsys.readouterr().out
    assert all(row["name"] in shown and row["date"] in shown for row in found)


def test_the_command_shows_one_table(capsys):
    assert main(["data", "special addresses"]) == 0
    assert "2026-07-18" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["data", "no such table"])
    assert "no such table" in capsys.readouterr().err
