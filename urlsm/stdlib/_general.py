"""Calls with arguments that are not exact str or bytes: subclasses, bytearrays, None, and objects that have the methods
of str or bytes that a call uses.

Each function turns its arguments into exact str with the same operations as the interpreter's urllib.parse, in the same
order, so that it raises the same exception, if any. Then it calls _parse.
"""

from __future__ import annotations

import re
import urllib.parse as theirs
import warnings
from types import FunctionType
from urllib.parse import DefragResult, uses_netloc

from urlsm.stdlib import _parse, _results
from urlsm.stdlib._arguments import as_it_is, check_hashes, clean, coerce_args
from urlsm.stdlib._probe import DIFFERENCES, NO_SCHEME, UNSPECIFIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# --- splitting ---------------------------------------------------------------------------------


def urlsplit(url: Any, scheme: Any, fragments: Any, missing_as_none: Any = False) -> Any:
    check_hashes(url, scheme, fragments)
    return uncached_urlsplit(url, scheme, fragments, missing_as_none=missing_as_none)


def uncached_urlsplit(
    url: Any, scheme: Any = NO_SCHEME, allow_fragments: Any = True, *, missing_as_none: Any = False
) -> Any:
    """Do the same as urlsplit, but without calling hash() on the arguments. This is urlsplit.__wrapped__ in
    interpreters that wrap their own urlsplit in lru_cache."""
    if missing_as_none:
        return _results.urlsplit(url, scheme, allow_fragments, missing_as_none)
    url, scheme, fragments, typed = _to_split(url, scheme, allow_fragments)
    return typed(_parse.split(url, scheme, fragments))


def _to_split(url: Any, scheme: Any, fragments: Any, hashes: bool = False) -> tuple[str, str, bool, Any]:
    """Return the arguments of urlsplit after cleaning, and the function that gives results their type."""
    url, scheme, typed = coerce_args(url, scheme)
    if hashes:
        check_hashes(url, scheme, fragments)
    url, scheme, fragments = clean("" if url is None else url, scheme, fragments)
    return url, scheme or "", fragments, typed


def urlparse(url: Any, scheme: Any, fragments: Any) -> Any:
    url, scheme, fragments, typed = _to_split(url, scheme, fragments, DIFFERENCES["hashes_throughout"])
    return typed(_parse.parse(url, scheme, fragments))


def check_netloc(netloc: str) -> None:
    """Raise ValueError for a netloc whose brackets are not paired, do not contain an IP address, or have other text
    next to them (if this interpreter checks that). Also raise it if NFKC, and therefore IDNA, would turn a character
    into a delimiter."""
    if ("[" in netloc) != ("]" in netloc):
        raise ValueError("Invalid IPv6 URL")
    if "[" in netloc and DIFFERENCES["checks_brackets"]:
        host = netloc.partition("[")[2].partition("]")[0]
        if DIFFERENCES["checks_beside_brackets"]:
            before, bracket, rest = netloc.rpartition("@")[2].partition("[")
            if bracket:
                host, _, port = rest.partition("]")
                if before or (port and not port.startswith(":")):
                    raise ValueError("Invalid IPv6 URL")
            else:
                host = before.partition(":")[0]
        _check_bracketed(host)
    if not netloc.isascii():
        _check_nfkc(netloc)


def _check_bracketed(host: str) -> None:
    """Raise ValueError if the host is not an IP-literal (RFC 3986, 3.2.2)."""
    if host.startswith(("v", "V") if DIFFERENCES["accepts_upper_case_v"] else "v"):
        if not re.match(r"\A[vV][a-fA-F0-9]+\..+\Z", host):
            raise ValueError("IPvFuture address is invalid")
    else:
        import ipaddress

        if isinstance(ipaddress.ip_address(host), ipaddress.IPv4Address):
            raise ValueError("An IPv4 address cannot be in brackets")


def _check_nfkc(netloc: str) -> None:
    from unicodedata import normalize

    without = netloc.translate(dict.fromkeys(map(ord, "@:#?")))
    normal = normalize("NFKC", without)
    if without != normal and any(c in normal for c in "/?#@:"):
        raise ValueError(f"netloc '{netloc}' contains invalid characters under NFKC normalization")


# --- putting together --------------------------------------------------------------------------


