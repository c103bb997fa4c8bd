"""Parameters of the form name=value. Parameters is a table of those that a scheme knows; with it, they are read,
checked, normalised and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum

from urlsm.components.parts import decode, decode_bytes, known_fields, lower, read_fields
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.octets.records import NamedTuple
from urlsm.schemes.characters import QUERY, Characters, normal_escapes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from urlsm._words import Component
    from urlsm.schemes.generic import Scheme

    Further = Callable[[int, str, str | None], Iterator[Violation]]

__all__ = [
    *("TYPECODES", "Field", "Parameters", "QueryParams", "pairs_of", "part_of", "read_as", "read_number"),
    "with_lower_name",
]

QueryParams = tuple[tuple[str, str | None], ...]

TYPECODES = ("a", "i", "d")  # the types of ftp and sftp: ASCII text, image (octets as they are), directory

_KINDS = ("text", "number", "decimal", "bool", "date", "bytes")
# the characters that a name or value holds without escapes; "+" is not one, because many clients read it as a space
_FIELD = QUERY - "&=+"
_MOST_DIGITS = 4300  # int's default limit; its time grows with the square of the number of digits
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DECIMAL = re.compile(r"[0-9]{1,64}(?:\.[0-9]{0,64})?|\.[0-9]{1,64}")


class Field(NamedTuple):
    """A parameter that a scheme knows: how it is read, checked and written.

    Attributes:
        name: its name, in lower case if case does not matter in names.
        kind: "text", "number" (int), "decimal" (Decimal), "bool" ("true" or "false"), "date" (2026-11-26) or "bytes";
            or a function that makes a value of a text and raises ValueError for other texts, such as an enum.
        required: whether it must be present.
        repeat: which one counts: the "first", the "last", "all" (a tuple), or "forbid" (others are violations).
        fold: whether case is ignored in its value.
        plus: whether "+" in its value is a space.
        default: its text if it is absent; None for none.
        choices: the texts that it may have; () for any.
        write: a function that makes the text of a value; None for the usual one.

    Example:
        >>> from urlsm.schemes import Field, Parameters
        >>> Parameters(Field("level", "number"), Field("lit", "bool")).values_of("level=7&lit=true")
        {'level': 7, 'lit': True}
    """

    name: str
    kind: str | Callable[[str], Any] = "text"
    required: bool = False
    repeat: Literal["first", "last", "all", "forbid"] = "first"
    fold: bool = False
    plus: bool = False
    default: str | None = None
    choices: tuple[str, ...] = ()
    write: Callable[[Any], str] | None = None


class Parameters:
    """A table of the parameters (name=value) that a scheme knows: it reads, checks, normalises and writes them.

    Args:
        *known: the parameters.
        separator: the text between two parameters.
        fold: whether case is ignored in names, which are then read in lower case.
        named: whether a parameter without a name is a violation.
        equals: whether a parameter without "=" is a violation.
        filled: whether a parameter without a value after "=" is a violation.
        closed: whether a parameter that is not in the table is a violation.
        ordered: whether parameters of the table that are out of its order are violations.
        repeat: like Field.repeat, for parameters that are not in the table.
        plus: whether "+" is a space in every value.
        names: the characters that names hold without an escape; None for the component's.
        values: the characters that values hold without an escape; None for the component's.
        no_name: a pattern that matches what a name cannot hold, if names have no escapes.

    Raises:
        ValueError: the kind of a Field is unknown.

    Example:
        >>> from urlsm.schemes import Field, Parameters
        >>> Parameters(Field("q", plus=True), fold=True).read("Q=a+b&x=1")
        (('q', 'a b'), ('x', '1'))
    """

    separator: str
    fold: bool
    named: bool
    equals: bool
    filled: bool
    closed: bool
    ordered: bool
    names: Characters | None
    values: Characters | None
    no_name: re.Pattern[str] | None

    def __init__(
        self,
        *known: Field,
        separator: str = "&",
        fold: bool = False,
        named: bool = True,
        equals: bool = False,
        filled: bool = False,
        closed: bool = False,
        ordered: bool = False,
        repeat: str = "all",
        plus: bool = False,
        names: Characters | None = None,
        values: Characters | None = None,
        no_name: re.Pattern[str] | None = None,
    ) -> None:
        for field in known:
            if not callable(field.kind) and field.kind not in _KINDS:
                raise ValueError(f"Field.kind must be a function or one of {', '.join(_KINDS)}, not {field.kind!r}")
        self.known: dict[str, Field] = {field.name: field for field in known}
        self.separator, self.fold = separator, fold
        self.named, self.equals, self.filled, self.closed, self.ordered = named, equals, filled, closed, ordered
        self.repeat = repeat
        self.names, self.values, self.no_name = names, values, no_name
        self.written_name: Characters = _FIELD if names is None else names - "[]"  # URL parsers refuse "[" and "]"
        self.written_value: Characters = _FIELD if values is None else values - "[]"
        self.ranks: dict[str, int] = {name: rank for rank, name in enumerate(self.known)}
        self.defaults: tuple[str | None, ...] = tuple([field.default for field in known])
        self.plus = plus
        spaces = frozenset([field.name for field in known if field.plus])
        # the names in whose values "+" is a space: True means all, False none
        self.spaces: bool | frozenset[str] = plus or spaces or False

    def within(self, text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, str, str | None]]:
        """Yield position, name and value of each parameter of a piece of text, as written.

        Without "=" the value is None. An empty text has one parameter, whose name is empty.

        Args:
            text: the text.
            start: where the piece begins.
            end: where it ends; None for the end of the text.
        """
        for field in text[start:end].split(self.separator):
            name, equals, value = field.partition("=")
            yield start, name, value if equals else None
            start += len(field) + 1

    def of_query(self, components: Components) -> Iterator[tuple[int, str, str | None]]:
        """Yield position, name and value of each parameter of the query, as `within` does. An empty query has none.

        Args:
            components: the URL.
        """
        start, end = components.span("query") or (0, 0)
        return self.within(components.text, start, end) if start < end else iter(())

    def key(self, name: str) -> str:
        """Return the name that a written name stands for: decoded, and in lower case if case does not matter.

        Args:
            name: the name as written.
        """
        name = decode(name) if self.no_name is None else name
        return lower(name) if self.fold else name

    def read(self, text: str) -> QueryParams:
        """Return the parameters as pairs of name and value, decoded and in order. Without "=" the value is None.

        Args:
            text: the parameters, as a query holds them.
        """
        return read_fields(text, self.separator, self.fold, self.spaces)

    def known_of(self, text: str | None) -> tuple[Sequence[str | None], QueryParams]:
        """Return the first value of each parameter of the table, decoded, and the other parameters, as `read` does.

        Args:
            text: the parameters; None for none, so that each value is the default.
        """
        if not text:
            return self.defaults, ()
        return known_fields(text, self.separator, self.fold, self.spaces, self.ranks, self.defaults)

    def values_of(self, text: str) -> dict[str, Any]:
        """Return the value of each parameter of the table, by name, read as its kind; None if it cannot be read.

        Absent parameters, and parameters without "=", are left out.

        Args:
            text: the parameters, as a query holds them.
        """
        found: dict[str, Any] = {}
        for _, name, written in self.within(text):
            field = self.known.get(self.key(name))
            if field is None or written is None:
                continue
            value = read_as(field, written.replace("+", " ") if self.plus else written)
            if field.repeat == "all":
                found[field.name] = (*found.get(field.name, ()), value)
            elif field.repeat == "last" or field.name not in found:
                found[field.name] = value
        return found

    def violations(
        self,
        scheme: Scheme[Any],
        components: Components,
        component: Component,
        start: int,
        end: int,
        further: Further | None = None,
    ) -> Iterator[Violation]:
        """Yield the violations of a piece of a URL, read as parameters.

        Args:
            scheme: the handler that has the table.
            components: the URL.
            component: the component that the piece is in.
            start: where the piece begins in components.text.
            end: where it ends.
            further: a function that gets each parameter, as `within` yields it, and yields more violations of it.
        """
        seen: set[str] = set()
        rank = 0
        for at, name, value in self.within(components.text, start, end):
            key = self.key(name)
            yield from self._of_name(scheme, component, at, name, key, seen, rank)
            rank = max(rank, self.ranks.get(key, len(self.ranks)))
            seen.add(key)
            after = at + len(name)
            if self.no_name is not None:
                yield from scheme.lexical_faults(components, at, after, self.no_name, component)
            elif self.names is not None:
                yield from scheme.faults(components, component, at, after, self.names)
            if value is None:
                if self.equals and (name or not self.named or self.names is not None):
                    yield scheme.violation("parameter-value-missing", component, after)
            else:
                after += 1
                yield from self._of_value(scheme, component, after, key, value)
                if self.values is not None:
                    yield from scheme.faults(components, component, after, after + len(value), self.values)
            if further is not None:
                yield from further(at, name, value)
        for field in self.known.values():
            if field.required and field.name not in seen:
                message = f"the parameter {field.name} is missing"
                yield scheme.violation("parameter-missing", component, end, message=message)

    def _of_name(
        self, scheme: Scheme[Any], component: Component, at: int, name: str, key: str, seen: set[str], rank: int
    ) -> Iterator[Violation]:
        field = self.known.get(key)
        if not name and self.named:
            yield scheme.violation("parameter-name-missing", component, at)
        elif key in seen and (self.repeat if field is None else field.repeat) == "forbid":
            yield scheme.violation("parameter-duplicate", component, at)
        elif field is None and self.closed:
            yield scheme.violation("parameter-unknown", component, at)
        elif self.ordered and self.ranks.get(key, len(self.ranks)) < rank:
            yield scheme.violation("parameter-order", component, at)

    def _of_value(
        self, scheme: Scheme[Any], component: Component, at: int, key: str, value: str
    ) -> Iterator[Violation]:
        field = self.known.get(key)
        if not value and self.filled:
            yield scheme.violation("parameter-value-missing", component, at)
        elif field is not None and (field.kind != "text" or field.choices) and read_as(field, value) is None:
            yield scheme.violation("parameter-value-invalid", component, at)

    def normal(self, text: str) -> str:
        """Return the parameters with names and values in lower case where case does not matter.

        Args:
            text: the parameters, with their escapes in normal form.
        """
        written = []
        for _, name, value in self.within(text):
            # letters are decoded before lower() is called, and the escapes that remain are put in upper case again
            # afterwards
            normal = normal_escapes(lower(normal_escapes(name))) if self.fold else name
            if value is not None:
                field = self.known.get(self.key(name))
                normal += "=" + (normal_escapes(lower(value)) if field is not None and field.fold else value)
            written.append(normal)
        return self.separator.join(written)

    def write(self, pairs: Iterable[tuple[str, str | None]]) -> str:
        """Return the text of parameters.

        Args:
            pairs: names and values, decoded; a value of None has no "=".
        """
        encoded = [
            self.written_name.encode(name) + ("" if value is None else "=" + self.written_value.encode(value))
            for name, value in pairs
        ]
        return self.separator.join(encoded)

    def composed(self, pairs: Iterable[tuple[str, str | None]] | None) -> str:
        """Return "?" and the text of parameters; "" if there are none.

        Args:
            pairs: names and values, decoded; a value of None has no "=".
        """
        return "?" + self.write(pairs) if pairs else ""


def read_as(field: Field, written: str) -> Any:
    """Return the value of a field, read as its kind; None if it is not of that kind."""
    if field.plus:
        written = written.replace("+", " ")
    if field.kind == "bytes":
        return decode_bytes(written)
    text = decode(written)
    if field.fold and (field.kind != "text" or field.choices):
        text = lower(text)
    if field.choices and text not in field.choices:
        return None
    return text if field.kind == "text" else _reader(field.kind)(text)


def _reader(kind: str | Callable[[str], Any]) -> Callable[[str], Any]:
    if isinstance(kind, str):
        return _READERS[kind]

    def read(text: str) -> Any:
        try:
            return kind(text)
        except ValueError:
            return None

    return read


def _read_decimal(text: str) -> Any:
    from decimal import Decimal  # imported here, because it loads slowly and few schemes need it

    return Decimal(text) if _DECIMAL.fullmatch(text) else None


def _read_date(text: str) -> Any:
    from datetime import date

    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:  # the thirtieth of February
        return None


def read_number(text: str) -> int | None:
    """Return the number that decimal digits stand for; None for other text, and for more digits than int reads."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    try:
        return int(digits) if len(digits) <= _MOST_DIGITS else None
    except ValueError:  # the interpreter's own limit on digits is lower
        return None


_READERS: dict[object, Callable[[str], Any]] = {
    "number": read_number,
    "decimal": _read_decimal,
    "bool": {"true": True, "false": False}.get,
    "date": _read_date,
}


def part_of(field: Field) -> str:
    """Return the name of the part that holds a parameter: max_age for "max-age"."""
    return re.sub("[^A-Za-z0-9_]", "_", field.name)


def pairs_of(field: Field, value: object) -> list[tuple[str, str]]:
    """Return the name and the text of a parameter with this value, for Parameters.write; one pair for each value if it
    may be repeated; none for None and for the default."""
    values = value if field.repeat == "all" and isinstance(value, (tuple, list)) else (value,)
    texts = [_written(field, one) for one in values if one is not None]
    return [(field.name, text) for text in texts] if texts != [field.default] else []


def _written(field: Field, value: Any) -> str:
    if field.write is not None:
        return field.write(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return str(value.value) if isinstance(value, Enum) else str(value)


def with_lower_name(field: str) -> str:
    """Return a field of a normal form with its name in lower case. A name with escapes stays as it is, because the
    letters of escapes are in upper case."""
    name, equals, value = field.partition("=")
    return (name if "%" in name else lower(name)) + equals + value
