"""Parameters of the form name=value. `Parameters` is a table of the parameters that a scheme defines. It reads, checks,
normalises and writes them."""

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
# the characters that a name or value may contain unescaped; "+" is not one, because many clients read it as a space
_FIELD = QUERY - "&=+"
_MOST_DIGITS = 4300  # int's default limit; its time grows with the square of the number of digits
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DECIMAL = re.compile(r"[0-9]{1,64}(?:\.[0-9]{0,64})?|\.[0-9]{1,64}")


class Field(NamedTuple):
    """A parameter that a scheme defines: how to read, check and write it.

    Attributes:
        name: the name of the parameter, in lower case if names are case-insensitive.
        kind: "text", "number" (int), "decimal" (Decimal), "bool" ("true" or "false"), "date" (2026-11-26) or "bytes";
            or a function, such as an enum, that converts a string to a value and raises ValueError for an invalid
            string.
        required: whether the parameter must be present.
        repeat: which value counts if the parameter is repeated: the "first", the "last" or "all" (a tuple). "forbid"
            makes each repetition a violation.
        fold: whether case is ignored in the value.
        plus: whether "+" in the value means a space.
        default: the value, as text, if the parameter is absent; None for no default.
        choices: the allowed values, as text; () allows any value.
        write: a function that converts a value to text; None for the default function.

    Example:
        >>> from urlsm.schemes import Field, Parameters
        >>> Parameters(Field("level", "number"), Field("lit", "bool")).values_of("level=7&lit=true")
        {'level': 7, 'lit': True}
    """

    name: str
    kind: Literal["text", "number", "decimal", "bool", "date", "bytes"] | Callable[[str], Any] = "text"
    required: bool = False
    repeat: Literal["first", "last", "all", "forbid"] = "first"
    fold: bool = False
    plus: bool = False
    default: str | None = None
    choices: tuple[str, ...] = ()
    write: Callable[[Any], str] | None = None


Field.__module__ = "urlsm.schemes"


class Parameters:
    """A table of the parameters (name=value) that a scheme defines. It reads, checks, normalises and writes them.

    Args:
        *known: the parameters.
        separator: the string between two parameters.
        fold: whether case is ignored in names. If it is, names are read in lower case.
        named: whether a parameter without a name is a violation.
        equals: whether a parameter without "=" is a violation.
        filled: whether a parameter without a value after "=" is a violation.
        closed: whether a parameter that is not in the table is a violation.
        ordered: whether a parameter that does not follow the order of the table is a violation.
        repeat: the same as Field.repeat, for parameters that are not in the table.
        plus: whether "+" means a space in every value.
        names: the characters that names may contain unescaped; None for the characters of the component.
        values: the characters that values may contain unescaped; None for the characters of the component.
        no_name: a pattern that matches characters that names cannot contain. Pass it if names cannot contain escapes:
            names are then not decoded.

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
        """Yield the position, name and value of each parameter in part of a string, as written.

        The value is None if there is no "=". An empty string has one parameter, with an empty name.

        Args:
            text: the string.
            start: where the part begins.
            end: where the part ends; None for the end of the string.
        """
        for field in text[start:end].split(self.separator):
            name, equals, value = field.partition("=")
            yield start, name, value if equals else None
            start += len(field) + 1

    def of_query(self, components: Components) -> Iterator[tuple[int, str, str | None]]:
        """Yield the position, name and value of each query parameter, like `within`. An empty query has no parameters.

        Args:
            components: the URL.
        """
        start, end = components.span("query") or (0, 0)
        return self.within(components.text, start, end) if start < end else iter(())

    def key(self, name: str) -> str:
        """Return a parameter name, decoded, and in lower case if names are case-insensitive.

        Args:
            name: the name as written.
        """
        name = decode(name) if self.no_name is None else name
        return lower(name) if self.fold else name

    def read(self, text: str) -> QueryParams:
        """Return the parameters as pairs of decoded name and value, in order. The value is None if there is no "=".

        Args:
            text: the parameters, as written in a query.
        """
        return read_fields(text, self.separator, self.fold, self.spaces)

    def known_of(self, text: str | None) -> tuple[Sequence[str | None], QueryParams]:
        """Return the decoded first value of each parameter in the table, and the other parameters (see `read`).

        Args:
            text: the parameters. If this is None, each value is the default.
        """
        if not text:
            return self.defaults, ()
        return known_fields(text, self.separator, self.fold, self.spaces, self.ranks, self.defaults)

    def values_of(self, text: str) -> dict[str, Any]:
        """Return the value of each parameter in the table by name, converted to its kind; None if it is invalid.

        Absent parameters and parameters without "=" are left out.

        Args:
            text: the parameters, as written in a query.
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
        """Yield the violations in part of a URL that consists of parameters.

        Args:
            scheme: the handler that the table belongs to.
            components: the URL.
            component: the component that contains the part.
            start: where the part begins in components.text.
            end: where the part ends.
            further: a function that is called with each parameter, as `within` yields it, and
                yields further violations.
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
        """Return the parameters, with names and values in lower case wherever they are case-insensitive.

        Args:
            text: the parameters, with normalised escapes.
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
        """Write parameters as a string.

        Args:
            pairs: decoded names and values. A value of None is written without "=".
        """
        encoded = [
            self.written_name.encode(name) + ("" if value is None else "=" + self.written_value.encode(value))
            for name, value in pairs
        ]
        return self.separator.join(encoded)

    def composed(self, pairs: Iterable[tuple[str, str | None]] | None) -> str:
        """Return "?" followed by the parameters as a string; "" if there are none.

        Args:
            pairs: decoded names and values. A value of None is written without "=".
        """
        return "?" + self.write(pairs) if pairs else ""


Parameters.__module__ = "urlsm.schemes"
# typing.get_type_hints would look these up in __module__
Parameters.__annotations__.update(names=Characters | None, values=Characters | None, no_name=re.Pattern[str] | None)


def read_as(field: Field, written: str) -> Any:
    """Return the value of a field, converted to its kind; None if it cannot be converted."""
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
    """Return the number that decimal digits represent; None for other text, or for more digits than int can parse."""
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
    """Return the name of the part for a parameter: max_age for "max-age"."""
    return re.sub("[^A-Za-z0-9_]", "_", field.name)


def pairs_of(field: Field, value: object) -> list[tuple[str, str]]:
    """Return pairs of name and text for a parameter with this value, for Parameters.write. There is one pair for each
    value if the parameter may be repeated, and no pair for None or for the default."""
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
    """Return an already normalised field ("name=value") with its name in lower case. A name that contains escapes does
    not change, because the letters in escapes are in upper case."""
    name, equals, value = field.partition("=")
    return (name if "%" in name else lower(name)) + equals + value
