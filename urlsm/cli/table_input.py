"""Chooses the reader of each input file of urlsm columns: the file name determines the format. If it does not, the
first bytes do."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pyarrow as pa

from urlsm.cli.bad_rows import BadRows
from urlsm.cli.table_csv import Csv, Tsv
from urlsm.cli.table_json import Cdxj, Json
from urlsm.cli.table_readers import Arrow, Cdx, Lines, Parquet
from urlsm.cli.table_streams import LINE_OF, Broken, Input, kind_of, kind_of_index, kind_of_text, open_text

__all__ = ["FROM", "members_of", "reader_of"]

FRONT = 1 << 16  # at most this many bytes are read to tell whether a file consists of lines
# the reader of each kind; Parquet and Arrow are read from the end of the file, the others as a stream
FROM: dict[str, Any] = {
    **{"parquet": Parquet, "arrow": Arrow, "csv": Csv, "tsv": Tsv, "jsonl": Json, "cdxj": Cdxj, "cdx": Cdx},
    "lines": Lines,
}


def reader_of(name: str, stack: ExitStack, kind: str | None, bad: BadRows, kept: Any = None) -> Any:
    """Return the reader for a file, chosen by kind (a key in FROM), or else by the file extension or the first lines.

    The stack closes the file. kept: the schema of the members of JSON to read besides the URL (members_of). Raise
    Broken if the file is not of this kind, OSError if it cannot be opened, and ValueError if this kind of file cannot
    be read from standard input.
    """
    asked = kind is not None
    kind = kind or ("text" if name == "-" else kind_of(name))
    try:
        if kind in ("parquet", "arrow"):
            if name == "-":
                raise ValueError(f"{kind} cannot be read from standard input: use a file")
            return FROM[kind](name, stack)
        stream, file = open_text(name, stack)
        if kind == "text" or kind in LINE_OF:
            front = stream.read(FRONT)
            stream = Input(front, stream)
            kind = kind_of_text(name, front) if kind == "text" else kind_of_index(name, front, kind, asked)
        if kind in ("jsonl", "cdxj"):
            return FROM[kind](name, stream, file, bad, kept)
        return FROM[kind](name, stream, file, *([bad] if kind in ("csv", "tsv") else []))
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise Broken(f"{name}: not a valid {kind} file: {error}") from error


def members_of(names: list[str], kind: str | None, column: str | None) -> Any:
    """Return a schema with all members of the objects in the files that are JSON Lines or CDXJ; None if there is no
    such file. Raise Broken if the type of a member changes."""
    schemas = []
    for name in names:
        with ExitStack() as stack:
            if name == "-" and kind not in ("jsonl", "cdxj"):
                continue
            reader = reader_of(name, stack, kind, BadRows(stops=False), pa.schema([]))
            if isinstance(reader, Json):
                if name == "-":
                    raise ValueError("--keep reads JSON twice: save standard input to a file first")
                schemas.append(reader.members(column))
    try:
        return pa.unify_schemas(schemas, promote_options="permissive") if schemas else None
    except pa.ArrowException as error:
        raise Broken(f"the files do not have the same members: {error}") from error
