"""The record of what urlsm columns --resume has done: a line of JSON for each file that is complete."""

from __future__ import annotations

import json
import os

from urlsm.cli.column_progress import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

__all__ = ["Manifest"]

OPTIONS = ("kind", "column", "fields", "base", "keep", "to", "bad_rows", "errors_to")  # those that change an output


class Manifest:
    """The manifest in a folder. A file counts as done if its size and modification time, the options, the version of
    urlsm and the versions of its tables are those of the manifest, and its output has the size that it had.

    A file that changes while it is read is not done: size and time are those from before it was read.
    """

    def __init__(self, folder: str, args: Namespace) -> None:
        from urlsm import __version__
        from urlsm.domains import PublicSuffixList
        from urlsm.unicode.idna import UNICODE_VERSION

        self._path = os.path.join(folder, "manifest.jsonl")
        try:
            suffixes: object = PublicSuffixList().version
        except ModuleNotFoundError:
            suffixes = None
        tables = {"urlsm": __version__, "unicode": UNICODE_VERSION, "public_suffix_list": str(suffixes)}
        self._same = {"options": {name: getattr(args, name) for name in OPTIONS}, **tables}
        self._done: dict[str, dict[str, Any]] = {}
        self._before: dict[str, os.stat_result] = {}
        try:
            with open(self._path, "rb") as stream:
                for line in stream:
                    try:
                        record = json.loads(line)
                        self._done[record["output"]] = {"counts": [], **record}
                    except (ValueError, TypeError, KeyError):  # a run was killed while it wrote this line
                        continue
        except FileNotFoundError:
            os.makedirs(folder, exist_ok=True)

    def tally(self, name: str, output: str) -> Tally | None:
        """Return the counts of a file whose output is complete, else None."""
        known = self._done.get(os.path.realpath(output))
        try:
            self._before[name] = os.stat(name)
            now = self._record(name, output)
        except FileNotFoundError:
            return None
        if known is None:
            return None
        return Tally(*known["counts"]) if {key: known.get(key) for key in now} == now else None

    def add(self, name: str, output: str, tally: Tally) -> None:
        """Record that the output of a file is complete, for which tally() has returned None before. Standard input is
        not recorded."""
        if name not in self._before:
            return
        line = json.dumps({**self._record(name, output), "counts": [*vars(tally).values()]})
        with open(self._path, "ab") as stream:
            stream.write(f"\n{line}\n".encode())  # (the line before may lack its end)

    def _record(self, name: str, output: str) -> dict[str, Any]:
        read, written = self._before[name], os.stat(output)
        its = {"input": os.path.realpath(name), "size": read.st_size, "modified": read.st_mtime_ns}
        return {**its, "output": os.path.realpath(output), "output_size": written.st_size, **self._same}
