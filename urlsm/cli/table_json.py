"""Reads JSON Lines and CDXJ for urlsm columns. pyarrow parses the lines; Python's json module finds those that are not
valid."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from urlsm.cli.bad_rows import BadRows
from urlsm.cli.output import is_utf8
from urlsm.cli.table_readers import ROWS, Lines
from urlsm.cli.table_streams import CDXJ_LINE, Broken, File, Input

__all__ = ["Cdxj", "Json"]

LONG_INTEGER = re.compile(rb"-?[1-9][0-9]{15,}\s*[,}\]]")  # perhaps one that a double does not hold
KINDS: dict[type, str] = {
    str: "a string",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
}


class Json(Lines):
    """JSON Lines: each line is an object. If an object lacks the member that contains the URL, the row is null. Blank
    lines are no rows.

    kept: a schema of all members (members()); None: only the member that contains the URL is read.
    """

    of_text = refuses_tabs = False

    def __init__(self, name: str, stream: Input, file: File, bad: BadRows, kept: Any = None) -> None:
        super().__init__(name, stream, file)
        self._bad, self._kept = bad, kept
        self._row = 0  # objects before the block that is being read, with those that are not valid

    def column(self, wanted: str | None) -> str:
        self._url = wanted or "url"
        url = pa.field(self._url, pa.string())
        kept = [] if self._kept is None else list(self._kept)
        here = [url if field.name == self._url else field for field in kept]
        self.schema: Any = pa.schema(here if url in here else [url, *here])
        return self._url

    def _batches(self, column: str | None) -> Iterator[Any]:
        rows, found = 0, False
        name = json.dumps(self._url, ensure_ascii=False).encode()
        for octets in self._blocks():
            for batch in self._rows(octets):
                rows += batch.num_rows
                found = found or name in octets or batch.column(self._url).null_count < batch.num_rows
                yield batch
        if rows and not found:
            raise Broken(f"{self.name}: no line has the member {self._url!r}: name the member of URLs with -c")

    def members(self, wanted: str | None) -> Any:
        """Return a schema of the members of all objects. wanted: as for column. Raise Broken if the type of a member
        changes."""
        self.column(wanted)
        schema, self._bad = pa.schema([]), BadRows(stops=False)
        for octets in self._blocks():
            first = self._row
            table = self._table(self._objects(octets), None)
            try:
                schema = pa.unify_schemas([schema, _without_times(table.schema)], promote_options="permissive")
            except pa.ArrowException as error:
                raise Broken(f"{self.name}: in or after row {first}: {error}") from error
        return schema

    def _rows(self, octets: bytes) -> Iterator[Any]:
        table = self._table(self._objects(octets), self.schema)
        for batch in table.to_batches():
            for start in range(0, batch.num_rows, ROWS):
                yield batch.slice(start, ROWS)

    def _table(self, octets: bytes, schema: Any) -> Any:
        """Return the objects of a block with these members; None: with all members."""
        first = self._row
        table = _table_of(octets, schema)
        if self._kept is not None and not is_utf8(octets):  # (pyarrow does not look)
            table = "a line is not UTF-8"
        if isinstance(table, str):
            lines = self._valid_lines(octets)
            table = _table_of(b"\n".join(lines), schema)
            if isinstance(table, str):
                raise Broken(f"{self.name}: in or after row {first}: {table}")
        else:
            self._row += table.num_rows
        if self._kept is not None and "double" in str(table.schema) and LONG_INTEGER.search(octets):
            self._check_integers(table.schema, octets, first)
        return table

    def _valid_lines(self, octets: bytes) -> list[bytes]:
        """Return the lines that are valid, and tell the others to BadRows."""
        lines = [line for line in octets.split(b"\n") if line.strip()]
        faults = [self._fault(line) for line in lines]
        good = [line for line, fault in zip(lines, faults, strict=True) if not fault]
        url = pa.schema([(self._url, pa.string())])
        if isinstance(_table_of(b"\n".join(good), url), str):  # such as a lone surrogate, which json accepts
            faults = [fault or _fault_of(_table_of(line, url)) for line, fault in zip(lines, faults, strict=True)]
            good = [line for line, fault in zip(lines, faults, strict=True) if not fault]
        for row, (line, fault) in enumerate(zip(lines, faults, strict=True), self._row):
            if fault:
                self._bad.add(self.name, row, fault, line.rstrip(b"\r").decode("utf-8", "backslashreplace"))
        self._row += len(lines)
        return good

    def _fault(self, line: bytes) -> str:
        """Return why Python's json module does not accept a line, or why it is no row; "" if it is one."""
        try:
            record = json.loads(line if self._kept is None else line.decode())
        except ValueError as error:
            return f"not valid JSON: {error}"
        except RecursionError:
            return "not valid JSON: nested too deeply"
        if not isinstance(record, dict):
            return f"not an object, but {KINDS.get(type(record), 'null')}"
        url = record.get(self._url)
        return "" if url is None or isinstance(url, str) else f"{self._url!r} is {KINDS[type(url)]}, not a string"

    def _check_integers(self, schema: Any, octets: bytes, first: int) -> None:
        """Raise Broken if a double has an integer that a double does not hold. first: the number of the first row."""
        for row, line in enumerate((line for line in octets.split(b"\n") if line.strip()), first):
            for name, value in json.loads(line).items() if not self._fault(line) else ():
                if name in schema.names and _is_rounded(value, schema.field(name).type):
                    raise Broken(
                        f"{self.name}: row {row}: --keep would round an integer, because {name!r} also has fractions"
                    )

    def _objects(self, octets: bytes) -> bytes:
        return octets


