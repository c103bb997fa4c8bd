"""parts, violations, normal form and equivalence of a text as written: what its scheme's handler says of it."""

from __future__ import annotations

from urlsm.components import Components, split, unsplit
from urlsm.errors import SchemeError, scheme_error
from urlsm.registry import handler
from urlsm.schemes.base import Scheme
from urlsm.values import Parts
from urlsm.violations import Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url import StrOrURL

__all__ = ["equivalent", "normalize", "parts", "violations"]

GRAMMARS = ("rfc3986", "rfc2396", "rfc1738")  # the dialects whose grammars are known here


def parts(url: StrOrURL, dialect: str = "rfc3986") -> Parts:
    """What the handler of its scheme makes of a text as written: typed, decoded, scheme-specific.

    Args:
        url: str, bytes (read as UTF-8) or URL. dialect: "rfc3986", the scheme's current reference, "rfc1738", that
            document's own grammar, or "rfc2396", its generic grammar.

    Raises:
        SchemeError: the first rule that the text breaks (its violations of severity "error", see validate).
        ValueError: no such dialect. PluginError: an installed plug-in's handler cannot be had. TypeError: not a text.
    """
    found, c = _read(url, dialect)
    if c.scheme is None:
        raise scheme_error(c.text, "missing-scheme-non-relative-URL", "scheme", 0)
    for violation in violations_of_text(url, dialect):
        if violation.severity == "error":
            raise SchemeError(violation, url)
    return found.refine(c)


def violations_of_text(url: StrOrURL, dialect: str) -> list[Violation]:
    """What the handler of its scheme finds in a text; positions count characters (bytes of bytes)."""
    _check(dialect)
    text = url.decode("latin-1") if isinstance(url, bytes) else _text(url)
    c = split(text, dialect)
    return _judged(_handler(c), c)


def violations(found: Scheme, text: str, dialect: str) -> list[Violation]:
    """What a handler, or the grammar it has in this dialect, finds in a text, in the order of the text."""
    return _judged(found, split(text, dialect))


def _judged(found: Scheme, c: Components) -> list[Violation]:
    if c.dialect == "rfc1738" and not found.is_of_1738(c.scheme or ""):
        from urlsm.schemes.rfc1738 import GenericUrl

        found = GenericUrl()
    broken = found.under(c.dialect, c.scheme or "").violations(c)
    return sorted(dict.fromkeys(broken), key=lambda violation: violation.position)


def normalize(url: StrOrURL, dialect: str = "rfc3986") -> str:
    """The normal form of a text: RFC 3986 sections 6.2.2 and 6.2.3 (rfc2396: its section 6), and its scheme's rules.
    Idempotent; what the scheme calls significant stays, and so do escapes that need not change. Bytes are UTF-8.

    Raises ValueError: no such dialect. PluginError. TypeError: not a text.
    """
    found, c = _read(url, dialect)
    normal = unsplit(found.normalize(c))
    if dialect == "rfc1738" and "~" not in c.text:
        normal = normal.replace("~", "%7E")  # unreserved to every later RFC, unsafe to this one
    return normal


def equivalent(a: StrOrURL, b: StrOrURL, dialect: str = "rfc3986") -> bool:
    """Do two texts mean the same, by RFC 3986 section 6 and the rules of their scheme's handler?

    Raises ValueError: no such dialect. PluginError. TypeError: not a text.
    """
    (found, first), (_, second) = _read(a, dialect), _read(b, dialect)
    return type(_handler(first)) is type(_handler(second)) and found.equivalent(first, second)


def _text(url: StrOrURL) -> str:
    if isinstance(url, bytes):
        return url.decode("utf-8", "surrogateescape")
    text = url if isinstance(url, str) else getattr(url, "href", None)
    if not isinstance(text, str):
        raise TypeError(f"a URL is str, bytes or urlsm.URL, not {type(url).__name__}")
    return text


def _check(dialect: str) -> None:
    if dialect not in GRAMMARS:
        raise ValueError(f"handlers know the dialects {', '.join(GRAMMARS)}, not {dialect!r}")


def _read(url: StrOrURL, dialect: str) -> tuple[Scheme, Components]:
    """The handler of a text, and what it reads: RFC 1738's components only where it has that grammar."""
    _check(dialect)
    c = split(_text(url), dialect)
    found = _handler(c)
    if dialect == "rfc1738" and not found.is_of_1738(c.scheme or ""):
        c = split(_text(url), "rfc3986")
    return found.under(dialect, c.scheme or ""), c


def _handler(c: Components) -> Scheme:
    return handler(c.scheme) if c.scheme is not None else _NONE


_NONE = Scheme()  # of references without a scheme
