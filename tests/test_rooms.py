"""Who may import whom: a room imports only the rooms before it. A few arrows run back, when a function is called."""

from __future__ import annotations

import pathlib
import re

import pytest

import urlsm.schemes

ORDER = (
    *("octets", "machine", "errors", "url", "stdlib", "whatwg", "components", "schemes", "meaning", "security"),
    *("documents", "crawler", "compat", "columns", "pictures", "engines", "cli"),
)
# URL.handler, .parts and .violations; a URL within blob: and view-source:, and schemes.known
WHEN_CALLED = {("url", "meaning"), ("schemes", "meaning")}
# what pydantic and notebooks ask of a value, which never calls it: found by name (urlsm.url.value.Later)
BY_NAME = {("url", "compat"), ("url", "pictures"), ("components", "pictures"), ("security", "pictures")}

IMPORT = re.compile(r"^( *)from urlsm\.(\w+)[\w.]* c?import |^(#include \")\.\./(\w+)/", re.MULTILINE)
NAMED = re.compile(r"[\"']urlsm\.(\w+)\.[\w.]+[\"']")
TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:    .*\n|\n)+", re.MULTILINE)  # which nothing imports
PACKAGE = pathlib.Path(urlsm.__file__).parent
ROOMS = {**{room: PACKAGE / room for room in ORDER}, "schemes": pathlib.Path(urlsm.schemes.__file__).parent}


@pytest.mark.parametrize("room", [room for room in ORDER if ROOMS[room].is_dir()])
def test_a_room_imports_only_rooms_before_it(room):
    files = [path for path in sorted(ROOMS[room].iterdir()) if path.suffix in (".py", ".pyx", ".pxd", ".pxi", ".h")]
    assert files
    for path in files:
        text = TYPES.sub("", path.read_text(encoding="utf-8"))
        for target in NAMED.findall(text):
            if target in ORDER and ORDER.index(target) > ORDER.index(room):
                assert (room, target) in BY_NAME, f"{path.name} names {target}"
        for indent, name, include, header in IMPORT.findall(text):
            target, called = (header, False) if include else (name, bool(indent))
            back = ORDER.index(target) > ORDER.index(room)
            assert not back or (room, target) in (WHEN_CALLED if called else ()), f"{path.name} imports {target}"


def test_every_folder_is_a_room():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ORDER)
