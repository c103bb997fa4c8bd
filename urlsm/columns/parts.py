"""Parts of schemes as columns. A row costs what URL.parts costs."""

from __future__ import annotations

from collections.abc import Iterable
from json import JSONEncoder

from urlsm.columns.array import Array, Chunked
from urlsm.columns.names import Schema
from urlsm.columns.work import with_texts
from urlsm.errors import SchemeError
from urlsm.meaning.connections import connection
from urlsm.meaning.questions import plain
from urlsm.url.value import try_parse

_encoded = JSONEncoder(ensure_ascii=False).encode


def with_parts(struct: Array | Chunked, names: tuple[str, ...], own: list[str]) -> Array | Chunked:
    """Return a struct of these fields, from one that has those that are not parts, and href. own: those that are
    parts."""
    if isinstance(struct, Chunked):
        chunks = [_with_parts(chunk, names, own) for chunk in struct]
        return Chunked(chunks, chunks[0].schema if chunks else schema_with_parts(struct.schema, names))
    return _with_parts(struct, names, own)


def schema_with_parts(schema: Schema, names: tuple[str, ...]) -> Schema:
    """Return the type of the struct that with_parts makes."""
    given = {child.name: child for child in schema.children}
    href = given["href"] if given["href"].dictionary is None else given["href"].dictionary
    assert href is not None
    children = [given[name] if name in given else href._replace(name=name) for name in names]
    return schema._replace(children=tuple(children))


def _with_parts(struct: Array, names: tuple[str, ...], own: list[str]) -> Array:
    fields = [name.partition(".")[2] for name in own]
    texts: dict[str, list[str | None]] = {name: [] for name in own}
    for href in struct.field("href").to_pylist():
        for values, text in zip(texts.values(), _texts(href, fields), strict=True):
            values.append(text)
    return with_texts(struct, names, texts)


def _texts(href: str | None, fields: list[str]) -> Iterable[str | None]:
    if href is None:
        return [None] * len(fields)
    try:
        url = try_parse(href)
        found = connection(href) if url is None else url
        if found is None:
            return [None] * len(fields)
        parts = found.parts
    except SchemeError:
        return [None] * len(fields)
    return [_text(getattr(parts, field)) if field in parts.keys() else None for field in fields]  # noqa: SIM118


def _text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else _encoded(plain(value))
