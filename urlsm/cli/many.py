"""The command columns with several files. It finds the files that the arguments name, and runs a process for each
file."""

from __future__ import annotations

import glob
import os
import pathlib

from urlsm.cli.interrupts import held_back
from urlsm.cli.tables import ENDINGS, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator


def files_of(names: list[str]) -> list[tuple[str, str]]:
    """Return the files that the arguments name, each with the path of its output inside a folder.

    A folder means every file with a known extension in the folder and its subfolders, except files and folders whose
    names begin with "." or "_". If no file has a given name, the name may be a pattern, in which "**" matches any
    number of folders. Raise FileNotFoundError if no file matches a pattern. Raise ValueError if there are no files, or
    if "-" (standard input) is not the only name.
    """
    found: list[tuple[str, str]] = []
    for name in names:
        if name == "-":
            found.append((name, "stdin"))
        elif os.path.isdir(name):
            found += [(os.path.join(name, part), part) for part in _below(name)]
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


def _below(folder: str) -> Iterator[str]:
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        for name in sorted(files):
            if name[0] not in "._" and (kind_of(name) != "text" or name.lower().endswith(ENDINGS)):
                yield os.path.relpath(os.path.join(top, name), folder)


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


def in_processes(
    work: Callable[[Namespace, str, str], tuple[int, int]], args: Namespace, pairs: list[tuple[str, str]], count: int
) -> Iterator[tuple[int, int]]:
    """Run work(args, file, output) for each pair, in `count` processes. Yield each result as soon as it is ready: the
    number of rows and the number of invalid URLs."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    plain = {name: value for name, value in vars(args).items() if isinstance(value, (str, int, list, type(None)))}
    with ProcessPoolExecutor(min(count, len(pairs)), mp_context=get_context("spawn")) as pool:
        try:
            with held_back():  # so that the processes started here do not get Ctrl-C
                running = [pool.submit(work, type(args)(**plain), *pair) for pair in pairs]
            for task in as_completed(running):
                yield task.result()
        except BaseException:
            with held_back():
                pool.shutdown(cancel_futures=True)
            raise
