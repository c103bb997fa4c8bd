"""Files of rows for urlsm columns: Parquet, Arrow, CSV and lines of text, in and out, a batch at a time."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import urlsm.columns as uc
from urlsm.columns.array import column_of_lines

ROWS = 65536  # of a batch
BLOCK = 1 << 23  # octets of text that are read at a time


class Broken(Exception):
    """A file cannot be read as what it is taken for; the text says which part."""


def kind_of(name: str) -> str:
    ending = pathlib.PurePath(name).suffix.lower()
    return {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".csv": "csv"}.get(
        ending, "text"
    )


def fields_of(column: Any, fields: tuple[str, ...], base: str | None) -> Any:
    """The struct of the fields, of a column of a batch."""
    return pa.array(uc.parse(column, fields, base=base, text="string"))


def joined(batch: Any | None, struct: Any, fields: tuple[str, ...]) -> Any:
    """The fields as a batch, behind the columns of one that is kept. ValueError where a name stands twice."""
    kept = {} if batch is None else dict(zip(batch.schema.names, batch.columns, strict=True))
    for name in fields:
        if name in kept:
            raise ValueError(f"the file has a column {name!r} already: leave it out of --fields, or do without --keep")
        column = struct.field(name)
        kept[name] = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    return pa.RecordBatch.from_arrays(list(kept.values()), names=list(kept))


def refusals(struct: Any, row: int) -> Any:
    """Row (from 0), code and octet of each text that was refused, of a batch that begins at this row."""
    code = struct.field("error").cast(pa.string())
    rows = pa.array(range(row, row + len(code)), pa.int64()) if code.null_count < len(code) else pa.nulls(len(code))
    batch = pa.RecordBatch.from_arrays(
        [rows.cast(pa.int64()), code, struct.field("error_at")], names=["row", "code", "position"]
    )
    return batch.filter(pc.is_valid(code))


# --- in ----------------------------------------------------------------------------------------


def reader_of(name: str) -> Any:
    """The reader of a file, by its ending. Broken, OSError."""
    kind = "text" if name == "-" else kind_of(name)
    try:
        return {"parquet": _Parquet, "arrow": _Arrow, "csv": _Csv, "text": _Lines}[kind](name)
    except pa.ArrowException as error:
        raise Broken(f"{name}: not a file of {kind}: {error}") from error


class _Reader:
    total: int | None = None
    names: list[str]
    name: str

    def column(self, wanted: str | None) -> str:
        """The name of the column of URLs. KeyError."""
        if wanted is None and len(self.names) == 1:
            return self.names[0]
        if wanted not in self.names:
            said = "say which column is to be read, with -c" if wanted is None else f"unknown column {wanted!r}"
            raise ValueError(f"{self.name}: {said}; the columns are {', '.join(self.names)}")
        return wanted


class _Parquet(_Reader):
    def __init__(self, name: str) -> None:
        import pyarrow.parquet

        self.name = name
        self._file = pyarrow.parquet.ParquetFile(name)  # (what a map of it has touched would count as memory)
        self.names = self._file.schema_arrow.names
        self.total = self._file.metadata.num_rows

    def batches(self, column: str | None) -> Iterator[Any]:
        columns = None if column is None else [column]
        for group in range(self._file.num_row_groups):
            try:
                yield from self._file.iter_batches(ROWS, row_groups=[group], columns=columns, use_threads=False)
            except (pa.ArrowException, OSError) as error:
                raise Broken(f"{self.name}: row group {group} cannot be read: {error}") from error


class _Arrow(_Reader):
    def __init__(self, name: str) -> None:
        import pyarrow.ipc

        self.name = name
        self._source = pa.memory_map(name)
        self._file: Any = None
        if self._source.read(6) == b"ARROW1":
            self._file = pyarrow.ipc.open_file(self._source)
            self.names = self._file.schema.names
        else:
            self._source.seek(0)
            self._stream = pyarrow.ipc.open_stream(self._source)
            self.names = self._stream.schema.names

    def batches(self, column: str | None) -> Iterator[Any]:
        number = 0
        while self._file is None or number < self._file.num_record_batches:
            try:
                batch = self._stream.read_next_batch() if self._file is None else self._file.get_batch(number)
            except StopIteration:
                return
            except (pa.ArrowException, OSError) as error:
                raise Broken(f"{self.name}: record batch {number} cannot be read: {error}") from error
            number += 1
            for start in range(0, batch.num_rows, ROWS):
                yield batch.slice(start, ROWS) if column is None else batch.select([column]).slice(start, ROWS)


class _Csv(_Reader):
    def __init__(self, name: str) -> None:
        import pyarrow.csv

        self.name = name
        self._reader = pyarrow.csv.open_csv(
            name,
            read_options=pyarrow.csv.ReadOptions(block_size=BLOCK, use_threads=False),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        )
        self.names = self._reader.schema.names

    def batches(self, column: str | None) -> Iterator[Any]:
        number = 0
        try:
            for batch in self._reader:
                yield batch if column is None else batch.select([column])
                number += 1
        except pa.ArrowException as error:
            raise Broken(f"{self.name}: block {number} cannot be read: {error}") from error


class _Lines(_Reader):
    """Lines that end in LF or CR LF; every line is a row."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.names = ["url"]
        self._stream = sys.stdin.buffer if name == "-" else open(name, "rb")  # noqa: SIM115

    def batches(self, column: str | None) -> Iterator[Any]:
        rest = b""
        with self._stream as stream:
            while block := stream.read(BLOCK):
                end = block.rfind(b"\n") + 1
                if not end:
                    rest += block
                    continue
                yield from self._rows(rest + block[:end])
                rest = block[end:]
        if rest:
            yield from self._rows(rest)

    @staticmethod
    def _rows(octets: bytes) -> Iterator[Any]:
        lines = pa.array(column_of_lines(octets), type=pa.large_binary())
        for start in range(0, len(lines), ROWS):
            yield pa.RecordBatch.from_arrays([lines.slice(start, ROWS)], names=["url"])


