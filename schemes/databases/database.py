"""Base classes for the URLs of databases, as SQLAlchemy and the drivers read them. The URLs name a driver after "+",
one or more servers, and a database."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, driver_of, name_of_path, server
from urlsm.components.value import Components
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.fields import Parameters, QueryParams
from urlsm.schemes.hostlist import Connection, HostList, HostPort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

__all__ = ["SQLALCHEMY", "Cluster", "ClusterParts", "Database", "DatabaseParts", "host_behind_slash", "with_driver"]

SQLALCHEMY = "SQLAlchemy, database URLs"
# sqlalchemy.engine.make_url: a password ends at the first "@" and may hold a "/". Other readers take the text before
# this "/" for a port
_BEHIND_SLASH = re.compile(r"[^:/]*://[^:/]*:[^@/]*/[^@?#]*@(?:\[([^/?]+)\]|([^/:?]+))")


def host_behind_slash(components: Components) -> Iterator[tuple[int, str]]:
    """Yield the host that SQLAlchemy reads if the password contains "/", and its position: "mysql://user:1/2@host/"."""
    found = _BEHIND_SLASH.match(components.text)
    if found:
        yield found.start(found.lastindex or 0), found[1] or found[2]


class DatabaseParts(ServerParts):
    """A database on a server, and the options for connecting to it.

    Attributes:
        driver: the driver named after "+" in the scheme, such as "pymysql", in lower case; None if absent
        database: the name of the database, which is the decoded path without its first "/"; None if it is empty
        query_params: the options as (name, value) pairs, decoded and in order; "+" means a space

    Example:
        >>> import urlsm
        >>> urlsm.parts("mysql+pymysql://db.example/shop?charset=utf8mb4", urlsm.schemes.DatabaseParts).driver
        'pymysql'
    """

    driver: str | None = None
    database: str | None = None
    query_params: QueryParams = ()


if TYPE_CHECKING:
    D = TypeVar("D", bound=Parts, default=DatabaseParts, covariant=True)
else:
    D = DatabaseParts


class Database(Connection[D]):
    """A base class for databases on one server, as in SQLAlchemy: tarn+driver://user@host/shop?option=1.

    Set `parameters` for the options. For several servers, use `Cluster`.

    Example:
        >>> from urlsm.schemes import Database
        >>> class Tarn(Database):
        ...     names = ("tarn",)
        >>> Tarn().parts("tarn+fast://db.example/shop").driver
        'fast'
    """

    reference = SQLALCHEMY
    reference_date = "2026-11-21"
    owns_plus = True
    parameters: ClassVar[Parameters] = Parameters(named=False, plus=True)

    def read_parts(self, components: Components) -> D:
        query = components.query
        return DatabaseParts(  # type: ignore[return-value]
            *self.server(components),
            driver_of(components),
            name_of_path(components),
            self.parameters.read(query) if query else (),
        )

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        yield from super().hosts(components)
        yield from host_behind_slash(components)

    def composed_scheme(self, parts: Any) -> str:
        return with_driver(self.names[0], parts)

    def write_parts(self, parts: Any) -> str:
        path = "" if parts.database is None else "/" + (PCHAR + "/").encode(parts.database)
        authority = self.composed_authority(parts.username, parts.password, parts.host, parts.port)
        return authority + path + self.parameters.composed(parts.query_params)


Database.__module__ = "urlsm.schemes"


def with_driver(name: str, parts: Any) -> str:
    """Return the scheme for these parts: the name, followed by "+" and the driver if there is one."""
    driver = getattr(parts, "driver", None)
    return name if driver is None else f"{name}+{driver}"


class ClusterParts(DatabaseParts):
    """A database on one or more servers.

    Attributes:
        hosts: the servers, in order; `host` and `port` describe the first one

    Example:
        >>> import urlsm
        >>> urlsm.parts("clickhouse://a.example:9000,b.example/shop", "clickhouse").hosts[1].host
        'b.example'
    """

    hosts: tuple[HostPort, ...] = ()


if TYPE_CHECKING:
    C = TypeVar("C", bound=Parts, default=ClusterParts, covariant=True)
else:
    C = ClusterParts


class Cluster(HostList[C]):
    """A base class for databases on several servers, "tarn://host1:1,host2:2/shop". Clients may use any of them.

    Example:
        >>> from urlsm.schemes import Cluster
        >>> class Tarn(Cluster):
        ...     names = ("tarn",)
        >>> [server.host for server in Tarn().parts("tarn://a.example:1,b.example/shop").hosts]
        ['a.example', 'b.example']
    """

    reference = SQLALCHEMY
    reference_date = "2026-11-23"
    owns_plus = True
    fragment = "ignored"
    empty_path_is_root = False
    parameters: ClassVar[Parameters] = Database.parameters

    def read_parts(self, components: Components) -> C:
        host, port, query = components.host, components.port, components.query
        # for a single host, components already hold its name and port
        if (
            host is not None
            and "," not in host
            and "%" not in host
            and "[" not in host
            and (not port or (len(port) <= 5 and port.isascii() and port.isdigit()))
        ):
            values = (*server(components), driver_of(components), name_of_path(components))
            pairs = self.parameters.read(query) if query else ()
            return ClusterParts(*values, pairs, (HostPort(*values[2:4]),))  # type: ignore[return-value]
        found: Any = super().read_parts(components)
        first = found.hosts[0] if found.hosts else HostPort()
        server_values = (found.username, found.password, first.host, first.port)
        return ClusterParts(  # type: ignore[return-value]
            *server_values, driver_of(components), name_of_path(components), found.query_params, found.hosts
        )

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        yield from super().hosts(components)
        yield from host_behind_slash(components)

    def composed_scheme(self, parts: Any) -> str:
        return with_driver(self.names[0], parts)

    def write_parts(self, parts: Any) -> str:
        hosts = parts.hosts
        if hosts is None and (parts.host is not None or parts.port is not None):
            hosts = (HostPort(parts.host, parts.port),)
        given = {"host": None, "port": None, "hosts": hosts, "database": None, "query_params": None}
        path = "" if parts.database is None else "/" + (PCHAR + "/").encode(parts.database)
        written = super().write_parts(type(parts)(**{**vars(parts), **given}))
        return written + path + self.parameters.composed(parts.query_params)


Cluster.__module__ = "urlsm.schemes"
