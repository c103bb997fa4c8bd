"""postgresql, also spelt postgres (libpq, connection URIs)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode, driver_of
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.databases.database import host_behind_slash
from urlsm.schemes.fields import QueryParams, read_number
from urlsm.schemes.hostlist import HostList, HostListParts, HostPort, is_socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["KEYWORDS", "DrivenParts", "Postgresql"]

# parameter key words of libpq, up to PostgreSQL 18
_NAMES = """
application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssdelegation
gssencmode gsslib host hostaddr keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname
load_balance_hosts max_protocol_version min_protocol_version oauth_client_id oauth_client_secret oauth_issuer
oauth_scope options passfile password port replication require_auth requirepeer requiressl scram_client_key
scram_server_key service servicefile sslcert sslcertmode sslcompression sslcrl sslcrldir sslkey sslkeylogfile sslmode
sslnegotiation sslpassword sslrootcert sslsni ssl_max_protocol_version ssl_min_protocol_version target_session_attrs
tcp_user_timeout user
"""
KEYWORDS = frozenset(_NAMES.split())
ABOUT = {  # for urlsm.about
    "key words of libpq": {
        "tables": "KEYWORDS",
        "source": "libpq, Parameter Key Words",
        "url": "https://www.postgresql.org/docs/18/libpq-connect.html",
        "version": "18",
        "date": "2026-11-21",
        "licence": "PostgreSQL",
        "used_by": "handler of postgresql",
    },
}


class DrivenParts(HostListParts):
    """One or more servers, a database on them, and the driver that SQLAlchemy uses.

    Attributes:
        driver: the driver named after "+" in the scheme, such as "psycopg", in lower case; None if absent

    Example:
        >>> import urlsm
        >>> dict(urlsm.parts("postgresql+psycopg://db.example/shop"))["driver"]
        'psycopg'
    """

    driver: str | None = None


class Postgresql(HostList):
    names: ClassVar[tuple[str, ...]] = ("postgresql", "postgres")
    title = "PostgreSQL connection"
    reference = "libpq, Connection URIs"
    example = "postgresql://user:secret@host1:5433,host2/db?target_session_attrs=any&application_name=x"
    default_port: ClassVar[int | None] = 5432
    owns_plus = True
    forbidden_escapes = "\0"  # libpq: "forbidden value %00"

    def read_parts(self, components: Components) -> HostListParts:
        found, driver = super().read_parts(components), driver_of(components)
        return found if driver is None else DrivenParts(**dict(found), driver=driver)

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        yield from super().hosts(components)
        yield from host_behind_slash(components)

    def build(self, *, scheme: str | None = None, driver: str | None = None, **parts: Any) -> str:
        """Return the URL with these parts; see Scheme.build. driver: SQLAlchemy's driver, such as "psycopg2", which
        makes the scheme "postgresql+psycopg2" unless scheme is given."""
        if scheme is None and driver is not None:
            scheme = f"{self.names[0]}+{driver}"
        return super().build(scheme=scheme, **parts)

    def query_params(self, components: Components) -> QueryParams:
        """Return the parameters, with ssl=true and requiressl replaced by the sslmode to which libpq converts them."""
        return tuple([_as_sslmode(name, value) for name, value in super().query_params(components)])

    def servers(self, parts: HostListParts) -> tuple[HostPort, ...]:
        """Return the servers that a client tries, in order: the servers in the query if there are any, otherwise the
        servers in the authority.

        In a query, libpq reads host=a,b and the last port=1,2; a single port applies to all hosts. SQLAlchemy reads
        several parameters: host=a:1&host=b:2. A port that is absent or not a number is read as 5432.

        Args:
            parts: the parts of a URL.

        Example:
            >>> import urlsm
            >>> pg = urlsm.handler("postgresql")
            >>> [server.host for server in pg.servers(pg.parts("postgresql:///shop?host=a,b"))]
            ['a', 'b']
        """
        given = [value for name, value in parts.query_params if name == "host" and value]
        written = [value for name, value in parts.query_params if name == "port" and value]
        hosts = parts.hosts
        if len(given) > 1:
            hosts = tuple([_placed(value) for value in given])
        elif given:
            hosts = tuple([HostPort(value or None) for value in given[0].split(",")])
        ports: list[int | None] = [read_number(port) for port in written[-1].split(",")] if written else [None]
        if len(ports) == 1:
            ports *= max(1, len(hosts))
        pairs = zip(hosts, [*ports, *[None] * len(hosts)], strict=False)
        return tuple([HostPort(found.host, found.port or port or 5432) for found, port in pairs])

    def scheme_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the scheme. A capital letter is a violation, because libpq recognises "postgresql://"
        and "postgres://" only in lower case."""
        yield from super().scheme_violations(components)
        capital = re.search("[A-Z]", components.scheme or "")
        if capital is not None:
            message = "libpq does not recognise the URL if the scheme has an upper-case letter"
            yield self.violation("character-not-allowed", "scheme", capital.start(), message=message)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        for start, name, value in self.parameters.of_query(components):
            # a driver has options of its own
            if name and driver_of(components) is None and not _known(decode(name), value):
                yield self.violation("parameter-unknown", "query", start)
            if value is not None and "=" in value:  # libpq: "extra key/value separator"
                yield self.violation("character-not-allowed", "query", start + len(name) + 1 + value.index("="))


def _placed(host: str) -> HostPort:
    """Return the host and port that SQLAlchemy reads from the value of host=name:port."""
    name, colon, port = host.rpartition(":")
    number = read_number(port) if colon and not is_socket(host) and "]" not in port else None
    return HostPort(host if number is None else name.strip("[]") or None, number)


def _known(name: str, value: str | None) -> bool:
    return name in KEYWORDS or _as_sslmode(name, decode(value or ""))[0] == "sslmode"


def _as_sslmode(name: str, value: str | None) -> tuple[str, str | None]:
    """Return a parameter as libpq reads it. JDBC's ssl=true is sslmode=require. requiressl, "deprecated in favor of the
    sslmode setting", is sslmode=require if its value begins with "1", and otherwise sslmode=prefer."""
    if name == "requiressl" and value is not None:
        return "sslmode", "require" if value.startswith("1") else "prefer"
    return ("sslmode", "require") if (name, value) == ("ssl", "true") else (name, value)
