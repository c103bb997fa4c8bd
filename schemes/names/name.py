"""The base class for names. A name has no authority; its path consists of sections, each with its own allowed
characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.octets.records import NamedTuple
from urlsm.schemes.characters import PCHAR, Characters, lower_letters
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

__all__ = ["Name", "Section"]


class Section(NamedTuple):
    """A section of a name, and the delimiter before it.

    Attributes:
        name: the name of the Parts field for the section.
        characters: the characters allowed in the section without an escape.
        before: the delimiter before the section.
        from_end: whether the last occurrence of the delimiter counts instead of the first.
        grammar: the pattern that the whole section must match; None allows any text.
        fold: whether case is ignored in the section.
        optional: whether the section may be absent.

    Example:
        >>> from urlsm.schemes import Section
        >>> Section("version", before="@", optional=True).before
        '@'
    """

    name: str
    characters: Characters = PCHAR
    before: str = ""
    from_end: bool = False
    grammar: re.Pattern[str] | None = None
    fold: bool = False
    optional: bool = False


Section.__module__ = "urlsm.schemes"
# typing.get_type_hints would look these up in __module__
Section.__annotations__.update(characters=Characters, grammar=re.Pattern[str] | None)


if TYPE_CHECKING:
    N = TypeVar("N", bound=Parts, default=Parts, covariant=True)
else:
    N = Parts


class Name(Scheme[N]):
    """A base class for names that consist of sections, each with its own grammar, such as doi: and tag:.

    Set `sections`. The decoded text of each section becomes the Parts field with the same name. If a section is absent,
    its field is None.

    Example:
        >>> from urlsm.schemes import Name, Parts, Section
        >>> class MarkParts(Parts):
        ...     library: str | None = None
        ...     mark: str | None = None
        >>> class Mark(Name[MarkParts]):
        ...     sections = (Section("library", fold=True), Section("mark", before=":"))
        >>> Mark().parts("mark:dk:PR4879")
        MarkParts(library='dk', mark='PR4879')
    """

    hierarchical = False
    authority = "forbidden"
    query = "forbidden"
    in_text = "absolute"
    equal_by_parts = True  # it does not matter which characters are escaped
    sections: ClassVar[tuple[Section, ...]] = ()
    rules: ClassVar[dict[str, str]] = {
        "name-section-missing": "a section of the name is missing",
        "name-section-invalid": "this section of the name is not valid",
    }

    def cut(self, components: Components) -> list[tuple[Section, int, str | None]]:
        """Return each section with its position and its text as written; None if the delimiter before it is missing.

        Args:
            components: the URL.
        """
        at, end = components.span("path") or (0, 0)
        rest: str | None = components.text[at:end]
        found: list[tuple[Section, int, str | None]] = []
        for section, following in zip(self.sections, (*self.sections[1:], None), strict=True):
            if rest is None or following is None:
                found.append((section, at, rest))
                continue
            if following.from_end:
                head, delimiter, tail = rest.rpartition(following.before)
                head, tail = (head, tail) if delimiter else (tail, head)
            else:
                head, delimiter, tail = rest.partition(following.before)
            found.append((section, at, head))
            at += len(head) + len(delimiter)
            rest = tail if delimiter else None
        return found

    def read_parts(self, components: Components) -> N:
        """Return the sections, decoded.

        Args:
            components: the URL.
        """
        made: Any = self.parts_type
        found: N = made(*[text if text is None else decode(text) for _, _, text in self.cut(components)])
        return found

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the sections.

        Args:
            components: the URL.
        """
        for section, at, text in self.cut(components):
            if not text:
                if not section.optional or text is not None:
                    message = f"the {section.name} is missing"
                    yield self.violation("name-section-missing", "path", at, message=message)
                continue
            yield from self.faults(components, "path", at, at + len(text), section.characters)
            if section.grammar is not None and not section.grammar.fullmatch(text):
                message = f"this is not a valid {section.name}"
                yield self.violation("name-section-invalid", "path", at, message=message)

    def normalize(self, components: Components) -> Components:
        """Return the normal form under RFC 3986, with sections in lower case where case does not matter.

        Args:
            components: the URL.
        """
        normal = super().normalize(components)
        if components.host is not None or not any(section.fold for section in self.sections):
            return normal
        written = ""
        for section, _, text in self.cut(normal):
            if text is not None:
                folded = lower_letters(text) if section.fold else text
                written += section.before + folded
        return normal.replace(path=written)

    def write_parts(self, parts: Any) -> str:
        """Return the sections before the first one that is not given.

        Args:
            parts: an object with every field of parts_type as an attribute.
        """
        written = ""
        for section in self.sections:
            value = getattr(parts, section.name)
            if value is None:
                break
            written += section.before + section.characters.encode(value)
        return written


Name.__module__ = "urlsm.schemes"
