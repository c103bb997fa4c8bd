"""The proxy that a policy names. It resolves the names in URLs, so names are checked without the DNS.

All requests, including plain http requests, go through tunnels (CONNECT, RFC 9110 section 9.3.6), because bytes in a
tunnel reach only the host that was checked. Without a tunnel, the request itself tells the proxy where to go. A second
request might then hide in the content of the first, behind a Content-Length that is too small."""

from __future__ import annotations

import re
from binascii import b2a_base64

from urlsm.octets.objects import url_text
from urlsm.security.comparison import is_ambiguous
from urlsm.stdlib._parse import unquote_to_bytes
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from urlsm.url.value import StrOrURL

__all__ = ["Proxy", "is_for_proxy", "take_answer"]

_WHAT = "proxy must be http://user:password@host:port (user, password and port optional), without SOCKS or TLS"
_HEAD = 1 << 16  # the head of an answer to CONNECT may have at most this many octets
_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})[ \r]")


class Proxy:
    """An HTTP proxy, created from the URL http://user:password@host:port. It is immutable, and str() shows no
    credentials.

    Attributes:
        host, port: where the clients connect; an IPv6 address has no brackets.
        fields: the header fields with the credentials (RFC 7617) for requests to the proxy; empty if there are none.
    """

    __slots__ = ("_text", "fields", "host", "port")

    host: str
    port: int
    fields: tuple[tuple[str, str], ...]
    _text: str

    def __init__(self, url: StrOrURL) -> None:
        url_text(url, "proxy")
        read = try_parse(url)
        if read is None or not read.host or read.scheme != "http" or is_ambiguous(url):
            raise ValueError(_WHAT)
        if (read.path, read.query, read.fragment) != ("/", None, None):
            raise ValueError(_WHAT)
        put = object.__setattr__
        put(self, "host", read.host.strip("[]"))
        put(self, "port", 80 if read.port is None else read.port)
        put(self, "_text", read.without_credentials().href)
        fields: tuple[tuple[str, str], ...] = ()
        if read.username or read.password:
            pair = unquote_to_bytes(read.username or "") + b":" + unquote_to_bytes(read.password or "")
            fields = (("Proxy-Authorization", "Basic " + b2a_base64(pair, newline=False).decode("ascii")),)
        put(self, "fields", fields)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Proxy({self._text!r})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Proxy is immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proxy) and (self._text, self.fields) == (other._text, other.fields)

    def __hash__(self) -> int:
        return hash((self._text, self.fields))

    def __copy__(self) -> Proxy:
        return self

    def __deepcopy__(self, memo: object) -> Proxy:
        return self

    def __reduce__(self) -> tuple[Any, ...]:  # a pickle needs the credentials, which str() does not show
        return _made, (self._text, self.fields)

    @property
    def name(self) -> bytes:
        """The proxy's host, as bytes for the resolver."""
        return self.host.encode("ascii")

    def connect(self, authority: str) -> bytes:
        """Return the request for a tunnel to an authority, which consists of a checked host and its port."""
        fields = "".join([f"{name}: {value}\r\n" for name, value in (("Host", authority), *self.fields)])
        return f"CONNECT {authority} HTTP/1.1\r\n{fields}\r\n".encode("ascii")


def _made(text: str, fields: tuple[tuple[str, str], ...]) -> Proxy:
    made = Proxy(text)
    object.__setattr__(made, "fields", fields)
    return made


def take_answer(head: bytearray, part: bytes) -> bool:
    """Add the received bytes to the head of the response to CONNECT. Return whether the tunnel is open.

    Raises:
        OSError: the proxy rejects the tunnel, does not speak HTTP, or sends bytes after the head. Such bytes would be
        mistaken for the origin's response, although the client speaks first in a tunnel.
    """
    head += part
    end = head.find(b"\r\n\r\n")
    if end < 0:
        if not part or len(head) > _HEAD:
            raise OSError("the proxy did not answer CONNECT")
        return False
    status = _STATUS.match(head)
    if status is None or not status[1].startswith(b"2"):
        raise OSError(f"the proxy rejected the tunnel{'' if status is None else f': {int(status[1])}'}")
    if end + 4 != len(head):
        raise OSError("the proxy sent bytes after its response to CONNECT")
    return True


def is_for_proxy(name: str) -> bool:
    """Return whether a field of a request is meant for a proxy. If the policy names a proxy, requests must not contain
    such fields."""
    return name.strip().lower().startswith("proxy-")