def _unsplit(scheme: Any, netloc: Any, url: Any, query: Any, fragment: Any) -> Any:
    """Do the same as urlunsplit, for arguments that are str, or that are false. The operations have the same order as
    in the interpreter, because each of them may raise."""
    if not (DIFFERENCES["doubles_slashes"] or DIFFERENCES["keeps_relative_path"]):
        if netloc or (scheme and scheme in uses_netloc and url[:2] != "//"):
            if url and url[:1] != "/":
                url = "/" + url
            url = "//" + (netloc or "") + url
    elif netloc:
        if url and url[:1] != "/":
            url = "/" + url
        url = "//" + netloc + url
    elif url[:2] == "//":
        if DIFFERENCES["doubles_slashes"]:
            url = "//" + url
    elif scheme and scheme in uses_netloc:
        if not url or url[:1] == "/":
            url = "//" + url
        elif not DIFFERENCES["keeps_relative_path"]:
            url = "///" + url
    if scheme:
        url = scheme + ":" + url
    if query:
        url = url + "?" + query
    if fragment:
        url = url + "#" + fragment
    return url


def urlunsplit(components: Any, keep_empty: Any) -> Any:
    if keep_empty is not UNSPECIFIED or _results.keeps_empty(components):
        return _results.urlunsplit(components, keep_empty)
    scheme, netloc, url, query, fragment, typed = coerce_args(*components)
    if DIFFERENCES["params_come_last"]:
        return typed(_results.unsplit_dropping(scheme, netloc, url, None, query, fragment))
    return typed(_unsplit(scheme, netloc, url, query, fragment))


def urlunparse(components: Any, keep_empty: Any) -> Any:
    if keep_empty is not UNSPECIFIED or _results.keeps_empty(components):
        return _results.urlunparse(components, keep_empty)
    scheme, netloc, url, params, query, fragment, typed = coerce_args(*components)
    if DIFFERENCES["params_come_last"]:
        return typed(_results.unsplit_dropping(scheme, netloc, url, params, query, fragment))
    if params:
        url = f"{url!s};{params!s}"
    # the arguments are coerced once more, as in the interpreter, which calls urlunsplit here
    scheme, netloc, url, query, fragment, _ = coerce_args(scheme, netloc, url, query, fragment)
    return typed(_unsplit(scheme, netloc, url, query, fragment))


def urldefrag(url: Any) -> Any:
    url, typed = coerce_args(url)
    if "#" in url:
        return typed(_parse.urldefrag(url.lstrip("")))
    return _results.marked(typed(DefragResult(url, "")), False)


def urljoin(base: Any, url: Any, fragments: Any) -> Any:
    if not base:
        return url
    if not url:
        return base
    base, url, typed = coerce_args(base, url)
    if DIFFERENCES["hashes_throughout"]:
        check_hashes(fragments)
    exact_base, _, fragments = clean(base, "", fragments)
    exact_url = url.lstrip("")
    joined = _parse.join(exact_base, exact_url, fragments)
    return typed(url if joined is exact_url else joined)


# --- quoting -----------------------------------------------------------------------------------


def _as_theirs(function: Callable[..., Any]) -> Any:
    """Return the function as if it were defined in urllib.parse, so that warnings of codecs name that file and are
    shown only once."""
    code = function.__code__.replace(co_filename=theirs.__file__)
    return FunctionType(code, vars(theirs), function.__name__)


@_as_theirs
def _encode(text: Any, encoding: Any, errors: Any) -> Any:
    return text.encode(encoding, errors)


@_as_theirs
def _decode(octets: Any, encoding: Any, errors: Any) -> Any:
    return octets.decode(encoding, errors)


def quote(string: Any, safe: Any, encoding: Any, errors: Any) -> Any:
    if isinstance(string, str):
        if not string:
            return string
        string = _encode(string, "utf-8" if encoding is None else encoding, "strict" if errors is None else errors)
    elif encoding is not None:
        raise TypeError("quote() doesn't support 'encoding' for bytes")
    elif errors is not None:
        raise TypeError("quote() doesn't support 'errors' for bytes")
    return quote_from_bytes(string, safe)


def quote_plus(string: Any, safe: Any, encoding: Any, errors: Any) -> Any:
    if (isinstance(string, str) and " " not in string) or (isinstance(string, bytes) and b" " not in string):
        return quote(string, safe, encoding, errors)
    space = " " if isinstance(safe, str) else b" "
    return quote(string, safe + space, encoding, errors).replace(" ", "+")


def quote_from_bytes(bs: Any, safe: Any) -> str:
    if not isinstance(bs, (bytes, bytearray)):
        raise TypeError("quote_from_bytes() expected bytes")
    if not bs:
        return ""
    safe = safe.encode("ascii", "ignore") if isinstance(safe, str) else bytes([c for c in safe if c < 128])
    return _parse.quote_from_bytes(bytes(bs), safe)


