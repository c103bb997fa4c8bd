"""jar, zip and war: a file in an archive, and the URL of the archive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.contract import Contract
from urlsm.schemes.generic import Scheme, after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Archive", "ArchiveParts", "War"]

_ANY = PCHAR + "/?#[]"  # every character of RFC 3986
_BETWEEN = {"war": re.compile(r"\*/|\^/")}  # schemes with separators of their own: Tomcat's war
_DEFAULT = re.compile("!/")
_NESTED = re.compile("(?:(?:jar|zip|war):(?!//))*", re.IGNORECASE)


class ArchiveParts(Parts):
    """A file in an archive.

    Attributes:
        target: the URL of the archive, as written
        entry: the path of the file in the archive, as written; "" for the archive itself
        separator: the separator between target and entry, such as "!/"; with "::", which fsspec writes, the entry comes
            first

    Example:
        >>> import urlsm
        >>> urlsm.parts("jar:https://repo.example/a.jar!/META-INF/MANIFEST.MF", "jar").entry
        'META-INF/MANIFEST.MF'
    """

    target: str
    entry: str = ""
    separator: str = "!/"


class Archive(Scheme[ArchiveParts]):
    """ "jar:" url "!/" [ entry ]; or "zip://" entry "::" url, which fsspec writes"""

    names: ClassVar[tuple[str, ...]] = ("jar", "zip")
    title = "File in an archive"
    reference = "java.net.JarURLConnection; Tomcat, war URLs; fsspec, URL chaining"
    reference_date = "2026-11-23"
    example = "jar:https://repo.example.org/a.jar!/META-INF/MANIFEST.MF"
    hierarchical = False
    in_text = "nested"
    rules: ClassVar[dict[str, str]] = {
        "archive-separator-missing": '"!/" is missing between archive and entry ("*/" for war, "::" for a chain)',
        "archive-target-invalid": "the archive must be an absolute URL",
        "archive-entry-dots": '".." in an entry may lead outside the folder into which the archive is unpacked',
    }

    def _cut(self, c: Components) -> tuple[int, int, int, int, str] | None:
        """Return the start and end of the target, the start and end of the entry, and the separator; None if c.text has
        no separator."""
        start, end = after_scheme(c), len(c.text)
        if c.text.startswith("//", start):
            between = c.text.find("::", start)
            return None if between < 0 else (between + 2, end, start + 2, between, "::")
        own = lower(c.scheme or "")
        within = lower(_NESTED.match(c.text, start)[0]).split(":")[:-1]  # type: ignore[index]
        # the separators of archives that are nested in the target come before the separator of this one
        needed = sum((name == "war") == (own == "war") for name in within)
        places = list(islice(_BETWEEN.get(own, _DEFAULT).finditer(c.text, start), needed + 1))
        return (start, *places[-1].span(), end, places[-1][0]) if places else None

    def read_parts(self, components: Components) -> ArchiveParts:
        place = self._cut(components)
        if place is None:
            raise self.refusal(components, "archive-separator-missing", "path", len(components.text))
        start, end, first, last, separator = place
        return ArchiveParts(components.text[start:end], components.text[first:last], separator)

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        place = self._cut(components)
        if place is None:
            yield self.violation("archive-separator-missing", "path", len(components.text))
            yield from self.faults(components, "path", after_scheme(components), len(components.text), _ANY)
            return
        start, end, first, last, _ = place
        yield from self.faults(components, "path", start, end, _ANY)
        yield from self.faults(components, "path", first, last, _ANY)
        if not re.match("[A-Za-z][A-Za-z0-9+.-]*:.", components.text[start:end]):
            yield self.violation("archive-target-invalid", "path", start)
        for dots in re.finditer(r"(?<![^/\\])(?:\.|%2[Ee]){2}(?![^/\\])", components.text[first:last]):
            yield self.violation("archive-entry-dots", "path", first + dots.start(), "warning")

    def nested(self, components: Components) -> Iterable[str]:
        place = self._cut(components)
        target = "" if place is None else components.text[place[0] : place[1]]
        return (target,) if target else ()

    def normalize(self, components: Components) -> Components:
        """Normalise the scheme and the URL of the archive. The entry does not change. If the URL of the archive may
        itself contain a URL, it does not change either, because nesting has no limit."""
        scheme = lower(components.scheme or "")
        place = self._cut(components)
        if components.scheme is None or place is None:
            return components if components.scheme is None else components.replace(scheme=scheme)
        found = self.read_parts(components)
        return split(f"{scheme}:{self._written(self._normal(found, components), found)}", dialect=components.dialect)

    def _normal(self, parts: ArchiveParts, c: Components) -> str:
        from urlsm.meaning.registry import handler
        from urlsm.meaning.web import normalize

        name = parts.target.partition(":")[0]
        if type(handler(name)).nested is not Contract.nested:
            return parts.target
        normal = str(normalize(parts.target, dialect=c.dialect))
        again = split(f"{c.scheme}:{self._written(normal, parts)}", dialect=c.dialect)
        same = self._cut(again) is not None and self.read_parts(again) == ArchiveParts(
            normal, parts.entry, parts.separator
        )
        return normal if same else parts.target  # if the parts differ, decoding an escape has made a separator

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the normal forms are equal. A fragment belongs to the target or to the entry."""
        return self.normalize(a).text == self.normalize(b).text

    def write_parts(self, parts: Any) -> str:
        return self._written(parts.target or "", parts)

    @staticmethod
    def _written(target: str, parts: Any) -> str:
        if parts.separator == "::":
            return f"//{parts.entry or ''}::{target}"
        return f"{target}{parts.separator or '!/'}{parts.entry or ''}"


class War(Archive):
    """ "war:" url ( "*/" | "^/" ) entry"""

    names: ClassVar[tuple[str, ...]] = ("war",)
    title = "File in a web application's archive"
    example = "war:file:/srv/app.war*/WEB-INF/web.xml"
