"""A room imports only the rooms before it. A few arrows run back, when a function is called."""

from __future__ import annotations

import pathlib
import re
import runpy
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import urlsm.schemes

ORDER = (
    *("octets", "unicode", "machine", "errors", "url", "stdlib", "whatwg", "components", "schemes", "meaning"),
    *("security", "documents", "crawler", "patterns", "compat", "columns", "pictures", "engines", "cli"),
)
ABOVE = ("testing", "logging")  # modules on top of all rooms
# URL.handler, .parts and .violations; a URL within blob: and view-source:, and schemes.known
WHEN_CALLED = {("url", "meaning"), ("schemes", "meaning")}
# what pydantic and notebooks ask of a value, which never calls it: found by name (urlsm.url.value.Later); and names
# that a room had before, which answer where they stood
BY_NAME = {("octets", "unicode"), ("url", "compat"), ("url", "pictures"), ("components", "pictures"),
           ("security", "pictures"), ("whatwg", "patterns"), ("crawler", "patterns")}  # fmt: skip
# what only the package's root has, and who takes it from there: a pickle names _parsed, which is short to find there
OF_THE_ROOT = {("url", "_parsed"), ("cli", "__version__")}
# modules of one room that need each other, in a circle, to be imported (others import when they are called). A circle
# may lose modules, and gain none
CIRCLES = [
    # parts of one chapter: rows.pyx calls the others, which take its structs and say of what kind a row is
    {"columns/assembly", "columns/cutting", "columns/dictionaries", "columns/reading", "columns/rows"},
    {"url/relative", "url/shown", "url/splicing", "url/value"},
]

PACKAGE = pathlib.Path(urlsm.__file__).parent
ROOMS = {**{room: PACKAGE / room for room in ORDER}, "schemes": pathlib.Path(urlsm.schemes.__file__).parent}
SOURCES = (".py", ".pyx", ".pxd", ".pxi", ".h")
TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:    .*\n|\n)+", re.MULTILINE)  # which nothing imports
DOCSTRING = re.compile(r'^ *"""(?s:.*?)"""', re.MULTILINE)
STATEMENT = re.compile(
    r"^( *)(?:from +([\w.]+) +c?import +(\([^)]*\)|.*)|c?import +(.*)|#include \"(?:\.\./)+(\w+)/.*)$", re.MULTILINE
)
NAMED = re.compile(r"[\"']urlsm\.(\w+)\.[\w.]+[\"']")


class Import(NamedTuple):
    module: str  # with its folder: "url/value", "url/write/path"; "url" for the room itself; "" for the root
    name: str  # the name taken from the root, else ""
    called: bool  # in a function, so at its call


def home_of(name: str) -> str:
    """Return the home of a name that `from urlsm import ...` takes: "url/value"; "" is the root itself."""
    if name in ORDER or name in ABOVE:
        return name
    homes = (module for module, names in urlsm._NAMES.items() if name in names)
    return "/".join(next(homes, "urlsm").split(".")[1:])


def words_of(names: str) -> Iterator[str]:
    """Yield the names of `a as b, c`, without their local names."""
    for word in re.sub(r"#.*", "", names).strip("()\n ").split(","):
        if word.strip():
            yield word.split()[0]


def imports(text: str, room: str) -> Iterator[Import]:
    """Yield every import and cimport of this package in a module of this room."""
    for indent, module, names, modules, header in STATEMENT.findall(DOCSTRING.sub("", TYPES.sub("", text))):
        called = bool(indent)
        if header:
            yield Import(header, "", False)
        for whole in words_of(modules):
            first, *rest = whole.split(".")
            if first == "urlsm":
                yield Import("/".join(rest[:2]), "" if rest else "urlsm", called)
        if not module:
            continue
        dots = len(module) - len(module.lstrip("."))
        # the package of a room's module is urlsm.ROOM; one dot is that, two are urlsm
        path = ["urlsm", room][: 3 - dots] if dots else []
        path += [part for part in module.split(".") if part]
        if path[0] != "urlsm":
            continue
        for name in words_of(names):
            if len(path) > 2:
                yield Import("/".join(path[1:]), "", called)
            elif len(path) == 2:
                inside = ROOMS.get(path[1], PACKAGE) / name
                known = any(inside.with_suffix(ending).exists() for ending in SOURCES)
                yield Import(f"{path[1]}/{name}" if known else path[1], "", called)
            else:
                home = home_of(name)
                yield Import(home, "" if home else name, called)


def wrong(text: str, room: str) -> list[str]:
    """Return what a module of this room imports or names, but may not."""
    found = []
    for module, name, called in imports(text, room):
        target = module.split("/")[0]
        if not target:
            if (room, name) not in OF_THE_ROOT:
                found.append(f"urlsm.{name}")
        elif (target in ABOVE or ORDER.index(target) > ORDER.index(room)) and not (
            called and (room, target) in WHEN_CALLED
        ):
            found.append(module)
    for target in NAMED.findall(TYPES.sub("", text)):
        if target in ORDER and ORDER.index(target) > ORDER.index(room) and (room, target) not in BY_NAME:
            found.append(f'"{target}"')
    return found


def texts(room: str) -> Iterator[tuple[pathlib.Path, str]]:
    for path in sorted(ROOMS[room].rglob("*")):
        if path.suffix in SOURCES:
            yield path, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("room", [room for room in ORDER if ROOMS[room].is_dir()])
def test_a_room_imports_only_rooms_before_it(room):
    assert {path.name: found for path, text in texts(room) if (found := wrong(text, room))} == {}
    assert any(True for _ in texts(room))


