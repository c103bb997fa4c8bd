"""sms (RFC 5724)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import UNRESERVED
from urlsm.schemes.fields import fields, normal_names, written_fields
from urlsm.schemes.tel import Subscribers, normal_subscriber, read_subscriber, written_subscriber

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Sms", "SmsParts"]

_NO_NAME = re.compile("[^A-Za-z0-9._~-]+")  # sms-field-ext = 1*( unreserved )
_SEMICOLON = re.compile("%(?=3[Bb]|25)")


class SmsParts(Parts):
    """recipients: telephone subscribers as written (RFC 3966: with separators and parameters), decoded, but for %3B,
    which would begin another parameter, and %25. numbers: the number of each, without separators. body: the text of
    the message, the first field "body". query_params: (name, value) of each field, decoded, the name in lower case,
    the value None without "="."""

    recipients: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    body: str | None = None
    query_params: tuple[tuple[str, str | None], ...] = ()


class Sms(Subscribers):
    """sms-uri = scheme ":" sms-hier-part [ "?" sms-fields ]; sms-hier-part = sms-recipient *( "," sms-recipient );
    sms-fields = sms-field *( "&" sms-field ); sms-field = sms-field-name "=" escaped-value"""

    names: ClassVar[tuple[str, ...]] = ("sms",)
    title = "Short message"
    reference = "RFC 5724 section 2.2"
    example = "sms:+1-510-555-0101,863-1234;phone-context=+1-914-555?body=hello%20there"
    query_characters = UNRESERVED  # escaped-value = *( unreserved / pct-encoded )
    parts_type: ClassVar[type[Parts]] = SmsParts
    rules: ClassVar[dict[str, str]] = {
        "sms-recipient-missing": "this recipient is empty",
    }

    def refine(self, components: Components) -> SmsParts:
        recipients = [recipient for recipient in self.address(components).split(",") if recipient]
        numbers = [read_subscriber(recipient).number for recipient in recipients]
        pairs = _fields(components)
        body = next((value for name, value in pairs if name == "body"), None)
        return SmsParts(tuple(map(_recipient, recipients)), tuple(numbers), body, pairs)

    def path_violations(self, c: Components) -> Iterator[Violation]:
        start, end = c.span("path") or (0, 0)
        for recipient in c.text[start:end].split(","):
            if recipient:
                yield from self.subscriber_violations(c, start, start + len(recipient))
            else:
                yield self.violation("sms-recipient-missing", "path", start)
            start += len(recipient) + 1

    def query_violations(self, c: Components) -> Iterator[Violation]:
        where = c.span("query")
        if where is None:
            return
        bodies = 0
        for place, name, value in fields(c.text[slice(*where)]):
            start = where[0] + place
            if not name:
                yield self.violation("parameter-name-missing", "query", start)
            yield from self.lexical_faults(c, start, start + len(name), _NO_NAME, "query")
            bodies += lower(name) == "body"
            if lower(name) == "body" and bodies > 1:  # "MUST only appear once"
                yield self.violation("parameter-duplicate", "query", start)
            start += len(name)
            if value is None:
                yield self.violation("parameter-value-missing", "query", start)
            else:
                yield from self.faults(c, "query", start + 1, start + 1 + len(value), UNRESERVED)

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        if components.host is None:
            normal = normal.replace(path=",".join(map(normal_subscriber, (components.path or "").split(","))))
        return normal if normal.query is None else normal.replace(query=normal_names(normal.query))

    def equivalent(self, a: Components, b: Components) -> bool:
        """The same set of recipients, by the rules of tel, and the same fields (section 2.4)."""
        if a.host is not None or b.host is not None:
            return super().equivalent(a, b)
        return _fields(a) == _fields(b) and _recipients(a) == _recipients(b)

    def compose(self, parts: Any) -> str:
        recipients = parts.recipients if parts.recipients is not None else parts.numbers or ()
        pairs = parts.query_params
        if pairs is None:
            pairs = () if parts.body is None else (("body", parts.body),)
        query = "?" + written_fields(pairs, "&", UNRESERVED, UNRESERVED) if pairs else ""
        return ",".join(map(_written, recipients)) + query


def _fields(c: Components) -> tuple[tuple[str, str | None], ...]:
    if not c.query:
        return ()
    return tuple(
        [(lower(decode(name)), None if value is None else decode(value)) for _, name, value in fields(c.query)]
    )


def _recipients(c: Components) -> frozenset[str]:
    return frozenset(map(normal_subscriber, (c.path or "").split(",")))


def _recipient(written: str) -> str:
    """A recipient of SmsParts."""
    return decode(_SEMICOLON.sub("%25", written))


def _written(recipient: str) -> str:
    """A recipient as it is written: number and values are encoded again."""
    number, semicolon, parameters = recipient.partition(";")
    pairs = [
        (name, None if value is None else decode(value))
        for _, name, value in (fields(parameters, ";") if semicolon else ())
    ]
    return written_subscriber(number, pairs)
