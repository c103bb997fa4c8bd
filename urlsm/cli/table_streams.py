"""Opens the text files that urlsm columns reads: decompressed, as UTF-8, and of a known kind."""

from __future__ import annotations

import codecs
import errno
import lzma
import pathlib
import re
import sys
from contextlib import ExitStack
from typing import Any

import pyarrow as pa

BLOCK = 1 << 23  # octets of text to read at a time
LONGEST = 1 << 26  # octets of a line, or of a record of CSV
KINDS = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".csv": "csv"}
KINDS |= {".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".cdxj": "cdxj", ".cdx": "cdx"}
CODECS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".xz": "xz"}  # the codec for each ending of a name
ENDINGS = (*KINDS, ".txt", *CODECS)  # endings of the files that are read in a folder
CODEC_OF = {  # first octets -> codec: RFC 1952 section 2.3.1, RFC 8878 sections 3.1.1 and 3.1.2, bzip2, xz
    **{b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh91AY&SY": "bz2", b"\xfd7zXZ\0": "xz"},
    **{bytes([0x50 + k]) + b"\x2a\x4d\x18": "zstd" for k in range(16)},
}
NO_TEXT = {
    **{b"PK\3\4": "zip", b"PAR1\x15": "Parquet (.parquet)", b"ARROW1\0\0": "Arrow (.arrow)"},
    **{b"Obj\1": "Avro", b"WARC/0.": "WARC", b"WARC/1.": "WARC", b"filedesc://": "ARC"},
    **{b"SQLite format 3\0": "SQLite", b"%PDF-": "PDF", b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32"},
    **{magic: f"{codec} within another compression" for magic, codec in CODEC_OF.items()},
}
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
CDXJ_LINE = rb"\S+ \d{1,17} (?=\{)"
CDX_LINE = rb" CDX |\S+ \d{14} [a-zA-Z][a-zA-Z0-9+.-]*:\S+ (?:\S+ ){5,7}\S+$"  # the header, or nine to eleven fields
LINE_OF = {"cdxj": CDXJ_LINE, "cdx": rb" CDX |\S+ \d{1,17} [^{\s]\S*"}  # one of the first lines of such a file matches
CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\r\f\x1b"})  # (text in ISO-2022-JP has ESC)


class Broken(Exception):
    """Raised if a file is not valid in its format. The message names the invalid part."""


def kind_of(name: str) -> str:
    path = pathlib.PurePath(name.lower())
    return KINDS.get(pathlib.PurePath(path.stem).suffix if path.suffix in CODECS else path.suffix, "text")


class Input:
    """A stream, preceded by the bytes that were already read from it. (pyarrow reads objects like this one.)"""

    def __init__(self, front: bytes, stream: Any) -> None:
        self._front, self._stream = front, stream
        self.closed: bool = False

    def read(self, size: int) -> bytes:
        front, self._front = self._front[:size], self._front[size:]
        return front + self._stream.read(size - len(front)) if len(front) < size else front

    def close(self) -> None:
        self.closed = True


class File:
    """The bytes of a file, or of standard input. octets: the number of bytes that were read so far."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.octets: int = 0

    def read(self, size: int) -> bytes:
        octets: bytes = self._stream.read(size)
        self.octets += len(octets)
        return octets


class _Xz:
    """The text of an xz file, which pyarrow does not read.

    lzma.LZMAFile would drop what follows the last stream if it is no stream, so each stream is decompressed here. Zeros
    between streams are padding (the .xz format, section 2.2).
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._decoder: lzma.LZMADecompressor | None = None
        self._given = b""

    def read(self, size: int) -> bytes:
        try:
            while True:
                if self._decoder is None:
                    self._given = self._given.lstrip(b"\0") or self._stream.read(1 << 16)
                    if not self._given:
                        return b""
                    if not self._given.strip(b"\0"):
                        continue
                    self._decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ)
                elif self._decoder.needs_input:
                    self._given = self._stream.read(1 << 16)
                    if not self._given:
                        raise OSError("the xz data is cut off")
                made = self._decoder.decompress(self._given, size)
                self._given = b""
                if self._decoder.eof:
                    self._given, self._decoder = self._decoder.unused_data, None
                if made:
                    return made
        except lzma.LZMAError as error:
            raise OSError(f"the xz data is damaged: {error}") from error


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


def kind_of_text(name: str, front: bytes) -> str:
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


def kind_of_index(name: str, front: bytes, kind: str, asked: bool) -> str:
    """Return whether a web archive index is "cdxj" or "cdx", because the name does not always distinguish them. kind:
    the kind according to the name. asked: whether the user has named the kind, so that the file must be of this kind.
    Raise Broken if the file is of neither kind."""
    if not re.search(rb"(?m)^(?!!).*\S", front):  # there are no lines but a header
        return kind
    others: tuple[str, ...] = () if asked else tuple(LINE_OF)
    for other in (kind, *others):
        if re.search(rb"(?m)^(?:" + LINE_OF[other] + rb")", front):
            return other
    raise Broken(f"{name}: not a {kind.upper()} file: none of its first lines contains a key, a time and a URL")


def open_text(name: str, stack: ExitStack) -> tuple[Input, File]:
    """Return a stream of the text of a file as UTF-8, without a byte order mark, and the file that it reads. If the
    first bytes show that the file is compressed, it is decompressed. Raise Broken if the file is of another kind."""
    if name == "-" and sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    file = File(sys.stdin.buffer if name == "-" else stack.enter_context(open(name, "rb")))  # noqa: SIM115
    front = file.read(max(map(len, CODEC_OF)))
    stream: Any = Input(front, file)
    for magic, codec in CODEC_OF.items():
        if front.startswith(magic):
            packed = stream
            stream = _Xz(packed) if codec == "xz" else pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), codec)
            break
    front = stream.read(max(map(len, NO_TEXT)))
    found = [what for magic, what in NO_TEXT.items() if front.startswith(magic)]
    if front.startswith(b"ORC") and front.translate(None, CONTROLS) != front:  # (a CSV header may begin with ORC)
        found = ["ORC"]
    if found:
        raise Broken(f"{name}: expected text (plain, or compressed with gzip, zstd, bzip2 or xz), but found {found[0]}")
    for mark, encoding in MARKS.items():
        if front.startswith(mark):
            stream = Input(front.removeprefix(mark), stream)
            return (stream if encoding == "utf-8" else Input(b"", _Recoded(stream, encoding))), file
    return Input(front, stream), file
