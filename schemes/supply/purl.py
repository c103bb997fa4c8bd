"""pkg: package URLs (purl), according to the specification and the types in purl_types.py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import UNRESERVED
from urlsm.schemes.fields import Parameters
from urlsm.schemes.generic import Scheme, after_scheme
from urlsm.schemes.supply.purl_types import DATE, TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm._words import Severity

__all__ = ["Pkg", "PkgParts"]

_URLS = ("download_url", "vcs_url", "repository_url")
_PLAIN = UNRESERVED + ":"  # never escaped in any component
_QUALIFIERS = Parameters(fold=True, equals=True, repeat="forbid")
_TYPE = re.compile("[A-Za-z][A-Za-z0-9.-]*")
_KEY = re.compile("[A-Za-z][A-Za-z0-9._-]*")
_ANY_TYPE = ("optional", "", None, None, "", None)
_SEPARATOR, _IN_VERSION = re.compile("[@=&]+"), re.compile("[/=&]+")
_SECTIONS = ("namespace", "name", "version", "subpath")
_FOLDS = {name: tuple([section in said[1].split() for section in _SECTIONS]) for name, said in TYPES.items()}
_NO_FOLDS = (False, False, False, False)
_NO_KEBAB = re.compile("[ _]+")


class PkgParts(Parts):
    """A software package (package URL, purl).

    All fields are decoded and in the normal form for the package type.

    Attributes:
        type: the package type in lower case, such as "npm"
        namespace: the scope, group or owner, with "/" between segments; None if absent
        name: the name of the package
        version: the version of the package; None if absent
        qualifiers: (key, value) pairs, sorted
        subpath: a path within the package; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("pkg:npm/%40angular/animation@12.3.1", "pkg").namespace
        '@angular'
    """

    type: str = ""
    namespace: str | None = None
    name: str = ""
    version: str | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()
    subpath: str | None = None


class Pkg(Scheme[PkgParts]):
    """pkg:type/namespace/name@version?qualifiers#subpath"""

    names: ClassVar[tuple[str, ...]] = ("pkg",)
    title = "Software package"
    reference = "the package URL specification"
    reference_date = DATE
    example = "pkg:npm/%40angular/animation@12.3.1?arch=any#src/index.js"
    hierarchical = False
    in_text = "segments"
    query_fields: ClassVar[Parameters | None] = _QUALIFIERS
    joined: ClassVar[tuple[str, ...]] = ("//{type}/{namespace}/{name}@{version}",)
    rules: ClassVar[dict[str, str]] = {
        "purl-type-invalid": "the package type is not valid",
        "purl-name-missing": "the name of the package is missing",
        "purl-name-invalid": "this package type does not allow this name",
        "purl-version-invalid": "this package type does not allow this version",
        "purl-namespace-required": "this package type needs a namespace",
        "purl-namespace-prohibited": "this package type does not allow a namespace",
        "purl-qualifier-key-invalid": "the key of the qualifier is not valid",
        "purl-qualifier-key-case": "the key of a qualifier must be in lower case",
        "purl-qualifier-required": "a qualifier that this package type requires is missing",
        "purl-separator": "this separator is escaped although it separates nothing",
        "purl-slashes": '"//" has no meaning here',
    }

    def read_parts(self, components: Components) -> PkgParts:
        c = components
        kind, namespace, name, version = _cut(c.path or "" if c.host is None else _path(c))
        if "%" in namespace or "//" in namespace or namespace[:1] == "/" or namespace[-1:] == "/":
            namespace = "/".join([segment for segment in decode(namespace).split("/") if segment])
        qualifiers: tuple[tuple[str, Any], ...] = ()
        if c.query:
            pairs = tuple([pair for pair in _QUALIFIERS.read(c.query) if pair[1]])
            # the first of equal keys counts
            qualifiers = pairs if len(pairs) < 2 else tuple(sorted(dict(reversed(pairs)).items()))
        return _normal(
            lower(decode(kind)),
            namespace or None,
            decode(name),
            decode(version) if version else None,
            qualifiers,
            _subpath(decode(c.fragment)) if c.fragment else None,
        )

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        path, start = _path(components), after_scheme(components)
        end = start + len(path)
        if components.host is not None:
            yield self.violation("purl-slashes", "authority", start, "warning")
        yield from self.faults(components, "path", start, end, self.path_characters)
        kind, namespace, name, version = _cut(path)
        at = len(path) - len(path.lstrip("/").partition("/")[2])  # where the namespace begins
        said = TYPES.get(lower(kind), _ANY_TYPE)
        if not _TYPE.fullmatch(kind):
            yield self.violation("purl-type-invalid", "path", start + len(path) - len(path.lstrip("/")))
        if not name:
            yield self.violation("purl-name-missing", "path", start + at)
        elif not _is_name(lower(kind), decode(name), said):
            yield self.violation("purl-name-invalid", "path", start + at)
        bare = path.rstrip("/")
        delimiter = bare.rfind("@") if version or bare.endswith("@") else len(bare)
        for found in (*_SEPARATOR.finditer(bare, at, delimiter), *_IN_VERSION.finditer(bare, delimiter + 1)):
            yield self.violation("purl-separator", "path", start + found.start(), "warning")
        if version and said[3] is not None and not re.fullmatch(said[3], decode(version)):
            yield self.violation("purl-version-invalid", "path", start + delimiter + 1)
        depth = len([segment for segment in decode(namespace).split("/") if segment])
        # swift needs two segments: "source host and user/organization"
        if said[0] == "required" and depth < (2 if lower(kind) == "swift" else 1):
            yield self.violation("purl-namespace-required", "path", start + at)
        elif said[0] == "prohibited" and depth:
            yield self.violation("purl-namespace-prohibited", "path", start + at)
        yield from self.query_violations(components)
        yield from self.fragment_violations(components)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        start, end = components.span("query") or (0, 0)
        keys = set()

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            keys.add(lower(name))
            if name and not _KEY.fullmatch(name):
                yield self.violation("purl-qualifier-key-invalid", "query", at)
            elif name != lower(name):
                # the test suite takes "repositorY_url", but not "Platform"
                severity: Severity = "error" if name[0] != lower(name[0]) else "warning"
                yield self.violation("purl-qualifier-key-case", "query", at, severity)
            for found in _SEPARATOR.finditer(value or ""):
                yield self.violation("purl-separator", "query", at + len(name) + 1 + found.start(), "warning")

        if start < end:
            yield from _QUALIFIERS.violations(self, components, "query", start, end, further)
        said = TYPES.get(lower(_cut(_path(components))[0]), _ANY_TYPE)
        if set(said[4].split()) - keys:
            yield self.violation(
                "purl-qualifier-required", "query", end or len(components.text) - len(components.fragment or "")
            )

    def normalize(self, components: Components) -> Components:
        """Return the canonical form. If the URL breaks a rule, only lowercase the scheme."""
        if components.scheme is None:
            return components
        scheme = lower(components.scheme)
        if any(v.severity == "error" and v.code != "purl-qualifier-key-case" for v in self.violations(components)):
            return components.replace(scheme=scheme)
        return split(f"{scheme}:{self.write_parts(self.read_parts(components))}", dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the parts, including the fragment, are equal."""
        return self.same_parts(self.normalize(a), self.normalize(b))

    def build(self, *, scheme: str | None = None, fragment: str | None = None, **parts: Any) -> str:
        """Return the URL with these parts, which need not be in normal form; see Scheme.build. qualifiers are pairs, or
        a mapping."""
        given = {name: parts.get(name) for name in PkgParts._fields}
        if {*parts} <= {*given}:
            qualifiers = parts.get("qualifiers")
            pairs = qualifiers.items() if isinstance(qualifiers, Mapping) else qualifiers
            parts |= dict(
                _normal(
                    lower(given["type"] or ""),
                    (given["namespace"] or "").strip("/") or None,
                    given["name"] or "",
                    given["version"],
                    _sorted(pairs or ()),
                    _subpath(given["subpath"]) if given["subpath"] else None,
                )
            )
        return super().build(scheme=scheme, fragment=fragment, **parts)

    def write_parts(self, parts: Any) -> str:
        written = parts.type or ""
        if parts.namespace:
            written += "/" + "/".join([_PLAIN.encode(segment) for segment in parts.namespace.split("/") if segment])
        written += "/" + (_PLAIN + "/" if parts.type == "git" else _PLAIN).encode(parts.name or "")
        if parts.version:
            written += "@" + _PLAIN.encode(parts.version)
        if parts.qualifiers:
            written += "?" + "&".join([f"{key}={_PLAIN.encode(value)}" for key, value in parts.qualifiers])
        if parts.subpath:
            written += "#" + "/".join([_PLAIN.encode(segment) for segment in parts.subpath.split("/")])
        return written

    def nested(self, components: Components) -> Iterable[str]:
        """Return the URLs of the archive, the repository and the registry, from the qualifiers."""
        return [value for key, value in _QUALIFIERS.read(components.query or "") if key in _URLS and value]


def _path(c: Components) -> str:
    """Return the text between the scheme and the query."""
    rest = c.rest
    return rest[
        : len(rest) - (0 if c.query is None else len(c.query) + 1) - (0 if c.fragment is None else len(c.fragment) + 1)
    ]


def _cut(path: str) -> tuple[str, str, str, str]:
    """Return the type, namespace, name and version, as written; each is "" if absent.

    The version is split off first ("Split the remainder once from right on '@'"), because it may contain "/". An "@" at
    the beginning of the namespace ("@babel/core") does not begin a version, because no name precedes it.
    """
    kind, _, rest = path.lstrip("/").partition("/")
    before, at, version = rest.strip("/").rpartition("@")
    if not at or (not before and version.find("/") > 0):
        before, version = rest.strip("/"), ""
    namespace, slash, name = before.rstrip("/").rpartition("/")
    if len(kind) == 3 and lower(kind) == "git":  # here the name may have several segments
        namespace, _, name = f"{namespace}{slash}{name}".lstrip("/").partition("/")
    return kind, namespace, name, version


def _subpath(text: str) -> str | None:
    kept = [segment for segment in text.split("/") if segment not in ("", ".", "..")]
    return "/".join(kept) or None


def _sorted(pairs: Iterable[tuple[str, str | None]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted([(lower(key), value) for key, value in pairs if value]))


def _normal(
    kind: str,
    namespace: str | None,
    name: str,
    version: str | None,
    qualifiers: tuple[tuple[str, str], ...],
    subpath: str | None,
) -> PkgParts:
    """Return the parts in the normal form for their type."""
    folds = _FOLDS.get(kind, _NO_FOLDS)
    if folds[0] and namespace is not None:
        namespace = namespace.lower()
    if folds[1]:
        name = name.lower()
    if folds[2] and version is not None:
        version = version.lower()
    if folds[3] and subpath is not None:
        subpath = subpath.lower()
    if kind == "git" and namespace in ("github", "github.com"):
        name = name.lower()
    elif kind in _RENAMED:
        name = _RENAMED[kind](name, qualifiers)
    return PkgParts(kind, namespace, name, version, qualifiers, subpath)


def _is_name(kind: str, name: str, said: tuple[Any, ...]) -> bool:
    if kind == "cpan" and "::" in name:  # names with "::" are those of modules, not of distributions
        return False
    return said[2] is None or re.fullmatch(said[2], name.lower()) is not None


def _mlflow(name: str, qualifiers: tuple[tuple[str, str], ...]) -> str:
    """Return the name of a model: Databricks ignores its case, Azure does not."""
    return name.lower() if "databricks" in dict(qualifiers).get("repository_url", "") else name


_RENAMED = {
    "pypi": lambda name, _: name.replace("_", "-"),
    "pub": lambda name, _: re.sub("[^a-z0-9]", "_", name),
    "hackage": lambda name, _: _NO_KEBAB.sub("-", name),
    "mlflow": _mlflow,
}
