"""Reads CSV and TSV for urlsm columns. pyarrow parses the records; Python's csv module is the reference for cells."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from urlsm.cli.bad_rows import BadRows
from urlsm.cli.table_readers import Reader
from urlsm.cli.table_streams import BLOCK, LONGEST, Broken, File, Input

__all__ = ["Csv", "Tsv"]

CSV_BLOCK = 1 << 21  # bytes that are parsed at a time


class _Blocks(Input):
    """A stream for pyarrow's CSV reader, in blocks that contain a line break. The CSV reader needs the end of a record
    in each block, so only a record of several lines can be too long for it. It reads 32 blocks ahead.

    Two errors of its releases are kept from it. It loses the LF after a CR at the end of a block (apache/arrow#51368),
    so no block ends in CR. pyarrow 25 joins two records where a cell has a NUL (apache/arrow#50481), so NUL is escaped:
    as 01 03, and 01 as 01 02.

    escapes: whether a block had such a byte.
    """

    escapes = False

    def read(self, size: int) -> bytes:
        pieces = [super().read(CSV_BLOCK)]
        long = 0
        while pieces[-1] and b"\n" not in pieces[-1] and b"\r" not in pieces[-1]:
            long += len(pieces[-1])
            if long > LONGEST:
                raise OSError(f"a line is longer than {LONGEST >> 20} MiB")
            pieces.append(super().read(CSV_BLOCK))
        while pieces[-1].endswith(b"\r"):
            pieces.append(super().read(1))
        return self._escaped(b"".join(pieces))

    def _escaped(self, octets: bytes) -> bytes:
        if b"\0" in octets or b"\1" in octets:
            self.escapes = True
            return escaped(octets)
        return octets


def escaped(octets: bytes) -> bytes:
    return octets.replace(b"\1", b"\1\2").replace(b"\0", b"\1\3")


def unescaped(text: str) -> str:
    return text.replace("\1\3", "\0").replace("\1\2", "\1")


class Csv(Reader):
    """CSV. Cells are bytes, as written between commas or quotes: 00501 is not read as a number, and an empty cell is
    not read as null."""

    of_text = True

    options: ClassVar[dict[str, Any]] = {"newlines_in_values": True}

    def __init__(self, name: str, stream: Input, file: File, bad: BadRows) -> None:
        import ctypes

        import pyarrow.csv

        self.name, self._file, self._bad = name, file, bad
        self._ragged: str | None = None
        self._skipped = 0
        front = stream.read(BLOCK).lstrip(b"\r\n")
        if b"\n" not in front and b"\r" not in front:
            front += b"\n"  # (without a line break, pyarrow refuses a file that is only a header)
        record = escaped(_first_record(front))
        # (if a quote is unpaired, the end of this record may lie within another one)
        self._names = pyarrow.csv.read_csv(
            io.BytesIO(record),
            read_options=pyarrow.csv.ReadOptions(block_size=len(record) + 1, use_threads=False),
            parse_options=self._options(invalid_row_handler=lambda row: "skip"),
        ).schema.names
        names = [unescaped(name) for name in self._names]
        if len(names) == 1 and "\t" in names[0]:
            raise Broken(f"{name}: expected comma-separated values, but found tabs: use --from tsv -c NAME")
        self.schema = pa.schema([(name, pa.binary()) for name in names])
        self._blocks = _Blocks(front, stream)
        self._stream = pa.PythonFile(self._blocks, mode="r")
        # This reference stays for ever. The thread that reads ahead keeps its own a moment longer than the reader. If
        # that were the last one, the thread would ask for the interpreter's lock, and C++ aborts if the interpreter is
        # ending.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._stream))

    def _batches(self, column: str | None) -> Iterator[Any]:
        import pyarrow.csv

        rows = 0
        names = self._names if column is None else [self._names[self.schema.names.index(column)]]
        options = pyarrow.csv.ConvertOptions(
            column_types=pa.schema([(name, pa.binary()) for name in self._names]),
            include_columns=[] if column is None else names,
            check_utf8=False,
        )
        try:
            reader = pyarrow.csv.open_csv(
                self._stream,
                read_options=pyarrow.csv.ReadOptions(block_size=BLOCK, use_threads=False),
                # (with one column, an empty line is a row of one empty cell)
                parse_options=self._options(
                    ignore_empty_lines=len(self.schema) > 1, invalid_row_handler=self._of_other_length
                ),
                convert_options=options,
            )
            shown = self.schema.names if column is None else [column]
            for batch in reader:
                yield self._batch(batch, shown)
                rows += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            if self._ragged is not None:
                raise Broken(self._ragged) from error
            reason = "a cell in quotes does not end" if "straddling" in str(error) else str(error)
            raise Broken(f"{self.name}: after row {rows + self._skipped - 1}: {reason}") from error

    def _of_other_length(self, row: Any) -> str:
        """Answer what becomes of a record whose number of cells is not that of the header."""
        reason = f"expected {row.expected_columns} cells, but found {row.actual_columns}"
        try:
            self._bad.add(self.name, row.number - 2, reason, unescaped(row.text))  # (the header is number 1)
        except Broken as error:  # an exception would not leave pyarrow
            self._ragged = str(error)
            return "error"
        self._skipped += 1
        return "skip"

    def _batch(self, batch: Any, names: list[str]) -> Any:
        """Return a batch under the names of the schema, with its cells unescaped."""
        columns = batch.columns
        if self._blocks.escapes:
            for pattern, replacement in (("\1\3", "\0"), ("\1\2", "\1")):
                columns = [pc.replace_substring(column, pattern, replacement) for column in columns]
        return pa.RecordBatch.from_arrays(columns, names=names)

    def _options(self, **options: Any) -> Any:
        import pyarrow.csv

        return pyarrow.csv.ParseOptions(**self.options, **options)

    def position(self) -> int:
        return self._file.octets


class Tsv(Csv):
    """Tab-separated values, which have no quotes (IANA's "text/tab-separated-values")."""

    options: ClassVar[dict[str, Any]] = {"delimiter": "\t", "quote_char": False}


def _first_record(octets: bytes) -> bytes:
    """Return the first CSV record, with its line break. A line break inside quotes does not end the record (RFC 4180
    section 2)."""
    start = quotes = 0
    for found in re.finditer(rb"\r\n?|\n", octets):
        quotes += octets.count(b'"', start, found.start())
        if quotes % 2 == 0:
            return octets[: found.end()]
        start = found.end()
    return octets
