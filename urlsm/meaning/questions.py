"""Returns the parts, violations and normal form of a URL, and compares two URLs, according to the handlers of their
schemes. URLs are read exactly as written. urlsm.meaning.web falls back on this module for the texts that it cannot
handle."""

from __future__ import annotations

import re
from enum import Enum
from itertools import accumulate

from urlsm.components.parts import Parts, components_of, decode, lower
from urlsm.components.value import Components, split, unsplit
from urlsm.errors import SchemeError, scheme_error
from urlsm.errors.rules import Violation, Violations
from urlsm.meaning.literal import undone
from urlsm.meaning.registry import handler
from urlsm.meaning.web import is_valid_link
from urlsm.meaning.within import has_inner, urls_within
from urlsm.octets.objects import url_string
from urlsm.octets.text import utf8
from urlsm.schemes.contract import P
from urlsm.schemes.generic import Scheme, Unknown
from urlsm.schemes.iris import hosts_are_domains
from urlsm.unicode.domains import DISPUTED
from urlsm.url.value import URL, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.machine.driver import _Dialect
    from urlsm.url.value import StrOrURL

# URL.parts needs components_of
__all__ = ["components_of", "equivalent", "normalize", "parts", "parts_by", "plain", "violations"]

GRAMMARS = ("rfc3986", "rfc3987", "rfc2396", "rfc1738")  # the dialects whose grammars the handlers know


def parts(url: StrOrURL, scheme: str | type[Parts] | None = None, *, dialect: _Dialect = "rfc3986") -> Parts:
    """Return the parts that the scheme of a URL defines, typed and decoded from the URL as written.

    `scheme` is checked, and it tells type checkers the class of the parts: `parts(url, "mailto")` returns MailtoParts
    or raises SchemeError. It also accepts other schemes with the same handler (s3 and s3a, postgresql and
    postgresql+psycopg).

    Args:
        url: the URL. An object key in a str or bytes is read exactly as written. In a URL object, it is read as
            URL.parts reads it.
        scheme: the scheme that the URL must have, or the Parts class that its parts must have; None for any scheme.
        dialect: "rfc3986" (the current standard of the scheme), "rfc3987" (for IRIs), "rfc1738" or "rfc2396" (the
            grammar of that RFC).

    Raises:
        SchemeError: the URL has no scheme, has a scheme other than `scheme`, or breaks a rule (an "error" of
            `validate`).
        ValueError: the dialect is unknown.
        PluginError: the plug-in for the scheme failed to load.
        TypeError: url is not str, bytes or URL, or scheme is not a str or a Parts class.

    Example:
        >>> import urlsm
        >>> urlsm.parts("mailto:ann@ex.com?subject=Hi", "mailto").recipients
        ('ann@ex.com',)
    """
    c = _with_scheme(url, dialect)
    found = _handler(c)
    if scheme is not None and not _is_expected(found, c.scheme or "", scheme):
        raise _of_another_scheme(c, f'"{scheme}"' if isinstance(scheme, str) else f"one with {scheme.__name__}")
    is_valid = dialect in ("rfc3986", "rfc3987") and is_valid_link(url, dialect)
    return _parts_by(found, url, c, [] if is_valid else _broken(found, url, c))


def parts_by(found: Scheme[P], url: StrOrURL, dialect: _Dialect) -> P:
    """Do the same as Scheme.parts."""
    c = _with_scheme(url, dialect)
    if not found.serves(c.scheme or ""):
        raise _of_another_scheme(c, " or ".join([f'"{name}"' for name in found.names]))
    return _parts_by(found, url, c, _broken(found, url, c))


def _with_scheme(url: StrOrURL, dialect: _Dialect) -> Components:
    _check(dialect)
    c = split(url_string(url), dialect=dialect)
    if c.scheme is None:
        raise scheme_error(c.text, "missing-scheme-non-relative-URL", "scheme", 0)
    return c


def _is_expected(found: Scheme[Any], name: str, expected: str | type[Parts]) -> bool:
    if isinstance(expected, str):
        wanted = handler(expected)
        return lower(name) == lower(expected) or (wanted.names != () and type(found) is type(wanted))
    if isinstance(expected, type) and issubclass(expected, Parts):
        return issubclass(found.parts_type, expected)
    raise TypeError(f"scheme must be str or a Parts class, not {type(expected).__name__}")


def _of_another_scheme(c: Components, expected: str) -> SchemeError:
    start, _ = c.span("scheme") or (0, 0)
    message = f'the scheme is "{c.scheme}", not {expected}'
    return SchemeError(_GENERIC.violation("scheme-not-expected", "scheme", start, message=message), c.text)


