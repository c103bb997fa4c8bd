"""Makes columns of the scheme-specific parts (URL.parts) that handlers read. Each row takes as long as URL.parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from json import JSONEncoder

from urlsm.columns.names import Schema
from urlsm.columns.work import Array, Question, Source, Work, with_texts
from urlsm.errors import SchemeError
from urlsm.meaning.connections import connection
from urlsm.meaning.literal import parts_of_text
from urlsm.meaning.questions import plain
from urlsm.url.value import try_parse

_encoded = JSONEncoder(ensure_ascii=False).encode
# A surrogate in a str stands for an octet that is not UTF-8. JSON can escape a surrogate; a column cannot contain one.
_SURROGATE = re.compile("[\ud800-\udfff]")
_AS_WRITTEN = Question(("href",), single=True, raw=True)  # asks for the texts of a column, unchanged


class SchemeParts:
    """Adds the requested scheme-specific parts to a struct with the other requested fields."""

    def __init__(self, names: tuple[str, ...], own: list[str]) -> None:
        """names: all requested fields, in order. own: the requested fields that are scheme-specific parts
        ("parts.user")."""
        self.names = names
        self.own = own
        self.fields: list[str] = [name.partition(".")[2] for name in own]

    def complete(self, struct: Array, source: Source) -> Array:
        """Return a struct with all requested fields. struct: a struct of href and the fields that are not
        scheme-specific parts. source: the texts from which `struct` was made."""
        texts: dict[str, list[str | None]] = {name: [] for name in self.own}
        given: list[str | bytes] = []

        def written(row: int) -> str | bytes:
            if not given:
                given.extend(Work(_AS_WRITTEN, source).run(1).to_pylist())
            return given[row]

        for row, href in enumerate(struct.field("href").to_pylist()):
            for values, text in zip(texts.values(), self._texts(row, href, written), strict=True):
                values.append(text)
        return with_texts(struct, self.names, texts)

    def schema(self, schema: Schema) -> Schema:
        """Return the type of the struct that complete() makes from a struct of the type `schema`."""
        given = {child.name: child for child in schema.children}
        href = given["href"] if given["href"].dictionary is None else given["href"].dictionary
        assert href is not None
        children = [given[name] if name in given else href._replace(name=name) for name in self.names]
        return schema._replace(children=tuple(children))

    def _texts(self, row: int, href: str | None, written: Callable[[int], str | bytes]) -> Iterable[str | None]:
        if href is None:
            return [None] * len(self.fields)
        try:
            url = try_parse(href)
            found = connection(href) if url is None else url
            if found is None:
                return [None] * len(self.fields)
            parts = parts_of_text(written(row), found) if found.handler.literal else found.parts
        except SchemeError:
            return [None] * len(self.fields)
        return [_text(getattr(parts, name)) if name in parts.keys() else None for name in self.fields]  # noqa: SIM118


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", _encoded(plain(value)))