# --- out ---------------------------------------------------------------------------------------


class Output:
    """A file that is there, under its name, only when it is whole. None: CSV on standard output."""

    def __init__(self, name: str | None, kind: str | None = None) -> None:
        self._name = name
        self._kind = kind or ("csv" if name is None else kind_of(name))
        self._part = None if name is None else f"{name}.part-{os.getpid()}"
        self._writer: Any = None
        self._sink: Any = None

    def __enter__(self) -> Output:
        self._sink = sys.stdout.buffer if self._part is None else pa.OSFile(self._part, "wb")
        return self

    def __exit__(self, *error: object) -> None:
        if self._part is None:
            return
        self._close(bool(error[0]))
        if os.path.exists(self._part):
            os.unlink(self._part)

    def write(self, batch: Any) -> None:
        if self._kind == "text":
            if batch.num_columns != 1:
                raise ValueError("lines of text hold one field; for more, name a .csv, .arrow or .parquet file")
            column = batch.column(0).cast(pa.string())
            self._sink.write("".join(f"{'' if text is None else text}\n" for text in column.to_pylist()).encode())
            return
        if self._writer is None:
            self._writer = self._opened(batch.schema)
        self._writer.write_batch(batch)

    def _opened(self, schema: Any) -> Any:
        if self._kind == "parquet":
            import pyarrow.parquet

            return pyarrow.parquet.ParquetWriter(self._sink, schema, compression="zstd")
        if self._kind == "arrow":
            import pyarrow.ipc

            return pyarrow.ipc.new_file(self._sink, schema)
        import pyarrow.csv

        return pyarrow.csv.CSVWriter(self._sink, schema)

    def _close(self, failed: bool = False) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
        except (pa.ArrowException, OSError):
            if not failed:
                raise
        self._writer = None
        if self._part is not None and self._sink is not None:
            self._sink.close()
            self._sink = None

    def done(self) -> None:
        """All is written: the file takes its name."""
        self._close()
        if self._part is not None and self._name is not None:
            os.replace(self._part, self._name)
