"""Fields name=value, of parameters and queries: read, folded and written; and the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlsm.components.parts import lower
from urlsm.components.value import Components
from urlsm.schemes.characters import QUERY, Characters, normal_escapes

__all__ = [
    "TYPECODES",
    "QueryParams",
    "composed_query",
    "fields",
    "fields_within",
    "normal_names",
    "query_fields",
    "read_number",
    "with_lower_name",
    "written_fields",
]

QueryParams = tuple[tuple[str, str | None], ...]

TYPECODES = ("a", "i", "d")  # of ftp and sftp: text, image (octets as they are), directory

# in a field; and no "+", which many clients read as a space
_FIELD = QUERY - "&=+"
_MOST_DIGITS = 4300  # which int takes unless set otherwise: its time grows with their square


def fields(text: str, separator: str = "&") -> Iterator[tuple[int, str, str | None]]:
    """(place, name, value) of each field name=value, as written; without "=" the value is None."""
    place = 0
    for field in text.split(separator):
        name, equals, value = field.partition("=")
        yield place, name, value if equals else None
        place += len(field) + 1


def normal_names(text: str, separator: str = "&") -> str:
    """Fields whose escapes are in normal form, their names in lower case."""
    # what is decoded has to be folded too, and what is not, to be in upper case again
    written = [(normal_escapes(lower(normal_escapes(name))), value) for _, name, value in fields(text, separator)]
    return separator.join([name if value is None else f"{name}={value}" for name, value in written])


def written_fields(
    pairs: Iterable[tuple[str, str | None]], separator: str, names: Characters, values: Characters
) -> str:
    """The fields of decoded names and values."""
    encoded = [(names.encode(name), None if value is None else values.encode(value)) for name, value in pairs]
    return separator.join([name if value is None else f"{name}={value}" for name, value in encoded])


def fields_within(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, str, str | None]]:
    """The fields name=value of text[start:end]: where each begins, its name and its value as written, None without
    "=". None of an empty text."""
    if start < end:
        for field in text[start:end].split(separator):
            name, equals, value = field.partition("=")
            yield start, name, value if equals else None
            start += len(field) + 1


def query_fields(c: Components) -> Iterator[tuple[int, str, str | None]]:
    return fields_within(c.text, *(c.span("query") or (0, 0)), "&")


def read_number(text: str) -> int | None:
    """The number that decimal digits are; None of other text, and of more digits than int reads."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    try:
        return int(digits) if len(digits) <= _MOST_DIGITS else None
    except ValueError:  # the interpreter is set to fewer
        return None


def with_lower_name(field: str) -> str:
    """A field of a normal form with its name in lower case. In a name with escapes their letters are upper case, and
    nothing else is worth telling apart."""
    name, equals, value = field.partition("=")
    return (name if "%" in name else lower(name)) + equals + value


def composed_query(params: Iterable[tuple[str, str | None]]) -> str:
    """ "?" and the fields, or nothing."""
    written = [_FIELD.encode(name) + ("" if value is None else "=" + _FIELD.encode(value)) for name, value in params]
    return "?" + "&".join(written) if written else ""
