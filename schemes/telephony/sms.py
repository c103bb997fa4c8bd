"""sms (RFC 5724)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import UNRESERVED
from urlsm.schemes.fields import Field, Parameters, QueryParams
from urlsm.schemes.telephony.tel import Subscribers, normal_subscriber, read_subscriber, written_subscriber

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Sms", "SmsParts"]

_FIELDS = Parameters(
    Field("body", repeat="forbid"),  # "MUST only appear once"
    fold=True,
    equals=True,
    names=UNRESERVED,
    values=UNRESERVED,
    no_name=re.compile("[^A-Za-z0-9._~-]+"),  # sms-field-ext = 1*( unreserved )
)
_PARAMETERS = Parameters(separator=";")  # the parameters of a recipient
_SEMICOLON = re.compile("%(?=3[Bb]|25)")


class SmsParts(Parts):
    """A text message to send.

    Attributes:
        recipients: the telephone numbers with their separators and parameters, where %3B and %25 are not decoded
        numbers: the telephone numbers without separators and parameters
        body: the text of the message; None if absent
        query_params: the fields as (name, value) pairs, decoded, with names in lower case; a value is None if there is
            no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("sms:+1-510-555-0101?body=hello%20there", "sms").body
        'hello there'
    """

    recipients: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    body: str | None = None
    query_params: tuple[tuple[str, str | None], ...] = ()


class Sms(Subscribers[SmsParts]):
    """sms-uri = scheme ":" sms-hier-part [ "?" sms-fields ]; sms-hier-part = sms-recipient *( "," sms-recipient );
    sms-fields = sms-field *( "&" sms-field ); sms-field = sms-field-name "=" escaped-value"""

    names: ClassVar[tuple[str, ...]] = ("sms",)
    title = "Short message"
    reference = "RFC 5724 section 2.2"
    example = "sms:+1-510-555-0101,863-1234;phone-context=+1-914-555?body=hello%20there"
    query_characters = UNRESERVED  # escaped-value = *( unreserved / pct-encoded )
    query_fields: ClassVar[Parameters | None] = _FIELDS
    rules: ClassVar[dict[str, str]] = {
        "sms-recipient-missing": "this recipient is empty",
    }

    def read_parts(self, components: Components) -> SmsParts:
        recipients = [recipient for recipient in self.address(components).split(",") if recipient]
        numbers = [read_subscriber(recipient).number for recipient in recipients]
        pairs = _fields(components)
        body = next((value for name, value in pairs if name == "body"), None)
        return SmsParts(tuple(map(_recipient, recipients)), tuple(numbers), body, pairs)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        for recipient in components.text[start:end].split(","):
            if recipient:
                yield from self.subscriber_violations(components, start, start + len(recipient))
            else:
                yield self.violation("sms-recipient-missing", "path", start)
            start += len(recipient) + 1

    def query_violations(self, components: Components) -> Iterator[Violation]:
        where = components.span("query")
        return iter(()) if where is None else _FIELDS.violations(self, components, "query", *where)

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        if components.host is None:
            normal = normal.replace(path=",".join(map(normal_subscriber, (components.path or "").split(","))))
        return normal if normal.query is None else normal.replace(query=_FIELDS.normal(normal.query))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the recipients are the same set according to the rules for tel, and the fields are equal
        (section 2.4)."""
        if a.host is not None or b.host is not None:
            return super().equivalent(a, b)
        return _fields(a) == _fields(b) and _recipients(a) == _recipients(b)

    def write_parts(self, parts: Any) -> str:
        recipients = parts.recipients if parts.recipients is not None else parts.numbers or ()
        pairs = parts.query_params
        if pairs is None:
            pairs = () if parts.body is None else (("body", parts.body),)
        query = _FIELDS.composed(pairs)
        return ",".join(map(_written, recipients)) + query


def _fields(c: Components) -> QueryParams:
    return _FIELDS.read(c.query) if c.query else ()


def _recipients(c: Components) -> frozenset[str]:
    return frozenset(map(normal_subscriber, (c.path or "").split(",")))


def _recipient(written: str) -> str:
    """Return a recipient in the form that SmsParts uses: decoded, except for %3B and %25."""
    return decode(_SEMICOLON.sub("%25", written))


def _written(recipient: str) -> str:
    """Return a recipient from SmsParts with its number and values encoded again."""
    number, semicolon, written = recipient.partition(";")
    return written_subscriber(number, _PARAMETERS.read(written) if semicolon else ())
