"""Who imports whom: every import and cimport of the sources, and the rooms drawn from them.

python tests/support/rooms.py    write the drawing into ARCHITECTURE.md
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

import urlsm.schemes

ORDER = (
    *("octets", "unicode", "machine", "errors", "url", "stdlib", "whatwg", "components", "readers"),
    *("schemes", "meaning"),
    *("security", "documents", "crawler", "domains", "patterns", "formats", "server", "compat", "columns", "pictures"),
    *("engines", "guard", "about", "cli"),
)
DRAWN = "```text rooms\n"
ABOVE = ("testing", "logging")  # modules on top of all rooms

# imports within functions that run back to a file that needs this one, by room
BACK = {
    # rarer methods of URL stand in modules that take a URL
    "url": {("value", "display"), ("value", "edit"), ("value", "masked"), ("value", "telemetry")},
    # what the shortest way declines; and the types of results, which ask the functions
    "stdlib": {("_parse", "_general"), ("_parse", "_results")},
    # a document's grammar of any scheme is a handler, too
    "schemes": {("generic", "rfc1738"), ("generic", "rfc2396"), ("generic", "rfc3987")},
    "meaning": {("web", "questions"), ("web", "validation")},  # what C declines of http's
    # SURT is a form of keys, and a profile's method makes keys
    "crawler": {("canonical", "archives"), ("record", "canonical")},
}

PACKAGE = pathlib.Path(urlsm.__file__).parent
ROOMS = {**{room: PACKAGE / room for room in ORDER}, "schemes": pathlib.Path(urlsm.schemes.__file__).parent}
SOURCES = (".py", ".pyx", ".pxd", ".pxi", ".h")
TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:    .*\n|\n)+", re.MULTILINE)  # which nothing imports
DOCSTRING = re.compile(r'^ *"""(?s:.*?)"""', re.MULTILINE)
STATEMENT = re.compile(
    r"^( *)(?:from +([\w.]+) +(c?)import +(\([^)]*\)|.*)|(c?)import +(.*)|#include \"(?:\.\./)+(\w+)/.*)$",
    re.MULTILINE,
)


class Import(NamedTuple):
    module: str  # with its folder before it: "url/value", "url/write/path"; "url" for the room itself; "" for the root
    name: str  # what is taken of the root, else ""
    called: bool  # in a function, so when that is called
    of_c: bool  # cimported, or included


def home_of(name: str) -> str:
    """Where a name that `from urlsm import ...` takes has its home: "url/value"; "" is the root itself."""
    if name in ORDER or name in ABOVE:
        return name
    homes = (module for module, names in urlsm._NAMES.items() if name in names)
    return "/".join(next(homes, "urlsm").split(".")[1:])


def words_of(names: str) -> Iterator[str]:
    """The names of `a as b, c`, without what they are called here."""
    for word in re.sub(r"#.*", "", names).strip("()\n ").split(","):
        if word.strip():
            yield word.split()[0]


def imports(text: str, room: str) -> Iterator[Import]:
    """Every import and cimport of a module of this room that is of this package."""
    for indent, module, c, names, also_c, modules, header in STATEMENT.findall(DOCSTRING.sub("", TYPES.sub("", text))):
        called = bool(indent)
        if header:
            yield Import(header, "", False, True)
        for whole in words_of(modules):
            first, *rest = whole.split(".")
            if first == "urlsm":
                yield Import("/".join(rest[:2]), "" if rest else "urlsm", called, bool(also_c))
        if not module:
            continue
        dots = len(module) - len(module.lstrip("."))
        # the package of a room's module is urlsm.ROOM; one dot is that, two are urlsm
        path = ["urlsm", room][: 3 - dots] if dots else []
        path += [part for part in module.split(".") if part]
        if path[0] != "urlsm":
            continue
        for name in words_of(names):
            if name == "_core":  # which only makes modules of rooms
                continue
            if len(path) > 2:
                yield Import("/".join(path[1:]), "", called, bool(c))
            elif len(path) == 2:
                inside = ROOMS.get(path[1], PACKAGE) / name
                known = any(inside.with_suffix(ending).exists() for ending in SOURCES)
                yield Import(f"{path[1]}/{name}" if known else path[1], "", called, bool(c))
            else:
                home = home_of(name)
                yield Import(home, "" if home else name, called, bool(c))


def texts(room: str) -> Iterator[tuple[pathlib.Path, str]]:
    for path in sorted(ROOMS[room].rglob("*") if ROOMS[room].is_dir() else PACKAGE.glob(f"{room}.*")):
        if path.suffix in SOURCES:
            yield path, path.read_text(encoding="utf-8")


def circles(room: str) -> list[set[str]]:
    """The largest sets of a room's files of which each needs each, if through others; but for the imports of BACK.

    A .pxd is a file by itself: it declares what its .pyx defines, and may be what that is built of.
    """
    back = BACK.get(room, set())
    files = {
        path.relative_to(ROOMS[room].parent).as_posix().removeprefix(f"{room}/"): text
        for path, text in texts(room)
        if path.suffix != ".h"
    }
    needs: dict[str, set[str]] = {}
    for file, text in files.items():
        named = {file.rpartition(".")[0] + ".pxd"} if file.endswith(".pyx") else set()
        for found in imports(text, room):
            if found.module.startswith(f"{room}/"):
                stem = found.module.removeprefix(f"{room}/")
                if found.called and (file.rpartition(".")[0], stem) in back:
                    continue
                named |= {stem + (".pxd" if found.of_c else ending) for ending in (".pyx", ".py")}
        needs[file] = (named & files.keys()) - {file}
    for _ in needs:
        for file, others in needs.items():
            needs[file] = others.union(*(needs[other] for other in others))
    found = [{other for other in others if file in needs[other]} for file, others in needs.items()]
    return [circle for k, circle in enumerate(found) if circle and circle not in found[:k]]


def drawing() -> str:
    """The rooms, one to a line from the top, each with those below it that it needs but through no other."""
    needs = {
        room: {found.module.split("/")[0] for _, text in texts(room) for found in imports(text, room)} & {*ORDER}
        for room in ORDER
    }
    below: dict[str, set[str]] = {}
    for room in ORDER:  # upwards: what is below is known
        needs[room] = {other for other in needs[room] if ORDER.index(other) < ORDER.index(room)}
        below[room] = needs[room].union(*(below[other] for other in needs[room]))
    lines = []
    for room in reversed(ORDER):
        near = [o for o in reversed(ORDER) if o in needs[room] and not any(o in below[b] for b in needs[room])]
        lines.append(f"{room:<11}{'-> ' if near else ''}{', '.join(near)}".rstrip())
    height = -(-len(lines) // 3)
    columns = [lines[k : k + height] for k in range(0, 3 * height, height)]
    rows = zip_longest(*columns, fillvalue="")
    return "".join("".join(f"{line:<51}" for line in row).rstrip() + "\n" for row in rows)


if __name__ == "__main__":
    page = PACKAGE.parent / "ARCHITECTURE.md"
    text = page.read_text(encoding="utf-8")
    start, end = text.index(DRAWN) + len(DRAWN), text.index("```", text.index(DRAWN) + len(DRAWN))
    page.write_text(text[:start] + drawing() + text[end:], encoding="utf-8")
