"""Writes batches as text for urlsm columns: tab-separated values, JSON Lines, and lines of one field."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["check_columns", "json_lines", "lines", "tab_separated"]


def check_columns(batch: Any, kind: str) -> None:
    """Raise ValueError if a column cannot be written in this kind of text, which has no lists or objects."""
    for field in batch.schema:
        if pa.types.is_nested(field.type):
            raise ValueError(
                f"the column {field.name!r} ({field.type}) cannot be in a {kind} file: use .parquet, .arrow or .jsonl"
            )


def lines(batch: Any, row: int) -> bytes:
    """Return a line for each row of a batch of one column. row: the number of the first row, for errors."""
    if batch.num_columns != 1:
        raise ValueError("a text file can contain only one field: use a .csv, .tsv, .jsonl, .arrow or .parquet file")
    return tab_separated(batch, row)


def tab_separated(batch: Any, row: int) -> bytes:
    """Return a line of tab-separated values for each row. row: the number of the first row, for errors. Raise
    ValueError if a value has a tab or a line break, which such values cannot have (IANA's
    "text/tab-separated-values")."""
    check_columns(batch, "text")
    texts = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        text = _text(column)
        found = pc.index(pc.match_substring_regex(text, "[\t\r\n]"), True).as_py() if len(text) else -1
        if found >= 0:
            raise ValueError(f"row {row + found}: {name!r} has a tab or a line break: use a .csv or .jsonl file")
        texts.append(text)
    if not batch.num_rows:
        return b""
    joined = pc.binary_join_element_wise(*texts, b"\t") if len(texts) > 1 else texts[0]
    return b"\n".join([*joined.to_pylist(), b""])


def _text(column: Any) -> Any:
    """Return a column as binary text, in which a null is empty."""
    if pa.types.is_string(column.type):  # a cast to binary would be refused for text that is not UTF-8
        column = column.view(pa.binary())
    elif pa.types.is_large_string(column.type):
        column = column.view(pa.large_binary())
    elif not (pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)):
        column = column.cast(pa.string()).view(pa.binary())
    return column.cast(pa.large_binary()).fill_null(b"")


def json_lines(batch: Any) -> bytes:
    """Return a line of JSON for each row. Raise ValueError if a value is none of JSON's."""
    made = []
    for record in batch.to_pylist():
        try:
            made.append(json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain))
        except ValueError as error:
            raise ValueError(f"{error}: use a .parquet or .arrow file") from error
    return "\n".join([*made, ""]).encode()


def _plain(value: Any) -> str:
    """Return a value as the text that stands for it in JSON. Raise ValueError for bytes that are not UTF-8."""
    if isinstance(value, bytes):
        return value.decode()
    return str(value.isoformat() if hasattr(value, "isoformat") else value)
