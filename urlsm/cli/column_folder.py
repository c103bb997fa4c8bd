"""Writes one output for each input file of urlsm columns: in this process or in several, and only what is not done yet
(--resume)."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import ExitStack, closing, suppress

from urlsm.cli.column_files import convert_one
from urlsm.cli.column_progress import Tally
from urlsm.cli.manifest import Manifest
from urlsm.cli.processes import run_each
from urlsm.cli.table_output import remove_old_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Generator
    from typing import Any

    from urlsm.cli.column_progress import Progress
    from urlsm.cli.table_output import Output

__all__ = ["convert_each"]


def convert_each(
    args: Namespace,
    pairs: list[tuple[tuple[str, str], str]],
    sides: tuple[Output | None, Output | None],
    progress: Progress,
    stack: ExitStack,
) -> None:
    """Write the output of each file. A file that cannot be read is told, and the others are done.

    Args:
        pairs: for each file, its name and its path within the folder that was searched; and the path of its output.
        sides: the tables of invalid URLs and of bad rows. They get the rows in the order of the files: each file first
            writes its own ones into a folder within OUT, whose name begins with "_", so that no program reads it.
        stack: removes that folder, unless it is kept for --resume.
    """
    folder = os.path.join(args.output, "_urlsm" if args.resume else f"_urlsm.part-{os.getpid()}")
    remove_old_parts(os.path.realpath(os.path.join(args.output, "_urlsm")))
    if not args.resume and any(sides):
        os.makedirs(folder, exist_ok=True)
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
    manifest = Manifest(folder, args) if args.resume else None
    files = [_File(pair, folder, sides) for pair in pairs]
    waiting = []
    for number, file in enumerate(files):
        before = manifest.tally(file.name, file.output) if manifest else None
        if before is None or not file.has_sides():
            waiting.append(number)
        else:
            file.state = "done"
            progress.done(before)
            progress.already += 1
    following = 0
    with closing(_results(args, [files[number] for number in waiting], progress)) as results:
        for at, result in results:
            file = files[waiting[at]]
            if isinstance(result, Tally):
                file.state = "done"
                progress.done(result)
                progress.files += 1
                if manifest:
                    manifest.add(file.name, file.output, result)
            else:
                file.state = "failed"
                progress.failed += 1
                progress.warn(str(result) if file.name in str(result) else f"{file.name}: {result}")
            following = _append(files, following, sides)
    _append(files, following, sides)


class _File:
    """A file. state: "", "done" or "failed"."""

    def __init__(
        self, pair: tuple[tuple[str, str], str], folder: str, sides: tuple[Output | None, Output | None]
    ) -> None:
        (self.name, _), self.output = pair
        self.state = ""
        mark = hashlib.sha256(os.fsencode(os.path.realpath(self.output))).hexdigest()[:16]
        self.sides = (
            os.path.join(folder, f"{mark}.errors.arrow") if sides[0] else None,
            os.path.join(folder, f"{mark}.rows.arrow") if sides[1] else None,
        )

    def has_sides(self) -> bool:
        return all(os.path.exists(side) for side in self.sides if side)

    def remove_parts(self, process: int) -> None:
        """Remove what a process that has died was writing."""
        for name in (self.output, *self.sides):
            if name:
                with suppress(FileNotFoundError):
                    os.unlink(f"{os.path.realpath(name)}.part-{process}")


def _results(args: Namespace, files: list[_File], progress: Progress) -> Generator[tuple[int, Any], None, None]:
    """Yield the number of each file with its counts, or with what went wrong."""
    if args.jobs == 1:
        for number, file in enumerate(files):
            yield number, convert_one(args, file.name, file.output, file.sides, progress.tell)
        return
    plain = {name: value for name, value in vars(args).items() if isinstance(value, (str, int, list, type(None)))}
    jobs = [(type(args)(**plain), file.name, file.output, file.sides) for file in files]
    yield from run_each(
        convert_one, jobs, args.jobs, progress.tell, lambda job, process: files[job].remove_parts(process)
    )


def _append(files: list[_File], following: int, sides: tuple[Output | None, Output | None]) -> int:
    """Write the invalid URLs and bad rows of the files whose turn it is. Return the number of the file that follows."""
    import pyarrow.ipc

    while following < len(files) and files[following].state:
        file = files[following]
        for name, side in zip(file.sides, sides, strict=True):
            if name and side and file.state == "done" and os.path.getsize(name):
                with pyarrow.ipc.open_file(name) as rows:
                    for k in range(rows.num_record_batches):
                        side.write(rows.get_batch(k))
        following += 1
    return following