def _parts_by(found: Scheme[P], url: StrOrURL, c: Components, broken: list[Violation]) -> P:
    """Return the parts that a handler reads in components of a text. Raise SchemeError if the text breaks a rule."""
    for violation in broken:
        if violation.severity == "error":
            raise SchemeError(violation, url)
    by = found.under(c.dialect, c.scheme or "")
    read: P = by.read_parts(c)
    return undone(by, read) if by.literal and isinstance(url, URL) else read


def plain(value: object) -> Any:
    """Return a part, or a whole Parts object, as JSON types. A Parts object becomes a dict, a tuple becomes a list, and
    a member of an enum becomes its value. bytes become a str in which bytes that are not UTF-8 are lone surrogates. Any
    other object, such as a Decimal, becomes its str."""
    if isinstance(value, Parts):
        return {name: plain(value[name]) for name in value.keys()}  # noqa: SIM118
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, Enum):
        return plain(value.value)
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def violations_of_text(url: StrOrURL, dialect: _Dialect, *, within: bool = True) -> list[Violation]:
    """Return the violations that the scheme's handler finds in a URL. Positions count characters, or bytes if url is
    bytes. within: whether to add the violations of nested URLs, as warnings."""
    if dialect in ("rfc3986", "rfc3987") and is_valid_link(url, dialect):
        return []
    _check(dialect)
    if dialect == "rfc3987" and isinstance(url, bytes) and not bytes.isascii(url):
        return _of_iri_in_bytes(url)
    c = split(bytes.decode(url, "latin-1") if isinstance(url, bytes) else url_string(url), dialect=dialect)
    found = _broken(_handler(c), url, c)
    return _with_inner(found, c) if within and has_inner(c.scheme) else found


def _broken(found: Scheme[Any], url: StrOrURL, c: Components) -> list[Violation]:
    """Return the violations that a handler finds in a text with these components, not including violations in nested
    URLs."""
    if isinstance(url, bytes) and not bytes.isascii(url):
        c = split(bytes.decode(url, "latin-1"), dialect=c.dialect)  # positions count bytes
        return _with_bad_utf8(_judged(found, c), url, found) if found.literal else _judged(found, c)
    return _judged(found, c)


def violations(found: Scheme[Any], text: str, dialect: _Dialect) -> list[Violation]:
    """Return the violations that a handler finds in a text with its grammar for a dialect, in order of position."""
    if dialect == "rfc3986" and is_valid_link(text, dialect) and found is handler(text.partition(":")[0]):
        return []
    c = split(text, dialect=dialect)
    broken = _judged(found, c)
    return Violations(_with_inner(broken, c) if has_inner(c.scheme) else broken)


def _with_bad_utf8(found: list[Violation], octets: bytes, store: Scheme[Any]) -> list[Violation]:
    """Return the violations in `found`, and one more if the bytes are not UTF-8, because a key must be UTF-8."""
    try:
        octets.decode()
    except UnicodeDecodeError as error:
        message = "these bytes are not UTF-8, so they cannot be decoded"
        found.append(store.violation("key-not-unicode", "path", error.start, message=message))
    return sorted(found, key=lambda violation: violation.position)


def _of_iri_in_bytes(octets: bytes) -> list[Violation]:
    """Return the violations of an IRI in UTF-8. Bytes that are not UTF-8 are characters that are not allowed."""
    text = octets.decode("utf-8", "surrogateescape")
    starts = [0, *accumulate(len(utf8(char)) for char in text)]
    found = violations_of_text(text, "rfc3987", within=False)
    return [one._replace(position=starts[one.position]) for one in found]


def _with_inner(found: list[Violation], c: Components) -> list[Violation]:
    """Return the violations in `found`, and the violations in the URLs within the text. The latter are only warnings,
    because the outer scheme may allow them. No violation is listed twice for the same place."""
    if c.dialect != "rfc3986" or not _handler(c).nested_is_url:
        return found
    said = {(one.code, one.position): one for one in found}
    for inner in urls_within(c.text)[0]:
        for one in violations_of_text(inner.text, "rfc3986", within=False):
            at = min(inner.at(one.position), len(c.text))
            said.setdefault((one.code, at), one._replace(position=at, severity="warning"))
    return sorted(said.values(), key=lambda violation: violation.position)


def _judged(found: Scheme[Any], c: Components) -> list[Violation]:
    broken = found.under(c.dialect, c.scheme or "").violations(c)
    return sorted(dict.fromkeys(broken), key=lambda violation: violation.position)


def normalize(url: StrOrURL, dialect: _Dialect, generic: str | None, unicode_form: str | None) -> str:
    """Do the same as urlsm.normalize, using the scheme's handler."""
    found, c = _read(_composed(url, unicode_form), dialect, generic)
    normal = unsplit(found.normalize(c))
    if dialect == "rfc1738" and "~" not in c.text:
        normal = normal.replace("~", "%7E")  # "~" is unreserved in every later RFC, but unsafe in RFC 1738
    return normal


