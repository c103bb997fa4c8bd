"""hdl: handles (RFC 3650, RFC 3651). The scheme was never registered, but many people write "hdl:" before a handle."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH, PCHAR, lower_letters, normal_escapes
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Hdl", "HdlParts"]

_EMPTY_LABEL = re.compile(r"(?:^|\.|%2[Ee])(?=\.|%2[Ee]|\Z)")


class HdlParts(Parts):
    """A handle in the Handle System.

    Attributes:
        prefix: the naming authority, decoded
        suffix: the local name, decoded
        query: the query as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("hdl:10.1045/july95-arms", "hdl").prefix
        '10.1045'
    """

    prefix: str
    suffix: str = ""
    query: str | None = None


class Hdl(Scheme[HdlParts]):
    """<Handle> = <NamingAuthority> "/" <LocalName>; a naming authority consists of labels separated by ".", and a local
    name may contain any bytes"""

    names: ClassVar[tuple[str, ...]] = ("hdl",)
    title = "Handle System"
    reference = "RFC 3651 section 2"
    example = "hdl:10.1045/july95-arms"
    hierarchical = False
    authority = "forbidden"
    joined: ClassVar[tuple[str, ...]] = ("{prefix}/{suffix}",)
    in_text = "dotted"
    rules: ClassVar[dict[str, str]] = {
        "hdl-prefix-missing": "the naming authority is missing",
        "hdl-prefix-invalid": "the naming authority has an empty label",
        "hdl-suffix-missing": '"/" and a local name must follow the naming authority',
    }

    def read_parts(self, components: Components) -> HdlParts:
        prefix, _, suffix = (components.path or "").partition("/")
        return HdlParts(decode(prefix), decode(suffix), components.query)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        if components.host is not None:
            return  # an authority is forbidden, so the path is not checked
        start, end = components.span("path") or (0, 0)
        prefix, slash, _ = components.text[start:end].partition("/")
        if not prefix:
            yield self.violation("hdl-prefix-missing", "path", start)
        else:
            for label in _EMPTY_LABEL.finditer(prefix):
                yield self.violation("hdl-prefix-invalid", "path", start + label.end())
        if not slash:
            yield self.violation("hdl-suffix-missing", "path", end)

    def normalize(self, components: Components) -> Components:
        """Normalise. ASCII letters "in <NamingAuthority>" are "case insensitive", so they are lowercased. In the local
        name they do not change, because each service decides whether case matters. Needless escapes are decoded,
        because a handle consists of bytes."""
        n = super().normalize(components)
        prefix, slash, suffix = (n.path or "").partition("/")
        if n.host is not None or not prefix:  # if "/%2F" were decoded, the path would begin an authority
            return n
        return n.replace(
            path=lower_letters(normal_escapes(prefix, PCHAR)) + slash + normal_escapes(suffix, GENERIC_PATH)
        )

    def write_parts(self, parts: Any) -> str:
        handle = f"{PCHAR.encode(parts.prefix or '')}/{GENERIC_PATH.encode(parts.suffix or '')}"
        return handle if parts.query is None else f"{handle}?{parts.query}"
