"""Schemes that only browsers support: blob (W3C File API), about (RFC 6694), javascript, view-source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH, PCHAR, QUERY, normal_escapes
from urlsm.schemes.generic import Scheme, after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = [
    "About",
    "AboutParts",
    "Blob",
    "BlobParts",
    "Javascript",
    "JavascriptParts",
    "ViewSource",
    "ViewSourceParts",
]


class BlobParts(Parts):
    """Data stored by a browser for the page that created it.

    Attributes:
        origin: the origin of the page; "null" if it is opaque
        uuid: the UUID of the entry in the browser's store, in lower case

    Example:
        >>> import urlsm
        >>> urlsm.parts("blob:https://example.org/40a5fb5a-d56d-4a33-b4e2-0acf6a8e5f64", "blob").origin
        'https://example.org'
    """

    origin: str
    uuid: str


class Blob(Scheme[BlobParts]):
    """ "blob:" origin "/" uuid [ "#" fragment ]"""

    names: ClassVar[tuple[str, ...]] = ("blob",)
    title = "Blob URL store"
    reference = "W3C File API section 8.2"
    example = "blob:https://example.org/40a5fb5a-d56d-4a33-b4e2-0acf6a8e5f64"
    hierarchical = False
    authority = "forbidden"
    query = "forbidden"
    joined: ClassVar[tuple[str, ...]] = ("{origin}/{uuid}",)
    in_text = "nested"
    rules: ClassVar[dict[str, str]] = {
        "blob-origin-invalid": "the origin is not valid",
        "blob-uuid-invalid": "the UUID is not valid",
    }

    def read_parts(self, components: Components) -> BlobParts:
        return BlobParts(*_origin_and_uuid(lower(components.path or "")))

    def nested(self, components: Components) -> Iterable[str]:
        """Return the origin of the content, unless it is opaque."""
        origin = _origin_and_uuid(components.path or "")[0]
        return (origin,) if ":" in origin else ()

    def normalize(self, components: Components) -> Components:
        """Lowercase everything except the fragment. Nothing before the fragment is decoded, because the store looks up
        URLs as they are written."""
        fragment = None if components.fragment is None else normal_escapes(components.fragment)
        scheme = None if components.scheme is None else lower(components.scheme)
        return components.replace(scheme=scheme, path=lower(components.path or ""), fragment=fragment)

    def write_parts(self, parts: Any) -> str:
        return f"{parts.origin or ''}/{parts.uuid or ''}"

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        if components.host is not None:
            return  # an authority is forbidden, so the path is not checked
        origin, uuid = _origin_and_uuid(components.text[start:end])
        if origin != "null" and any(_ORIGIN.violations(split(origin, dialect="rfc3986"))):
            yield self.violation("blob-origin-invalid", "path", start)
        if not _UUID.fullmatch(uuid):
            yield self.violation("blob-uuid-invalid", "path", min(start + len(origin) + 1, end))


class _Origin(Scheme):
    """The serialisation of an origin that is not opaque: scheme "://" host [ ":" port ] (HTML, section 7.1)"""

    authority = "required"
    host = "required"
    userinfo = "forbidden"

    def number_violations(self, components: Components, start: int, end: int) -> Iterator[Violation]:
        if start == end:  # a serialised origin has no ":" without a port
            yield self.violation("port-invalid", "port", start)
        yield from super().number_violations(components, start, end)


_ORIGIN = _Origin()
_UUID = re.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def _origin_and_uuid(path: str) -> tuple[str, str]:
    """Return the text before and the text after the first "/" that is not part of "://"."""
    found = re.match("[A-Za-z][A-Za-z0-9+.-]*://", path)
    slash = path.find("/", found.end() if found is not None else 0)
    return (path[:slash], path[slash + 1 :]) if slash >= 0 else (path, "")


class AboutParts(Parts):
    """A page that the browser itself creates.

    Attributes:
        token: the name of the page, decoded, such as "blank"
        query: the query as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("about:blank", "about").token
        'blank'
    """

    token: str
    query: str | None


class About(Scheme[AboutParts]):
    """about-uri = "about:" about-token [ about-query ] [ about-fragment ]; about-token = *pchar"""

    names: ClassVar[tuple[str, ...]] = ("about",)
    title = "Built-in resources"
    reference = "RFC 6694 section 2"
    example = "about:blank"
    hierarchical = False
    authority = "forbidden"
    path_characters = PCHAR
    in_text = "page"

    def read_parts(self, components: Components) -> AboutParts:
        return AboutParts(decode(components.path or ""), components.query)

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 3986. In the token, escapes of all characters that it may contain are decoded,
        because they mean the same as the characters."""
        return super().normalize(components).replace(path=normal_escapes(components.path or "", PCHAR))

    def write_parts(self, parts: Any) -> str:
        return self.path_characters.encode(parts.token or "") + ("" if parts.query is None else "?" + parts.query)


