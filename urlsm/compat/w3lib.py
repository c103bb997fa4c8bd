"""The module w3lib.url from w3lib 2.5: all its public names, with the same arguments and results.

A string that w3lib rejects raises ValueError, as in w3lib. In most cases the error is a urlsm.ParseError.
https://w3lib.readthedocs.io/en/latest/w3lib.html#module-w3lib.url
"""

from __future__ import annotations

import base64
import os
import posixpath
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import ParseResult
from urllib.request import pathname2url, url2pathname

from urlsm.compat.cleaner import is_url, parameter_of, plain_file_path, url_query_cleaner, with_parameters
from urlsm.crawler.canonical import canonicalize
from urlsm.crawler.encoded import decoded, octets_in
from urlsm.crawler.profiles import SAFE_URL, USES_NETLOC, USES_PARAMS, profile
from urlsm.crawler.record import Profile
from urlsm.errors import ParseError
from urlsm.machine.driver import SPECIAL
from urlsm.meaning.web import is_valid_link
from urlsm.stdlib import quote, quote_plus, unquote_to_bytes

__all__ = [
    "add_http_if_no_scheme",
    "add_or_replace_parameter",
    "add_or_replace_parameters",
    "any_to_uri",
    "canonicalize_url",
    "file_uri_to_path",
    "is_url",
    "parse_data_uri",
    "path_to_file_uri",
    "safe_download_url",
    "safe_url_string",
    "url_query_cleaner",
    "url_query_parameter",
]

RFC3986_GEN_DELIMS = b":/?#[]@"
RFC3986_SUB_DELIMS = b"!$&'()*+,;="
RFC3986_RESERVED = RFC3986_GEN_DELIMS + RFC3986_SUB_DELIMS
RFC3986_UNRESERVED = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
RFC3986_USERINFO_SAFE_CHARS = RFC3986_UNRESERVED + RFC3986_SUB_DELIMS + b":"

_C0_OR_SPACE = "".join(map(chr, range(33)))
_NO_TABS = str.maketrans("", "", "\t\n\r")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BEGINS_WITH_SCHEME = re.compile(r"\w+://").match
_UNQUOTED_PATH = SAFE_URL.replace(path_safe=None)
_DOWNLOAD = SAFE_URL.replace(fragment="drop")
# matches an absolute path as pathlib writes it: no segment is empty or begins with "."
_ABSOLUTE = re.compile(r"(?:/[\x01-\-0-\x7f][\x01-.0-\x7f]*)+").fullmatch
_SPLIT = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


class _Parts(NamedTuple):
    scheme: str
    netloc: str
    path: str
    query: str
    fragment: str


def _text(url: str | bytes, encoding: str | None = None) -> str:
    if isinstance(url, str):
        return url
    if not isinstance(url, bytes):
        raise TypeError(f"to_unicode must receive bytes or str, got {type(url).__name__}")
    return url.decode(encoding or "utf-8")


def _split(url: str) -> _Parts:
    """Split a URL as urlsplit does, but read "\\" as browsers do. Raises ParseError if w3lib's split would reject the
    URL."""
    url = url.translate(_NO_TABS).lstrip(_C0_OR_SPACE)
    # canonicalize serves as the check, but it refuses surrogates and removes spaces at the end, unlike w3lib's split;
    # so surrogates are replaced, and "#" is put after the end
    canonicalize(_SURROGATE.sub("!", url) + "#", SAFE_URL)
    match = _SPLIT.fullmatch(url)
    assert match is not None  # _SPLIT matches any text
    if (match[1] or "").lower() in SPECIAL and "\\" in url:
        end = min(url.find(mark) if mark in url else len(url) for mark in "?#")
        match = _SPLIT.fullmatch(url[:end].replace("\\", "/") + url[end:])
        assert match is not None
    scheme, netloc, path, query, fragment = match.groups(default="")
    return _Parts(scheme.lower(), netloc, path, query, fragment)


def _joined(parts: _Parts) -> str:
    """Join the parts of a URL as urlunsplit does."""
    scheme, netloc, path, query, fragment = parts
    if netloc:
        path = f"//{netloc}{'' if not path or path[0] == '/' else '/'}{path}"
    elif path[:2] == "//" or (scheme in USES_NETLOC and (not path or path[0] == "/")):
        path = f"//{path}"
    return "".join((scheme and scheme + ":", path, query and "?" + query, fragment and "#" + fragment))


def _form(query: str | bytes, keep_blank_values: bool, separator: str) -> list[tuple[bytes, bytes]]:
    pairs = []
    octets = query.encode() if isinstance(query, str) else query
    for field in octets.split(separator.encode()):
        name, equals, value = field.partition(b"=")
        if field and (keep_blank_values or (equals and value)):
            pairs.append((unquote_to_bytes(name.replace(b"+", b" ")), unquote_to_bytes(value.replace(b"+", b" "))))
    return pairs


