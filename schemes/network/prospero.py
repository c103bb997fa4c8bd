"""prospero: the Prospero Directory Service (RFC 4157)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH, Characters, normal_escapes
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import XCHAR, Rfc1738

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Prospero", "ProsperoParts", "StrictProspero"]

_FIELD = re.compile(";([^;=]*)(=?)([^;]*)")


class ProsperoParts(Parts):
    """An object in the Prospero directory service.

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        object_name: the name of the object, decoded; if it begins with "/", the path begins with "//"
        params: the fields as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("prospero://host.example/pros/name;version=2", "prospero").object_name
        'pros/name'
    """

    host: str | None = None
    port: int | None = None
    object_name: str = ""
    params: tuple[tuple[str, str | None], ...] = ()


class Prospero(Scheme[ProsperoParts]):
    """prospero://<host>:<port>/<hsoname>;<field>=<value>. The name is opaque, and slashes in it are not delimiters ("no
    significance may be assumed")."""

    names: ClassVar[tuple[str, ...]] = ("prospero",)
    title = "Prospero directory"
    reference = "RFC 4157 section 2"
    example = "prospero://prospero.example.org//pros/name;OBJECT-VERSION=2"
    default_port: ClassVar[int | None] = 1525
    authority = "required"
    userinfo = "forbidden"
    host = "required"
    hierarchical = False
    path = "required"
    query = "forbidden"
    path_characters: ClassVar[Characters] = GENERIC_PATH - ";"
    field_characters: ClassVar[Characters] = GENERIC_PATH - ";="
    value_characters: ClassVar[Characters] = GENERIC_PATH - ";"

    def read_parts(self, components: Components) -> ProsperoParts:
        _, _, host, port = server(components)
        name, *fields = (components.path or "").removeprefix("/").split(";")
        params = []
        for field in fields:
            key, equals, value = field.partition("=")
            params.append((decode(key), decode(value) if equals else None))
        return ProsperoParts(host, port, decode(name), tuple(params))

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        if start == end:
            yield self.violation("path-missing", "path", start)
        elif components.text[start] != "/":
            yield self.violation("path-not-absolute", "path", start)
        name_end = components.text.find(";", start, end)
        name_end = end if name_end < 0 else name_end
        yield from self.faults(components, "path", start, name_end, self.path_characters)
        for field in _FIELD.finditer(components.text, name_end, end):
            yield from self.faults(components, "path", *field.span(1), self.field_characters)
            if not field[2]:
                yield self.violation("parameter-value-missing", "path", field.end())
            yield from self.faults(components, "path", *field.span(3), self.value_characters)

    def normalize(self, components: Components) -> Components:
        n = super().normalize(components)
        if n.host is None:  # if "/%2F" were decoded, the path would begin an authority
            return n
        name, semicolon, fields = (n.path or "").partition(";")

        def normal(field: re.Match[str]) -> str:
            key = normal_escapes(field[1], self.field_characters)
            return f";{key}{field[2]}{normal_escapes(field[3], self.value_characters)}"

        return n.replace(path=normal_escapes(name, self.path_characters) + _FIELD.sub(normal, semicolon + fields))

    def write_parts(self, parts: Any) -> str:
        path = "/" + self.path_characters.encode(parts.object_name or "")
        for name, value in parts.params or ():
            path += ";" + self.field_characters.encode(name)
            if value is not None:
                path += "=" + self.value_characters.encode(value)
        return self.composed_authority(host=parts.host, port=parts.port) + path


class StrictProspero(Rfc1738[ProsperoParts], Prospero):
    """prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]; fieldspec = ";" fieldname "=" fieldvalue;
    ppath consists of psegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]; fieldname and fieldvalue are the same without
    "=" """

    path_characters: ClassVar[Characters] = XCHAR - ";"
    field_characters: ClassVar[Characters] = XCHAR - ";=/"
    value_characters: ClassVar[Characters] = field_characters


Prospero.strict = StrictProspero
