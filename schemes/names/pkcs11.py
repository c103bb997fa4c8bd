"""pkcs11 (RFC 7512): the attributes of an object in a key store, and how to open the store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from urlsm.components.parts import Parts
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.errors.secret_names import SECRETS
from urlsm.schemes.characters import UNRESERVED, Characters
from urlsm.schemes.fields import Field, Parameters, QueryParams
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Pkcs11", "Pkcs11Parts"]

_PATH = UNRESERVED + ":[]@!$'()*+,=&"  # pk11-path-res-avail
_QUERY = UNRESERVED + ":[]@!$'()*+,=/?|"  # pk11-query-res-avail
_TEXTS = ("token", "manufacturer", "serial", "model", "library-manufacturer", "library-description", "object", "type")
_ATTRIBUTES = Parameters(
    *(Field(name, repeat="forbid") for name in (*_TEXTS, "library-version", "slot-description", "slot-manufacturer")),
    Field("slot-id", "number", repeat="forbid"),
    Field("id", "bytes", repeat="forbid"),
    separator=";",
    equals=True,
    repeat="forbid",
    names=UNRESERVED,
    values=_PATH,
)
_OPENING = Parameters(
    *(Field(name, repeat="forbid") for name in ("pin-source", "pin-value", "module-name", "module-path")),
    equals=True,
    repeat="all",  # "vendor-specific query attributes MAY be used multiple times"
    names=UNRESERVED,
    values=_QUERY,
)
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_TYPES = ("public", "private", "cert", "secret-key", "data")


class Pkcs11Parts(Parts):
    """A key, certificate or other object in a PKCS #11 token.

    All strings are decoded.

    Attributes:
        token: the label of the token; None if absent
        manufacturer: the manufacturer of the token; None if absent
        serial: the serial number of the token; None if absent
        model: the model of the token; None if absent
        library_manufacturer: the manufacturer of the library; None if absent
        library_description: the description of the library; None if absent
        library_version: the version of the library; None if absent
        object: the label of the object; None if absent
        type: the class of the object, such as "private"; None if absent
        id: the identifier of the object, as bytes; None if absent
        slot_description: the description of the slot; None if absent
        slot_manufacturer: the manufacturer of the slot; None if absent
        slot_id: the number of the slot; None if absent
        pin_source: the file or URL that contains the PIN; None if absent
        pin_value: the PIN, which repr masks; None if absent
        module_name: the name of the library to load; None if absent
        module_path: the path of the library to load; None if absent
        vendor_attributes: other attributes in the path as sorted (name, value) pairs
        vendor_params: other attributes in the query as sorted (name, value) pairs

    Example:
        >>> import urlsm
        >>> urlsm.parts("pkcs11:token=My%20token;object=my-key;id=%69%95", "pkcs11").token
        'My token'
    """

    token: str | None = None
    manufacturer: str | None = None
    serial: str | None = None
    model: str | None = None
    library_manufacturer: str | None = None
    library_description: str | None = None
    library_version: str | None = None
    object: str | None = None
    type: str | None = None
    id: bytes | None = None
    slot_description: str | None = None
    slot_manufacturer: str | None = None
    slot_id: int | None = None
    pin_source: str | None = None
    pin_value: str | None = None
    module_name: str | None = None
    module_path: str | None = None
    vendor_attributes: QueryParams = ()
    vendor_params: QueryParams = ()


_FIELDS = Pkcs11Parts._fields[:-2]
_OF_QUERY = ("pin-source", "pin-value", "module-name", "module-path")


class Pkcs11(Scheme[Pkcs11Parts]):
    """pk11-URI = "pkcs11:" pk11-path [ "?" pk11-query ]; pk11-path = [ pk11-pattr *(";" pk11-pattr) ]"""

    names: ClassVar[tuple[str, ...]] = ("pkcs11",)
    title = "Key or certificate in a token"
    reference = "RFC 7512 section 2.3"
    example = "pkcs11:token=My%20token;object=my-key;type=private;id=%69%95?module-name=mypkcs11"
    hierarchical = False
    authority = "forbidden"
    fragment = "forbidden"
    path_characters: ClassVar[Characters] = _PATH + ";"
    query_characters: ClassVar[Characters] = _QUERY + "&"
    in_text = "[a-z][a-z0-9-]{1,63}="
    secrets: ClassVar[tuple[str, ...]] = SECRETS["pkcs11"]
    equal_by_parts = True  # the order of attributes is free (section 2.6)
    query_fields: ClassVar[Parameters | None] = _OPENING
    rules: ClassVar[dict[str, str]] = {
        "pkcs11-library-version-invalid": "the library version must be one or two numbers",
        "pkcs11-type-unknown": "the type must be public, private, cert, secret-key or data",
        "pkcs11-pin-in-path": "a PIN belongs in the query, which programs keep out of logs",
        "pkcs11-pin-command": 'a program may run the command after "|"',
        "pkcs11-pin-twice": "pin-source and pin-value cannot be used together",
    }

    def read_parts(self, components: Components) -> Pkcs11Parts:
        path, query = components.path or "", components.query or ""
        found = {**_ATTRIBUTES.values_of(path), **_OPENING.values_of(query)} if path or query else {}
        values: dict[str, Any] = {name: found.get(name.replace("_", "-")) for name in _FIELDS}
        vendors = _others(_ATTRIBUTES, path), _others(_OPENING, query)
        return Pkcs11Parts(**values, vendor_attributes=vendors[0], vendor_params=vendors[1])

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            after = at + len(name) + (value is not None)
            if name == "library-version" and not _VERSION.fullmatch(value or ""):
                yield self.violation("pkcs11-library-version-invalid", "path", after)
            elif name == "type" and value not in _TYPES:
                yield self.violation("pkcs11-type-unknown", "path", after)
            elif name in _OF_QUERY[:2]:
                yield self.violation("pkcs11-pin-in-path", "path", at)

        if start < end:
            yield from _ATTRIBUTES.violations(self, components, "path", start, end, further)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        where = components.span("query")
        if where is None or where[0] == where[1]:
            return
        names = {name for _, name, _ in _OPENING.within(components.text, *where)}

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            if name == "pin-source" and (value or "").startswith(("|", "%7C", "%7c")):
                yield self.violation("pkcs11-pin-command", "query", at + len("pin-source="), "warning")
            if name == "pin-value" and "pin-source" in names:
                yield self.violation("pkcs11-pin-twice", "query", at)

        yield from _OPENING.violations(self, components, "query", *where, further)

    def normalize(self, components: Components) -> Components:
        """Normalise, but decode no escapes, because the examples in the RFC contain needless escapes in an id."""
        return self.normal_form(components, UNRESERVED - UNRESERVED.allowed)

    def nested(self, components: Components) -> Iterable[str]:
        source = _OPENING.values_of(components.query or "").get("pin-source")
        return (source,) if source is not None and ":" in source else ()

    def write_parts(self, parts: Any) -> str:
        given = [
            (name.replace("_", "-"), value) for name in _FIELDS if (value := getattr(parts, name, None)) is not None
        ]
        path = [*(pair for pair in given if pair[0] not in _OF_QUERY), *(parts.vendor_attributes or ())]
        query = [*(pair for pair in given if pair[0] in _OF_QUERY), *(parts.vendor_params or ())]
        written = ";".join([f"{UNRESERVED.encode(name)}={_value(value)}" for name, value in path])
        return written + _OPENING.composed(query)


def _others(table: Parameters, text: str) -> QueryParams:
    pairs = table.read(text) if text else ()
    return tuple(sorted([pair for pair in pairs if pair[0] not in table.known], key=str))


def _value(value: object) -> str:
    if isinstance(value, (bytes, bytearray)):
        return "".join([f"%{octet:02X}" for octet in value])
    return (_PATH - "[]").encode("" if value is None else str(value))
