"""Databases on a server: mysql, mssql, oracle, clickhouse and more. They differ in their ports and in the meaning of
the path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, driver_of, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST, PCHAR, Characters
from urlsm.schemes.databases.database import SQLALCHEMY, Cluster, Database, DatabaseParts
from urlsm.schemes.fields import Field, Parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = [
    "Bigquery",
    "BigqueryParts",
    "Clickhouse",
    "Mssql",
    "MssqlParts",
    "Mysql",
    "Neo4j",
    "Oracle",
    "OracleParts",
    "Snowflake",
    "SnowflakeParts",
    "Trino",
    "TrinoParts",
    "server",
]


class Mysql(Database):
    names: ClassVar[tuple[str, ...]] = ("mysql", "mariadb")
    title = "MySQL or MariaDB connection"
    example = "mysql://user:secret@db.example.org:3307/shop?charset=utf8mb4"
    default_port: ClassVar[int | None] = 3306
    rules: ClassVar[dict[str, str]] = {
        "mysql-local-infile": "this option lets the server read any file on the client",
    }

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        for start, name, value in self.parameters.of_query(components):
            if lower(name) in ("local_infile", "allowloadlocalinfile") and value not in (None, "", "0", "false"):
                yield self.violation("mysql-local-infile", "query", start, "warning")


class MssqlParts(DatabaseParts):
    """A database on SQL Server, and the server instance.

    If the authority consists only of a host, programs may read it as a data source name (DSN).

    Attributes:
        instance: the instance, which follows a backslash in the host; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("mssql+pyodbc://db.example/shop", urlsm.schemes.MssqlParts).database
        'shop'
    """

    instance: str | None = None


class Mssql(Database[MssqlParts]):
    names: ClassVar[tuple[str, ...]] = ("mssql", "sqlserver")
    title = "SQL Server connection"
    example = "mssql://user:secret@db.example.org:1433/shop?driver=ODBC+Driver+18+for+SQL+Server"
    default_port: ClassVar[int | None] = 1433
    host_characters: ClassVar[Characters] = HOST + "\\"
    rules: ClassVar[dict[str, str]] = {
        "mssql-instance-and-port": "the instance has no effect if there is a port",
        "mssql-odbc-connect": "this is a complete connection string, which may name another server",
    }

    def read_parts(self, components: Components) -> MssqlParts:
        found = super().read_parts(components)
        host, backslash, instance = (found["host"] or "").partition("\\")
        values: dict[str, Any] = {**dict(found), "host": host or None}
        return MssqlParts(**values, instance=instance if backslash else None)

    def host_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().host_violations(components)
        host = components.host or ""
        if components.port and ("\\" in host or re.search("%5[Cc]", host)):
            yield self.violation("mssql-instance-and-port", "host", (components.span("host") or (0, 0))[0], "warning")

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        for start, name, _ in self.parameters.of_query(components):
            if lower(name) == "odbc_connect":
                yield self.violation("mssql-odbc-connect", "query", start, "warning")

    def write_parts(self, parts: Any) -> str:
        if parts.instance is not None:
            parts = type(parts)(**{**vars(parts), "host": f"{parts.host or ''}\\{parts.instance}"})
        return super().write_parts(parts)


_EASY_CONNECT = re.compile(
    r"(?://)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]?,()@]+)(?::(?P<port>[0-9]{0,5}))?(?:/(?P<service>[^\s:/?,()@]*))?"
)


class OracleParts(DatabaseParts):
    """An Oracle database, identified by its SID or its service name.

    Attributes:
        sid: the Oracle SID, taken from the path; None if absent
        service_name: the service name, taken from the query; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("oracle://db.example/?service_name=sales", "oracle").service_name
        'sales'
    """

    sid: str | None = None
    service_name: str | None = None


class Oracle(Database[OracleParts]):
    names: ClassVar[tuple[str, ...]] = ("oracle",)
    title = "Oracle connection"
    example = "oracle://user:secret@db.example.org:1522/?service_name=sales.example.org"
    default_port: ClassVar[int | None] = 1521
    parameters: ClassVar[Parameters] = Parameters(Field("service_name", plus=True), named=False, plus=True)
    rules: ClassVar[dict[str, str]] = {
        "oracle-service-and-sid": "use either a SID (in the path) or a service (in the query)",
    }

    def read_parts(self, components: Components) -> OracleParts:
        found = super().read_parts(components)
        service = next((value for name, value in found["query_params"] if name == "service_name"), None)
        values: dict[str, Any] = dict(found)
        return OracleParts(**values, sid=found["database"] or None, service_name=service)

    def from_easy_connect(self, text: str) -> str:
        """Return the URL for an Oracle "Easy Connect" string: [user[/password]@][//]host[:port][/service].

        Args:
            text: the Easy Connect string.

        Raises:
            ValueError: the string contains several hosts, a protocol, a server type, an instance or options.
            SchemeError: the host or the port is invalid.

        Example:
            >>> import urlsm
            >>> urlsm.handler("oracle").from_easy_connect("ann@//db.example:1522/sales")
            'oracle://ann@db.example:1522/?service_name=sales'
        """
        login, at, place = text.rpartition("@")
        found = _EASY_CONNECT.fullmatch(place)
        if found is None or (at and not login):
            raise ValueError("the string must be [user[/password]@][//]host[:port][/service]")
        username, slash, password = login.partition("/")
        return self.build(
            username=username if at else None,
            password=password if slash else None,
            host=found["host"].strip("[]"),
            port=int(found["port"]) if found["port"] else None,
            service_name=found["service"] or None,
        )

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        for start, name, _ in self.parameters.of_query(components):
            if name == "service_name" and (components.path or "").strip("/"):
                yield self.violation("oracle-service-and-sid", "query", start)

    def write_parts(self, parts: Any) -> str:
        given = vars(parts)
        if parts.database is None and parts.sid is not None:
            given = {**given, "database": parts.sid}
        if parts.query_params is None and parts.service_name is not None:
            path = "" if given["database"] is None else given["database"]
            given = {**given, "database": path, "query_params": (("service_name", parts.service_name),)}
        return super().write_parts(type(parts)(**given))


_CLICKHOUSE = {"clickhouses": 9440, "clickhouse+http": 8123, "clickhouse+https": 8443, "clickhouse+native": 9000}


class Clickhouse(Cluster):
    """If the scheme names no driver, ClickHouse's own driver uses the native protocol and other drivers use HTTP, so
    there is no default port. ClickHouse's own driver reads "h1,h2" as one host."""

    names: ClassVar[tuple[str, ...]] = ("clickhouse", "clickhouses")
    title = "ClickHouse connection"
    example = "clickhouse://user:secret@db.example.org/shop?secure=True"

    def default_port_of(self, scheme: str) -> int | None:
        return _CLICKHOUSE.get(lower(scheme))


class SnowflakeParts(DatabaseParts):
    """A Snowflake database and schema. The host is the account name.

    Attributes:
        schema: the schema, taken from the second segment of the path; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("snowflake://ann@my-account/shop/public", "snowflake").schema
        'public'
    """

    schema: str | None = None


class Snowflake(Database[SnowflakeParts]):
    names: ClassVar[tuple[str, ...]] = ("snowflake",)
    title = "Snowflake connection"
    example = "snowflake://user:secret@my-account/shop/public?warehouse=wh&role=reader"
    host_kind = "account"
    host_case = "keep"
    port = "allowed"
    joined: ClassVar[tuple[str, ...]] = ("{database}/{schema}",)

    def read_parts(self, components: Components) -> SnowflakeParts:
        values: dict[str, Any] = dict(super().read_parts(components))
        database, slash, schema = (values["database"] or "").partition("/")
        values["database"] = None if values["database"] is None else database
        return SnowflakeParts(**values, schema=schema if slash else None)

    def write_parts(self, parts: Any) -> str:
        if parts.schema is not None:
            parts = type(parts)(**{**vars(parts), "database": f"{parts.database or ''}/{parts.schema}"})
        return super().write_parts(parts)


class TrinoParts(DatabaseParts):
    """A Trino or Presto catalog and schema.

    Attributes:
        catalog: the first segment of the path, decoded; None if absent or empty
        schema: the second segment of the path, decoded; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("trino://ann@trino.example/hive/web", "trino").catalog
        'hive'
    """

    catalog: str | None = None
    schema: str | None = None


class Trino(Database[TrinoParts]):
    names: ClassVar[tuple[str, ...]] = ("trino", "presto")
    title = "Trino or Presto connection"
    reference = "trino-python-client, SQLAlchemy; pyhive"
    example = "trino://user@trino.example.org:8443/hive/web"
    default_port: ClassVar[int | None] = 8080
    joined: ClassVar[tuple[str, ...]] = ("{catalog}/{schema}",)

    def read_parts(self, components: Components) -> TrinoParts:
        values: dict[str, Any] = dict(super().read_parts(components))
        path = (components.path or "").removeprefix("/")
        catalog, slash, schema = path.partition("/")
        return TrinoParts(**values, catalog=decode(catalog) or None, schema=decode(schema) if slash else None)

    def write_parts(self, parts: Any) -> str:
        if parts.catalog is not None or parts.schema is not None:
            ends = parts.schema is None and not (parts.database or "").endswith("/")
            names = [parts.catalog or "", *([] if ends else [parts.schema or ""])]
            authority = self.composed_authority(parts.username, parts.password, parts.host, parts.port)
            path = "".join([f"/{PCHAR.encode(name)}" for name in names])
            return authority + path + self.parameters.composed(parts.query_params)
        return super().write_parts(parts)


class BigqueryParts(Parts):
    """A BigQuery project and dataset.

    Attributes:
        driver: the driver named after "+" in the scheme, in lower case; None if absent
        project: the project, decoded; None if absent
        dataset: the dataset, decoded; None if absent
        query_params: the options as (name, value) pairs, decoded and in order

    Example:
        >>> import urlsm
        >>> urlsm.parts("bigquery://my-project/my_dataset", "bigquery").dataset
        'my_dataset'
    """

    driver: str | None = None
    project: str | None = None
    dataset: str | None = None
    query_params: tuple[tuple[str, str | None], ...] = ()


_PROJECT = re.compile(r"(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]")


class Bigquery(Database[BigqueryParts]):
    names: ClassVar[tuple[str, ...]] = ("bigquery",)
    title = "BigQuery dataset"
    reference = "sqlalchemy-bigquery; project identifiers"
    example = "bigquery://my-project/my_dataset?location=EU"
    host_kind = "project"
    host_case = "keep"
    userinfo = "forbidden"
    port = "forbidden"
    rules: ClassVar[dict[str, str]] = {"bigquery-project-invalid": "this is not a valid project identifier"}

    def read_parts(self, components: Components) -> BigqueryParts:
        found = DatabaseParts(**dict(super().read_parts(components)))
        return BigqueryParts(found.driver, found.host, found.database, found.query_params)

    def host_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().host_violations(components)
        if components.host and not _PROJECT.fullmatch(components.host):
            yield self.violation("bigquery-project-invalid", "host", (components.span("host") or (0, 0))[0], "warning")

    def write_parts(self, parts: Any) -> str:
        path = None if parts.dataset is None else parts.dataset
        given = {"username": None, "password": None, "host": parts.project, "port": None, "database": path}
        return super().write_parts(type(parts)(**{**vars(parts), **given}))


class Neo4j(Database):
    """Programs pass the user to the driver, not in the URL. "+s" after the scheme means TLS; "+ssc" means TLS that
    accepts any certificate."""

    names: ClassVar[tuple[str, ...]] = ("neo4j", "bolt")
    title = "Neo4j connection"
    reference = "Neo4j, driver URIs"
    example = "neo4j://graph.example.org:7688/?policy=europe"
    default_port: ClassVar[int | None] = 7687
    host = "required"
    userinfo = "forbidden"
    parameters: ClassVar[Parameters] = Parameters(equals=True, filled=True, repeat="forbid", plus=True)
    rules: ClassVar[dict[str, str]] = {
        "neo4j-transport-unknown": 'only "+s" and "+ssc" may follow the scheme',
    }

    def scheme_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().scheme_violations(components)
        if driver_of(components) not in (None, "s", "ssc"):
            yield self.violation("neo4j-transport-unknown", "scheme", (components.scheme or "").index("+") + 1)


# the default port, title and example of each scheme; the base class has all else
_SERVERS: dict[str, tuple[int | None, str, str]] = {
    "redshift": (5439, "Redshift connection", "redshift://user:secret@cluster.example.org:5440/dev"),
    "cockroachdb": (26257, "CockroachDB connection", "cockroachdb://user:secret@db.example.org/defaultdb?sslmode=verify-full"),
    "hive": (10000, "Hive connection", "hive://user:secret@hive.example.org/default?auth=LDAP"),
    "impala": (21050, "Impala connection", "impala://impala.example.org/default"),
    "databricks": (443, "Databricks connection", "databricks://token:secret@dbc.example.org?http_path=%2Fsql%2F1.0%2Fx"),
    "cassandra": (9042, "Cassandra connection", "cassandra://user:secret@db.example.org/keyspace"),
    "couchbase": (11210, "Couchbase connection", "couchbase://db.example.org/bucket?kv_timeout=2.5s"),
    "couchbases": (11207, "Couchbase connection over TLS", "couchbases://db.example.org/bucket"),
    "elasticsearch": (9200, "Elasticsearch connection", "elasticsearch://user:secret@es.example.org/index"),
    "opensearch": (9200, "OpenSearch connection", "opensearch://user:secret@os.example.org/index"),
    "influxdb": (8086, "InfluxDB connection", "influxdb://user:secret@influx.example.org/metrics"),
    "teradatasql": (1025, "Teradata connection", "teradatasql://user:secret@td.example.org/sales?logmech=LDAP"),
    "awsathena": (443, "Athena connection", "awsathena://:@athena.eu-west-1.amazonaws.com/web?work_group=w"),
    "dremio": (32010, "Dremio connection", "dremio://user:secret@dremio.example.org/space?schema=s"),
    "firebird": (3050, "Firebird connection", "firebird://user:secret@db.example.org//var/db/shop.fdb"),
    "access": (None, "Microsoft Access database", "access://user:secret@shop-dsn"),
    "ibm_db_sa": (50000, "Db2 connection", "ibm_db_sa://user:secret@db.example.org:50001/shop"),
    "db2": (50000, "Db2 connection", "db2://user:secret@db.example.org:50001/shop"),
    "vertica": (5433, "Vertica connection", "vertica://user:secret@db.example.org/shop"),
    "hana": (None, "SAP HANA connection", "hana://user:secret@hana.example.org:39015/HXE"),
    "exa": (8563, "Exasol connection", "exa://user:secret@exa.example.org/schema"),
    "crate": (4200, "CrateDB connection", "crate://user:secret@crate.example.org/?schema=doc"),
    "druid": (8082, "Druid connection", "druid://druid.example.org/druid/v2/sql/"),
    "pinot": (None, "Pinot connection", "pinot://pinot.example.org:8099/query/sql"),
    "starrocks": (9030, "StarRocks connection", "starrocks://user:secret@sr.example.org/shop"),
    "doris": (9030, "Doris connection", "doris://user:secret@doris.example.org/shop"),
    "singlestoredb": (3306, "SingleStore connection", "singlestoredb://user:secret@s2.example.org/shop"),
    "sybase": (5000, "Sybase connection", "sybase://user:secret@db.example.org/shop"),
    "monetdb": (50000, "MonetDB connection", "monetdb://user:secret@db.example.org/shop"),
    "risingwave": (4566, "RisingWave connection", "risingwave://root@rw.example.org/dev"),
    "ydb": (2136, "YDB connection", "ydb://ydb.example.org/local"),
    "mysqlx": (33060, "MySQL connection over the X Protocol", "mysqlx://user:secret@db.example.org/shop"),
}  # fmt: skip
ABOUT = {  # for urlsm.about
    "ports of databases": {
        "tables": "_SERVERS",
        "source": "SQLAlchemy's dialects and the databases' own pages",
        "url": "https://docs.sqlalchemy.org/en/21/dialects/",
        "date": "2026-11-23",
        "used_by": "handler of redshift, hive and others",
    },
}


_CLUSTERS = ("cassandra", "couchbase", "couchbases", "mysqlx")  # databases whose drivers take several hosts


def server(name: str) -> Database | Cluster:
    """Return the handler for a scheme in _SERVERS."""
    port, title, example = _SERVERS[name]
    traits = {"names": (name,), "default_port": port, "title": title, "example": example, "reference": SQLALCHEMY}
    found: Database | Cluster = type("Server", (Cluster if name in _CLUSTERS else Database,), traits)()
    return found