class JavascriptParts(Parts):
    """A script that the browser runs.

    Attributes:
        source: the script, decoded as UTF-8

    Example:
        >>> import urlsm
        >>> urlsm.parts("javascript:go(1)", "javascript").source
        'go(1)'
    """

    source: str


class Javascript(Scheme[JavascriptParts]):
    """The source is all the text after "javascript:", even if part of it looks like an authority, a query or a
    fragment. Browsers also accept characters that a URI cannot contain. Following such a link runs its author's
    script."""

    names: ClassVar[tuple[str, ...]] = ("javascript",)
    title = "Script"
    reference = "draft-hoehrmann-javascript-scheme-03"
    example = "javascript:doSomething(1)"
    hierarchical = False
    userinfo = "forbidden"
    port = "forbidden"
    in_text = "call"

    def read_parts(self, components: Components) -> JavascriptParts:
        return JavascriptParts(decode(components.rest))

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        start, end = after_scheme(components), len(components.text)
        fragment = components.span("fragment")
        if fragment is not None:
            yield from self.faults(components, "fragment", *fragment, QUERY)
            end = fragment[0] - 1
        yield from self.faults(components, "path", start, end, QUERY)

    def normalize(self, components: Components) -> Components:
        """Lowercase the scheme, and normalise escapes according to RFC 3986 section 6.2.2. Nothing else changes,
        because the text is a script."""
        return split(_scheme(components) + normal_escapes(components.rest), dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether a and b have the same source."""
        return decode(a.rest) == decode(b.rest)

    def write_parts(self, parts: Any) -> str:
        source = "#".join([QUERY.encode(text) for text in (parts.source or "").split("#", 1)])  # a URI may hold one "#"
        # a "/" at the beginning would begin an authority, or a path with dot segments
        return "%2F" + source[1:] if source.startswith("/") else source


class ViewSourceParts(Parts):
    """The source text of a page.

    Attributes:
        target: the URL of the page, as written

    Example:
        >>> import urlsm
        >>> urlsm.parts("view-source:http://www.example/a", "view-source").target
        'http://www.example/a'
    """

    target: str

    @property
    def page(self) -> str:
        """The innermost target, which is not a view-source URL."""
        return self.target[_prefixes(self.target) :]


class ViewSource(Scheme[ViewSourceParts]):
    """ "view-source:" absolute-URI [ "#" fragment ]"""

    names: ClassVar[tuple[str, ...]] = ("view-source",)
    title = "Source code of a resource"
    reference = "IANA, view-source"
    example = "view-source:http://www.example.org/a?b=c"
    hierarchical = False
    in_text = "nested"
    rules: ClassVar[dict[str, str]] = {
        "view-source-target-invalid": "the target is not an absolute URI",
    }

    def read_parts(self, components: Components) -> ViewSourceParts:
        return ViewSourceParts(_target(components))

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        start, target = after_scheme(components), _target(components)
        faults = [*self.faults(components, "path", start, start + len(target), GENERIC_PATH + "?")]
        yield from faults
        inner = split(target, dialect="rfc3986")
        if inner.scheme is None or not (faults or _is_uri(inner)):
            yield self.violation("view-source-target-invalid", "path", start)
        yield from self.fragment_violations(components)

    def normalize(self, components: Components) -> Components:
        """Normalise the target according to the rules of its own scheme."""
        from urlsm.meaning.web import normalize

        prefixes, page, fragment = _pieces(components)
        return split(
            _scheme(components) + prefixes + normalize(page, dialect=components.dialect) + fragment,
            dialect=components.dialect,
        )

    def nested(self, components: Components) -> Iterable[str]:
        target = _target(components)
        return (target,) if target else ()

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the targets are equivalent according to the rules of their own scheme. The fragment is not
        part of the target, so it is ignored."""
        from urlsm.meaning.web import equivalent

        (prefixes, page, _), (other_prefixes, other_page, _) = _pieces(a), _pieces(b)
        return prefixes == other_prefixes and equivalent(page, other_page, dialect=a.dialect)

    def write_parts(self, parts: Any) -> str:
        return parts.target or ""


def _scheme(c: Components) -> str:
    return "" if c.scheme is None else lower(c.scheme) + ":"


def _target(c: Components) -> str:
    return c.rest if c.fragment is None else c.rest[: -len(c.fragment) - 1]


def _prefixes(target: str) -> int:
    """Return the length of all "view-source:" prefixes at the beginning. The function is not recursive, because there
    may be a hundred thousand prefixes."""
    from urlsm.meaning.registry import handler

    end = 0
    while (colon := target.find(":", end)) >= 0 and isinstance(handler(target[end:colon]), ViewSource):
        end = colon + 1
    return end


def _pieces(c: Components) -> tuple[str, str, str]:
    """Return all "view-source:" prefixes at the beginning of the target, the page after them, and the fragment with its
    "#"."""
    target = _target(c)
    end = _prefixes(target)
    return lower(target[:end]), target[end:], "" if c.fragment is None else "#" + normal_escapes(c.fragment)


def _is_uri(c: Components) -> bool:
    return all(violation.severity == "warning" for violation in Scheme().violations(c))