# --- URLs --------------------------------------------------------------------------------------


_HEAD = re.compile(r"((?:[A-Za-z][A-Za-z0-9+.-]*:)?(?:[/\\]{2}[^/\\?#]*)?)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)


def _octets(url: str | bytes, encoding: str, path_encoding: str, quote_path: bool) -> str | bytes:
    """Return the bytes of a URL. path_encoding: the encoding of the path (UTF-8 if quote_path is false); encoding: the
    encoding of query and fragment. Raises UnicodeEncodeError if an encoding lacks a character."""
    text = (url if isinstance(url, str) else decoded(url, encoding)).translate(_NO_TABS).strip(_C0_OR_SPACE)
    match = _HEAD.fullmatch(text)
    assert match is not None  # _HEAD matches any text
    head, path, query, fragment = match.groups(default="")
    coded = path.encode(path_encoding if quote_path else "utf-8").replace(b"#", b"%23").replace(b"?", b"%3F")
    # escape the octets "#" and NUL within a character, so that they are not taken for a delimiter or stripped
    tail = [
        part[:1].encode() + part[1:].encode(encoding).replace(b"#", b"%23").replace(b"\0", b"%00")
        for part in (query, fragment)
        if part
    ]
    return head.encode() + coded + b"".join(tail)


def _refused(error: ParseError) -> ValueError:
    """Return the error to raise for a rejected URL. For an unclosed bracket, it has the message that w3lib's users look
    for."""
    if error.code == "IPv6-unclosed":
        said = ValueError("Invalid IPv6 URL")
        said.__cause__ = error
        return said
    return error


def safe_url_string(
    url: str | bytes, encoding: str = "utf8", path_encoding: str = "utf8", quote_path: bool = True
) -> str:
    """Return a URL that browsers and strict servers accept: unsafe characters are percent-encoded.

    Percent-escapes are kept, and a domain is converted to ASCII.

    Args:
        url: str, or bytes in `encoding`.
        encoding: the encoding of the query and the fragment.
        path_encoding: the encoding of the path.
        quote_path: whether to percent-encode the path.

    Raises:
        ValueError: `url` is not a URL.
        UnicodeEncodeError: the encoding cannot represent a character of the URL.

    Example:
        >>> safe_url_string("http://example.org/a b?q=é")
        'http://example.org/a%20b?q=%C3%A9'
    """
    how = SAFE_URL if quote_path else _UNQUOTED_PATH
    if not (encoding == path_encoding == "utf8" or (isinstance(url, str) and url.isascii())):
        url = _octets(url, encoding, path_encoding, quote_path)
    try:
        return canonicalize(url, how)
    except ParseError as error:
        raise _refused(error) from None


_PARENTS = re.compile(r"/?(\.\./)+")
_ENCODED_DOTS = {"%2e": ".", ".%2e": "..", "%2e.": "..", "%2e%2e": ".."}


def safe_download_url(url: str | bytes, encoding: str = "utf8", path_encoding: str = "utf8") -> str:
    """Return the result of `safe_url_string` without the fragment and without dot segments.

    Args:
        url: str, or bytes in `encoding`.
        encoding: the encoding of the query.
        path_encoding: the encoding of the path.

    Raises:
        ValueError: `url` is not a URL.
        UnicodeEncodeError: the encoding cannot represent a character of the URL.

    Example:
        >>> safe_download_url("http://example.org/a/../../b c#top")
        'http://example.org/b%20c'
    """
    parts = _split(safe_url_string(url, encoding, path_encoding))
    path = "/"
    if parts.path:
        segments = [_ENCODED_DOTS.get(segment.lower(), segment) for segment in parts.path.split("/")]
        path = "/".join(segments)
        slash = path.endswith("/")
        path = _PARENTS.sub("", posixpath.normpath(path))
        if slash and not path.endswith("/"):
            path += "/"
    return _joined(parts._replace(path=path, fragment=""))


@lru_cache(32)
def _canonical(keep_blank_values: bool, keep_fragments: bool, separator: str) -> Profile:
    """Return the profile "w3lib-2.5", adapted to these options of canonicalize_url."""
    return profile("w3lib-2.5").replace(
        blank_values="keep" if keep_blank_values else "drop",
        fragment="keep" if keep_fragments else "drop",
        param_separators=separator,
    )


def canonicalize_url(
    url: str | bytes | ParseResult,
    keep_blank_values: bool = True,
    keep_fragments: bool = False,
    encoding: str | None = None,
    *,
    query_separator: str = "&",
) -> str:
    """Return the canonical form of a URL, under the profile "w3lib-2.5".

    Args:
        url: str, bytes, or the result of urllib.parse.urlparse.
        keep_blank_values: whether to keep parameters without a value.
        keep_fragments: whether to keep the fragment.
        encoding: the encoding of the query, as a Python codec name. None: UTF-8.
        query_separator: the character between parameters.

    Raises:
        ValueError: `url` is not a URL.
        UnicodeEncodeError: the encoding cannot represent a character of the URL.

    Example:
        >>> canonicalize_url("http://Example.org/?b=2&a=1#top")
        'http://example.org/?a=1&b=2'
    """
    if isinstance(url, ParseResult):
        path = f"{url.path};{url.params}" if url.params else url.path
        url = _joined(_Parts(url.scheme, url.netloc, path, url.query, url.fragment))
    how: str | Profile = "w3lib-2.5"
    if not keep_blank_values or keep_fragments or query_separator != "&":
        how = _canonical(bool(keep_blank_values), bool(keep_fragments), query_separator)
    try:
        if encoding is None or encoding in ("utf8", "utf-8"):
            return canonicalize(url, how)
        return canonicalize(octets_in(url, encoding), how)  # uses Python's codecs: there, "latin-1" is not windows-1252
    except ParseError as error:
        raise _refused(error) from None


def parse_url(url: str | bytes | ParseResult, encoding: str | None = None) -> ParseResult:
    if isinstance(url, ParseResult):
        return url
    scheme, netloc, path, query, fragment = _split(_text(url, encoding))
    params = ""
    if scheme in USES_PARAMS or not scheme:
        start = path.find(";", path.rfind("/") + 1)
        if start >= 0:
            path, params = path[:start], path[start + 1 :]
    return ParseResult(scheme, netloc, path, params, query, fragment)


def add_http_if_no_scheme(url: str) -> str:
    """Return a URL with the scheme "http" added, unless it begins with a scheme and "://".

    Args:
        url: a URL, or a URL without a scheme.

    Raises:
        ValueError: the host is not valid.

    Example:
        >>> add_http_if_no_scheme("www.example.org/x")
        'http://www.example.org/x'
    """
    if _BEGINS_WITH_SCHEME(url):
        return url
    return ("http:" if _split(url).netloc else "http://") + url


# --- queries -----------------------------------------------------------------------------------


def parse_qsl_to_bytes(
    qs: str | bytes, keep_blank_values: bool = False, *, separator: str = "&"
) -> list[tuple[bytes, bytes]]:
    return _form(qs, keep_blank_values, separator)


def url_query_parameter(
    url: str | bytes,
    parameter: str,
    default: str | None = None,
    keep_blank_values: bool | int = 0,
    *,
    separator: str = "&",
) -> str | None:
    """Return the decoded value of the first query parameter with a given name.

    Args:
        url: str, or UTF-8 bytes.
        parameter: the name of the parameter.
        default: the result if the URL does not contain the parameter.
        keep_blank_values: whether a parameter with an empty value counts.
        separator: the character between parameters.

    Raises:
        ValueError: `url` is not a URL.

    Example:
        >>> url_query_parameter("http://example.org/?id=7&page=2", "id")
        '7'
    """
    found = parameter_of(url, parameter, bool(keep_blank_values), separator)
    if found is not ...:
        return default if found is None else found
    wanted = parameter.encode()
    for name, value in _form(_split(_text(url)).query, bool(keep_blank_values), separator):
        if name == wanted:
            return value.decode(errors="replace")
    return default


def add_or_replace_parameters(url: str, new_parameters: dict[str, str], *, separator: str = "&") -> str:
    """Return the URL with new values for query parameters. A missing parameter is added at the end.

    Args:
        url: the URL.
        new_parameters: the value for each name.
        separator: the character between parameters.

    Raises:
        ValueError: `url` is not a URL.

    Example:
        >>> add_or_replace_parameters("http://example.org/?a=1&b=2", {"a": "x y", "c": "3"})
        'http://example.org/?a=x+y&b=2&c=3'
    """
    plain = with_parameters(url, new_parameters, separator)
    if plain is not None:
        return plain
    parts = _split(url)
    new = {str.encode(name): str.encode(value) for name, value in new_parameters.items()}
    fields = []
    seen: set[bytes] = set()
    for name, value in _form(parts.query, True, separator):
        if name not in seen:
            fields.append((name, new.get(name, value)))
            if name in new:
                seen.add(name)
    fields += [(name, value) for name, value in new.items() if name not in seen]
    query = separator.join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in fields)
    return _joined(parts._replace(query=query))


