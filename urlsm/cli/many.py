"""Finds the files that the arguments of urlsm columns name, and the outputs that belong to them."""

from __future__ import annotations

import glob
import os
import pathlib

from urlsm.cli.table_streams import ENDINGS, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# folders of tables whose files include deleted rows -> what reads such a table
LOGS = {"_delta_log": "Delta table: read it with deltalake or DuckDB", ".hoodie": "Hudi table: read it with Spark"}


def files_of(names: list[str], skipped: list[str]) -> list[tuple[str, str]]:
    """Return the files that the arguments name, each with the path of its output inside a folder. Append to `skipped` a
    sentence for each folder of which files are not read.

    A folder means every file with a known extension in the folder and its subfolders, except files and folders whose
    names begin with "." or "_", and links to folders. If no file has a given name, the name may be a pattern, in which
    "**" matches any number of folders. Raise FileNotFoundError if no file matches a pattern. Raise ValueError if there
    are no files, if "-" (standard input) is not the only name, or if a folder is a table whose log tells which files
    count.
    """
    found: list[tuple[str, str]] = []
    for name in names:
        if name == "-":
            found.append((name, "stdin"))
        elif os.path.isdir(name):
            found += [(os.path.join(name, part), part) for part in _below(name, skipped)]
        elif os.path.exists(name) or not glob.has_magic(name):
            found.append((name, os.path.basename(name)))
        else:
            matched = [path for path in sorted(glob.glob(name, recursive=True)) if os.path.isfile(path)]
            if not matched:
                raise FileNotFoundError(2, "no file matches", name)
            parts = pathlib.PurePath(name).parts
            top = os.path.join("", *parts[: next(k for k, part in enumerate(parts) if glob.has_magic(part))])
            found += [(path, os.path.relpath(path, top or ".")) for path in matched]
    if not found:
        raise ValueError(f"no files to read in {', '.join(names)}: the known file extensions are {' '.join(ENDINGS)}")
    if len(found) > 1 and any(name == "-" for name, _ in found):
        raise ValueError("standard input must be the only input")
    return found


def is_folder(name: str | None) -> bool:
    return name is not None and (name.endswith(("/", os.sep)) or os.path.isdir(name))


def _below(folder: str, skipped: list[str]) -> Iterator[str]:
    left: dict[str, list[str]] = {"hidden": [], "links": [], "other files": []}
    for top, folders, files in os.walk(folder):
        for name in folders:
            if name in LOGS:
                raise ValueError(f"{top} is a {LOGS[name]}, or name its files by a pattern")
        hidden = [name for name in (*folders, *files) if name[0] in "._"]
        links = [name for name in folders if name not in hidden and os.path.islink(os.path.join(top, name))]
        left["hidden"] += hidden
        left["links"] += links
        folders[:] = sorted(name for name in folders if name not in hidden and name not in links)
        for name in sorted(files):
            if name in hidden:
                continue
            if kind_of(name) != "text" or name.lower().endswith(ENDINGS):
                yield os.path.relpath(os.path.join(top, name), folder)
            else:
                left["other files"].append(name)
    said = [f"{len(found):,} {what} ({_some(found)})" for what, found in left.items() if found]
    if said:
        skipped.append(f"{folder}: not read: {', '.join(said)}")


def _some(names: list[str]) -> str:
    return ", ".join([*sorted(names)[:3], *["..."] * (len(names) > 3)])


def outputs_of(found: list[tuple[str, str]], folder: str, ending: str) -> list[str]:
    """Return the path of each file's output inside `folder`, and create the necessary folders. Raise ValueError if two
    files would have the same output path."""
    made = []
    for _, part in found:
        path = pathlib.PurePath(part)
        while path.suffix.lower() in ENDINGS:
            path = path.with_suffix("")
        made.append(os.path.join(folder, f"{path}.{ending}"))
    if len(set(made)) < len(made):
        twice = next(name for k, name in enumerate(made) if name in made[:k])
        raise ValueError(f"two files would be written to {twice}: convert their folders separately")
    for name in made:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    return made
