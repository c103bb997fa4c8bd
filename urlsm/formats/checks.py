"""Violations of formats, and formats for validators: jsonschema, fastjsonschema, pydantic."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from urlsm.errors.rules import RULES, Violation
from urlsm.formats import grammars
from urlsm.patterns.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from urlsm._words import Component

    _Checker = TypeVar("_Checker")

__all__ = ["FORMATS", "Format", "check", "install"]

FORMATS: dict[str, Callable[[str], bool]] = {
    name: getattr(grammars, f"is_{name.replace('-', '_')}") for name in grammars.FORMATS
}
_KINDS = {name: kind for kind, name in enumerate(grammars.FORMATS)}
# the component, the document and the message of a format whose whole grammar is one rule
_OF_FORMAT: dict[str, tuple[Component, str, str]] = {
    "hostname": (
        "host",
        "RFC 1123 section 2.1",
        "a host name consists of labels of 1 to 63 letters, digits and inner hyphens; one that begins with xn-- must "
        "be valid Punycode",
    ),
    "idn-hostname": ("host", "RFC 5891 section 5", "IDNA 2008 does not allow this host name"),
    "ipv4": ("host", "RFC 3986 section 3.2.2", "an IPv4 address is four numbers up to 255, without leading zeros"),
    "ipv6": ("host", "RFC 4291 section 2.2", "this is not an IPv6 address"),
    "json-pointer": ("url", "RFC 6901 section 3", 'a JSON pointer begins with "/", and "~" is only in "~0" and "~1"'),
    "relative-json-pointer": (
        "url",
        "draft-bhutton-relative-json-pointer-00 section 3",
        'a relative JSON pointer is a number without leading zeros, and then a JSON pointer or "#"',
    ),
}
# the components by the machine's numbers (machine.pxd)
_COMPONENTS: tuple[Component, ...] = (
    *("scheme", "authority", "userinfo", "userinfo", "userinfo", "host", "port", "path", "query", "fragment"),
    "url",
)


def check(text: str, format: str) -> Violation | None:
    """Return the first rule that a string breaks in a format; None if the string is in the format.

    Args:
        text: the string.
        format: "uri", "uri-reference", "iri", "iri-reference", "uri-template", "hostname", "idn-hostname", "ipv4",
            "ipv6", "json-pointer" or "relative-json-pointer".

    Raises:
        ValueError: there is no such format.
        TypeError: `text` is not a str.

    Example:
        >>> found = check("https://example.com/a b", "uri")
        >>> if found:
        ...     print(found.code, found.position, found.message)
        character-not-allowed 21 this character must be percent-encoded here
    """
    _judge(format)
    fault = grammars.fault_of(text, _KINDS[format])
    if fault is None:
        return None
    code, position, number = fault
    component: Component = _COMPONENTS[number]
    if code in RULES:
        rule = RULES[code]
        reference = "RFC 3987 section 2.2" if format.startswith("iri") and rule.reference[:8] == "RFC 3986" else None
        return Violation(code, component, position, "error", reference or rule.reference, rule.message)
    if format == "uri-template":
        from urlsm.patterns.templates import Template

        try:
            Template(text)
        except PatternError as error:
            return Violation(error.code, "url", position, "error", "RFC 6570 section 2", error.message)
    component, reference, message = _OF_FORMAT[format]
    return Violation(f"{format}-invalid", component, position, "error", reference, message)


def install(checker: _Checker, *, formats: Iterable[str] | None = None) -> _Checker:
    """Let a FormatChecker of jsonschema check formats with urlsm, and return it.

    The checkers of openapi-schema-validator are such checkers, too. fastjsonschema takes `FORMATS` instead:
    `fastjsonschema.compile(schema, formats=FORMATS)`.

    Args:
        checker: an instance of jsonschema.FormatChecker, which is changed.
        formats: the names of the formats; None for all of them.

    Raises:
        ValueError: there is no such format.
        TypeError: `formats` is a single str.

    Example:
        >>> import jsonschema  # doctest: +SKIP
        >>> install(jsonschema.FormatChecker()).conforms("/straße", "iri-reference")  # doctest: +SKIP
        True
    """
    if isinstance(formats, str | bytes) or not isinstance(formats, Iterable | None):
        raise TypeError(f"formats must be an iterable of names, not {type(formats).__name__}")
    register: Any = checker
    judges = {name: _judge(name) for name in (FORMATS if formats is None else formats)}  # all, before one is installed
    for name, judge in judges.items():
        register.checks(name)(_of_any_value(judge))
    return checker


def _judge(name: object) -> Callable[[str], bool]:
    """Return the function of a format. ValueError: there is no such format."""
    if not isinstance(name, str) or name not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {name!r}")
    return FORMATS[name]


def _of_any_value(judge: Callable[[str], bool]) -> Callable[[object], bool]:
    """Return a function that is true for what is no string: "all string formats ignore" it."""
    return lambda value: not isinstance(value, str) or judge(value)


class Format:
    """A format as an annotation of a pydantic field: `Annotated[str, Format("iri")]`.

    A string that is not in the format raises a ValidationError, whose type is the code of the violation. Other values,
    such as the None of `str | None`, are left to the type. The JSON Schema of the model has the format.

    Args:
        name: the name of the format, as for `check`.

    Raises:
        ValueError: there is no such format.

    Example:
        >>> Format("hostname")
        Format('hostname')
    """

    __slots__ = ("name",)

    name: str

    def __init__(self, name: str) -> None:
        _judge(name)
        if hasattr(self, "name"):
            raise TypeError("a Format is immutable")
        object.__setattr__(self, "name", name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Format is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Format is immutable")

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, Format) else NotImplemented

    def __hash__(self) -> int:
        return hash((Format, self.name))

    def __repr__(self) -> str:
        return f"Format({self.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Format, (self.name,)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import PydanticCustomError, core_schema

        judge, name = FORMATS[self.name], self.name

        def validated(text: Any) -> Any:
            if not isinstance(text, str) or judge(text):  # the None of `str | None`, for example
                return text
            found = check(text, name)
            assert found is not None
            where = {"format": name, "position": found.position, "reference": found.reference}
            raise PydanticCustomError(found.code, "{format}: {message}", {**where, "message": found.message})

        return core_schema.no_info_after_validator_function(validated, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(schema), "format": self.name}


for _thing in (Format, check, install):
    _thing.__module__ = "urlsm.formats"
