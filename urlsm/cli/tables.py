"""Reads the input files of urlsm columns: Parquet, Arrow, CSV, TSV, JSON Lines, CDXJ, CDX and lines of text, one batch
at a time. The file name determines the format. If it does not, the first bytes do."""

from __future__ import annotations

import codecs
import errno
import io
import pathlib
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

import urlsm.columns as uc
from urlsm.columns.functions import functions
from urlsm.columns.names import OF_PARTS, check_fields
from urlsm.columns.work import column_of_lines

ROWS = 65536  # at most this many rows are in a batch
BLOCK = 1 << 23  # octets of text to read at a time
CSV_BLOCK = 1 << 21
KINDS = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".csv": "csv"}
KINDS |= {".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".cdxj": "cdxj", ".cdx": "cdx"}
CODECS = {".gz": "gzip", ".zst": "zstd"}  # the codec for each ending of a name
ENDINGS = (*KINDS, ".txt", *CODECS)  # endings of the files that are read in a folder
CODEC_OF = {  # first octets -> codec: RFC 1952 section 2.3.1, RFC 8878 sections 3.1.1 and 3.1.2, bzip2
    **{b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh91AY&SY": "bz2"},
    **{bytes([0x50 + k]) + b"\x2a\x4d\x18": "zstd" for k in range(16)},
}
NO_TEXT = {
    **{b"\xfd7zXZ\0": "xz", b"PK\3\4": "zip", b"PAR1\x15": "Parquet (.parquet)", b"ARROW1\0\0": "Arrow (.arrow)"},
    **{b"Obj\1": "Avro", b"WARC/0.": "WARC", b"WARC/1.": "WARC", b"filedesc://": "ARC"},
    **{b"SQLite format 3\0": "SQLite", b"%PDF-": "PDF", b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32"},
    **{magic: f"{codec} within another compression" for magic, codec in CODEC_OF.items()},
}
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
FRONT = 1 << 16  # at most this many octets are read to tell whether a file consists of lines
CDXJ_LINE = rb"\S+ \d{1,17} (?=\{)"
CDX_LINE = rb" CDX |\S+ \d{14} [a-zA-Z][a-zA-Z0-9+.-]*:\S+ (?:\S+ ){5,7}\S+$"  # the header, or nine to eleven fields
LINE_OF = {"cdxj": CDXJ_LINE, "cdx": rb" CDX |\S+ \d{1,17} [^{\s]\S*"}  # one of the first lines of such a file matches
CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\r\f\x1b"})  # (text in ISO-2022-JP has ESC)


class Broken(Exception):
    """Raised if a file is not valid in its format. The message names the invalid part."""


def kind_of(name: str) -> str:
    path = pathlib.PurePath(name.lower())
    return KINDS.get(pathlib.PurePath(path.stem).suffix if path.suffix in CODECS else path.suffix, "text")


# the fields that urlsm.columns.parse does not have: functions of urlsm.columns
MADE = {row.field or row.name: row for row in functions("field") if row.name not in uc.FIELDS}


def _made(column: Any, name: str) -> Any:
    """Return a field in MADE. The name may be followed by the function's argument: NAME:ARGUMENT."""
    name, _, value = name.partition(":")
    row = MADE[name]
    options = {row.takes: value} if value else {}
    return pa.array(getattr(uc, row.name)(column, **options, **({} if row.result else {"layout": "string"})))


def chosen_fields(names: str) -> tuple[str, ...]:
    """Return the field names in a comma-separated string. Raise ValueError for an unknown field or profile."""
    found = tuple(name.strip() for name in names.split(","))
    plain = [name for name in found if name.partition(":")[0] not in MADE]
    if plain or not all(found) or len(set(found)) < len(found):
        check_fields(plain if len(set(found)) == len(found) else found, (*uc.FIELDS, *MADE), OF_PARTS)
    for name in found:
        kind, _, value = name.partition(":")
        if kind in MADE and MADE[kind].needs and not value:
            raise ValueError(f"{kind} needs an argument: {kind}:{MADE[kind].takes.upper()}")
        if value and not MADE[kind].takes:
            raise ValueError(f"{kind} does not accept an argument: write {kind}")
    fields_of(pa.array(["http://h/"]), tuple(name for name in found if name not in plain), None)
    return found


def fields_of(column: Any, fields: tuple[str, ...], base: str | None) -> Any:
    """Return a struct array with these fields of each URL in a column."""
    plain = tuple(name for name in fields if name.partition(":")[0] not in MADE)
    parsed: Any = pa.array(uc.parse(column, plain, base=base, layout="string")) if plain else None
    if len(plain) == len(fields):
        return parsed
    if base is not None:
        column = pa.array(uc.resolve(column, base=base, layout="string"))
    made = [parsed.field(name) if name in plain else _made(column, name) for name in fields]
    return pa.StructArray.from_arrays(made, names=list(fields))


def without_tabs(column: Any, struct: Any) -> Any:
    """Return the fields (`struct`) of a binary column, with an error in each row whose bytes contain a tab or a CR."""
    tabs = pc.find_substring(column, b"\t")
    crs = pc.find_substring(column, b"\r")
    if pc.max(crs).as_py() not in (None, -1):
        crs = pc.find_substring_regex(column, r"\r[^\r]")  # (a CR at the end of a line does not belong to the URL)
    has_tab = pc.fill_null(pc.or_(pc.greater_equal(tabs, 0), pc.greater_equal(crs, 0)), False)
    if not pc.any(has_tab).as_py():
        return struct
    is_tab = pc.greater_equal(tabs, 0)
    told = {
        "error_code": pc.if_else(is_tab, "tab-not-allowed", "carriage-return-not-allowed"),
        "error_position": pc.if_else(is_tab, tabs, crs),
    }
    fields = []
    for name, values in zip(struct.type.names, struct.flatten(), strict=True):
        plain = values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
        instead = told.get(name, pa.scalar(None, plain.type))
        fields.append(pc.if_else(has_tab, instead, plain).cast(plain.type))
    return pa.StructArray.from_arrays(fields, names=struct.type.names)


def joined(kept: Any | None, struct: Any, fields: tuple[str, ...]) -> Any:
    """Return a batch of the input columns to keep, followed by the fields. Raise ValueError if two columns would have
    the same name.

    Dictionary columns become plain columns, because CSV has no dictionaries, and all batches in an Arrow file must
    share one.
    """
    names = [] if kept is None else list(kept.schema.names)
    for name in fields:
        if name in names:
            raise ValueError(f"the file already has a column {name!r}: remove it from --fields, or omit --keep")
    columns = [*([] if kept is None else kept.columns), *map(struct.field, fields)]
    plain = [column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in columns]
    return pa.RecordBatch.from_arrays(plain, names=[*names, *fields])


def refusals(struct: Any, row: int, name: str | None = None) -> Any:
    """Return a batch with the row number (counted from 0), error code and byte position of each invalid URL in
    `struct`. row: the number of the first row in `struct`. name: the name of the file, to be written in the first
    column; None: no such column."""
    code = struct.field("error_code").cast(pa.string())
    rows = pa.array(range(row, row + len(code)), pa.int64()) if code.null_count < len(code) else pa.nulls(len(code))
    batch = pa.RecordBatch.from_arrays(
        [rows.cast(pa.int64()), code, struct.field("error_position")], names=["row", "code", "position"]
    )
    batch = batch.filter(pc.is_valid(code))
    if name is None:
        return batch
    files = pa.array([name] * batch.num_rows, pa.string())
    return pa.RecordBatch.from_arrays([files, *batch.columns], names=["file", *batch.schema.names])


def rows_of(names: list[str]) -> int | None:
    """Return the total number of rows if all files are Parquet files, which record their row counts; otherwise None."""
    if not all(kind_of(name) == "parquet" for name in names):
        return None
    import pyarrow.parquet

    try:
        return sum(pyarrow.parquet.read_metadata(name).num_rows for name in names)
    except (pa.ArrowException, OSError):
        return None


# --- reading ----------------------------------------------------------------------------------------


def reader_of(name: str, stack: ExitStack, kind: str | None = None) -> Any:
    """Return the reader for a file, chosen by kind (a key in FROM), or else by the file extension or the first lines.
    The stack closes the file. Raise Broken if the file is not of this kind, OSError if it cannot be opened, and
    ValueError if this kind of file cannot be read from standard input."""
    asked = kind is not None
    kind = kind or ("text" if name == "-" else kind_of(name))
    try:
        if kind in ("parquet", "arrow"):
            if name == "-":
                raise ValueError(f"{kind} cannot be read from standard input: use a file")
            return (_Parquet if kind == "parquet" else _Arrow)(name, stack)
        stream = _open(name, stack)
        if kind == "text" or kind in LINE_OF:
            front = stream.read(FRONT)
            stream = _Input(front, stream)
            kind = _kind_of_text(name, front) if kind == "text" else _kind_of_index(name, front, kind, asked)
        return FROM[kind](name, stream)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise Broken(f"{name}: not a valid {kind} file: {error}") from error


class _Input:
    """A stream, preceded by the bytes that were already read from it. (pyarrow reads objects like this one.)"""

    def __init__(self, front: bytes, stream: Any) -> None:
        self._front, self._stream = front, stream
        self.closed = False

    def read(self, size: int) -> bytes:
        front, self._front = self._front[:size], self._front[size:]
        return front + self._stream.read(size - len(front)) if len(front) < size else front

    def close(self) -> None:
        self.closed = True


class _Blocks(_Input):
    """A stream for pyarrow's CSV reader, in blocks that contain a line break. The CSV reader needs the end of a record
    in each block, so only a record of several lines can be too long for it. It reads 32 blocks ahead."""

    def read(self, size: int) -> bytes:
        pieces = [super().read(CSV_BLOCK)]
        while pieces[-1] and b"\n" not in pieces[-1] and b"\r" not in pieces[-1]:
            pieces.append(super().read(CSV_BLOCK))
        return b"".join(pieces)


class _Recoded:
    """A UTF-16 stream, converted to UTF-8. Bytes that are not valid UTF-16 become U+FFFD."""

    def __init__(self, stream: Any, encoding: str) -> None:
        self._stream, self._decoder = stream, codecs.getincrementaldecoder(encoding)("replace")

    def read(self, size: int) -> bytes:
        # (an empty result would mean the end of the stream)
        made = b""
        while not made:
            octets = self._stream.read(max(size // 3, 2))
            made = self._decoder.decode(octets, final=not octets).encode("utf-8", "replace")
            if not octets:
                break
        return made


def _kind_of_text(name: str, front: bytes) -> str:
    """Determine the kind of a text file from its first lines, if its name does not show it. Raise Broken if the file is
    of no supported kind."""
    controls = len(front) - len(front.translate(None, CONTROLS))
    if controls > 8 and 20 * controls > len(front):
        raise Broken(f"{name}: not text: {controls} of its first {len(front)} bytes are control characters")
    if found := re.match(rb'\s*(\[\s*[\[{"\]]|\{\s*["}])', front):
        is_array = found[1][:1] == b"["
        hint = "a JSON array: write one object per line" if is_array else "JSON: use --from jsonl -c NAME"
        raise Broken(f"{name}: expected one URL per line, but found {hint}")
    if front[257:262] == b"ustar":
        raise Broken(f"{name}: expected text, but found a tar archive")
    if b"\n" not in front and b"\r" in front.rstrip(b"\r"):
        raise Broken(f"{name}: the lines end with CR alone: end them with LF or CR LF")
    # ("!" begins a header of CDXJ, "#" a comment)
    lines = [line for line in front.splitlines() if line.strip() and line[:1] not in b"!#"][:3]
    for pattern, kind in ((CDXJ_LINE, "cdxj"), (CDX_LINE, "cdx")):
        if lines and re.match(pattern, lines[0]):
            return kind
    if lines and b"\t" in lines[0] and 2 * sum(b"\t" in line for line in lines) > len(lines):
        raise Broken(f"{name}: expected one URL per line, but found tab-separated values: use --from tsv -c NAME")
    return "lines"


def _kind_of_index(name: str, front: bytes, kind: str, asked: bool) -> str:
    """Return whether a web archive index is "cdxj" or "cdx", because the name does not always distinguish them. kind:
    the kind according to the name. asked: whether the user has named the kind, so that the file must be of this kind.
    Raise Broken if the file is of neither kind."""
    if not re.search(rb"(?m)^(?!!).*\S", front):  # there are no lines but a header
        return kind
    for other in (kind, *(() if asked else LINE_OF)):
        if re.search(rb"(?m)^(?:" + LINE_OF[other] + rb")", front):
            return other
    raise Broken(f"{name}: not a {kind.upper()} file: none of its first lines contains a key, a time and a URL")


def _open(name: str, stack: ExitStack) -> _Input:
    """Return a stream of the text of a file as UTF-8, without a byte order mark. If the first bytes show that the file
    is compressed, it is decompressed."""
    if name == "-" and sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    stream: Any = sys.stdin.buffer if name == "-" else stack.enter_context(open(name, "rb"))  # noqa: SIM115
    front = stream.read(max(map(len, CODEC_OF)))
    stream = _Input(front, stream)
    for magic, codec in CODEC_OF.items():
        if front.startswith(magic):
            stream = pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), codec)
    front = stream.read(max(map(len, NO_TEXT)))
    found = [what for magic, what in NO_TEXT.items() if front.startswith(magic)]
    if front.startswith(b"ORC") and front.translate(None, CONTROLS) != front:  # (a CSV header may begin with ORC)
        found = ["ORC"]
    if found:
        raise Broken(f"{name}: expected text (plain, or compressed with gzip, zstd or bzip2), but found {found[0]}")
    for mark, encoding in MARKS.items():
        if front.startswith(mark):
            stream = _Input(front.removeprefix(mark), stream)
            return stream if encoding == "utf-8" else _Input(b"", _Recoded(stream, encoding))
    return _Input(front, stream)


class _Reader:
    total: int | None = None
    of_text = False  # whether cells are raw octets, exactly as in the file, so that a row can be copied
    refuses_tabs = False  # whether texts with tabs are refused; the URL Standard would remove the tabs
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

    def _batches(self, column: str | None) -> Iterator[Any]:
        raise NotImplementedError


class _Parquet(_Reader):
    def __init__(self, name: str, stack: ExitStack) -> None:
        import pyarrow.parquet

        self.name = name
        # (not a memory map, which would count as memory of the process)
        self._file = stack.enter_context(pyarrow.parquet.ParquetFile(name))
        self.schema = self._file.schema_arrow
        self.total = self._file.metadata.num_rows

    def _batches(self, column: str | None) -> Iterator[Any]:
        columns = None if column is None else [column]
        for group in range(self._file.num_row_groups):
            try:
                yield from self._file.iter_batches(ROWS, row_groups=[group], columns=columns, use_threads=False)
            except (pa.ArrowException, OSError) as error:
                raise Broken(f"{self.name}: row group {group} cannot be read: {error}") from error


class _Arrow(_Reader):
    def __init__(self, name: str, stack: ExitStack) -> None:
        import pyarrow.ipc

        self.name = name
        self._source = stack.enter_context(pa.memory_map(name))
        self._file: Any = None
        if self._source.read(6) == b"ARROW1":
            self._file = pyarrow.ipc.open_file(self._source)
            self.schema = self._file.schema
        else:
            self._source.seek(0)
            self._stream = pyarrow.ipc.open_stream(self._source)
            self.schema = self._stream.schema

    def _batches(self, column: str | None) -> Iterator[Any]:
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
    """CSV. Cells are bytes, as written between commas or quotes: 00501 is not read as a number, and an empty cell is
    not read as null."""

    of_text = True

    options: ClassVar[dict[str, Any]] = {"newlines_in_values": True}

    def __init__(self, name: str, stream: _Input) -> None:
        import ctypes

        import pyarrow.csv

        self.name = name
        front = stream.read(BLOCK).lstrip(b"\r\n")
        if b"\n" not in front and b"\r" not in front:
            front += b"\n"  # (without a line break, pyarrow refuses a file that is only a header)
        record = _first_record(front)
        # (if a quote is unpaired, the end of this record may lie within another one)
        names = pyarrow.csv.read_csv(
            io.BytesIO(record),
            read_options=pyarrow.csv.ReadOptions(block_size=len(record) + 1, use_threads=False),
            parse_options=self._options(invalid_row_handler=lambda row: "skip"),
        ).schema.names
        if len(names) == 1 and "\t" in names[0]:
            raise Broken(f"{name}: expected comma-separated values, but found tabs: use --from tsv -c NAME")
        self.schema = pa.schema([(name, pa.binary()) for name in names])
        self._stream = pa.PythonFile(_Blocks(front, stream), mode="r")
        # This reference stays for ever. The thread that reads ahead keeps its own a moment longer than the reader. If
        # that were the last one, the thread would ask for the interpreter's lock, and C++ aborts if the interpreter is
        # ending.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._stream))

    def _batches(self, column: str | None) -> Iterator[Any]:
        import pyarrow.csv

        number = 0
        options = pyarrow.csv.ConvertOptions(
            column_types=self.schema, include_columns=[] if column is None else [column], check_utf8=False
        )
        try:
            reader = pyarrow.csv.open_csv(
                self._stream,
                read_options=pyarrow.csv.ReadOptions(block_size=BLOCK, use_threads=False),
                # (with one column, an empty line is a row of one empty cell)
                parse_options=self._options(ignore_empty_lines=len(self.schema) > 1),
                convert_options=options,
            )
            for batch in reader:
                yield batch
                number += 1
        except (pa.ArrowException, OSError) as error:
            raise Broken(f"{self.name}: block {number} cannot be read: {error}") from error

    def _options(self, **options: Any) -> Any:
        import pyarrow.csv

        return pyarrow.csv.ParseOptions(**self.options, **options)


class _Tsv(_Csv):
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


class _Lines(_Reader):
    """Lines that end in LF or CR LF; every line is a row. A line with a tab is invalid, because it comes from a file in
    another format, and the URL Standard would parse its cells as one URL."""

    of_text = refuses_tabs = True
    schema = pa.schema([("url", pa.large_binary())])

    def __init__(self, name: str, stream: _Input) -> None:
        self.name, self._stream = name, stream

    def _batches(self, column: str | None) -> Iterator[Any]:
        rest = b""
        try:
            while block := self._stream.read(BLOCK):
                end = block.rfind(b"\n") + 1
                if end:
                    yield from self._rows(rest + block[:end])
                    rest = b""
                rest += block[end:]
        except OSError as error:
            raise Broken(f"{self.name}: {error}") from error
        if rest:
            yield from self._rows(rest)

    def _rows(self, octets: bytes) -> Iterator[Any]:
        lines = pa.array(column_of_lines(octets), type=pa.large_binary())
        for start in range(0, len(lines), ROWS):
            yield pa.RecordBatch.from_arrays([lines.slice(start, ROWS)], names=["url"])


class _Json(_Lines):
    """JSON Lines: each line is an object. Only the member that contains the URL is read. If an object lacks it, the row
    is null."""

    of_text = refuses_tabs = False
    row = 0

    def column(self, wanted: str | None) -> str:
        self.schema = pa.schema([(wanted or "url", pa.string())])
        return wanted or "url"

    def _rows(self, octets: bytes) -> Iterator[Any]:
        import pyarrow.json

        octets = self._objects(octets)
        try:
            table = pyarrow.json.read_json(
                io.BytesIO(octets),
                read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(octets) + 1),
                parse_options=pyarrow.json.ParseOptions(
                    explicit_schema=self.schema, unexpected_field_behavior="ignore"
                ),
            )
        except pa.ArrowInvalid as error:
            if not octets.strip():
                return
            raise Broken(
                f"{self.name}: a line after row {self.row} is not valid JSON, or its URL is not a string: {error}"
            ) from error
        self.row += table.num_rows
        for batch in table.to_batches():
            for start in range(0, batch.num_rows, ROWS):
                yield batch.slice(start, ROWS)

    def _objects(self, octets: bytes) -> bytes:
        return octets


class _Cdxj(_Json):
    """CDXJ: each line is a key, a time and an object. Lines that do not begin in this way, such as a header, are
    skipped."""

    def _objects(self, octets: bytes) -> bytes:
        return re.sub(rb"(?m)^(?:" + CDXJ_LINE + rb"|(?!" + CDXJ_LINE + rb").*\n?)", b"", octets)


class _Cdx(_Lines):
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


# the reader of each kind; Parquet and Arrow are read from the end of the file, the others as a stream
FROM: dict[str, Any] = {
    **{"parquet": _Parquet, "arrow": _Arrow, "csv": _Csv, "tsv": _Tsv, "jsonl": _Json, "cdxj": _Cdxj, "cdx": _Cdx},
    "lines": _Lines,
}
