"""What browsers have of their own: blob (W3C File API), about (RFC 6694), javascript, view-source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.components import Components, split
from urlsm.schemes.base import Scheme, after_scheme
from urlsm.schemes.characters import GENERIC_PATH, PCHAR, QUERY, normal_escapes
from urlsm.values import Parts, decode, lower
from urlsm.violations import Violation

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
    """origin: of the content, as it is serialised, "null" if opaque; uuid: of the entry. Both in lower case, raw."""

    origin: str
    uuid: str


class Blob(Scheme):
    """ "blob:" origin "/" uuid [ "#" fragment ]"""

    names = ("blob",)
    title = "Blob URL store"
    reference = "W3C File API section 8.2"
    example = "blob:https://example.org/40a5fb5a-d56d-4a33-b4e2-0acf6a8e5f64"
    hierarchical = False
    authority = "forbidden"
    query = "forbidden"
    parts_type = BlobParts

    def refine(self, c: Components) -> BlobParts:
        return BlobParts(*_origin_and_uuid(lower(c.path or "")))

    def normalize(self, c: Components) -> Components:
        """Everything but the fragment in lower case, nothing decoded: the store looks texts up."""
        fragment = None if c.fragment is None else normal_escapes(c.fragment)
        scheme = None if c.scheme is None else lower(c.scheme)
        return c.replace(scheme=scheme, path=lower(c.path or ""), fragment=fragment)

    def compose(self, p: Any) -> str:
        return f"{p.origin or ''}/{p.uuid or ''}"

    def path_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().path_violations(c)
        start, end = c.span("path") or (0, 0)
        if c.host is not None:
            return  # then the path is not what names
        origin, uuid = _origin_and_uuid(c.text[start:end])
        if origin != "null" and any(_ORIGIN.violations(split(origin, "rfc3986"))):
            yield self.violation("blob-origin-invalid", "path", start)
        if not _UUID.fullmatch(uuid):
            yield self.violation("blob-uuid-invalid", "path", min(start + len(origin) + 1, end))


class _Origin(Scheme):
    """The serialisation of an origin that is not opaque: scheme "://" host [ ":" port ] (HTML, section 7.1)"""

    authority = "required"
    host = "required"
    userinfo = "forbidden"

    def number_violations(self, c: Components, start: int, end: int) -> Iterator[Violation]:
        if start == end:  # a port is serialised by its digits, none without the ":"
            yield self.violation("port-invalid", "port", start)
        yield from super().number_violations(c, start, end)


_ORIGIN = _Origin()
_UUID = re.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def _origin_and_uuid(path: str) -> tuple[str, str]:
    """What stands before and after the first "/" that is none of "://"."""
    found = re.match("[A-Za-z][A-Za-z0-9+.-]*://", path)
    slash = path.find("/", found.end() if found is not None else 0)
    return (path[:slash], path[slash + 1 :]) if slash >= 0 else (path, "")


class AboutParts(Parts):
    """token: what the browser shows, decoded; query: as written."""

    token: str
    query: str | None


class About(Scheme):
    """about-uri = "about:" about-token [ about-query ] [ about-fragment ]; about-token = *pchar"""

    names = ("about",)
    title = "Built-in resources"
    reference = "RFC 6694 section 2"
    example = "about:blank"
    hierarchical = False
    authority = "forbidden"
    path_characters = PCHAR
    parts_type = AboutParts

    def refine(self, c: Components) -> AboutParts:
        return AboutParts(decode(c.path or ""), c.query)

    def normalize(self, c: Components) -> Components:
        """As RFC 3986 has it; in the token, no character that it can hold is escaped: none has a meaning of its own."""
        return super().normalize(c).replace(path=normal_escapes(c.path or "", PCHAR))

    def compose(self, p: Any) -> str:
        return self.path_characters.encode(p.token or "") + ("" if p.query is None else "?" + p.query)


class JavascriptParts(Parts):
    """source: the script, decoded as UTF-8."""

    source: str


class Javascript(Scheme):
    """The source is all after "javascript:", what looks like an authority, a query or a fragment too. Browsers also
    take characters that no URI has. Whoever follows such a link runs the script of whoever wrote it."""

    names = ("javascript",)
    title = "Script"
    reference = "draft-hoehrmann-javascript-scheme-03"
    example = "javascript:doSomething(1)"
    hierarchical = False
    userinfo = "forbidden"
    port = "forbidden"
    parts_type = JavascriptParts

    def refine(self, c: Components) -> JavascriptParts:
        return JavascriptParts(decode(c.rest))

    def violations(self, c: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(c)
        start, end = after_scheme(c), len(c.text)
        fragment = c.span("fragment")
        if fragment is not None:
            yield from self.faults(c, "fragment", *fragment, QUERY)
            end = fragment[0] - 1
        yield from self.faults(c, "path", start, end, QUERY)

    def normalize(self, c: Components) -> Components:
        """The scheme in lower case, and the escapes as RFC 3986 section 6.2.2 has them: nothing else is no source."""
        return split(_scheme(c) + normal_escapes(c.rest), c.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Have they the same source?"""
        return decode(a.rest) == decode(b.rest)

    def compose(self, p: Any) -> str:
        source = "#".join([QUERY.encode(text) for text in (p.source or "").split("#", 1)])  # a URI has one "#"
        # a "/" at the beginning would make an authority of it, or a path with dot segments
        return "%2F" + source[1:] if source.startswith("/") else source


