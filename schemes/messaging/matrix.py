"""matrix: Matrix users, rooms and events."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR, UNRESERVED
from urlsm.schemes.fields import Field, Parameters, QueryParams
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Matrix", "MatrixParts"]

_SIGILS = {"u": "@", "r": "#", "roomid": "!"}
_DEPRECATED = {"user": "u", "room": "r", "event": "e"}
_CHARACTERS = PCHAR - "/"
_ACTIONS = {"join": ("r", "roomid"), "chat": ("u",)}


class MatrixParts(Parts):
    """A Matrix user, room or event.

    Attributes:
        kind: "u" for a user, "r" for a room alias, "roomid" for a room ID
        id: the identifier, decoded, without its sigil
        event: the event ID, decoded, without its sigil; None if absent
        via: the servers through which to reach the room
        action: "join" or "chat", which a client performs only if its user agrees; None if absent
        query_params: the other parameters as (name, value) pairs, decoded
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("matrix:r/python:example.org?action=join", "matrix").id
        'python:example.org'
    """

    kind: str | None = None
    id: str | None = None
    event: str | None = None
    via: tuple[str, ...] = ()
    action: str | None = None
    query_params: QueryParams = ()
    host: str | None = None
    port: int | None = None


class Matrix(Scheme[MatrixParts]):
    """ "matrix:" type "/" id [ "/e/" event ] [ "?" parameters ]"""

    names: ClassVar[tuple[str, ...]] = ("matrix",)
    title = "Matrix user, room or event"
    reference = "Matrix specification 1.2, Matrix URI scheme"
    reference_date = "2022-02-02"
    example = "matrix:roomid/somewhere:example.org/e/event?via=elsewhere.example"
    hierarchical = False
    userinfo = "forbidden"
    in_text: ClassVar[str] = r"(?i:u|user|r|room|roomid)/[A-Za-z0-9%_\x80-\xFF]"
    parameters: ClassVar[Parameters] = Parameters(
        Field("action", repeat="last"), Field("via", repeat="all"), fold=True, named=False, names=UNRESERVED
    )
    joined: ClassVar[tuple[str, ...]] = ("{kind}/{id}",)
    rules: ClassVar[dict[str, str]] = {
        "matrix-authority": "the authority is reserved and has no meaning yet",
        "matrix-path-invalid": "the path must be a type and an identifier, or two such pairs for an event",
        "matrix-kind-unknown": "the type must be u, r or roomid, or e after a room",
        "matrix-kind-deprecated": "user, room and event are deprecated: write u, r and e",
        "matrix-id-missing": "the identifier is missing",
        "matrix-action": "the action must be join (for a room) or chat (for a user)",
        "matrix-via-invalid": "this must be a host, with or without a port",
    }

    def _cut(self, c: Components) -> list[tuple[int, str]]:
        """Return the start and the text of each path segment, as written."""
        at, end = c.span("path") or (0, 0)
        at = min(at + (c.host is not None), end)
        found: list[tuple[int, str]] = []
        for segment in c.text[at:end].split("/"):
            found.append((at, segment))
            at += len(segment) + 1
        return found

    def read_parts(self, components: Components) -> MatrixParts:
        segments = [segment for _, segment in self._cut(components)]
        given = self.query_params(components)
        actions = [value for name, value in given if name == "action"]
        _, _, host, port = self.server(components)
        return MatrixParts(
            _type_of(segments[0]) or None,
            decode(segments[1]) if len(segments) > 1 else None,
            decode(segments[3]) if len(segments) > 3 else None,
            tuple([value for name, value in given if name == "via" and value is not None]),
            actions[-1] and lower(actions[-1]) if actions else None,
            tuple([pair for pair in given if pair[0] not in ("via", "action") and pair != ("", None)]),
            host,
            port,
        )

    def authority_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().authority_violations(components)
        if components.host is not None:
            yield self.violation("matrix-authority", "authority", (components.span("host") or (0, 0))[0], "warning")

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        found = self._cut(components)
        if len(found) not in (2, 4):
            yield self.violation("matrix-path-invalid", "path", found[min(len(found) - 1, 4)][0])
            return
        for k, (at, segment) in enumerate(found):
            if k % 2:
                if not segment:
                    yield self.violation("matrix-id-missing", "path", at)
                continue
            kind = _type_of(segment)
            if kind != lower(decode(segment)):
                yield self.violation("matrix-kind-deprecated", "path", at, "warning")
            if kind != "e" if k else kind not in _SIGILS or (kind == "u" and len(found) > 2):
                yield self.violation("matrix-kind-unknown", "path", at)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        last = None
        for at, name, value in self.parameters.of_query(components):
            key, start = self.parameters.key(name), at + len(name) + 1
            if key == "via" and not self._is_server(value or ""):
                yield self.violation("matrix-via-invalid", "query", min(start, at + len(name) + (value is not None)))
            elif key == "action":
                last = at, lower(decode(value or ""))
        if last is not None and _type_of(self._cut(components)[0][1]) not in _ACTIONS.get(last[1], ()):
            yield self.violation("matrix-action", "query", last[0], "warning")

    def _is_server(self, written: str) -> bool:
        """Return whether the text is authority = host [ ":" port ]."""
        found = split(f"//{decode(written)}", dialect="rfc3986")
        if not found.host or found.username is not None or found.path or found.query is not None:
            return False
        return found.fragment is None and not any(
            violation.severity == "error" for violation in (*self.host_violations(found), *self.port_violations(found))
        )

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 3986. Types are lowercased and replaced by their current names, and parameters are
        written the way build writes them. If the text is not a Matrix URI, it is only normalised according to RFC
        3986."""
        normal = super().normalize(components)
        if components.scheme is None or any(one.severity == "error" for one in self.violations(components)):
            return normal
        fragment = "" if normal.fragment is None else f"#{normal.fragment}"
        return split(f"matrix:{self.write_parts(self.read_parts(normal))}{fragment}", dialect=components.dialect)

    def write_parts(self, parts: Any) -> str:
        written = self.composed_authority(host=parts.host, port=parts.port)
        written += f"{'/' if written else ''}{parts.kind or ''}/{_CHARACTERS.encode(parts.id or '')}"
        if parts.event is not None:
            written += f"/e/{_CHARACTERS.encode(parts.event)}"
        given = [("action", parts.action)] if parts.action is not None else []
        given += [("via", server) for server in parts.via or ()]
        return written + self.parameters.composed([*given, *(parts.query_params or ())])

    def web_url(self, parts: Any) -> str | None:
        """Return the matrix.to URL (Matrix specification, "matrix.to navigation")."""
        if parts.kind not in _SIGILS or not parts.id:
            return None
        written = UNRESERVED.encode(_SIGILS[parts.kind] + parts.id)
        if parts.event:
            written += "/" + UNRESERVED.encode(f"${parts.event}")
        via = self.parameters.composed([("via", server) for server in parts.via or ()])
        return f"https://matrix.to/#/{written}{via}"


def _type_of(segment: str) -> str:
    """Return the current name of the type that a segment names."""
    written = lower(decode(segment))
    return _DEPRECATED.get(written, written)
