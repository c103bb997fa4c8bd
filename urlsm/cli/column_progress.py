"""What urlsm columns tells a person on standard error: a progress bar on a terminal, and a summary at the end."""

from __future__ import annotations

import sys
import time

from urlsm.cli import output
from urlsm.cli.output import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Progress", "Tally"]


class Tally:
    """Counts of a file, or of all files: rows, invalid URLs, rows without a URL, bytes of the input, rows skipped
    because of their format (BadRows)."""

    rows: int
    refused: int
    nulls: int
    octets: int
    bad: int

    def __init__(self, rows: int = 0, refused: int = 0, nulls: int = 0, octets: int = 0, bad: int = 0) -> None:
        self.rows, self.refused, self.nulls, self.octets, self.bad = rows, refused, nulls, octets, bad

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Progress:
    """A context manager for the progress of one run.

    The bar counts the bytes of all files, because most files do not tell their number of rows. It is shown if standard
    error is a terminal to which the command does not write its output.
    """

    def __init__(self, total: int | None, output: str | None) -> None:
        """total: the size of all files in bytes; None if it is not known. output: the file that is written."""
        self.tally: Tally = Tally()  # of what was read
        self.total: Tally = Tally()  # of the outputs that are complete
        self.files = self.failed = self.already = 0
        self._total, self._began = total, time.monotonic()
        self._shown = output in (None, "-") and sys.stdout is not None and sys.stdout.isatty()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        if self._shown or output.complain_to_nobody or sys.stderr is None or not sys.stderr.isatty():
            return self
        try:
            from rich import progress
            from rich.console import Console
        except ImportError:
            return self
        self._bar = progress.Progress(
            progress.TextColumn("{task.fields[file]}", markup=False),
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.TextColumn("{task.fields[said]}", markup=False),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=self._total or None, file="", said="")
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def done(self, tally: Tally) -> None:
        """Add the counts of an output that is complete."""
        self.total.add(tally)

    def tell(self, name: str, done: Tally | str) -> None:
        """Add what was done in a file since the last call, or print a warning about it."""
        if isinstance(done, str):
            self.warn(f"warning: {done}")
            return
        self.tally.add(done)
        if self._bar is not None:
            said = f"{self.tally.rows:,} rows, {self.tally.refused:,} refused"
            shown = output.shown(name if len(name) <= 30 else f"...{name[-27:]}", sys.stderr)
            self._bar.update(self._task, completed=self.tally.octets, file=shown, said=said)

    def warn(self, message: str) -> None:
        if self._bar is not None:
            self._bar.stop()
        complain(f"urlsm: {message}")
        if self._bar is not None:
            self._bar.start()

    def finish(self) -> None:
        """Print the summary."""
        self.__exit__()
        took, done = time.monotonic() - self._began, self.total
        said = [f"{done.rows:,} rows", f"{done.refused:,} refused", f"{done.nulls:,} null", f"{done.octets:,} bytes"]
        said += [f"{done.rows / max(took, 1e-3):,.0f} rows/s", f"{self.files:,} file{'' if self.files == 1 else 's'}"]
        said += [f"{done.bad:,} bad rows skipped"] * bool(done.bad)
        said += [f"{self.already:,} done before"] * bool(self.already)
        said += [f"{self.failed:,} failed"] * bool(self.failed)
        complain(", ".join(said))
