"""The fields that urlsm columns writes: their names, and the batches of output that it makes of a batch of input."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import urlsm.columns as uc
from urlsm.columns.functions import functions
from urlsm.columns.names import OF_PARTS, check_fields

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
        "can_parse": pa.scalar(False),
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
