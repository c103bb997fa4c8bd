"""urn (RFC 8141)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import Characters, normal_escapes
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Urn", "UrnParts", "is_urn"]

_UUID = re.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_NID = re.compile("[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]")  # NID = (alphanum) 0*30(ldh) (alphanum)
_NOTHING = Characters("")


class UrnParts(Parts):
    """A name from a registered namespace.

    Attributes:
        nid: the namespace, in lower case ("isbn")
        nss: the name in the namespace, as written
        r_component: the r-component (parameters for the resolver), as written; None if absent
        q_component: the q-component (parameters for the resource), as written; None if absent
        f_component: the f-component (the fragment), as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("urn:isbn:0451450523", "urn").nss
        '0451450523'
    """

    nid: str
    nss: str
    r_component: str | None = None
    q_component: str | None = None
    f_component: str | None = None

    @property
    def assigned_name(self) -> str:
        """The name in normal form, without its components. It is the same for all equivalent URNs (RFC 8141 section
        3.1)."""
        return f"urn:{self.nid}:{_normal_name(self.nid, self.nss)}"


class Urn(Scheme[UrnParts]):
    names: ClassVar[tuple[str, ...]] = ("urn",)
    title = "Uniform resource name"
    reference = "RFC 8141 section 2"
    example = "urn:example:weather?+CCResolve:cc=uk?=op=map&lat=39.56#temperature"
    hierarchical = False
    authority = "forbidden"
    joined: ClassVar[tuple[str, ...]] = ("urn:{nid}:{nss}",)
    in_text = "namespace"
    rules: ClassVar[dict[str, str]] = {
        "urn-nid-invalid": "the namespace must be 2 to 32 letters, digits and inner hyphens",
        "urn-nss-missing": "the name after the namespace is missing",
        "urn-component-invalid": '"?" must be followed by "+" or "="',
        "urn-component-missing": "the r- or q-component is empty",
    }

    def read_parts(self, components: Components) -> UrnParts:
        path = components.path or ""
        nid, colon, nss = path.partition(":")
        if not colon:
            raise self.refusal(components, "urn-nss-missing", "path", (components.span("path") or (0, 0))[1])
        return UrnParts(lower(nid), nss, *_components(components.query), components.fragment)

    def normalize(self, components: Components) -> Components:
        """Lowercase the scheme and the NID, and uppercase the digits of escapes; "percent-encoded characters MUST NOT
        be decoded" (RFC 8141 section 3.1). All components are kept. A UUID is lowercased (RFC 9562 section 4)."""
        nid, colon, nss = (components.path or "").partition(":")
        return components.replace(
            scheme=None if components.scheme is None else lower(components.scheme),
            path=lower(nid) + colon + _normal_name(lower(nid), nss),
            query=None if components.query is None else normal_escapes(components.query, _NOTHING),
            fragment=None if components.fragment is None else normal_escapes(components.fragment, _NOTHING),
        )

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether a and b are URN-equivalent (RFC 8141 section 3.1). Only the assigned names are compared; the
        r-, q- and f-components "MUST NOT be taken into account"."""
        return self._assigned(a) == self._assigned(b)

    def _assigned(self, c: Components) -> Components:
        # a query that begins neither with "+" nor with "=" is not a component of a URN, so it belongs to the name
        query = None if c.query and c.query[0] in "+=" else c.query
        return self.normalize(c.replace(scheme=self.names[0], query=query, fragment=None))

    def write_parts(self, parts: Any) -> str:
        return (
            f"{parts.nid or ''}:{parts.nss or ''}"
            + ("" if parts.r_component is None else "?+" + parts.r_component)
            + ("" if parts.q_component is None else "?=" + parts.q_component)
            + ("" if parts.f_component is None else "#" + parts.f_component)
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        if components.host is not None:
            return  # an authority is forbidden, so the path is not checked
        nid, _, nss = components.text[start:end].partition(":")
        if not _NID.fullmatch(nid):
            yield self.violation("urn-nid-invalid", "path", start + _first_wrong(nid))
        if not nss:
            yield self.violation("urn-nss-missing", "path", end)
        elif nss[0] == "/":  # NSS = pchar *(pchar / "/")
            yield self.violation("character-not-allowed", "path", start + len(nid) + 1)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        where = components.span("query")
        if where is None:
            return
        start = where[0]
        r_component, q_component = _components(components.query)
        if r_component is None and q_component is None:
            yield self.violation("urn-component-invalid", "query", start - 1)
        for component in (r_component, q_component):
            if component is not None:
                start += 1  # past the "+" or "="
                if not component:
                    yield self.violation("urn-component-missing", "query", start)
                elif component[0] in "/?":  # r-component = pchar *( pchar / "/" / "?" ), likewise the q-component
                    yield self.violation("character-not-allowed", "query", start)
                start += len(component) + 1


def _normal_name(nid: str, nss: str) -> str:
    """Return the NSS in normal form. In the namespace "uuid" it is lowercased; in other namespaces its case does not
    change."""
    return lower(nss) if nid == "uuid" and _UUID.fullmatch(nss) else normal_escapes(nss, _NOTHING)


def is_urn(text: str) -> bool:
    """Return whether the text is a URN according to RFC 8141 section 2."""
    c = split(text, dialect="rfc3986")
    return c.scheme is not None and lower(c.scheme) == "urn" and not any(Urn().violations(c))


def _components(query: str | None) -> tuple[str | None, str | None]:
    """Return the r-component and the q-component of [ "?+" r-component ] [ "?=" q-component ]. The first "?=" ends the
    r-component."""
    if query is None or not query.startswith(("+", "=")):
        return None, None
    if query[0] == "=":
        return None, query[1:]
    r_component, found, q_component = query[1:].partition("?=")
    return r_component, q_component if found else None


def _first_wrong(nid: str) -> int:
    """Return the position of the fault in text that is not an NID. The fault is a hyphen at either end, a character
    that is not allowed, or the 33rd character. If the text is too short, the position is 0."""
    fault = re.search(r"^-|[^A-Za-z0-9-]|-\Z", nid[:33])
    return fault.start() if fault is not None else 32 if len(nid) > 32 else 0
