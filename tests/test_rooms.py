"""A room imports only the rooms before it. A few arrows run back, when a function is called."""

from __future__ import annotations

import re

import pytest
from support.rooms import ABOVE, BACK, DRAWN, ORDER, PACKAGE, ROOMS, TYPES, circles, drawing, imports, texts

# URL.handler, .parts and .violations; a URL within blob: and view-source:, and schemes.known
WHEN_CALLED = {("url", "meaning"), ("schemes", "meaning")}
# what pydantic and notebooks ask of a value, which never calls it: found by name (urlsm.url.value.Later)
BY_NAME = {("url", "compat"), ("url", "pictures"), ("url", "server"), ("components", "pictures"),
           ("security", "pictures"), ("whatwg", "patterns"), ("crawler", "patterns"),
           ("crawler", "domains"), ("unicode", "domains")}  # fmt: skip
# what only the package's root has, and who takes it from there: a pickle names _parsed, which is short to find there
OF_THE_ROOT = {("url", "_parsed"), ("cli", "__version__")}
FOUND = [room for room in ORDER if any(True for _ in texts(room))]  # whatwg is one file, and that a compiled one
IN_A_CLONE = pytest.mark.skipif(not (PACKAGE.parent / "ARCHITECTURE.md").is_file(), reason="not a clone")
NAMED = re.compile(r"[\"']urlsm\.(\w+)\.[\w.]+[\"']")


def wrong(text: str, room: str) -> list[str]:
    """Return what a module of this room imports or names, but may not."""
    found = []
    for module, name, called, _ in imports(text, room):
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


@pytest.mark.parametrize("room", FOUND)
def test_a_room_imports_only_rooms_before_it(room):
    assert {path.name: found for path, text in texts(room) if (found := wrong(text, room))} == {}


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
        "from urlsm import Trace",
        "from urlsm import (\n    URL,\n    Trace,\n)",
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


@pytest.mark.parametrize("room", FOUND)
def test_no_files_of_a_room_need_each_other_in_a_circle(room):
    assert circles(room) == []


@IN_A_CLONE  # a wheel has no source of what is compiled
@pytest.mark.parametrize("room", BACK)
def test_each_import_that_runs_back_would_close_a_circle(room, monkeypatch):
    for arrow in BACK[room]:
        with monkeypatch.context() as patch:
            patch.setitem(BACK, room, BACK[room] - {arrow})
            assert any({*arrow} <= {name.rpartition(".")[0] for name in circle} for circle in circles(room)), arrow


def test_a_circle_is_found(tmp_path, monkeypatch):
    monkeypatch.setitem(ROOMS, "octets", room := tmp_path / "octets")
    room.mkdir()
    (room / "a.pyx").write_text("from urlsm.octets.b cimport x\n")
    (room / "a.pxd").write_text("")
    (room / "b.pxd").write_text("from urlsm.octets.a cimport y\n")
    assert circles("octets") == []  # a.pyx, b.pxd, a.pxd
    (room / "a.pxd").write_text("from urlsm.octets.c cimport z\n")
    (room / "c.pxd").write_text("from .b cimport x\n")
    assert circles("octets") == [{"a.pxd", "b.pxd", "c.pxd"}]
    (room / "c.pxd").write_text("")
    (room / "d.py").write_text("from urlsm.octets.e import x\n")
    (room / "e.py").write_text("def f():\n    from urlsm.octets.d import y\n")
    assert circles("octets") == [{"d.py", "e.py"}]


@IN_A_CLONE
def test_the_rooms_are_drawn_as_they_are():
    page = (PACKAGE.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert DRAWN + drawing() + "```" in page, "python tests/support/rooms.py"


def test_the_writing_half_of_a_parse_takes_only_the_structs_of_the_rest():
    writing = [text for path, text in texts("url") if path.parent.name == "write"]
    taken = {found.module for text in writing for found in imports(text, "url") if found.module.startswith("url/")}
    assert {module for module in taken if not module.startswith("url/write/")} <= {"url/structs", "url/spans"}


def test_every_folder_is_a_room():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ORDER)
