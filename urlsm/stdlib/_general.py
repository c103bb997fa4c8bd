"""Arguments that are not plain: subclasses of str, bytearrays, None, whatever has the methods that are called.

Here each call makes exact str of what it was given, by the same operations in the same order as the interpreter's
urllib.parse, so that it ends in the same exception where there is one, and goes on to the compiled modules.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any
from urllib.parse import DefragResult, uses_netloc

from urlsm.stdlib import _join, _parse, _quote, _results, _unparse
from urlsm.stdlib._probe import DIFFERENCES

C0_OR_SPACE = "".join(map(chr, range(0x21)))


# --- str, or bytes that stand for str ----------------------------------------------------------


def _coerce_args(*args: Any) -> Any:
    """All as str, and the function that gives results the type that the arguments had."""
    is_text = isinstance(args[0], str)
    for arg in args[1:]:
        # the empty str is the default of scheme=
        if arg and isinstance(arg, str) != is_text:
            raise TypeError("Cannot mix str and non-str arguments")
    if is_text:
        return (*args, as_it_is)
    return (*(arg.decode("ascii", "strict") if arg else "" for arg in args), encoded)


# the interpreter names the function it could not call
_coerce_args.__module__ = "urllib.parse"


def as_it_is(result: Any) -> Any:
    return result


def encoded(result: Any) -> Any:
    return result.encode("ascii", "strict")


def _hash(*args: object) -> None:
    """What lru_cache does first: TypeError for an argument that has no hash."""
    if DIFFERENCES["hashes_arguments"]:
        for arg in args:
            hash(arg)


# --- splitting ---------------------------------------------------------------------------------


def clean(url: Any, scheme: Any, fragments: Any) -> tuple[str, str, bool]:
    """As exact str; scheme without what urlsplit takes out of it."""
    url = url.lstrip("")
    if DIFFERENCES["strips_start"]:
        scheme = scheme.strip(C0_OR_SPACE)
    for removed in "\t\r\n":
        scheme = scheme.replace(removed, "")
    return url, scheme, bool(fragments)


def urlsplit(url: Any, scheme: Any, fragments: Any) -> Any:
    _hash(url, scheme, fragments)
    return uncached_urlsplit(url, scheme, fragments)


def uncached_urlsplit(url: Any, scheme: Any = "", allow_fragments: Any = True, *, missing_as_none: Any = False) -> Any:
    """What the interpreter wraps in lru_cache."""
    if missing_as_none:
        return _results.urlsplit(url, scheme, allow_fragments)
    url, scheme, typed = _coerce_args(url, scheme)
    return typed(_parse.split(*clean(url, scheme, allow_fragments)))


def urlparse(url: Any, scheme: Any, fragments: Any) -> Any:
    url, scheme, typed = _coerce_args(url, scheme)
    _hash(url, scheme, fragments)
    return typed(_parse.parse(*clean(url, scheme, fragments)))


def check_netloc(netloc: str) -> None:
    """ValueError for brackets without an IP address, as far as this interpreter cares; and for what would be a
    delimiter under NFKC, which is what IDNA would make of it."""
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
    """RFC 3986, 3.2.2: IP-literal."""
    if host.startswith("v"):
        if not re.match(r"\Av[a-fA-F0-9]+\..+\Z", host):
            raise ValueError("IPvFuture address is invalid")
    elif isinstance(ipaddress.ip_address(host), ipaddress.IPv4Address):
        raise ValueError("An IPv4 address cannot be in brackets")


def _check_nfkc(netloc: str) -> None:
    from unicodedata import normalize

    without = netloc.translate(dict.fromkeys(map(ord, "@:#?")))
    normal = normalize("NFKC", without)
    if without != normal and any(c in normal for c in "/?#@:"):
        raise ValueError(f"netloc '{netloc}' contains invalid characters under NFKC normalization")


# --- putting together --------------------------------------------------------------------------


def _unsplit(scheme: Any, netloc: Any, url: Any, query: Any, fragment: Any) -> Any:
    """urlunsplit of str and of whatever is false. This is the interpreter's own order of operations, since each may
    be the one that raises."""
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
    if keep_empty is not None or isinstance(components, _results.Optional):
        return _results.urlunsplit(components, keep_empty)
    scheme, netloc, url, query, fragment, typed = _coerce_args(*components)
    return typed(_unsplit(scheme, netloc, url, query, fragment))


def urlunparse(components: Any, keep_empty: Any) -> Any:
    if keep_empty is not None or isinstance(components, _results.Optional):
        return _results.urlunparse(components, keep_empty)
    scheme, netloc, url, params, query, fragment, typed = _coerce_args(*components)
    if params:
        url = f"{url!s};{params!s}"
    # urlunsplit coerces once more
    scheme, netloc, url, query, fragment, _ = _coerce_args(scheme, netloc, url, query, fragment)
    return typed(_unsplit(scheme, netloc, url, query, fragment))


def urldefrag(url: Any) -> Any:
    url, typed = _coerce_args(url)
    if "#" in url:
        return typed(_unparse.urldefrag(url.lstrip("")))
    return typed(DefragResult(url, ""))


def urljoin(base: Any, url: Any, fragments: Any) -> Any:
    if not base:
        return url
    if not url:
        return base
    base, url, typed = _coerce_args(base, url)
    _hash(fragments)
    exact_base, _, fragments = clean(base, "", fragments)
    exact_url = url.lstrip("")
    joined = _join.join(exact_base, exact_url, fragments)
    return typed(url if joined is exact_url else joined)


# --- quoting -----------------------------------------------------------------------------------


def quote(string: Any, safe: Any, encoding: Any, errors: Any) -> Any:
    if isinstance(string, str):
        if not string:
            return string
        string = string.encode("utf-8" if encoding is None else encoding, "strict" if errors is None else errors)
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
    return _quote.quote_from_bytes(bytes(bs), safe)


def unquote(string: Any, encoding: Any, errors: Any) -> Any:
    if isinstance(string, bytes):
        return unquote_to_bytes(string).decode(encoding, errors)
    if "%" not in string:
        string.split  # noqa: B018  (AttributeError for what is not like a str)
        return string
    encoding = "utf-8" if encoding is None else encoding
    errors = "replace" if errors is None else errors
    # what is ASCII and what is not, in turn; only the former is decoded
    pieces = re.split("([\0-\x7f]+)", string)
    pieces[1::2] = [_quote.unquote_to_bytes(piece).decode(encoding, errors) for piece in pieces[1::2]]
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
    hash(pieces[1][:2])  # they are looked up: TypeError for a bytearray
    return _quote.unquote_to_bytes(b"%".join(pieces))


# --- queries -----------------------------------------------------------------------------------


def parse_qsl(
    qs: Any, keep_blank: Any, strict: Any, encoding: Any, errors: Any, most: Any, separator: Any
) -> list[tuple[Any, Any]]:
    if DIFFERENCES["queries_of_octets"]:
        if not separator or not isinstance(separator, (str, bytes)):
            raise ValueError("Separator must be of type string or bytes.")
        if isinstance(qs, str):
            separator = separator if isinstance(separator, str) else str(separator, "ascii")
        elif not qs:
            return []
        else:
            qs = bytes(memoryview(qs))
            separator = bytes(separator, "ascii") if isinstance(separator, str) else separator
        typed = as_it_is
    else:
        qs, typed = _coerce_args(qs)
        separator, _ = _coerce_args(separator)
        if not separator or not isinstance(separator, (str, bytes)):
            raise ValueError("Separator must be of type string or bytes.")
    empty = not qs and DIFFERENCES["empty_query_has_no_field"]
    if empty and DIFFERENCES["queries_of_octets"]:
        return []
    if most is not None and most < (0 if empty else 1 + qs.count(separator)):
        raise ValueError("Max number of fields exceeded")

    def unquoted(text: Any) -> Any:
        if isinstance(text, bytes):
            return _quote.unquote_to_bytes(text.replace(b"+", b" "))
        return typed(_quote.unquote(text.replace("+", " "), encoding, errors))

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


def pair(item: Any) -> tuple[Any, Any]:
    """A name and a value; the interpreter's own exception where it is no pair."""
    name, value = item
    return name, value


def urlencode(pairs: Any, doseq: Any, safe: Any, encoding: Any, errors: Any, quote_via: Any) -> str:
    """Where names and values are quoted by some function, or with some encoding."""

    def quoted(item: Any) -> Any:
        return quote_via(item, safe) if isinstance(item, bytes) else quote_via(str(item), safe, encoding, errors)

    written = []
    for name, value in pairs:
        name = quoted(name)
        if not doseq or isinstance(value, bytes):
            written.append(name + "=" + quoted(value))
        elif isinstance(value, str):
            written.append(name + "=" + quote_via(value, safe, encoding, errors))
        else:
            try:
                len(value)
            except TypeError:
                written.append(name + "=" + quoted(str(value)))
            else:
                written.extend([name + "=" + quoted(element) for element in value])
    return "&".join(written)
