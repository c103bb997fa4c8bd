"""What URLs that a client takes its settings from share (redis, amqp, postgresql, mongodb): an authority with a
password, one name in the path, name=value fields; and the list of hosts that postgresql and mongodb have there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from urlsm.components import Components
from urlsm.errors import SchemeError
from urlsm.schemes.base import Scheme, is_ip_literal
from urlsm.schemes.characters import HOST, PCHAR, QUERY, normal_escapes
from urlsm.values import Parts, decode, lower, read_host
from urlsm.violations import Violation

__all__ = [
    "Connection",
    "HostList",
    "HostListParts",
    "HostPort",
    "QueryParams",
    "composed_query",
    "fields",
    "query_fields",
    "read_number",
    "with_lower_name",
]

QueryParams = tuple[tuple[str, str | None], ...]

# in a field; and no "+", which many clients read as a space
_FIELD = QUERY - "&=+"
_MOST_DIGITS = 4300  # which int takes unless set otherwise: its time grows with their square


def fields(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, str, str | None]]:
    """The fields name=value of text[start:end]: where each begins, its name and its value as written, None without
    "=". None of an empty text."""
    if start < end:
        for field in text[start:end].split(separator):
            name, equals, value = field.partition("=")
            yield start, name, value if equals else None
            start += len(field) + 1


def query_fields(c: Components) -> Iterator[tuple[int, str, str | None]]:
    return fields(c.text, *(c.span("query") or (0, 0)), "&")


def read_number(text: str) -> int | None:
    """The number that decimal digits are; None of other text, and of more digits than int reads."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    try:
        return int(digits) if len(digits) <= _MOST_DIGITS else None
    except ValueError:  # the interpreter is set to fewer
        return None


def with_lower_name(field: str) -> str:
    """A field of a normal form with its name in lower case. In a name with escapes their letters are upper case, and
    nothing else is worth telling apart."""
    name, equals, value = field.partition("=")
    return (name if "%" in name else lower(name)) + equals + value


def composed_query(params: Iterable[tuple[str, str | None]]) -> str:
    """ "?" and the fields, or nothing."""
    written = [_FIELD.encode(name) + ("" if value is None else "=" + _FIELD.encode(value)) for name, value in params]
    return "?" + "&".join(written) if written else ""