@pytest.mark.parametrize(
    "statement",
    [
        "from urlsm.cli import app",
        "from urlsm.cli.app import main",
        "    from urlsm.cli.app import main",
        "import urlsm.cli.app",
        "    import urlsm.cli.app as program",
        "import os, urlsm.cli.app",
        "from urlsm import cli",
        "from urlsm import compare",
        "from urlsm import (\n    URL,\n    compare,\n)",
        "from urlsm import parse as p, testing",
        "from urlsm import __version__",
        "from urlsm import _parsed",
        "import urlsm",
        "from .. import cli",
        "from ..cli import app",
        "from ..security.hazards import audit",
        "from urlsm.columns.rows cimport (\n    Job,\n)",
        "cimport urlsm.columns.rows",
        '#include "../columns/arrow.h"',
        'name = "urlsm.cli.app"',
    ],
)
def test_the_fence_has_no_hole(statement):
    assert wrong(statement + "\n", "octets") != []


def test_the_fence_has_its_gates():
    below = "from urlsm import URL, machine\nfrom . import text\nfrom .text import x\nfrom ..octets import chars\n"
    assert wrong(below, "url") == [] == wrong('"""\nimport urlsm.cli.app\n"""\n', "octets")
    assert wrong("    from urlsm.meaning.registry import handler_of\n", "url") == []
    assert wrong("from urlsm.meaning.registry import handler_of\n", "url") == ["meaning/registry"]
    assert wrong("if TYPE_CHECKING:\n    from urlsm.cli import app\n", "octets") == []


def circles(room: str) -> list[set[str]]:
    """Return the largest sets of a room's modules that need each other, directly or through others."""
    needs: dict[str, set[str]] = {}
    for path, text in texts(room):
        if path.stem != "__init__" and path.suffix != ".h":
            module = f"{room}/{path.relative_to(ROOMS[room]).with_suffix('').as_posix()}"
            named = {found.module for found in imports(text, room) if not found.called}
            needs.setdefault(module, set()).update(named - {module})
    for _ in needs:
        for module, others in needs.items():
            needs[module] = others.union(*(needs.get(other, ()) for other in others))
    found = [{other for other in others if module in needs.get(other, ())} for module, others in needs.items()]
    return [circle for k, circle in enumerate(found) if circle and circle not in found[:k]]


@pytest.mark.parametrize("room", [room for room in ORDER if ROOMS[room].is_dir()])
def test_circles_within_a_room_are_those_that_are_known(room):
    known = [circle for circle in CIRCLES if min(circle).startswith(f"{room}/")]
    found = circles(room)
    assert [circle for circle in found if not any(circle <= listed for listed in known)] == []
    if (PACKAGE / "whatwg.pyx").exists():  # without sources, cimports are not seen
        assert [listed for listed in known if not any(circle <= listed for circle in found)] == [], "it is gone: remove"


def test_the_writing_half_of_a_parse_takes_only_the_structs_of_the_rest():
    writing = [text for path, text in texts("url") if path.parent.name == "write"]
    taken = {found.module for text in writing for found in imports(text, "url") if found.module.startswith("url/")}
    assert {module for module in taken if not module.startswith("url/write/")} <= {"url/structs"}


def test_every_folder_is_a_room():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ORDER)


# --- how large it is ---

STATEMENTS = PACKAGE.parent / "tools" / "statements.py"
# the functions of more than 60 lines; a list that may only get shorter
LONG = {
    *(
        "urlsm/cli/parse.py: def _run_parse",
        "urlsm/unicode/punycode.h: static inline enum urlsm_idna_rule urlsm_decode_label",
    ),
    *("urlsm/url/edit.pyx: def set_component", "urlsm/url/write/ipv6.pxd: cdef inline bint ipv6_parser"),
}


@pytest.mark.skipif(not STATEMENTS.is_file(), reason="not a clone")
def test_how_large_it_is(capsys):
    tool = runpy.run_path(str(STATEMENTS))
    found = tool["rooms"](PACKAGE.parent)
    by_hand = sum(count for room, (count, _) in found.items() if room != "generated")
    files, functions = tool["long_ones"](PACKAGE.parent)
    with capsys.disabled():
        print(
            f"\n{len(ORDER)} rooms, {len(WHEN_CALLED)} arrows up, {len(CIRCLES)} circles, {len(files)} files over 500 "
            f"lines, {len(functions)} functions over 60, {by_hand} statements, and {found['generated'][0]} generated"
        )
    assert files == {} and {head.partition("(")[0] for head in functions} <= LONG


@pytest.mark.skipif(not STATEMENTS.is_file(), reason="not a clone")
@pytest.mark.parametrize(
    ("ending", "text", "count"),
    [
        (".py", "x = 1; y = 2\n", 2),
        (".py", 'def f(a: int) -> int:\n    """What it does."""\n    return g(\n        a,\n        b,\n    )\n', 2),
        (".pyx", "if a: b\n# c: d\nx = 'if a: b; c'\ny[1:2] = c';'\n", 4),
        (".pxd", "cdef int a, b\ncdef enum:\n    A\n    B\ncdef int f(int a, int b) noexcept\n", 6),
        (".h", '#define A \\\n  1;\nint f(int a) /* ; */\n{\n  for (a = 0; a; a++) { x = ";"; }\n}\nint b;\n', 5),
    ],
)
def test_a_statement_counts_once_wherever_lines_break(tmp_path, ending, text, count):
    path = tmp_path / f"a{ending}"
    path.write_text(text)
    assert runpy.run_path(str(STATEMENTS))["statements"](path)[0] == count
