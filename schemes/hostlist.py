"""URLs that configure a client (redis, amqp, postgresql, mongodb). They have an authority with a password, one name in
the path, and name=value fields. postgresql and mongodb URLs may list several hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from urlsm.components.parts import Parts, decode, lower, read_host
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST, PCHAR, Characters, normal_escapes
from urlsm.schemes.contract import P
from urlsm.schemes.fields import Parameters, QueryParams, read_number
from urlsm.schemes.generic import Scheme, is_ip_literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

__all__ = ["Connection", "HostList", "HostListParts", "HostPort", "entries", "is_socket"]


_FURTHER = re.compile(r";[ \t]*[A-Za-z][A-Za-z0-9+.-]*://(?:[^@/?#;]*@)?(?:(\[[^]/?#;]*\])|([^:/?#;,]+))")
_LISTED = re.compile("(.*?)(?:,|%2[Cc]|$)", re.DOTALL)  # "%2C" also divides, because libpq decodes before it splits


class Connection(Scheme[P]):
    hierarchical = False
    takes_texts = True
    authority = "required"
    password = "allowed"
    fragment = "ignored"
    parameters: ClassVar[Parameters] = Parameters(named=False)  # with a table, "+" is not read as a space
    equal_by_parts = True  # clients decode what they read, and take the default port if none is written

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        """Yield the hosts in the authority, which cluster clients read as a list. Then yield the hosts in the further
        URLs that kombu accepts, separated by ";", and the hosts in the query, which clients prefer."""
        for start, host, _ in entries(components):
            yield start, host
        for found in _FURTHER.finditer(components.text):
            yield found.start(found.lastindex or 0), found[1] or found[2]
        for start, name, value in self.parameters.of_query(components):
            if value and self.parameters.key(name) in ("host", "hostaddr"):
                yield from _listed(start + len(name) + 1, value)

    def userinfo_violations(self, components: Components) -> Iterator[Violation]:
        if self.userinfo == "forbidden" and components.userinfo is not None:
            yield self.violation("userinfo-not-allowed", "userinfo", (components.span("userinfo") or (0, 0))[0])
        for name in ("username", "password"):  # one by one, because the ":" between them belongs to neither
            where = components.span(name)
            if where is not None:
                yield from self.faults(components, "userinfo", *where, self.userinfo_characters)

    def normalize(self, components: Components) -> Components:
        """Return the normal form according to RFC 3986, but without an empty query."""
        normal = super().normalize(components)
        return normal if normal.query else normal.replace(query=None)


class HostPort(Parts):
    """One server in a list of servers.

    str() returns "host:port".

    Attributes:
        host: the decoded host; None if empty. A name is in lower case; the path of a socket ("/run/db") keeps its case
        port: the port; None if absent or not a number

    Example:
        >>> import urlsm
        >>> urlsm.parts("mongodb://a.example:27018,b.example/db", "mongodb").hosts[0]
        HostPort(host='a.example', port=27018)
    """

    host: str | None = None
    port: int | None = None

    def __str__(self) -> str:
        """Return "host:port"; an IPv6 address has brackets."""
        host = self.host or ""
        host = f"[{host}]" if ":" in host and is_ip_literal(f"[{host}]") else host
        return host if self.port is None else f"{host}:{self.port}"


class HostListParts(Parts):
    """A user, one or more servers, and a database on them.

    Attributes:
        username: the decoded user name; None if absent
        password: the decoded password; None if absent
        hosts: the servers, in order
        database: the database name, which is the decoded path without its first "/"; None if it is empty
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("mongodb://a.example:27018,b.example/db", "mongodb").hosts[1].host
        'b.example'
    """

    username: str | None = None
    password: str | None = None
    hosts: tuple[HostPort, ...] = ()
    database: str | None = None
    query_params: QueryParams = ()


if TYPE_CHECKING:
    H = TypeVar("H", bound=Parts, default=HostListParts, covariant=True)
else:
    H = HostListParts


class HostList(Connection[H]):
    """A scheme whose authority lists hosts: "user:password@host1:port1,host2:port2". According to RFC 3986, this would
    be one malformed host, whose port follows the last ":"."""

    fragment = "forbidden"
    parameters: ClassVar[Parameters] = Parameters(equals=True)
    host_characters: ClassVar[Characters] = HOST - ","
    empty_path_is_root = True

    def read_parts(self, components: Components) -> H:
        username, password = components.username, components.password
        return HostListParts(  # type: ignore[return-value]
            None if username is None else decode(username),
            None if password is None else decode(password),
            tuple([HostPort(_decoded(host) or None, read_number(port or "")) for _, host, port in entries(components)]),
            decode((components.path or "").removeprefix("/")) or None,
            self.query_params(components),
        )

    def host_violations(self, components: Components) -> Iterator[Violation]:
        for start, host, _ in entries(components):
            if not host:
                if self.host == "required":
                    yield self.violation("host-missing", "host", start)
            elif host[0] == "[":
                end = host.find("]") + 1
                if not is_ip_literal(host[:end]):
                    yield self.violation("ip-literal-invalid", "host", start)
                elif end < len(host):
                    yield self.violation("host-invalid", "host", start + end)
            else:
                yield from self.faults(
                    components, "host", start, start + len(host), self.host_characters, "host-invalid"
                )

    def port_violations(self, components: Components) -> Iterator[Violation]:
        for start, host, port in entries(components):
            if port is not None:
                colon = start + len(host)
                if self.port == "forbidden":
                    yield self.violation("port-not-allowed", "port", colon)
                else:
                    yield from self.number_violations(components, colon + 1, colon + 1 + len(port))

    def normalize(self, components: Components) -> Components:
        """Return the normal form, with each host in the list normalised. The path of a socket keeps its case."""
        normal = super().normalize(components)
        if components.host is None:
            return normal
        hosts = ",".join([self._normal(components, host, port) for _, host, port in entries(components)])
        last = split(f"//{hosts}", dialect=components.dialect)
        return normal.replace(host=last.host, port=last.port)

    def _normal(self, c: Components, host: str, port: str | None) -> str:
        socket = "%" in host and is_socket(decode(host))
        name = normal_escapes(host) if socket else self.normal_host(host)
        if port is None:
            return name
        # "a:1:80" is not a host and a port. If ":80" were left out, the first ":" would begin a port
        plain = ":" not in host.rpartition("]")[2]
        if plain and self.says_nothing(port, c.scheme):
            return name
        return f"{name}:{port.lstrip('0') or '0' if port.isdigit() else port}"

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the connections are equal. No part contains a port that is not a number, so such ports are
        compared as strings."""
        one, other = ([port for _, _, port in entries(self.normalize(c))] for c in (a, b))
        return one == other and super().equivalent(a, b)

    def build(self, *, scheme: str | None = None, fragment: str | None = None, **parts: Any) -> str:
        """Build a URL from these parts, like Scheme.build. Each item in hosts is a HostPort, a pair (host, port), or a
        mapping with the keys "host" and "port"."""
        if parts.get("hosts") is not None:
            parts["hosts"] = tuple(map(_host_port, parts["hosts"]))
        return super().build(scheme=scheme, fragment=fragment, **parts)

    def write_parts(self, parts: Any) -> str:
        # drivers from before 2023 need the "/" before a "?"
        path = "/" + PCHAR.encode(parts.database or "") if parts.database or parts.query_params else ""
        hosts = ",".join([self._composed(dict(host)) for host in parts.hosts or ()])
        return super().write_parts(parts) + hosts + path + self.parameters.composed(parts.query_params)

    def _composed(self, entry: dict[str, Any]) -> str:
        host, port = entry.get("host") or "", entry.get("port")
        bracketed = f"[{host}]"
        name = bracketed if ":" in host and is_ip_literal(bracketed) else self.host_characters.encode(host)
        return name if port is None else f"{name}:{port}"


