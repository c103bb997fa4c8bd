"""doi (ISO 26324), swh (ISO/IEC 18670: SWHID), gitoid and spiffe: persistent identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, PCHAR, Characters
from urlsm.schemes.fields import Field, Parameters, QueryParams
from urlsm.schemes.generic import Scheme
from urlsm.schemes.names.name import Name, Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Doi", "DoiParts", "Gitoid", "GitoidParts", "Spiffe", "SpiffeParts", "Swh", "SwhParts"]


class DoiParts(Parts):
    """A digital object identifier (DOI).

    Attributes:
        prefix: the registrant, decoded ("10.1000"); None if absent
        suffix: the name of the object, decoded; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("doi:10.1000/182", "doi").prefix
        '10.1000'
    """

    prefix: str | None = None
    suffix: str | None = None


class Doi(Name[DoiParts]):
    """doi:prefix/suffix, where the case of ASCII letters does not matter"""

    names: ClassVar[tuple[str, ...]] = ("doi",)
    title = "Digital object identifier"
    reference = "ISO 26324; DOI Handbook section 2"
    reference_date = "2026-11-21"
    example = "doi:10.1000/182"
    joined: ClassVar[tuple[str, ...]] = ("{prefix}/{suffix}",)
    in_text = r"10[.][0-9.]{1,32}/[A-Za-z0-9%_(\x80-\xFF]"
    sections: ClassVar[tuple[Section, ...]] = (
        Section("prefix", Characters(DIGIT + "."), grammar=re.compile(r"10\.[0-9]+(?:\.[0-9]+)*")),
        Section("suffix", PCHAR + "/", "/", fold=True),
    )

    def web_url(self, parts: Any) -> str | None:
        if not parts.prefix or not parts.suffix:
            return None
        return f"https://doi.org/{parts.prefix}/{(PCHAR + '/').encode(parts.suffix)}"


_QUALIFIERS = Parameters(
    *[Field(name, repeat="forbid") for name in ("origin", "visit", "anchor", "path", "lines", "bytes")],
    separator=";",
    equals=True,
    filled=True,
    closed=True,
)
_TYPES = ("snp", "rel", "rev", "dir", "cnt")


class SwhParts(Parts):
    """Source code in the Software Heritage archive.

    Attributes:
        version: the version of the syntax, 1; None if absent or not a number
        object_type: "snp", "rel", "rev", "dir" or "cnt"; None if absent
        object_id: the hash as 40 hexadecimal digits; None if absent
        qualifiers: (name, value) pairs, decoded

    Example:
        >>> import urlsm
        >>> urlsm.parts("swh:1:cnt:94a9ed024d3859793618152ea559a168bbcbb5e2;lines=9-15", "swh").qualifiers
        (('lines', '9-15'),)
    """

    version: int | None = None
    object_type: str | None = None
    object_id: str | None = None
    qualifiers: QueryParams = ()


class Swh(Scheme[SwhParts]):
    """ "swh:1:" type ":" object id *( ";" qualifier "=" value ); type and object id are in lower case"""

    names: ClassVar[tuple[str, ...]] = ("swh",)
    title = "Software Heritage object"
    reference = "ISO/IEC 18670:2025, SWHID"
    reference_date = "2025-04-23"
    example = "swh:1:cnt:94a9ed024d3859793618152ea559a168bbcbb5e2;origin=https://example.org/a;lines=9-15"
    hierarchical = False
    authority = query = fragment = "forbidden"
    in_text = "[0-9]:[a-z]{3}:[0-9a-f]{40}"
    joined: ClassVar[tuple[str, ...]] = (":{object_type}:{object_id}",)
    rules: ClassVar[dict[str, str]] = {
        "swhid-invalid": "a SWHID must be swh:1, an object type and 40 lower-case hex digits",
        "swhid-origin-not-web": "an origin that is not http or https may read a file or run a script",
    }
    equal_by_parts = True

    def read_parts(self, components: Components) -> SwhParts:
        core, semicolon, written = (components.path or "").partition(";")
        version, kind, digits = [*core.split(":", 2), None, None, None][:3]
        return SwhParts(
            int(version) if version is not None and re.fullmatch("[0-9]{1,9}", version) else None,
            None if kind is None else decode(kind),
            None if digits is None else decode(digits),
            _QUALIFIERS.read(written) if semicolon else (),
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        core, semicolon, _ = (components.path or "").partition(";")
        at = start
        for piece, grammar in zip([*core.split(":"), ""], ("1", "|".join(_TYPES), "[0-9a-f]{40}", ""), strict=False):
            if not re.fullmatch(grammar, piece):
                yield self.violation("swhid-invalid", "path", min(at, end))
                break
            at += len(piece) + 1
        if semicolon:
            yield from _QUALIFIERS.violations(self, components, "path", start + len(core) + 1, end, self._of_origin)

    def _of_origin(self, at: int, name: str, value: str | None) -> Iterator[Violation]:
        """Yield a warning if the origin is not a web URL, because a program that resolves the identifier may fetch the
        origin."""
        if name == "origin" and value and not re.match("https?://", decode(value), re.IGNORECASE):
            yield self.violation("swhid-origin-not-web", "path", at + len(name) + 1, "warning")

    def nested(self, components: Components) -> Iterable[str]:
        return [value for name, value in self.read_parts(components).qualifiers if name == "origin" and value]

    def web_url(self, parts: Any) -> str | None:
        return f"https://archive.softwareheritage.org/{self.build(**dict(parts))}" if parts.object_id else None

    def write_parts(self, parts: Any) -> str:
        written = f"{1 if parts.version is None else parts.version}:{parts.object_type or ''}:{parts.object_id or ''}"
        for name, value in parts.qualifiers or ():
            written += f";{name}={(PCHAR + '/' - ';').encode(value or '')}"
        return written


class GitoidParts(Parts):
    """An artifact, identified in the same way as a Git object.

    Attributes:
        object_type: "blob", "tree", "commit" or "tag"; None if absent
        algorithm: "sha1" or "sha256"; None if absent
        digest: the hash in hexadecimal; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("gitoid:blob:sha1:261eeb9e9f8b2b4b0d119366dda99c6fd7d35c64", "gitoid").algorithm
        'sha1'
    """

    object_type: str | None = None
    algorithm: str | None = None
    digest: str | None = None


class Gitoid(Name[GitoidParts]):
    """ "gitoid:" type ":" algorithm ":" digest, all in lower case"""

    names: ClassVar[tuple[str, ...]] = ("gitoid",)
    title = "Git object"
    reference = "IANA, gitoid"
    reference_date = "2026-11-23"
    example = "gitoid:blob:sha1:261eeb9e9f8b2b4b0d119366dda99c6fd7d35c64"
    in_text = "[a-z]{3,6}:sha[0-9]{1,3}:[0-9a-f]{40}"
    fragment = "forbidden"
    joined: ClassVar[tuple[str, ...]] = ("{object_type}:{algorithm}:{digest}",)
    sections: ClassVar[tuple[Section, ...]] = (
        Section("object_type", grammar=re.compile("blob|tree|commit|tag")),
        Section("algorithm", PCHAR, ":", grammar=re.compile("sha1|sha256")),
        Section("digest", PCHAR, ":", grammar=re.compile("[0-9a-f]{40}|[0-9a-f]{64}")),
    )
    rules: ClassVar[dict[str, str]] = {"gitoid-length": "a sha1 hash has 40 digits, and a sha256 hash has 64"}

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        _, (_, _, algorithm), (_, at, digest) = self.cut(components)
        if digest and {"sha1": 40, "sha256": 64}.get(algorithm or "", len(digest)) != len(digest):
            yield self.violation("gitoid-length", "path", at)


class SpiffeParts(Parts):
    """A workload (SPIFFE ID).

    Attributes:
        trust_domain: the trust domain; None if absent
        path: the path as written
        segments: the segments of the path

    Example:
        >>> import urlsm
        >>> urlsm.parts("spiffe://example.org/billing/payments", "spiffe").segments
        ('billing', 'payments')
    """

    trust_domain: str | None = None
    path: str = ""
    segments: tuple[str, ...] = ()


_DOMAIN = Characters("abcdefghijklmnopqrstuvwxyz" + DIGIT + "._-")


class Spiffe(Scheme[SpiffeParts]):
    """ "spiffe://" trust domain path. Such a URL is an identity, so the checks are strict."""

    names: ClassVar[tuple[str, ...]] = ("spiffe",)
    title = "Workload identity"
    reference = "SPIFFE-ID section 2"
    reference_date = "2026-11-21"
    example = "spiffe://example.org/billing/payments"
    hierarchical = False
    authority = host = "required"
    userinfo = port = query = fragment = "forbidden"
    host_kind = "trust domain"
    path_characters: ClassVar[Characters] = Characters(ALPHA + DIGIT + "._-/")
    unreserved: ClassVar[Characters] = Characters("")
    joined: ClassVar[tuple[str, ...]] = ("//{trust_domain}",)
    rules: ClassVar[dict[str, str]] = {
        "spiffe-trust-domain-invalid": "a trust domain must be lower-case letters, digits and . - _",
        "spiffe-segment-empty": "a segment of the path is empty",
        "spiffe-segment-dot": 'a segment of the path is "." or ".."',
        "spiffe-escape": "a SPIFFE ID cannot contain escapes",
        "spiffe-too-long": "a SPIFFE ID has at most 2,048 bytes, and its trust domain at most 255",
    }

    def read_parts(self, components: Components) -> SpiffeParts:
        path = components.path or ""
        return SpiffeParts(lower(components.host or "") or None, path, tuple(path[1:].split("/")) if path else ())

    def host_faults(self, components: Components, host: str, start: int, end: int) -> Iterator[Violation]:
        wrong = next((k for k, character in enumerate(host) if character not in _DOMAIN), None)
        if wrong is not None:  # the host has a wrong character, for example a capital letter
            yield self.violation(
                "spiffe-trust-domain-invalid", "host", start + wrong, reference="SPIFFE-ID section 2.1"
            )
        if len(host) > 255 or len(components.text) > 2048:
            yield self.violation("spiffe-too-long", "host", start)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        at = start + 1
        for segment in (components.path or "").split("/")[1:]:
            if not segment:
                yield self.violation("spiffe-segment-empty", "path", min(at, end))
            elif segment in (".", ".."):
                yield self.violation("spiffe-segment-dot", "path", at)
            if "%" in segment:
                yield self.violation("spiffe-escape", "path", at + segment.index("%"))
            at += len(segment) + 1

    def normalize(self, components: Components) -> Components:
        """Lowercase the scheme and the trust domain. Nothing else changes."""
        if components.scheme is None:
            return components
        host = components.host
        return components.replace(scheme=lower(components.scheme), host=host if host is None else lower(host))

    def write_parts(self, parts: Any) -> str:
        path = parts.path
        if path is None:
            path = "".join([f"/{segment}" for segment in parts.segments or ()])
        return f"//{parts.trust_domain or ''}{path}"