class ViewSourceParts(Parts):
    """target: an absolute URI, as written; another view-source URL, maybe."""

    target: str

    @property
    def page(self) -> str:
        """The innermost target: what is no view-source URL."""
        return self.target[_prefixes(self.target) :]


class ViewSource(Scheme):
    """ "view-source:" absolute-URI [ "#" fragment ]"""

    names = ("view-source",)
    title = "Source of a resource"
    reference = "IANA, view-source"
    example = "view-source:http://www.example.org/a?b=c"
    hierarchical = False
    parts_type = ViewSourceParts

    def refine(self, c: Components) -> ViewSourceParts:
        return ViewSourceParts(_target(c))

    def violations(self, c: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(c)
        start, target = after_scheme(c), _target(c)
        faults = [*self.faults(c, "path", start, start + len(target), GENERIC_PATH + "?")]
        yield from faults
        inner = split(target, "rfc3986")
        if inner.scheme is None or not (faults or _is_uri(inner)):
            yield self.violation("view-source-target-invalid", "path", start)
        yield from self.fragment_violations(c)

    def normalize(self, c: Components) -> Components:
        """The target's normal form, by the rules of its own scheme."""
        from urlsm.meaning import normalize

        prefixes, page, fragment = _pieces(c)
        return split(_scheme(c) + prefixes + normalize(page, c.dialect) + fragment, c.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Are the targets equivalent, by the rules of their own scheme? The fragment is outside the target."""
        from urlsm.meaning import equivalent

        (prefixes, page, _), (other_prefixes, other_page, _) = _pieces(a), _pieces(b)
        return prefixes == other_prefixes and equivalent(page, other_page, a.dialect)

    def compose(self, p: Any) -> str:
        return p.target or ""


def _scheme(c: Components) -> str:
    return "" if c.scheme is None else lower(c.scheme) + ":"


def _target(c: Components) -> str:
    return c.rest if c.fragment is None else c.rest[: -len(c.fragment) - 1]


def _prefixes(target: str) -> int:
    """How long all the "view-source:" at the beginning are. A loop: there may be a hundred thousand."""
    from urlsm.registry import handler

    end = 0
    while (colon := target.find(":", end)) >= 0 and isinstance(handler(target[end:colon]), ViewSource):
        end = colon + 1
    return end


def _pieces(c: Components) -> tuple[str, str, str]:
    """The prefixes of the target, its page, and "#" and the fragment."""
    target = _target(c)
    end = _prefixes(target)
    return lower(target[:end]), target[end:], "" if c.fragment is None else "#" + normal_escapes(c.fragment)


def _is_uri(c: Components) -> bool:
    return all(violation.severity == "warning" for violation in Scheme().violations(c))
