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

OPEN = "a cell in quotes does not end"

CSV_BLOCK = 1 << 21  # bytes that are parsed at a time
MARK = b"\1\4"  # the cells of a row that is added to the end of a file; no cell of a file has it (escaped)


class _Blocks(Input):
    """A stream for pyarrow's CSV reader, in blocks that contain the end of a record, as this reader needs them. It
    reads 32 blocks ahead.

    Two errors of its releases are kept from it. It loses the LF after a CR at the end of a block (apache/arrow#51368),
    so no block ends in CR. pyarrow 25 joins two records where a cell has a NUL (apache/arrow#50481), so NUL is escaped:
    as 01 03, and 01 as 01 02.

    At the end of a file that has quotes, a row of MARK is added. If a cell in quotes does not end, this row is within
    the cell, which pyarrow would take for a cell like another.

    has_quotes: whether quotes enclose cells. marks: the row of MARK. Attributes: escapes, whether a block had a byte
    that was escaped; marked, whether the row of MARK was added.
    """

    escapes = marked = False

    def __init__(self, front: bytes, stream: Any, *, has_quotes: bool, marks: bytes) -> None:
        super().__init__(front, stream)
        self._has_quotes, self._is_quoted, self._marks = has_quotes, False, marks
        self._any_quotes = self._in_line = False

    def read(self, size: int) -> bytes:
        pieces = [super().read(CSV_BLOCK)]
        long, ends = len(pieces[0]), self._has_end(pieces[0])
        while pieces[-1] and not ends:
            if long > LONGEST:
                if not any(b"\n" in piece or b"\r" in piece for piece in pieces):
                    raise OSError(f"a line is longer than {LONGEST >> 20} MiB")
                # a quote within a cell, which does not enclose it, or one without its second
                self._has_quotes = self._is_quoted = False
                break
            pieces.append(super().read(CSV_BLOCK))
            long, ends = long + len(pieces[-1]), self._has_end(pieces[-1])
        while pieces[-1].endswith(b"\r"):
            pieces.append(super().read(1))
            self._has_end(pieces[-1])
        block = self._escaped(b"".join(pieces))
        if block:
            self._in_line = not block.endswith((b"\n", b"\r"))
        if not pieces[-1] and self._any_quotes and not self.marked:
            self.marked = True
            return block + b"\n" * self._in_line + self._marks
        return block

    def _has_end(self, octets: bytes) -> bool:
        """Return whether a record ends in the octets that follow: whether a line break is outside of quotes."""
        parts = octets.split(b'"') if self._has_quotes else [octets]
        self._any_quotes |= len(parts) > 1
        outside = parts[self._is_quoted :: 2]
        self._is_quoted ^= len(parts) % 2 == 0
        return any(b"\n" in part or b"\r" in part for part in outside)

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

        self.name: str = name
        self._file, self._bad = file, bad
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
        self.schema: Any = pa.schema([(name, pa.binary()) for name in names])
        delimiter = self.options.get("delimiter", ",").encode()
        self._blocks = _Blocks(
            *(front, stream),
            has_quotes=self.options.get("quote_char") is not False,
            marks=delimiter.join([MARK] * len(names)),
        )
        self._stream = pa.PythonFile(self._blocks, mode="r")
        # This reference stays for ever. The thread that reads ahead keeps its own a moment longer than the reader. If
        # that were the last one, the thread would ask for the interpreter's lock, and C++ aborts if the interpreter is
        # ending.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._stream))

    def _batches(self, column: str | None) -> Iterator[Any]:
        import pyarrow.csv

        rows, is_whole = 0, False
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
                is_whole = batch.num_rows > 0 and batch.num_columns > 0 and batch.column(0)[-1].as_py() == MARK
                rows += batch.num_rows - is_whole
                yield self._batch(batch.slice(0, batch.num_rows - is_whole), shown)
        except (pa.ArrowException, OSError) as error:
            if self._ragged is not None:
                raise Broken(self._ragged) from error
            where = f"{self.name}: row {rows + self._skipped}"
            if "straddling" in str(error):  # its block has no end of a record, so the rows before it are all known
                raise Broken(f"{where}: {OPEN}") from error
            raise Broken(f"{where} or after it: {error}") from error
        if self._blocks.marked and not is_whole:
            raise Broken(f"{self.name}: row {rows + self._skipped - 1}: {OPEN}")

    def _of_other_length(self, row: Any) -> str:
        """Answer what becomes of a record whose number of cells is not that of the header."""
        reason = f"expected {row.expected_columns} cells, but found {row.actual_columns}"
        number = row.number - 2  # (the header is number 1)
        if MARK.decode() in row.text:
            self._ragged = f"{self.name}: row {number}: {OPEN}"
            return "error"
        try:
            self._bad.add(self.name, number, reason, unescaped(row.text))
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
