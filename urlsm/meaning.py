"""parts, violations, normal form and equivalence of a text as written: what its scheme's handler says of it."""

from __future__ import annotations

from urlsm.components import Components, split, unsplit
from urlsm.errors import SchemeError, scheme_error
from urlsm.registry import handler
from urlsm.schemes.base import Scheme
from urlsm.values import Parts, lower
from urlsm.violations import Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url import StrOrURL

__all__ = ["equivalent", "normalize", "parts", "violations"]

GRAMMARS = ("rfc3986", "rfc1738")  # the dialects that the handlers know


def parts(url: StrOrURL, dialect: str = "rfc3986") -> Parts:
    """What the handler of its scheme makes of a text as written: typed, decoded, scheme-specific.

    Args:
        url: str, bytes (read as UTF-8) or URL. dialect: "rfc3986", the scheme's current reference, or "rfc1738", that
            document's own grammar.

    Raises:
        SchemeError: the first rule that the text breaks (its violations of severity "error", see validate).
        ValueError: no such dialect. PluginError: an installed plug-in's handler cannot be had. TypeError: not a text.
    """
    c = _split(_text(url), dialect)
    if c.scheme is None:
        raise scheme_error(c.text, "missing-scheme-non-relative-URL", "scheme", 0)
    for violation in violations_of_text(url, dialect):
        if violation.severity == "error":
            raise SchemeError(violation, url)
    found = _handler(c)
    if dialect == "rfc1738" and found.strict is not None:
        found = found.strict()
    return found.refine(c)


def violations_of_text(url: StrOrURL, dialect: str) -> list[Violation]:
    """What the handler of its scheme finds in a text; positions count characters (bytes of bytes)."""
    text = url.decode("latin-1") if isinstance(url, bytes) else _text(url)
    return violations(_handler(_split(text, dialect)), text, dialect)


def violations(found: Scheme, text: str, dialect: str) -> list[Violation]:
    """What a handler, or the grammar it has in this dialect, finds in a text, in the order of the text."""
    if dialect == "rfc1738":
        from urlsm.schemes.rfc1738 import GenericUrl

        found = (found.strict or GenericUrl)()
    return sorted(dict.fromkeys(found.violations(split(text, dialect))), key=lambda violation: violation.position)


def normalize(url: StrOrURL, dialect: str = "rfc3986") -> str:
    """The normal form of a text: RFC 3986 sections 6.2.2 and 6.2.3, and its scheme's own rules. Idempotent; what the
    scheme calls significant stays, and so do escapes that need not change. Bytes are read as UTF-8.

    Raises ValueError: no such dialect. PluginError. TypeError: not a text.
    """
    c = _split(_text(url), dialect)
    return unsplit(_handler(c).normalize(c))


def equivalent(a: StrOrURL, b: StrOrURL, dialect: str = "rfc3986") -> bool:
    """Do two texts mean the same, by RFC 3986 section 6 and the rules of their scheme's handler?

    Raises ValueError: no such dialect. PluginError. TypeError: not a text.
    """
    first, second = _split(_text(a), dialect), _split(_text(b), dialect)
    found = _handler(first)
    names = [None if c.scheme is None else lower(c.scheme) for c in (first, second)]
    if names[0] != names[1] and not {*names} <= {*found.names}:
        return False
    return found.equivalent(first, second)


def _text(url: StrOrURL) -> str:
    if isinstance(url, bytes):
        return url.decode("utf-8", "surrogateescape")
    return url if isinstance(url, str) else url.href


def _split(text: str, dialect: str) -> Components:
    if dialect not in GRAMMARS:
        raise ValueError(f"handlers know the dialects {', '.join(GRAMMARS)}, not {dialect!r}")
    return split(text, dialect)


def _handler(c: Components) -> Scheme:
    return handler(c.scheme) if c.scheme is not None else Scheme()