def add_or_replace_parameter(url: str, name: str, new_value: str, *, separator: str = "&") -> str:
    """Return the URL with a new value for a query parameter. A missing parameter is added at the end.

    Args:
        url: the URL.
        name: the name of the parameter.
        new_value: its value.
        separator: the character between parameters.

    Raises:
        ValueError: `url` is not a URL.

    Example:
        >>> add_or_replace_parameter("http://example.org/?a=1", "page", "2")
        'http://example.org/?a=1&page=2'
    """
    return add_or_replace_parameters(url, {name: new_value}, separator=separator)


# --- files and data ----------------------------------------------------------------------------


def path_to_file_uri(path: str | os.PathLike[str]) -> str:
    """Return the file: URL for a path on this computer. A relative path starts at the current directory.

    Args:
        path: str, or a path object.

    Example:
        >>> path_to_file_uri("/tmp/a b.txt")  # on Windows, a drive is added
        'file:///tmp/a%20b.txt'
    """
    if type(path) is str and os.name == "posix" and _ABSOLUTE(path):
        return f"file://{quote(path)}"
    absolute = Path(path).absolute()
    if os.name == "nt" and absolute.drive.startswith("\\\\"):
        return absolute.as_uri()
    return f"file:///{pathname2url(str(absolute)).lstrip('/')}"


