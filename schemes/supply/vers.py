"""vers: a range of versions, as the purl specification defines it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR, Characters
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Vers", "VersParts"]

_COMPARATOR = re.compile(r"[<>]=?|!=|=|\*|")  # "=" may be left out
_VERSION = PCHAR - "=!*"
_IN_TEXT = r"(?:[<>]=?|!?=)?[A-Za-z0-9%](?:[A-Za-z0-9%._~$&'()+,;:@-]{0,99}[A-Za-z0-9%])?"


class VersParts(Parts):
    """A range of versions.

    Attributes:
        versioning_scheme: the scheme by which versions are compared, usually a package type such as "npm", in lower
            case
        constraints: (comparator, version) pairs, decoded and in order; the comparator is "=" if none is written

    Example:
        >>> import urlsm
        >>> urlsm.parts("vers:npm/1.2.3|>=2.0.0", "vers").constraints
        (('=', '1.2.3'), ('>=', '2.0.0'))
    """

    versioning_scheme: str
    constraints: tuple[tuple[str, str], ...] = ()


class Vers(Scheme[VersParts]):
    """ "vers:" versioning scheme "/" constraint *( "|" constraint ). Constraints must be in the order of their
    versions. This is not checked, because each versioning scheme has its own order."""

    names: ClassVar[tuple[str, ...]] = ("vers",)
    title = "Range of versions"
    reference = "purl-spec, VERSION-RANGE-SPEC"
    reference_date = "2026-11-23"
    example = "vers:npm/1.2.3|>=2.0.0|<5.0.0"
    hierarchical = False
    authority = query = fragment = "forbidden"
    in_text = rf"([A-Za-z][A-Za-z0-9.+-]{{1,31}}/(?:\*|(?=[^ |]{{0,64}}[0-9]){_IN_TEXT}(?:\|{_IN_TEXT})*))"
    equal_by_parts = True
    path_characters: ClassVar[Characters] = PCHAR + "/<>|"
    rules: ClassVar[dict[str, str]] = {
        "vers-scheme-invalid": 'the versioning scheme, or the "/" after it, is missing',
        "vers-version-missing": "the version of a constraint is missing",
        "vers-version-invalid": "a comparison character in a version must be escaped",
        "vers-version-duplicate": "a version must occur in only one constraint",
        "vers-star": '"*" (any version) must be the only constraint',
    }

    def _constraints(self, c: Components) -> Iterator[tuple[int, str, str]]:
        """Yield the start of each constraint, its comparator and its version, as written."""
        path = c.path or ""
        at = (c.span("path") or (0, 0))[0] + path.find("/") + 1
        for text in path[path.find("/") + 1 :].split("|"):
            comparator = _COMPARATOR.match(text)
            sign = "" if comparator is None else comparator[0]
            yield at, sign, text[len(sign) :]
            at += len(text) + 1

    def read_parts(self, components: Components) -> VersParts:
        name, slash, _ = (components.path or "").partition("/")
        if not slash or not re.fullmatch("[A-Za-z0-9.+-]+", name):
            place = (components.span("path") or (0, 0))[0 if slash else 1]
            raise self.refusal(components, "vers-scheme-invalid", "path", place)
        found = tuple([(sign or "=", decode(text)) for _, sign, text in self._constraints(components)])
        return VersParts(lower(decode(name)), found)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        name, slash, _ = (components.path or "").partition("/")
        if not slash or not re.fullmatch("[A-Za-z0-9.+-]+", name):
            yield self.violation("vers-scheme-invalid", "path", start if slash else end)
            return
        seen: set[str] = set()
        found = list(self._constraints(components))
        for at, sign, text in found:
            if sign == "*":
                if text or len(found) > 1:
                    yield self.violation("vers-star", "path", at)
            elif not text:
                yield self.violation("vers-version-missing", "path", at + len(sign))
            elif (wrong := next((k for k, one in enumerate(text) if one in "<>=!*"), None)) is not None:
                yield self.violation("vers-version-invalid", "path", at + len(sign) + wrong)
            elif decode(text) in seen:
                yield self.violation("vers-version-duplicate", "path", at)
            seen.add(decode(text))

    def normalize(self, components: Components) -> Components:
        """Normalise: lowercase the versioning scheme, and leave out "=" before a version."""
        normal = super().normalize(components)
        name, slash, _ = (normal.path or "").partition("/")
        if not slash or normal.host is not None:
            return normal
        written = [text if sign == "=" and text else sign + text for _, sign, text in self._constraints(normal)]
        return normal.replace(path=f"{lower(name)}/{'|'.join(written)}")

    def write_parts(self, parts: Any) -> str:
        written = [
            ("" if sign == "=" else sign) + _VERSION.encode(version) for sign, version in parts.constraints or ()
        ]
        return f"{parts.versioning_scheme or ''}/{'|'.join(written)}"
