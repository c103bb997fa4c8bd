"""Writes the output files of urlsm columns: Parquet, Arrow, CSV, TSV, JSON Lines and lines of text, one batch at a
time."""

from __future__ import annotations

import errno
import glob
import os
import pathlib
import shutil
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pyarrow as pa

from urlsm.cli.output import is_utf8
from urlsm.cli.table_streams import CODECS, Broken, kind_of
from urlsm.cli.table_text import check_columns, json_lines, lines, tab_separated

WRITTEN = ".parquet, .arrow, .feather, .csv, .tsv, .jsonl or .txt"


class _Written:
    """A stream that counts the bytes written, because Parquet needs their number, and pipes and /dev/null do not report
    it."""

    def __init__(self, stream: Any, close: Callable[[], None]) -> None:
        self._stream, self._close, self._octets = stream, close, 0
        self.closed = False

    def write(self, octets: Any) -> int:
        self._stream.write(octets)
        self._octets += len(octets)
        return len(octets)

    def tell(self) -> int:
        return self._octets

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self.closed = True
        self._close()


class Output:
    """The output file. It is written under a temporary name and renamed when it is complete. It then replaces any
    existing file with its final name. If that name is a symbolic link, it replaces the link's target. A device or FIFO
    is written to directly. If the name is None or "-", the output is CSV on standard output.

    Attribute: kind, which is parquet, arrow, csv, tsv, jsonl or text, according to the file extension.
    """

    def __init__(self, name: str | None, kind: str | None = None) -> None:
        self._name = None if name == "-" else name
        path = pathlib.PurePath((self._name or "").lower())
        self.kind: str = kind or ("csv" if self._name is None else kind_of(self._name))
        self._codec = CODECS.get(path.suffix)
        if self.kind in ("cdxj", "cdx"):
            raise ValueError(f"{name}: {self.kind} files can only be read: use {WRITTEN}")
        if self._codec and self.kind in ("parquet", "arrow"):
            raise ValueError(f"{name}: {self.kind} files are already compressed: remove {path.suffix} from the name")
        ending = pathlib.PurePath(path.stem).suffix if self._codec else path.suffix
        self._is_unknown = self._name is not None and kind_of(self._name) == "text" and ending not in ("", ".txt")
        self._row = 0
        self._has_heads = False
        self._schema: Any = None
        self._whole = self._part = ""  # the names of the final file and of the temporary one
        self._mode: int | None = None
        self._writer: Any = None
        self._sink: Any = None

    def __enter__(self) -> Output:
        found = None if self._name is None else _found(self._name)
        if self._name is None or (found is not None and is_standard_output(found)):
            if sys.stdout is None:
                raise OSError(errno.EBADF, "standard output is closed")
            sys.stdout.flush()
            self._sink = pa.PythonFile(_Written(sys.stdout.buffer, sys.stdout.buffer.flush), mode="w")
        elif found is not None and not stat.S_ISREG(found.st_mode):
            stream = open(self._name, "wb")
            self._sink = pa.PythonFile(_Written(stream, stream.close), mode="w")
        elif self._is_unknown:
            raise ValueError(f"{self._name}: the file extension names no format that can be written: use {WRITTEN}")
        else:
            self._mode = None if found is None else stat.S_IMODE(found.st_mode)
            self._whole = os.path.realpath(self._name)
            self._part = f"{self._whole}.part-{os.getpid()}"
            remove_old_parts(self._whole)
            self._sink = pa.OSFile(self._part, "wb")
        if not self._part and self.kind == "text" and not self._codec:
            self.kind = "csv"  # a device gets CSV, like standard output
        if self._codec == "xz":
            import lzma

            packed, sink = lzma.LZMAFile(self._sink, "wb"), self._sink

            def close() -> None:
                packed.close()
                sink.close()

            self._sink = pa.PythonFile(_Written(packed, close), mode="w")
        elif self._codec:
            self._sink = pa.CompressedOutputStream(self._sink, self._codec)
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(pa.ArrowException, OSError):
            self._close()
        if self._part and os.path.exists(self._part):
            os.unlink(self._part)

    def write(self, batch: Any) -> None:
        """Write a batch. Raise ValueError if its columns are not those of the batches before, or if this kind of file
        cannot hold them, and OSError if the file cannot be written."""
        if self._schema is None:
            self._schema = batch.schema
        elif not batch.schema.equals(self._schema):
            raise ValueError(_difference(self._schema, batch.schema))
        try:
            self._write(batch)
        except OSError as error:
            raise self._named(error) from error
        self._row += batch.num_rows

    def _write(self, batch: Any) -> None:
        if self.kind == "text":
            self._sink.write(lines(batch, self._row))
            return
        if self.kind == "jsonl":
            self._sink.write(json_lines(batch))
            return
        if self.kind == "tsv":
            if not self._has_heads:
                self._has_heads = True
                heads = pa.RecordBatch.from_arrays([[name] for name in batch.schema.names], names=batch.schema.names)
                self._sink.write(tab_separated(heads, -1))
            self._sink.write(tab_separated(batch, self._row))
            return
        if self.kind == "csv":
            check_columns(batch, "CSV")
        if self.kind == "csv" and batch.num_columns == 1:  # null is written as "", because readers skip empty lines
            text = batch.column(0).cast(pa.string()).fill_null("")
            batch = pa.RecordBatch.from_arrays([text], names=batch.schema.names)
        if self._writer is None:
            self._writer = self._writer_of(batch.schema)
        self._writer.write_batch(batch)

    def _writer_of(self, schema: Any) -> Any:
        if self.kind == "parquet":
            import pyarrow.parquet

            return pyarrow.parquet.ParquetWriter(self._sink, schema, compression="zstd")
        if self.kind == "arrow":
            import pyarrow.ipc

            return pyarrow.ipc.new_file(self._sink, schema)
        import pyarrow.csv

        return pyarrow.csv.CSVWriter(self._sink, schema)

    def kept(self, batch: Any, row: int) -> Any:
        """Return a batch from a text file, with its cells decoded from bytes to text. row: the number of its first row.
        Raise Broken if they are not UTF-8, unless the output is CSV, TSV or lines of text."""
        columns = []
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            text = pa.large_string() if pa.types.is_large_binary(column.type) else pa.string()
            try:
                columns.append(column.view(text) if self.kind in ("csv", "tsv", "text") else column.cast(text))
            except pa.ArrowInvalid as error:
                at = row + next(k for k, cell in enumerate(column.to_pylist()) if cell and not is_utf8(cell))
                raise Broken(f"row {at}: column {name!r} is not UTF-8: only a .csv or .tsv file can hold it") from error
        return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    def _close(self) -> None:
        writer, sink, self._writer, self._sink = self._writer, self._sink, None, None
        try:
            if writer is not None:
                writer.close()
        finally:
            if sink is not None:
                sink.close()

    def _named(self, error: OSError) -> OSError:
        """Return an error of the system with the name of this file, which pyarrow leaves out."""
        if not error.errno:
            return error
        return OSError(error.errno, os.strerror(error.errno), self._name or "standard output")

    def done(self) -> None:
        """Rename the completed file from its temporary name to its final name. Raise OSError if it cannot be
        completed."""
        try:
            self._close()
        except OSError as error:
            raise self._named(error) from error
        if self._mode is not None:
            os.chmod(self._part, self._mode)
        if self._part:
            os.replace(self._part, self._whole)