def file_uri_to_path(uri: str) -> str:
    """Return the decoded path of a file: URL, in the form that this operating system uses.

    Args:
        uri: the file: URL.

    Raises:
        ValueError: `uri` is not a URL.

    Example:
        >>> file_uri_to_path("file:///tmp/a%20b.txt")  # on Windows: \\tmp\\a b.txt
        '/tmp/a b.txt'
    """
    path = plain_file_path(uri)
    if path is None:
        parts = parse_url(uri)
        path = parts.path
        if os.name == "nt" and parts.netloc and parts.netloc.lower() != "localhost":
            path = f"//{parts.netloc}{path}"
    if os.name == "nt":
        return url2pathname(path)
    return os.fsdecode(unquote_to_bytes(path)) if "%" in path else path


def any_to_uri(uri_or_path: str) -> str:
    """Return a URL unchanged, and a path as a file: URL.

    Args:
        uri_or_path: a URL with a scheme, or a path on this computer.

    Raises:
        ValueError: the host is not valid.

    Example:
        >>> any_to_uri("https://example.org/")
        'https://example.org/'
    """
    if type(uri_or_path) is str and is_valid_link(uri_or_path, "rfc3986"):  # urlsplit refuses no valid link
        return uri_or_path
    if os.path.splitdrive(uri_or_path)[0] or not parse_url(uri_or_path).scheme:
        return path_to_file_uri(uri_or_path)
    return uri_or_path


_TOKEN = rb"[^\x00-\x20\x7f-\xff()<>@,;:\\\"/\[\]?=]+"
_MEDIA_TYPE = re.compile(_TOKEN + b"/" + _TOKEN)
_PARAMETER = re.compile(rb";(" + _TOKEN + rb")=(?:(" + _TOKEN + rb')|"((?:[^"\\\r\x7f-\xff]|\\[\x00-\x7e])*)")')


class ParseDataURIResult(NamedTuple):
    """The content of a data: URI: the result of `parse_data_uri`.

    Attributes:
        media_type: the type and subtype.
        media_type_parameters: the parameters of the media type, by name.
        data: the decoded data.
    """

    media_type: str
    media_type_parameters: dict[str, str]
    data: bytes


def parse_data_uri(uri: str | bytes) -> ParseDataURIResult:
    """Return the media type and the data of a data: URI.

    Args:
        uri: the data: URI.

    Raises:
        ValueError: `uri` is not a valid data: URI.

    Example:
        >>> parse_data_uri("data:text/html;base64,PGI+").data
        b'<b>'
    """
    octets = uri if isinstance(uri, bytes) else safe_url_string(uri).encode("ascii")
    scheme, _, rest = octets.partition(b":")
    if not scheme or not rest:
        raise ValueError("invalid URI")
    if scheme.lower() != b"data":
        raise ValueError("not a data URI")
    rest = unquote_to_bytes(rest)
    media_type, parameters = "text/plain", {}
    if match := _MEDIA_TYPE.match(rest):
        media_type, rest = match[0].decode(), rest[match.end() :]
    else:
        parameters["charset"] = "US-ASCII"
    while match := _PARAMETER.match(rest):
        name, token, quoted = match.groups()
        value = token if quoted is None else re.sub(rb"\\(.)", rb"\1", quoted)
        parameters[name.decode()] = value.decode()
        rest = rest[match.end() :]
    encoding, _, data = rest.partition(b",")
    if encoding and encoding != b";base64":
        raise ValueError("invalid data URI")
    return ParseDataURIResult(media_type, parameters, base64.b64decode(data) if encoding else data)
