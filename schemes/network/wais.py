"""wais: wide area information servers (RFC 4156)."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH, PCHAR, QUERY, Characters, normal_escapes
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import HSEGMENT, UCHAR, Rfc1738

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["StrictWais", "Wais", "WaisParts"]


class WaisParts(Parts):
    """A database or a document on a WAIS server.

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        database: the database, decoded; None if absent
        search: the words to search for, decoded; None if absent
        document_type: the type of a document, decoded; None if absent
        document_id: the identifier of the document, decoded; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("wais://wais.example/database?search%20words", "wais").search
        'search words'
    """

    host: str | None = None
    port: int | None = None
    database: str | None = None
    search: str | None = None
    document_type: str | None = None
    document_id: str | None = None


class Wais(Scheme[WaisParts]):
    """wais://<host>:<port>/<database>, with ?<search> or /<wtype>/<wpath> after it"""

    names: ClassVar[tuple[str, ...]] = ("wais",)
    title = "Wide area information server"
    reference = "RFC 4156 section 2"
    example = "wais://wais.example.org/database?search%20words"
    default_port: ClassVar[int | None] = 210
    authority = "required"
    userinfo = "forbidden"
    host = "required"
    hierarchical = False
    path = "required"
    database_characters: ClassVar[Characters] = PCHAR
    document_characters: ClassVar[Characters] = GENERIC_PATH
    joined: ClassVar[tuple[str, ...]] = ("{database}/{document_type}",)
    rules: ClassVar[dict[str, str]] = {
        "wais-document-incomplete": "the document's path is missing after its type",
    }

    def read_parts(self, components: Components) -> WaisParts:
        _, _, host, port = server(components)
        path, query = components.path or "", components.query
        found = path.removeprefix("/").split("/", 2) if path else []
        database, document_type, document_id = [*map(decode, found), None, None, None][:3]
        search = None if query is None else decode(query)
        return WaisParts(host, port, database, search, document_type, document_id)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        if start == end:
            yield self.violation("path-missing", "path", start)
        kind = components.text.find("/", start + 1, end)
        document = end if kind < 0 else components.text.find("/", kind + 1, end)
        if document < 0:
            yield self.violation("wais-document-incomplete", "path", end)
            document = end
        yield from self.faults(components, "path", start, document, self.path_characters)
        yield from self.faults(components, "path", document + 1, end, self.document_characters)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        where = components.span("query")
        if where is not None and "/" in (components.path or "")[1:]:  # only databases are searched, not documents
            yield self.violation("query-not-allowed", "query", where[0] - 1)
        yield from super().query_violations(components)

    def normalize(self, components: Components) -> Components:
        n = super().normalize(components)
        pieces = (n.path or "").split("/", 3)  # the first piece is empty
        # needless escapes mean the same as the characters
        path = [normal_escapes(piece, self.database_characters) for piece in pieces[:3]]
        path += [normal_escapes(piece, self.document_characters) for piece in pieces[3:]]
        query = None if n.query is None else normal_escapes(n.query, self.query_characters)
        return n.replace(path="/".join(path), query=query)

    def write_parts(self, parts: Any) -> str:
        path = "/" + PCHAR.encode(parts.database or "")
        if parts.document_type is not None:
            path += "/" + PCHAR.encode(parts.document_type)
        if parts.document_id is not None:
            path += "/" + GENERIC_PATH.encode(parts.document_id)
        if parts.search is not None:
            path += "?" + QUERY.encode(parts.search)
        return self.composed_authority(host=parts.host, port=parts.port) + path


class StrictWais(Rfc1738[WaisParts], Wais):
    """waisdatabase = "wais://" hostport "/" database; waisindex = waisdatabase "?" search;
    waisdoc = waisdatabase "/" wtype "/" wpath; database, wtype, wpath = *uchar"""

    query = "allowed"
    path_characters: ClassVar[Characters] = UCHAR + "/"
    database_characters: ClassVar[Characters] = UCHAR
    document_characters: ClassVar[Characters] = UCHAR
    query_characters = HSEGMENT


Wais.strict = StrictWais
