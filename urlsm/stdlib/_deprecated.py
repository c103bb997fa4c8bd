"""The functions of urllib.parse that are deprecated since Python 3.8, and unwrap."""

from __future__ import annotations

import re
import warnings
from typing import Any

SPLIT_TYPE = re.compile("([^/:]+):(.*)", re.DOTALL)
SPLIT_HOST = re.compile("//([^/#?]*)(.*)", re.DOTALL)
SPLIT_PORT = re.compile("(.*):([0-9]*)", re.DOTALL)


def unwrap(url: Any) -> str:
    """A URL without "<URL:" and ">" around it."""
    url = str(url).strip()
    if url[:1] == "<" and url[-1:] == ">":
        url = url[1:-1].strip()
    if url[:4] == "URL:":
        url = url[4:].strip()
    return url  # type: ignore[no-any-return]


def _to_bytes(url: Any) -> Any:
    """The URL, if it is ASCII."""
    if isinstance(url, str):
        try:
            url = url.encode("ASCII").decode()
        except UnicodeError:
            raise UnicodeError(f"URL {url!r} contains non-ASCII characters")  # noqa: B904  (as the interpreter)
    return url


def _splittype(url: Any) -> Any:
    """'type:opaquestring' --> 'type', 'opaquestring'."""
    match = SPLIT_TYPE.match(url)
    if match:
        scheme, data = match.groups()
        return scheme.lower(), data
    return None, url


def _splithost(url: Any) -> Any:
    """'//host[:port]/path' --> 'host[:port]', '/path'."""
    match = SPLIT_HOST.match(url)
    if match:
        host_port, path = match.groups()
        if path and path[0] != "/":
            path = "/" + path
        return host_port, path
    return None, url


def _splituser(host: Any) -> Any:
    """'user[:passwd]@host[:port]' --> 'user[:passwd]', 'host[:port]'."""
    user, delim, host = host.rpartition("@")
    return (user if delim else None), host


def _splitpasswd(user: Any) -> Any:
    """'user:passwd' --> 'user', 'passwd'."""
    user, delim, passwd = user.partition(":")
    return user, (passwd if delim else None)


def _splitport(host: Any) -> Any:
    """'host:port' --> 'host', 'port'."""
    match = SPLIT_PORT.fullmatch(host)
    if match:
        host, port = match.groups()
        if port:
            return host, port
    return host, None


def _splitnport(host: Any, defport: Any = -1) -> Any:
    """'host:port' --> 'host', port; defport where there is none, None where it is no number."""
    host, delim, port = host.rpartition(":")
    if not delim:
        host = port
    elif port:
        return host, int(port) if port.isdigit() and port.isascii() else None
    return host, defport


def _splitquery(url: Any) -> Any:
    """'/path?query' --> '/path', 'query'."""
    path, delim, query = url.rpartition("?")
    return (path, query) if delim else (url, None)


def _splittag(url: Any) -> Any:
    """'/path#tag' --> '/path', 'tag'."""
    path, delim, tag = url.rpartition("#")
    return (path, tag) if delim else (url, None)


def _splitattr(url: Any) -> Any:
    """'/path;attr1=value1;...' --> '/path', ['attr1=value1', ...]."""
    words = url.split(";")
    return words[0], words[1:]


def _splitvalue(attr: Any) -> Any:
    """'attr=value' --> 'attr', 'value'."""
    attr, delim, value = attr.partition("=")
    return attr, (value if delim else None)


def _warn(name: str, instead: str | None = "urlparse") -> None:
    hint = f", use urllib.parse.{instead}() instead" if instead else ""
    message = f"urllib.parse.{name}() is deprecated as of 3.8{hint}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)


def to_bytes(url: Any) -> Any:
    _warn("to_bytes", None)
    return _to_bytes(url)


def splittype(url: Any) -> Any:
    _warn("splittype")
    return _splittype(url)


def splithost(url: Any) -> Any:
    _warn("splithost")
    return _splithost(url)


def splituser(host: Any) -> Any:
    _warn("splituser")
    return _splituser(host)


def splitpasswd(user: Any) -> Any:
    _warn("splitpasswd")
    return _splitpasswd(user)


def splitport(host: Any) -> Any:
    _warn("splitport")
    return _splitport(host)


def splitnport(host: Any, defport: Any = -1) -> Any:
    _warn("splitnport")
    return _splitnport(host, defport)


def splitquery(url: Any) -> Any:
    _warn("splitquery")
    return _splitquery(url)


def splittag(url: Any) -> Any:
    _warn("splittag")
    return _splittag(url)


def splitattr(url: Any) -> Any:
    _warn("splitattr")
    return _splitattr(url)


def splitvalue(attr: Any) -> Any:
    _warn("splitvalue", "parse_qsl")
    return _splitvalue(attr)
