"""did: decentralized identifiers (W3C DID Core 1.0), and the host in did:web identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower, read_host
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, Characters
from urlsm.schemes.fields import Parameters, QueryParams, read_number
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Did", "DidParts"]

_IDENTIFIER = Characters(ALPHA + DIGIT + ".-_:")
_FIELDS = Parameters(named=False)
_METHOD = re.compile("[a-z0-9]+")
_WEB = re.compile(r"(?P<host>[^:%]+)(?:%3[Aa](?P<port>[0-9]+))?(?::(?P<path>.*))?", re.DOTALL)


class DidParts(Parts):
    """A decentralised identifier (DID), and a location in its document.

    Attributes:
        method: the method, such as "web"; None if absent
        id: the identifier after the method, as written; None if absent
        path: the path as written
        query: the query as written; None if absent
        host: the host of did:web, in lower case; None for other methods
        port: the port of did:web; None if absent
        segments: the path to the document of did:web, decoded
        query_params: the parameters of the query as (name, value) pairs, decoded and in order
        fragment: the fragment as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("did:web:example.com:user:ann#key-1", "did").segments
        ('user', 'ann')
    """

    method: str | None = None
    id: str | None = None
    path: str = ""
    query: str | None = None
    host: str | None = None
    port: int | None = None
    segments: tuple[str, ...] = ()
    query_params: QueryParams = ()
    fragment: str | None = None


class Did(Scheme[DidParts]):
    """did = "did:" method-name ":" method-specific-id; method-specific-id = *( *idchar ":" ) 1*idchar"""

    names: ClassVar[tuple[str, ...]] = ("did",)
    title = "Decentralized identifier"
    reference = "W3C DID Core 1.0 section 3"
    reference_date = "2022-07-19"
    example = "did:web:example.com%3A8443:user:alice?versionId=1#key-1"
    hierarchical = False
    authority = "forbidden"
    in_text = "namespace"
    query_fields: ClassVar[Parameters | None] = _FIELDS
    joined: ClassVar[tuple[str, ...]] = ("{method}:{id}{path}",)
    unreserved: ClassVar[Characters] = Characters("")  # none, because identifiers are compared letter by letter
    rules: ClassVar[dict[str, str]] = {
        "did-method-invalid": "the method must be lower-case letters and digits",
        "did-id-missing": "the identifier of the method is missing",
        "did-web-host-invalid": "did:web needs a host; write the port after %3A",
    }

    def read_parts(self, components: Components) -> DidParts:
        method, identifier, path = _cut(components.path or "")
        web = _WEB.fullmatch(identifier or "") if method == "web" else None
        return DidParts(
            method or None,
            identifier or None,
            path,
            components.query,
            None if web is None else read_host(web["host"]),
            None if web is None else read_number(web["port"] or ""),
            tuple(map(decode, web["path"].split(":"))) if web is not None and web["path"] else (),
            _FIELDS.read(components.query) if components.query else (),
            components.fragment,
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        method, identifier, path = _cut(components.path or "")
        if not _METHOD.fullmatch(method):
            yield self.violation("did-method-invalid", "path", start)
        at = start + len(method) + 1
        if not identifier or identifier.endswith(":"):
            yield self.violation("did-id-missing", "path", min(at + len(identifier or ""), end))
        elif method == "web":
            web = _WEB.fullmatch(identifier)
            if web is None or int((web["port"] or "0").lstrip("0")[:6] or "0") > 0xFFFF:
                yield self.violation("did-web-host-invalid", "path", at)
        yield from self.faults(components, "path", min(at, end), end - len(path), _IDENTIFIER)
        yield from self.faults(components, "path", end - len(path), end, self.path_characters)

    def normalize(self, components: Components) -> Components:
        """Lowercase the scheme. Nothing else changes."""
        return components if components.scheme is None else components.replace(scheme=lower(components.scheme))

    def write_parts(self, parts: Any) -> str:
        query = _FIELDS.composed(parts.query_params) if parts.query is None else f"?{parts.query}"
        fragment = "" if parts.fragment is None else f"#{parts.fragment}"
        return f"{parts.method or ''}:{parts.id or ''}{parts.path or ''}{query}{fragment}"

    def nested(self, components: Components) -> Iterator[str]:
        if found := self.web_url(self.read_parts(components)):
            yield found

    def web_url(self, parts: Any) -> str | None:
        """Return the URL of the document for a did:web identifier (did:web method specification, section 2.5.2)."""
        if not parts.host:
            return None
        port = "" if parts.port is None else f":{parts.port}"
        segments = (parts.id or "").split(":")[1:]
        return f"https://{parts.host}{port}/{'/'.join(segments) or '.well-known'}/did.json"


def _cut(path: str) -> tuple[str, str | None, str]:
    """Return the method, the identifier and the path, as written. The identifier is None if no ":" follows the
    method."""
    name, slash, rest = path.partition("/")
    method, colon, identifier = name.partition(":")
    return method, identifier if colon else None, slash + rest