class Connection(Scheme):
    hierarchical = False
    authority = "required"
    password = "allowed"
    fragment = "ignored"

    def query_params(self, c: Components) -> QueryParams:
        """The fields of the query, decoded, in order; "+" is itself."""
        return tuple([(decode(name), None if value is None else decode(value)) for _, name, value in query_fields(c)])

    def userinfo_violations(self, c: Components) -> Iterator[Violation]:
        for name in ("username", "password"):  # apart: the ":" between them is no character of either
            where = c.span(name)
            if where is not None:
                yield from self.faults(c, "userinfo", *where, self.userinfo_characters)

    def normalize(self, c: Components) -> Components:
        """Also, a query without fields is none."""
        normal = super().normalize(c)
        return normal if normal.query else normal.replace(query=None)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Equal parts make the same connection: the client decodes before it looks. Default ports equal none."""
        first, second = self.normalize(a), self.normalize(b)
        try:
            return self.refine(first) == self.refine(second)
        except SchemeError:  # no parts
            return first.replace(scheme=None) == second.replace(scheme=None)


class HostPort(Parts):
    """One host of a list. host is decoded, None where it stands empty; a name or an address is in lower case and
    without brackets, the path of a socket ("/run/db") as it is. port is as written, None where absent or empty."""

    host: str | None = None
    port: int | None = None


class HostListParts(Parts):
    """Whom to ask, as whom, and for what. username and password are decoded, "" where they stand empty; database is
    decoded, None where absent or empty; query_params are decoded, in order, (name, None) of a field without "="."""

    username: str | None = None
    password: str | None = None
    hosts: tuple[HostPort, ...] = ()
    database: str | None = None
    query_params: QueryParams = ()


class HostList(Connection):
    """An authority that lists hosts: "user:password@host1:port1,host2:port2", which is no host to RFC 3986, where the
    last ":" begins the only port."""

    fragment = "forbidden"
    host_characters = HOST - ","
    empty_path_is_root = True
    parts_type = HostListParts

    def refine(self, c: Components) -> HostListParts:
        username, password = c.username, c.password
        return HostListParts(
            None if username is None else decode(username),
            None if password is None else decode(password),
            tuple([self._host_port(c, *entry) for entry in _entries(c)]),
            decode((c.path or "").removeprefix("/")) or None,
            self.query_params(c),
        )

    def _host_port(self, c: Components, start: int, host: str, port: str | None) -> HostPort:
        name = _decoded(host) or None
        if not port:
            return HostPort(name, None)
        digits = port.lstrip("0") or "0"
        if not (port.isascii() and port.isdigit() and len(digits) <= 5):
            code = "port-out-of-range" if port.isascii() and port.isdigit() else "port-invalid"
            raise self.refusal(c, code, "port", start + len(host) + 1)
        return HostPort(name, int(digits))

    def host_violations(self, c: Components) -> Iterator[Violation]:
        for start, host, _ in _entries(c):
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
                yield from self.faults(c, "host", start, start + len(host), self.host_characters, "host-invalid")

    def port_violations(self, c: Components) -> Iterator[Violation]:
        for start, host, port in _entries(c):
            if port is not None:
                colon = start + len(host)
                if self.port == "forbidden":
                    yield self.violation("port-not-allowed", "port", colon)
                else:
                    yield from self.number_violations(c, colon + 1, colon + 1 + len(port))

    def query_violations(self, c: Components) -> Iterator[Violation]:
        """Of fields too: each is name=value."""
        yield from super().query_violations(c)
        for start, name, value in query_fields(c):
            if not name:
                yield self.violation("parameter-name-missing", "query", start)
            elif value is None:
                yield self.violation("parameter-value-missing", "query", start + len(name))

    def normalize(self, c: Components) -> Components:
        """Host by host; the path of a socket keeps its case."""
        normal = super().normalize(c)
        if c.host is None:
            return normal
        return normal.replace(host=",".join([self._normal(host, port) for _, host, port in _entries(c)]), port=None)

    def _normal(self, host: str, port: str | None) -> str:
        is_socket = "%" in host and _is_socket(decode(host))
        name = normal_escapes(host, self.host_characters) if is_socket else self.normal_host(host)
        if port is None:
            return name
        # of "a:1:80", which is no host and port, no ":" may go: another would become the delimiter
        plain = ":" not in host.rpartition("]")[2]
        if plain and (not port or port.lstrip("0") == str(self.default_port)):
            return name
        return f"{name}:{port.lstrip('0') or '0' if port.isdigit() else port}"

    def build(self, *, scheme: str | None = None, fragment: str | None = None, **parts: Any) -> str:
        """See Scheme.build. hosts: each a HostPort, a pair (host, port) or a mapping of these names."""
        if parts.get("hosts") is not None:
            parts["hosts"] = tuple(map(_host_port, parts["hosts"]))
        return super().build(scheme=scheme, fragment=fragment, **parts)

    def compose(self, p: Any) -> str:
        # drivers of before 2023 need the "/" before a "?"
        path = "/" + PCHAR.encode(p.database or "") if p.database or p.query_params else ""
        return self.composed_authority(p) + path + composed_query(p.query_params or ())

    def composed_authority(self, p: Any) -> str:
        user = SimpleNamespace(username=p.username, password=p.password, host=None, port=None)
        return super().composed_authority(user) + ",".join([self._composed(dict(host)) for host in p.hosts or ()])

    def _composed(self, entry: dict[str, Any]) -> str:
        host, port = entry.get("host") or "", entry.get("port")
        bracketed = f"[{host}]"
        name = bracketed if ":" in host and is_ip_literal(bracketed) else self.host_characters.encode(host)
        return name if port is None else f"{name}:{port}"


def _host_port(entry: HostPort | Mapping[str, Any] | Sequence[Any]) -> HostPort:
    """A host of build, as it is read."""
    if isinstance(entry, (str, bytes)):
        raise TypeError(f"a host is a HostPort, a pair (host, port) or a mapping, not {type(entry).__name__}")
    given = HostPort(**entry) if isinstance(entry, (Mapping, HostPort)) else HostPort(*entry)
    host = given.host or None
    return HostPort(host if host is None or _is_socket(host) else lower(host), given.port)


def _entries(c: Components) -> Iterator[tuple[int, str, str | None]]:
    """The hosts of the authority: where each begins, the host and the port as written."""
    where, userinfo = c.span("authority"), c.span("userinfo")
    if where is None:
        return
    start = where[0] if userinfo is None else userinfo[1] + 1
    for entry in c.text[start : where[1]].split(","):
        host, colon, port = entry.rpartition(":")
        if not colon or (host.startswith("[") and "]" not in host):  # that ":" stands in the address
            yield start, entry, None
        else:
            yield start, host, port
        start += len(entry) + 1


def _decoded(host: str) -> str:
    decoded = decode(host)
    return decoded if _is_socket(decoded) else read_host(host)


def _is_socket(host: str) -> bool:
    """Is a decoded host the path of a Unix-domain socket, or the name ("@") of an abstract one? No name has those."""
    return re.search("^@|/", host) is not None
