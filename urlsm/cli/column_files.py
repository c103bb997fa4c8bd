"""Reads the URLs of files and writes their fields, one batch after another, for urlsm columns."""

from __future__ import annotations

import pathlib
from contextlib import ExitStack
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc

from urlsm.cli import tables
from urlsm.cli.bad_rows import BadRows
from urlsm.cli.column_progress import Tally
from urlsm.cli.table_input import members_of, reader_of
from urlsm.cli.table_json import Json
from urlsm.cli.table_output import Output
from urlsm.cli.table_streams import Broken, kind_of
from urlsm.columns.calls import in_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    Tell = Callable[[str, "Tally | str"], None]

__all__ = ["FAILURES", "convert", "convert_one", "side_output"]

# what convert raises if a file or an option is at fault; OSError is raised for files that cannot be opened
FAILURES = (Broken, TypeError, ValueError, LookupError, ModuleNotFoundError, OverflowError, pa.ArrowException)
HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


def side_output(name: str) -> Output:
    """Return the output for a table of errors or bad rows: CSV, unless its name says otherwise."""
    return Output(name, "csv" if kind_of(name) == "text" else None)


def convert(
    args: Namespace, found: list[tuple[str, str]], output: Output, errors: Output | None, bad: BadRows, tell: Tell
) -> Tally:
    """Write the fields of the URLs in files to one output, which the caller opens and finishes. Return the counts.

    Args:
        args: the options of the command.
        found: the files, each with its path within the folder that was searched (many.files_of).
        errors: where to write a row for each invalid URL; None: nowhere.
        bad: what happens to rows that are not valid in the format of a file.
        tell: called with the name of a file and what was done in it since the last call, or a warning.

    Raises: FAILURES, with a message that names the file; OSError.
    """
    names = [name for name, _ in found]
    kept = members_of(names, args.kind, args.column) if args.keep else None
    done = Tally()
    for name, part in found:
        with ExitStack() as stack:
            try:
                reader = reader_of(name, stack, args.kind, bad, kept)
                if args.keep and kept is None and isinstance(reader, Json):
                    raise ValueError("--keep reads JSON twice: save standard input to a file first")
                file = _File(args, name, part, reader)
                done.add(file.convert(output, errors, bad, tell))
            except FAILURES as error:
                said = str(error)
                raise Broken(said if said.startswith(f"{name}:") else f"{name}: {said}") from error
    return done


class _File:
    def __init__(self, args: Namespace, name: str, part: str, reader: Any) -> None:
        self.args, self.name, self.reader = args, name, reader
        self.column: str = reader.column(args.column)
        self.fields = tables.chosen_fields(args.fields)
        # (can_parse does not need what follows a host, error_code does)
        more = ["can_parse", *(["error_code", "error_position"] if args.errors_to else [])]
        self.asked = tuple(dict.fromkeys([*self.fields, *more]))
        _check_text(self.column, reader.schema.field(self.column).type)
        # the columns that a path of Hive names: d=2026/h=1/links.parquet
        pairs = [folder.split("=", 1) for folder in pathlib.PurePath(part).parts[:-1] if folder.count("=") == 1]
        self.partitions = {
            key: None if value == HIVE_NULL else unquote(value)
            for key, value in pairs
            if args.keep and key not in reader.schema.names
        }

    def convert(self, output: Output, errors: Output | None, bad: BadRows, tell: Tell) -> Tally:
        done, skipped, sample = Tally(), bad.count, None
        batches = self.reader.batches(None if self.args.keep else self.column)
        for batch, struct in in_order(self._parsed, batches, self.args.threads):
            kept = self._kept(output, batch, done.rows) if self.args.keep else None
            output.write(tables.joined(kept, struct, self.fields))
            can_parse = struct.field("can_parse")
            refused = can_parse.false_count
            if errors is not None:
                errors.write(self._rejected(batch, struct, done.rows))
            if refused and sample is None:
                sample = batch.column(self.column)[pc.index(can_parse, False).as_py()].as_py()
            new = Tally(batch.num_rows, refused, batch.column(self.column).null_count)
            new.octets = self.reader.position() - done.octets
            new.bad, skipped = bad.count - skipped, bad.count
            done.add(new)
            tell(self.name, new)
        done.bad += bad.count - skipped
        if 0 < done.refused == done.rows - done.nulls:
            [code] = self._fields(pa.array([sample]), ("error_code",)).field("error_code").to_pylist()
            said = f"every URL in the column {self.column!r} is invalid, such as {sample!r:.80} ({code})"
            tell(self.name, f"{self.name}: {said}")
        return done

    def _parsed(self, batch: Any) -> tuple[Any, Any]:
        return batch, self._fields(batch.column(self.column), self.asked)

    def _fields(self, column: Any, names: tuple[str, ...]) -> Any:
        struct = tables.fields_of(column, names, self.args.base)
        return tables.without_tabs(column, struct) if self.reader.refuses_tabs else struct

    def _kept(self, output: Output, batch: Any, row: int) -> Any:
        """Return the columns of the file that are written beside the fields."""
        kept = output.kept(batch, row) if self.reader.of_text else batch
        for key, value in self.partitions.items():
            kept = kept.append_column(key, pa.array([value] * kept.num_rows, pa.string()))
        return kept

    def _rejected(self, batch: Any, struct: Any, row: int) -> Any:
        """Return a row for each invalid URL: the file, if there are several, its row, the error, the text, and the
        columns that are kept."""
        rejected = tables.refusals(struct, row, self.name if self.args.several else None)
        names = batch.schema.names
        at = names.index(self.column)
        others = [k for k in range(len(names)) if k != at] if self.args.keep else []
        picked = batch.select([at, *others]).filter(pc.is_valid(struct.field("error_code")))
        for name, column in zip(("text", *[names[k] for k in others]), picked.columns, strict=True):
            name = name if name not in rejected.schema.names else f"{name}_"
            rejected = rejected.append_column(name, _as_string(column))
        return rejected


def _check_text(name: str, kind: Any) -> None:
    """Raise ValueError unless the type of a column is text, binary, null or a dictionary of text or binary."""
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    views = (pa.types.is_string_view, pa.types.is_binary_view)
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    if not (pa.types.is_null(kind) or any(is_one(values) for is_one in (*texts, *views))):
        raise ValueError(f"the column {name!r} is {kind}: expected text")


def _as_string(column: Any) -> Any:
    """Return a column as strings, so that files need not agree on its type. Bytes that are not UTF-8 become escapes."""
    if pa.types.is_nested(column.type):
        return column
    try:
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        texts = [cell if cell is None else cell.decode("utf-8", "backslashreplace") for cell in column.to_pylist()]
        return pa.array(texts, pa.string())


def convert_one(args: Namespace, name: str, into: str, sides: tuple[str | None, str | None], tell: Tell) -> Tally | str:
    """Write the fields of the URLs in one file to its own output. Return the counts, or the message of an error.

    sides: the Arrow files to which its invalid URLs and its bad rows are written; None: neither is.
    """
    try:
        with ExitStack() as stack:
            output = stack.enter_context(Output(into))
            errors, rows = [side and stack.enter_context(Output(side, "arrow")) for side in sides]
            bad = BadRows(rows.write if rows else None, stops=args.bad_rows == "stop")
            done = convert(args, [(name, "")], output, errors or None, bad, tell)
            for written in (output, errors, rows):
                if written:
                    written.done()
            return done
    except (*FAILURES, OSError) as error:
        said = str(error)
        return said if name in said else f"{name}: {said}"