class Cdxj(Json):
    """CDXJ: each line is a key, a time and an object. Lines that do not begin in this way, such as a header, are
    skipped. With `kept`, the key and the time are the members "urlkey" and "timestamp", as in Common Crawl's tables."""

    def _objects(self, octets: bytes) -> bytes:
        lines = re.sub(rb"(?m)^(?!" + CDXJ_LINE + rb").*\n?", b"", octets)
        if self._kept is None:
            return re.sub(rb"(?m)^" + CDXJ_LINE, b"", lines)

        def head(found: re.Match[bytes]) -> bytes:
            key = json.dumps(found[1].decode("utf-8", "replace"), ensure_ascii=False).encode()
            return b'{"urlkey":%s,"timestamp":"%s"%s' % (key, found[2], b"" if found[3] == b"}" else b"," + found[3])

        return re.sub(rb"(?m)^(\S+) (\d{1,17}) \{\s*(.)", head, lines)


def _table_of(octets: bytes, schema: Any) -> Any:
    """Return a table of the objects, one from each line that is not blank, with these members; None: with all members.
    Return the reason (a str) if a line is not valid."""
    import pyarrow.json

    if not octets.strip():
        return pa.schema([] if schema is None else schema).empty_table()
    how: dict[str, Any] = {} if schema is None else {"explicit_schema": schema, "unexpected_field_behavior": "ignore"}
    try:
        table = pyarrow.json.read_json(
            io.BytesIO(octets),
            read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(octets) + 1),
            parse_options=pyarrow.json.ParseOptions(**how),
        )
    except pa.ArrowInvalid as error:
        return str(error)
    # (pyarrow also accepts an object of two lines, and two objects on a line)
    lines = octets.count(b"\n") + (not octets.endswith(b"\n"))
    if table.num_rows in (lines, len(re.findall(rb"(?m)^[ \t\r]*[^ \t\r\n]", octets))):
        return table
    return "a line does not have one object"


def _fault_of(table: Any) -> str:
    return table if isinstance(table, str) else ""


def _without_times(schema: Any) -> Any:
    """Return a schema that pyarrow has inferred, with strings for times: they are strings in JSON."""

    def of(kind: Any) -> Any:
        if pa.types.is_timestamp(kind):
            return pa.string()
        if pa.types.is_list(kind):
            return pa.list_(of(kind.value_type))
        if pa.types.is_struct(kind):
            return pa.struct([(field.name, of(field.type)) for field in kind])
        return kind

    return pa.schema([(field.name, of(field.type)) for field in schema])


def _is_rounded(value: object, kind: Any) -> bool:
    if pa.types.is_floating(kind):
        return isinstance(value, int) and abs(value) > 1 << 53
    if pa.types.is_list(kind):
        return isinstance(value, list) and any(_is_rounded(item, kind.value_type) for item in value)
    if pa.types.is_struct(kind) and isinstance(value, dict):
        return any(field.name in value and _is_rounded(value[field.name], field.type) for field in kind)
    return False