def _host_port(entry: HostPort | Mapping[str, Any] | Sequence[Any]) -> HostPort:
    """Return a host that was passed to build, as read_parts would read it."""
    if isinstance(entry, (str, bytes)):
        raise TypeError(f"a host must be a HostPort, a pair (host, port) or a mapping, not {type(entry).__name__}")
    given = HostPort(**entry) if isinstance(entry, (Mapping, HostPort)) else HostPort(*entry)
    host = given.host or None
    return HostPort(host if host is None or is_socket(host) else lower(host), given.port)


def entries(c: Components) -> Iterator[tuple[int, str, str | None]]:
    """Yield (position, host, port) for each host in the authority, as written."""
    where, userinfo = c.span("authority"), c.span("userinfo")
    if where is None:
        return
    start = where[0] if userinfo is None else userinfo[1] + 1
    for entry in c.text[start : where[1]].split(","):
        host, colon, port = entry.rpartition(":")
        if not colon or (host.startswith("[") and "]" not in host):  # the ":" is part of an address
            yield start, entry, None
        else:
            yield start, host, port
        start += len(entry) + 1


def _listed(start: int, value: str) -> Iterator[tuple[int, str]]:
    """Yield the hosts listed in the value of a parameter, each with its position. The value begins at start."""
    for found in _LISTED.finditer(value):
        host = decode(found[1])
        yield start + found.start(), host  # libpq takes the whole item for the host; SQLAlchemy splits off a port
        if host.count(":") == 1 or "]" in host:
            yield start + found.start(), host.rpartition(":")[0]


def _decoded(host: str) -> str:
    decoded = decode(host)
    return decoded if is_socket(decoded) else read_host(host)


def is_socket(host: str) -> bool:
    """Return whether a decoded host is the path of a Unix-domain socket, or the name ("@") of an abstract one."""
    return re.search("^@|/", host) is not None