def _found(name: str) -> os.stat_result | None:
    """Return the result of os.stat for the file with this name, which may be a symbolic link; None if there is no such
    file."""
    try:
        return os.stat(name)
    except FileNotFoundError:
        return None


def is_standard_output(found: os.stat_result) -> bool:
    """Return whether the file is standard output: /dev/stdout, or a file to which the shell appends (>>). Such a file
    must not be replaced."""
    with suppress(OSError, ValueError):
        return sys.stdout is not None and os.path.samestat(found, os.fstat(sys.stdout.fileno()))
    return False


def _difference(before: Any, now: Any) -> str:
    """Return how the columns of a batch differ from those of the batches before."""
    for field in now:
        at = before.get_field_index(field.name)
        if at < 0:
            return f"the column {field.name!r} is not in the files before"
        if before.field(at).type != field.type:
            return f"the column {field.name!r} is {field.type}, but {before.field(at).type} in the files before"
    missing = [name for name in before.names if name not in now.names]
    return f"the column {missing[0]!r} is missing" if missing else "the columns are in another order"


def remove_old_parts(whole: str) -> None:
    """Remove the temporary files or folders of processes that were killed. whole: the name without ".part-" and the
    process ID."""
    if os.name == "nt":  # where a process ID cannot be tried
        return
    for name in glob.glob(f"{glob.escape(whole)}.part-*"):
        process = name.rpartition("-")[2]
        try:
            if process.isdecimal():
                os.kill(int(process), 0)
        except ProcessLookupError:
            with suppress(OSError):
                shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)
        except (OSError, OverflowError):
            continue


def place_of(name: str | None) -> str:
    """Return a string that identifies the file to which output with this name is written. The string is the same for
    all names of a file."""
    return "-" if name in (None, "-") else os.path.realpath(str(name))
