"""Reads connection strings that are not URLs according to the URL Standard, but that the handlers of databases and
message brokers can read. Such a string has a list of hosts, or a user but no host, or a "_" in the name of a driver.
Columns and the command line show their components and parts."""

from __future__ import annotations

import re

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors import PluginError
from urlsm.meaning.registry import handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.schemes.generic import Scheme

__all__ = ["Connection", "connection", "driven_start", "with_hyphens"]

_SCHEME = re.compile(r"[\x00-\x20]*([A-Za-z][A-Za-z0-9+._-]{0,254})://")


class Connection:
    """The components, as written, of a connection string that a handler can read even if it is not a URL. The
    attributes have the same names as in URL.

    host and port are None if there are several hosts or no host. origin is "null", the serialisation of an opaque
    origin.
    """

    origin = "null"
    username: str | None
    password: str | None
    host: str | None
    port: int | None
    path: str
    query: str | None
    fragment: str | None

    def __init__(self, c: Components) -> None:
        self._components = c
        host, port = c.host or None, c.port or None
        userinfo, authority = c.userinfo, c.authority or ""
        if "," in (authority if userinfo is None else authority[len(userinfo) :]):
            host = port = None
        self.href: str = c.text
        self.scheme: str = c.scheme or ""
        self.authority: str = authority
        self.username, self.password = c.username or None, c.password or None
        self.host, self.port = host, None if port is None or host is None else int(port)
        self.path, self.query, self.fragment = c.path or "", c.query, c.fragment

    @property
    def handler(self) -> Scheme[Any]:
        return handler(self.scheme)

    @property
    def parts(self) -> Parts:
        """The parts that the scheme's handler reads from the components."""
        found: Parts = self.handler.read_parts(self._components)
        return found

    @property
    def effective_port(self) -> int | None:
        return self.handler.default_port_of(self.scheme) if self.port is None else self.port

    def span(self, name: str) -> tuple[int, int] | None:
        """Return the position of a component in the text as (start, end), or None if the component is absent."""
        return self._components.span(name)

    def offsets(self) -> tuple[int | None, ...]:
        """Return (scheme_end, username_end, host_start, host_end, path_start, query_start, fragment_start, port), as in
        Offsets (urlsm/url/structs.pxd). The last three are None if the component is absent. If there is no host,
        host_end equals host_start."""
        start, end = self.span("authority") or (0, 0)
        userinfo = self.span("userinfo")
        begin = start if userinfo is None else userinfo[1] + 1
        return (
            len(self.scheme),
            start + len(self.username or ""),
            begin,
            begin if self.host is None else begin + len(self.host),
            end,
            None if self.query is None else (self.span("query") or (0, 0))[0] - 1,
            None if self.fragment is None else (self.span("fragment") or (0, 0))[0] - 1,
            self.port,
        )


def connection(text: str) -> Connection | None:
    """Return the Connection for a text, which need not be a URL according to the URL Standard. Return None if the text
    has no scheme or no authority, or if the handler for its scheme cannot be loaded, does not read such texts (the
    trait takes_texts), or finds an error."""
    c = split(text, dialect="rfc3986")
    if c.scheme is None or c.host is None:
        return None
    try:
        found = handler(c.scheme)
    except PluginError:
        return None
    if not found.takes_texts or any(violation.severity == "error" for violation in found.violations(c)):
        return None
    return Connection(c)


def driven_start(name: str) -> int:
    """Return the index in `name` at which a scheme with a "_" in the name of a database or driver begins
    ("oracle+cx_oracle", "ibm_db_sa"); -1 if there is no such scheme. name: letters, digits, "+", "-", "." and "_", with
    a scheme at its end."""
    for start in (0, name.rfind("_", 0, name.find("+") if "+" in name else 0) + 1):
        if "_" in name[start:] and _takes_underscore(name[start:]):
            return start
    return -1


def with_hyphens(text: str) -> str | None:
    """Return a text with each "_" in its scheme replaced by "-", if the scheme's handler allows "_"; otherwise None.
    The result can be parsed as a URL, and the other components have the same positions in it."""
    found = _SCHEME.match(text)
    if found is None or "_" not in found[1] or not _takes_underscore(found[1]):
        return None
    return text[: found.end(1)].replace("_", "-") + text[found.end(1) :]


def _takes_underscore(scheme: str) -> bool:
    try:
        found = handler(scheme)
    except PluginError:
        return False
    return found.takes_texts and found.takes_underscore(lower(scheme))
