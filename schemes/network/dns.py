"""dns: data in the Domain Name System (RFC 4501)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, PCHAR, Characters, lower_letters, normal_escapes
from urlsm.schemes.fields import Field, Parameters
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Dns", "DnsParts"]

VALUE = Characters(ALPHA + DIGIT + "-*")  # the characters of mnemonics and numbers
# matches the characters of VALUE, and escapes of them
_VALUE = re.compile("(?:[A-Za-z0-9*-]|%(?:2[ADad]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]))*")
# dnsqueryelement = ( "CLASS=" dnsclassval ) / ( "TYPE=" dnstypeval ), each at most once. Other parameters are not
# allowed, because they could serve as a covert channel (section 6)
_ELEMENTS = Parameters(
    Field("class", repeat="forbid"), Field("type", repeat="forbid"), separator=";", fold=True, closed=True
)


class DnsParts(Parts):
    """DNS records for a name.

    Attributes:
        host: the server to query, decoded, in lower case, without brackets; None if absent
        port: the port; None if absent
        name: the domain name, decoded, with its case and the escapes of RFC 1035 unchanged; "" is the root
        dns_class: the class of the records, as a mnemonic in upper case or a number
        dns_type: the type of the records, as a mnemonic in upper case or a number

    Example:
        >>> import urlsm
        >>> urlsm.parts("dns:www.example.org?type=TXT", "dns").dns_type
        'TXT'
    """

    host: str | None = None
    port: int | None = None
    name: str = ""
    dns_class: str = "IN"
    dns_type: str = "A"


class Dns(Scheme[DnsParts]):
    """dnsurl = "dns:" [ "//" dnsauthority "/" ] dnsname [ "?" dnsquery ]; dnsauthority = host [ ":" port ];
    dnsname = *pchar; dnsquery = dnsqueryelement [ ";" dnsquery ];
    dnsqueryelement = ( "CLASS=" dnsclassval ) / ( "TYPE=" dnstypeval ), each at most once"""

    names: ClassVar[tuple[str, ...]] = ("dns",)
    title = "DNS data"
    reference = "RFC 4501 section 3"
    example = "dns://192.0.2.1/www.example.org?CLASS=IN;TYPE=TXT"
    default_port: ClassVar[int | None] = 53
    authority = "optional"
    userinfo = "forbidden"
    host = "required"
    hierarchical = False
    path_characters = PCHAR
    query_fields: ClassVar[Parameters | None] = _ELEMENTS
    in_text = "dotted"

    def read_parts(self, components: Components) -> DnsParts:
        _, _, host, port = server(components)
        name = components.path or ""
        if components.host is not None:
            name = name.removeprefix("/")
        return DnsParts(host, port, decode(name), *_class_and_type(components.query or ""))

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        if components.host is not None:
            if start == end:
                yield self.violation("path-missing", "path", start)
            start += 1  # the "/" that ends the authority
        yield from self.faults(components, "path", start, end, self.path_characters)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        where = components.span("query")
        if where is None:
            return
        wrong = [*_ELEMENTS.violations(self, components, "query", *where)]
        yield from wrong
        places = {violation.position for violation in wrong}  # where wrong names begin; their values are not checked
        for at, name, value in _ELEMENTS.within(components.text, *where):
            start = at + len(name) + (value is not None)
            if at in places:
                continue
            if not value:
                yield self.violation("parameter-value-missing", "query", start)
            elif not _VALUE.fullmatch(value):
                yield self.violation("character-not-allowed", "query", start + _mnemonic_end(value))

    def normalize(self, components: Components) -> Components:
        """Normalise. Domain names "are case insensitive", so they are lowercased. The class is written before the type,
        and each is left out if it has its default value."""
        n = super().normalize(components)
        path = lower_letters(normal_escapes(n.path or "", PCHAR))
        if n.query is None or any(self.query_violations(n)):
            return n.replace(path=path)
        return n.replace(path=path, query=_query(*_class_and_type(n.query)) or None)

    def write_parts(self, parts: Any) -> str:
        authority = self.composed_authority(host=parts.host, port=parts.port)
        query = _query(parts.dns_class, parts.dns_type)
        return authority + ("/" if authority else "") + PCHAR.encode(parts.name or "") + (f"?{query}" if query else "")


def _class_and_type(query: str) -> tuple[str, str]:
    """Return the class and the type that a dnsquery asks for. The first of each counts."""
    found: dict[str, str] = {}
    for name, value in _ELEMENTS.read(query):
        if value:
            found.setdefault(name, _upper(value))
    return found.get("class", "IN"), found.get("type", "A")


def _query(dns_class: str | None, dns_type: str | None) -> str:
    """Return the dnsquery for a class and a type. Defaults are left out."""
    elements = (("CLASS", dns_class, "IN"), ("TYPE", dns_type, "A"))
    return ";".join(
        [f"{name}={VALUE.encode(_upper(value))}" for name, value, default in elements if value not in (None, default)]
    )


def _mnemonic_end(value: str) -> int:
    """Return the length of the mnemonic or number at the beginning of value."""
    found = _VALUE.match(value)
    return 0 if found is None else found.end()


def _upper(text: str) -> str:
    return text.upper() if text.isascii() else text
