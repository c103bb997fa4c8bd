"""What other programs need from a URL: credentials, the host for a socket, a URL with a path appended, the target of a
redirect (Location), and a string that conforms to RFC 3986."""

from __future__ import annotations

import re

from urlsm.octets.text import utf8
from urlsm.url.value import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["append_path", "auth", "join_location", "rfc3986", "socket_host"]

_ESCAPES = re.compile("(?:%[0-9A-Fa-f]{2})+")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
# also matches ";" and "=", which have meanings in a user name or a path
_NO_VALUE = re.compile(rb"[^A-Za-z0-9\-._~!$&'()*+,]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BAD_ESCAPE = "%(?![0-9A-Fa-f]{2})"
_UNRESERVED_OR_SUB_DELIM = r"A-Za-z0-9\-._~!$&'()*+,;="
# matches the octets that the URL Standard leaves in a component but RFC 3986 section 3 does not allow there, and a lone
# "%"
_TOO_MUCH = {
    "userinfo": re.compile(f"[^%{_UNRESERVED_OR_SUB_DELIM}]|{_BAD_ESCAPE}"),
    "host": re.compile(f"[^%{_UNRESERVED_OR_SUB_DELIM}]|{_BAD_ESCAPE}"),
    "path": re.compile(f"[^%{_UNRESERVED_OR_SUB_DELIM}:@/]|{_BAD_ESCAPE}"),
    "query": re.compile(f"[^%{_UNRESERVED_OR_SUB_DELIM}:@/?]|{_BAD_ESCAPE}"),
}


def _auth(url: URL) -> tuple[str, str] | None:
    """The decoded user name and password, in the form that requests and httpx accept; None if the URL has neither.

    If only one of the two is present, the other is "".

    Raises:
        ValueError: the user name or the password is not valid UTF-8.

    Example:
        >>> urlsm.parse("https://me:p%40ss@ex.com/").auth
        ('me', 'p@ss')
    """
    if url.username is None and url.password is None:
        return None
    return _value(url.username, "user name"), _value(url.password, "password")


def _value(written: str | None, of: str) -> str:
    def octets(escapes: re.Match[str]) -> str:
        return bytes.fromhex(escapes[0].replace("%", "")).decode("utf-8", "surrogateescape")

    value = _ESCAPES.sub(octets, written or "")
    if not value.isascii() and _SURROGATE.search(value):
        raise ValueError(f"the {of} is not valid UTF-8")
    return value


def _socket_host(url: URL) -> str | None:
    """The host to connect a socket to: an IPv6 address has no brackets.

    Example:
        >>> urlsm.parse("http://[::1]:8080/").socket_host
        '::1'
    """
    return None if url.host is None else url.host.removeprefix("[").removesuffix("]")


auth: property = property(_auth, doc=_auth.__doc__)
socket_host: property = property(_socket_host, doc=_socket_host.__doc__)


def with_credentials(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of URL.replace, with `auth` replaced by username and password."""
    changes = {**given}
    pair = changes.pop("auth")
    for name in ("username", "password"):
        if name in changes:
            raise TypeError(f"pass either auth or {name}, not both")
        changes[name] = None
    if pair is None:
        return changes
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"auth must be a pair (user, password) or None, not {type(pair).__name__}")
    for name, value in zip(("username", "password"), pair, strict=True):
        if not isinstance(value, str):
            raise TypeError(f"auth must be a pair of str: the {name} must be str, not {type(value).__name__}")
        if not value.isascii() and _SURROGATE.search(value):
            raise ValueError(f"auth must be text: the {name} contains a lone surrogate")
        changes[name] = _NO_VALUE.sub(lambda octet: b"%%%02X" % octet[0][0], utf8(value)).decode("ascii") or None
    return changes


def append_path(self: URL, path: str) -> URL:
    """Return this URL with another path appended to its path, with one "/" between them.

    All other components, even the query, remain unchanged. The operator "/" appends one segment, in which it escapes
    "/" and "%".

    Args:
        path: a percent-encoded path: "/" separates segments, and "%" is kept.

    Raises:
        ValueError: the path has a dot segment ("." or ".."), or the path of this URL is opaque.
        TypeError: the path is not a str.

    Example:
        >>> urlsm.parse("https://ex.com/api?key=1").append_path("v2/users")
        URL('https://ex.com/api/v2/users?key=1')
    """
    if not isinstance(path, str):
        raise TypeError(f"path must be str, not {type(path).__name__}")
    if self.host is None and not self.path.startswith("/"):
        raise ValueError("cannot append a path: the path of this URL is opaque (mailto:, data: ...)")
    return self.replace(path=f"{self.path.removesuffix('/')}/{path.removeprefix('/')}")


def join_location(self: URL, field: str | bytes) -> URL:
    """Return the URL that a response redirects to, given its Location header.

    This URL is the URL that was requested. The result keeps its fragment if the target has none. As in browsers, each
    non-ASCII byte is percent-encoded separately.

    Args:
        field: the value of the header: bytes, or a str as http.client, requests, aiohttp, httpx and WSGI return it.

    Raises:
        ParseError: the result is not a URL.
        TypeError: the value is neither str nor bytes.

    Example:
        >>> urlsm.parse("https://ex.com/a#top").join_location(b"/login")
        URL('https://ex.com/login#top')

    RFC 9110 section 10.2.2, https://fetch.spec.whatwg.org/#concept-response-location-url
    """
    if not isinstance(field, (str, bytes)):
        raise TypeError(f"field must be str or bytes, not {type(field).__name__}")
    if isinstance(field, str):
        field = field.encode("latin-1") if all(c <= "\xff" for c in field) else utf8(field)
    target = self.join(_BEYOND_ASCII.sub(lambda octet: b"%%%02X" % octet[0][0], field).decode("ascii"))
    return target if target.fragment is not None else target.replace(fragment=self.fragment)


def rfc3986(self: URL) -> str:
    """Return this URL in the syntax of RFC 3986, for programs that accept nothing else.

    Strict servers, java.net.URI and XML Schema's anyURI reject characters such as "|", which browsers leave in a path.
    This method percent-encodes such characters and a lone "%"; everything else is as in `href`.

    Example:
        >>> urlsm.parse("https://ex.com/a|b?q=[1]&r=100%").rfc3986()
        'https://ex.com/a%7Cb?q=%5B1%5D&r=100%25'
    """
    written = f"{self.scheme}:"
    if self.host is not None:
        written += "//"
        if self.username is not None or self.password is not None:
            written += _escaped("userinfo", self.username or "")
            written += "@" if self.password is None else f":{_escaped('userinfo', self.password)}@"
        written += self.host if self.host.startswith("[") else _escaped("host", self.host)
        written += "" if self.port is None else f":{self.port}"
    elif self.path.startswith("//"):
        written += "/."
    written += _escaped("path", self.path)
    for delimiter, text in (("?", self.query), ("#", self.fragment)):
        if text is not None:
            written += delimiter + _escaped("query", text)
    return written


def _escaped(component: str, text: str) -> str:
    return _TOO_MUCH[component].sub(lambda found: f"%{ord(found[0]):02X}", text)