def equivalent(a: StrOrURL, b: StrOrURL, dialect: _Dialect, generic: str | None, unicode_form: str | None) -> bool:
    """Do the same as urlsm.equivalent, using the schemes' handlers."""
    found, first = _read(_composed(a, unicode_form), dialect, generic)
    _, second = _read(_composed(b, unicode_form), dialect, generic)
    if type(_handler(first)) is not type(_handler(second)):
        return False
    if not found.equivalent(_with_one_spelling(first), _with_one_spelling(second)):
        return False
    is_web = lower(first.scheme or "") in ("http", "https")
    return not is_web or _hosts_read(first.text) == _hosts_read(second.text)


def _with_one_spelling(c: Components) -> Components:
    """Return components in which the host, if it is an IPv6 address or an internationalised name, has one fixed
    spelling, so that hosts can be compared. The grammars before RFC 3986 have neither."""
    if c.dialect not in ("rfc3986", "rfc3987"):
        return c
    if "[" not in c.text and c.text.isascii() and _BEYOND_ASCII.search(c.text) is None:
        return c
    found = _handler(c)
    is_name = hosts_are_domains(found)
    start, end = c.span("host") or (0, 0)
    hosts = [(start, c.host or "")]
    try:
        for at, host in found.hosts(c):
            if not start <= at < end:
                hosts.append((at, host))
    except SchemeError:
        pass  # the hosts that were found before the error are kept
    text = c.text
    for at, host in sorted(hosts, reverse=True):
        if text.startswith(host, at):
            # the host may be a list of hosts
            one = _PIECES.sub(lambda piece: _spelling(_unescaped(piece[0]) if is_name else piece[0], is_name), host)
            text = text[:at] + one + text[at + len(host) :]
    return c if text == c.text else split(text, dialect=c.dialect)


def _unescaped(name: str) -> str:
    """Return an internationalised name without escapes. `build` writes escapes for a name in a list of hosts."""
    plain = decode(name) if _BEYOND_ASCII.search(name) else name
    return name if set("/?#@[]:,%\ufffd") & set(plain) else plain


def _spelling(host: str, is_name: bool) -> str:
    """Return the one spelling of a host: for an IPv6 address, the form of RFC 5952; for an IDN, its A-labels; any other
    host is returned unchanged. is_name: whether the host may be an IDN."""
    if host.startswith("["):
        url = try_parse(f"http://{host}/")
        return host if url is None or url.host is None else url.host
    if not is_name or host.isascii() or len(host) > _LONGEST_NAME:
        return host
    lower_case = host.lower()
    if not DISPUTED.isdisjoint(lower_case):
        return host
    from urlsm.unicode.idna import a_labels

    return a_labels(lower_case)


def _hosts_read(text: str) -> list[str | None]:
    """Return the host that each dialect of compare() finds in a text, or None if it finds none. The hosts are in lower
    case, and IPv6 addresses and IDNs have one fixed spelling, so that they can be compared."""
    url = try_parse(text)
    hosts = [split(text, dialect=dialect).host for dialect in ("rfc3986", "rfc2396", "barth", "stdlib")]
    return [None if url is None else url.host, *(host and lower(_spelling(host, True)) for host in hosts)]


def _composed(url: StrOrURL, unicode_form: str | None) -> StrOrURL:
    """Return an IRI with its characters normalised (RFC 3987 section 5.3.2.2)."""
    if unicode_form is None:
        return url
    from unicodedata import normalize as composed

    return composed("NFC", url_string(url))  # the only form that is offered


def _check(dialect: _Dialect) -> None:
    if dialect not in GRAMMARS:
        raise ValueError(f"dialect must be one of {', '.join(GRAMMARS)}, not {dialect!r}")


def _read(url: StrOrURL, dialect: _Dialect, generic: str | None = None) -> tuple[Scheme[Any], Components]:
    """Return the handler that knows the grammar of a text in a dialect, and the components of the text. If `generic` is
    "rfc3986", the handler for the RFC's generic syntax is used for schemes without a handler."""
    _check(dialect)
    c = split(url_string(url), dialect=dialect)
    found = _handler(c)
    if generic is not None and type(found) is Unknown:
        found = _GENERIC
    return found.under(dialect, c.scheme or ""), c


def _handler(c: Components) -> Scheme[Any]:
    return handler(c.scheme) if c.scheme is not None else _NONE


_GENERIC = _NONE = Scheme()  # _NONE reads references without a scheme
_LONGEST_NAME = 253  # the maximal length of a domain name in characters
_BEYOND_ASCII = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")
_PIECES = re.compile(r"\[[^\[\]]*\]|[^\[\],:]+")