def unquote(string: Any, encoding: Any, errors: Any) -> Any:
    if isinstance(string, bytes):
        return _decode(unquote_to_bytes(string), encoding, errors)
    if "%" not in string:
        string.split  # noqa: B018  (AttributeError for what is not like a str)
        return string
    encoding = "utf-8" if encoding is None else encoding
    errors = "replace" if errors is None else errors
    # the second, fourth, ... pieces are ASCII; only these are decoded
    pieces = re.split("([\0-\x7f]+)", string)
    pieces[1::2] = [_decode(_parse.unquote_to_bytes(piece), encoding, errors) for piece in pieces[1::2]]
    return "".join(pieces)


def unquote_to_bytes(string: Any) -> Any:
    if not string:
        string.split  # noqa: B018
        return b""
    if isinstance(string, str):
        string = string.encode("utf-8")
    pieces = string.split(b"%")
    if len(pieces) == 1:
        return bytes(string) if DIFFERENCES["unquotes_to_exact_bytes"] else string
    {}.get(pieces[1][:2])  # the interpreter looks this up in a dict, so a bytearray raises TypeError
    return _parse.unquote_to_bytes(b"%".join(pieces))


# --- queries -----------------------------------------------------------------------------------


def parse_qsl(
    qs: Any, keep_blank: Any, strict: Any, encoding: Any, errors: Any, most: Any, separator: Any, stacklevel: int
) -> list[tuple[Any, Any]]:
    if DIFFERENCES["queries_of_octets"]:
        if not separator or not isinstance(separator, (str, bytes)):
            raise ValueError("Separator must be of type string or bytes.")
        if isinstance(qs, str):
            separator = separator if isinstance(separator, str) else str(separator, "ascii")
        else:
            octets = _octets_of_query(qs, stacklevel + 2)
            if octets is None:
                return []
            qs = octets
            separator = bytes(separator, "ascii") if isinstance(separator, str) else separator
        typed = as_it_is
    else:
        qs, typed = coerce_args(qs)
        separator, _ = coerce_args(separator)
        if not separator or not isinstance(separator, (str, bytes)):
            raise ValueError("Separator must be of type string or bytes.")
    empty = not qs and DIFFERENCES["empty_query_has_no_field"]
    if empty and DIFFERENCES["queries_of_octets"]:
        return []
    if most is not None and most < (0 if empty else 1 + qs.count(separator)):
        raise ValueError("Max number of fields exceeded")

    def unquoted(text: Any) -> Any:
        if isinstance(text, bytes):
            return _parse.unquote_to_bytes(text.replace(b"+", b" "))
        return typed(_parse.unquote(text.replace("+", " "), encoding, errors))

    pairs = []
    equals = "=" if isinstance(qs, str) else b"="
    for field in [] if empty else qs.split(separator):
        if not field and not strict:
            continue
        name, found, value = field.partition(equals)
        if not found and strict:
            raise ValueError(f"bad query field: {field!r}")
        if value or keep_blank:
            pairs.append((unquoted(name), unquoted(value)))
    return pairs


def _octets_of_query(qs: Any, stacklevel: int) -> bytes | None:
    """Return the query as bytes; None if it is None or another false value. Where false values are deprecated, bytes
    are returned even if they are empty, and None is returned with a warning for other false values."""
    if not DIFFERENCES["deprecates_false_queries"]:
        return bytes(memoryview(qs)) if qs else None
    if qs is None:
        return None
    try:
        return bytes(memoryview(qs))
    except TypeError:
        if qs:
            raise
    warnings.warn(
        f"Accepting {type(qs).__name__} objects with false value in urllib.parse.parse_qsl() is deprecated as of 3.14",
        DeprecationWarning,
        stacklevel=stacklevel,
    )
    return None


def pair(item: Any) -> tuple[Any, Any]:
    """Return a name and a value; raise the interpreter's own exception if item is not a pair."""
    name, value = item
    return name, value


def urlencode(pairs: Any, doseq: Any, safe: Any, encoding: Any, errors: Any, quote_via: Any) -> str:
    """Do the same as urlencode, if the caller passes its own quote_via, encoding, errors, or a `safe` that is not an
    exact str or bytes."""

    def quoted(item: Any) -> Any:
        return quote_via(item, safe) if isinstance(item, bytes) else quote_via(str(item), safe, encoding, errors)

    def values_of(value: Any) -> Iterator[Any]:
        if not doseq or isinstance(value, bytes):
            yield quoted(value)
        elif isinstance(value, str):
            yield quote_via(value, safe, encoding, errors)
        else:
            try:
                len(value)
            except TypeError:
                yield quote_via(str(value), safe, encoding, errors)
            else:
                for element in value:
                    yield quoted(element)

    written = []
    for name, values in pairs:
        name = quoted(name)
        for value in values_of(values):  # quote name and value before joining, because either may raise
            written.append(name + "=" + value)
    return "&".join(written)
