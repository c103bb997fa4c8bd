"""Reads Parquet, Arrow, CDX and lines of text for urlsm columns, one batch at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pyarrow as pa

from urlsm.cli.table_streams import BLOCK, LONGEST, Broken, File, Input
from urlsm.columns.work import column_of_lines

__all__ = ["ROWS", "Arrow", "Cdx", "Lines", "Parquet", "Reader"]

ROWS = 65536  # at most this many rows are in a batch


class Reader:
    """A file that is read one batch at a time.

    Attributes: name; schema, of the columns that it has; of_text, whether cells are raw bytes, exactly as in the file,
    so that a row can be copied; refuses_tabs, whether URLs with tabs are refused, which the URL Standard would remove.
    """

    of_text = False
    refuses_tabs = False
    schema: Any
    name: str

    def column(self, wanted: str | None) -> str:
        """Return the name of the column that contains the URLs. Raise ValueError if the column cannot be determined."""
        names = self.schema.names
        if wanted is None and len(names) == 1:
            return str(names[0])
        if wanted is None or names.count(wanted) != 1:
            known = "unknown column" if wanted not in names else "more than one column"
            said = "choose the column to read with -c" if wanted is None else f"{known} {wanted!r}"
            raise ValueError(f"{self.name}: {said}: the columns are {', '.join(names)}")
        return wanted

    def batches(self, column: str | None) -> Iterator[Any]:
        """Yield the batches, with all columns or only the given one. An empty file yields one batch without rows."""
        none = True
        for batch in self._batches(column):
            none = False
            yield batch
        if none:
            schema = self.schema if column is None else pa.schema([self.schema.field(column)])
            yield pa.RecordBatch.from_pylist([], schema=schema)

    def position(self) -> int:
        """Return how many of the file's bytes have been read."""
        raise NotImplementedError

    def _batches(self, column: str | None) -> Iterator[Any]:
        raise NotImplementedError


class Parquet(Reader):
    def __init__(self, name: str, stack: ExitStack) -> None:
        import pyarrow.parquet

        self.name: str = name
        # (not a memory map, which would count as memory of the process)
        self._file = stack.enter_context(pyarrow.parquet.ParquetFile(name))
        self.schema: Any = self._file.schema_arrow
        self._size, self._row = os.path.getsize(name), 0

    def _batches(self, column: str | None) -> Iterator[Any]:
        columns = None if column is None else [column]
        for group in range(self._file.num_row_groups):
            try:
                for batch in self._file.iter_batches(ROWS, row_groups=[group], columns=columns, use_threads=False):
                    self._row += batch.num_rows
                    yield batch
            except (pa.ArrowException, OSError) as error:
                raise Broken(f"{self.name}: row group {group} cannot be read: {error}") from error

    def position(self) -> int:
        return self._size * self._row // max(int(self._file.metadata.num_rows), 1)


class Arrow(Reader):
    def __init__(self, name: str, stack: ExitStack) -> None:
        import pyarrow.ipc

        self.name: str = name
        self._source = stack.enter_context(pa.memory_map(name))
        self._file: Any = None
        self._number = 0
        if self._source.read(6) == b"ARROW1":
            self._file = pyarrow.ipc.open_file(self._source)
            self.schema: Any = self._file.schema
        else:
            self._source.seek(0)
            self._stream = pyarrow.ipc.open_stream(self._source)
            self.schema = self._stream.schema

    def _batches(self, column: str | None) -> Iterator[Any]:
        while self._file is None or self._number < self._file.num_record_batches:
            try:
                batch = self._stream.read_next_batch() if self._file is None else self._file.get_batch(self._number)
            except StopIteration:
                return
            except (pa.ArrowException, OSError) as error:
                raise Broken(f"{self.name}: record batch {self._number} cannot be read: {error}") from error
            self._number += 1
            for start in range(0, batch.num_rows, ROWS):
                yield batch.slice(start, ROWS) if column is None else batch.select([column]).slice(start, ROWS)

    def position(self) -> int:
        if self._file is None:
            return int(self._source.tell())
        return int(self._source.size()) * self._number // max(int(self._file.num_record_batches), 1)


class Lines(Reader):
    """Lines that end in LF or CR LF; every line is a row. A line with a tab is invalid, because it comes from a file in
    another format, and the URL Standard would parse its cells as one URL."""

    of_text = refuses_tabs = True
    schema: Any = pa.schema([("url", pa.large_binary())])

    def __init__(self, name: str, stream: Input, file: File) -> None:
        self.name: str = name
        self._stream, self._file = stream, file
        self._line = 0  # lines before the block that is being read

    def _batches(self, column: str | None) -> Iterator[Any]:
        for octets in self._blocks():
            yield from self._rows(octets)
            self._line += octets.count(b"\n")

    def _blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks of whole lines. Raise Broken for a line that is too long."""
        rest = b""
        try:
            while block := self._stream.read(BLOCK):
                end = block.rfind(b"\n") + 1
                if end:
                    yield rest + block[:end]
                    rest = b""
                rest += block[end:]
                if len(rest) > LONGEST:
                    raise Broken(f"{self.name}: line {self._line + 1} is longer than {LONGEST >> 20} MiB")
        except OSError as error:
            raise Broken(f"{self.name}: {error}") from error
        if rest:
            yield rest

    def _rows(self, octets: bytes) -> Iterator[Any]:
        lines = pa.array(column_of_lines(octets), type=pa.large_binary())
        for start in range(0, len(lines), ROWS):
            yield pa.RecordBatch.from_arrays([lines.slice(start, ROWS)], names=["url"])

    def position(self) -> int:
        return self._file.octets


class Cdx(Lines):
    """CDX: fields separated by spaces. The header names each field with a letter; "a" is the URL. A file without a
    header has the fields "N b a ...", which all programs write.
    http://archive.org/web/researcher/cdx_file_format.php"""

    refuses_tabs = False
    _at = 2

    def _rows(self, octets: bytes) -> Iterator[Any]:
        found = re.match(rb" CDX (.*)\n?", octets)
        if found:
            letters = found[1].split()
            if b"a" not in letters:
                raise Broken(f"{self.name}: the CDX header does not list the field for URLs (a)")
            self._at = letters.index(b"a")
        lines = re.sub(rb"(?m)^ CDX .*\n?", b"", octets)
        # (a line with fewer fields has no URL)
        return super()._rows(re.sub(rb"(?m)^(?:\S+ ){%d}(\S+).*$|^.*$" % self._at, rb"\1", lines))
