"""RFC 2396's generic grammar (appendix A), for any scheme, without scheme-specific rules."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import MARKED, Characters
from urlsm.schemes.generic import Scheme, after_scheme
from urlsm.schemes.grammar import AnyScheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

__all__ = ["Rfc2396"]

URIC = MARKED + ";/?:@&=+$,"
PCHAR = MARKED + ":@&=+$,"
REG_NAME = MARKED + "$,;:@&=+"


class Rfc2396(AnyScheme):
    """The grammar of appendix A, for any URI reference."""

    title = "any scheme, according to RFC 2396"
    reference = "RFC 2396 appendix A"
    path_characters: ClassVar[Characters] = PCHAR + ";/"
    query_characters = URIC
    fragment_characters = URIC

    def authority_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of authority = server | reg_name. Only the characters are checked, because reg_name may
        contain every character of a server, and port = *digit allows any number."""
        where = components.span("authority")
        if where is not None:
            yield from self.faults(components, "authority", *where, REG_NAME, "host-invalid")

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        if components.scheme is None or components.host is not None or components.text.startswith("/", start):
            yield from super().path_violations(components)
        elif start == end and components.query is None:
            # absoluteURI = scheme ":" ( hier_part | opaque_part ); opaque_part = uric_no_slash *uric
            yield self.violation("path-missing", "path", after_scheme(components))
        else:
            yield from self.faults(components, "path", start, end, URIC)

    def normalize(self, components: Components) -> Components:
        """Normalise according to section 6: put the scheme and host in lower case, and apply the scheme's rules unless
        the result breaks appendix A. Dot segments stay, because they are removed only when a reference is resolved."""
        if type(self.scheme).normalize is Scheme.normalize:
            return self.scheme.normal_form(components, MARKED, dots=False)
        normal = self.scheme.normalize(components)
        if self._is_valid(components) and not self._is_valid(normal):  # for example, tel makes "tel:.." empty
            return components.replace(scheme=lower(components.scheme or ""))
        return normal

    def _is_valid(self, c: Components) -> bool:
        return not any(violation.severity == "error" for violation in self.violations(c))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the normal forms are equal, or equivalent according to the rules of the scheme."""
        first, second = self.normalize(a), self.normalize(b)
        if first == second or type(self.scheme).equivalent is Scheme.equivalent:
            return first == second
        return self.scheme.equivalent(first, second)
