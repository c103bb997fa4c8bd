"""The handlers of the schemes, a folder for each family; what they share is here. Installed as urlsm.schemes.

To write a handler, subclass Scheme (contract.py says what it may override) and give it to urlsm.register, or announce
it as an entry point of the group "urlsm.schemes". Never import this folder as a top-level `schemes`: each class
would then exist twice.
"""

from __future__ import annotations

import sys

from urlsm.components.parts import Parts, decode, decode_octets, segments, server
from urlsm.components.value import Components
from urlsm.errors import SchemeError
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import (
    ALPHA,
    DIGIT,
    FRAGMENT,
    GENERIC_PATH,
    HOST,
    PCHAR,
    QUERY,
    SUB_DELIMS,
    UNRESERVED,
    USERINFO,
    Characters,
)
from urlsm.schemes.contract import HierarchicalParts, PathParts, ServerParts
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from urlsm.schemes.rows import Registered

__all__ = [
    "ALPHA",
    "BUILT_IN",
    "DIGIT",
    "FRAGMENT",
    "GENERIC_PATH",
    "HOST",
    "PCHAR",
    "QUERY",
    "SUB_DELIMS",
    "UNRESERVED",
    "USERINFO",
    "Characters",
    "Components",
    "HierarchicalParts",
    "Parts",
    "PathParts",
    "Scheme",
    "SchemeError",
    "ServerParts",
    "Violation",
    "decode",
    "decode_octets",
    "known",
    "registry",
    "segments",
    "server",
]

# scheme -> "module:class"
BUILT_IN = {
    "http": "web.http:Http",
    "https": "web.http:Https",
    "shttp": "web.http:Shttp",
    "mms": "web.http:Mms",
    "ws": "web.ws:Ws",
    "wss": "web.ws:Wss",
    "coap": "network.coap:Coap",
    "coaps": "network.coap:Coaps",
    "rtsp": "web.rtsp:Rtsp",
    "rtsps": "web.rtsp:Rtsps",
    "rtspu": "web.rtsp:Rtspu",
    "ftp": "files.ftp:Ftp",
    "file": "files.file:File",
    "ssh": "files.ssh:Ssh",
    "sftp": "files.ssh:Sftp",
    "git": "supply.repository:Git",
    "svn": "supply.repository:Svn",
    "svn+ssh": "supply.repository:SvnSsh",
    "rsync": "supply.repository:Rsync",
    "telnet": "network.telnet:Telnet",
    "gopher": "network.gopher:Gopher",
    "wais": "network.wais:Wais",
    "prospero": "network.prospero:Prospero",
    "news": "mail.news:News",
    "snews": "mail.news:Snews",
    "nntp": "mail.news:Nntp",
    "hdl": "names.hdl:Hdl",
    "dns": "network.dns:Dns",
    "mailto": "mail.mailto:Mailto",
    "sip": "telephony.sip:Sip",
    "sips": "telephony.sip:Sips",
    "xmpp": "messaging.xmpp:Xmpp",
    "tel": "telephony.tel:Tel",
    "sms": "telephony.sms:Sms",
    "imap": "mail.imap:Imap",
    "ldap": "network.ldap:Ldap",
    "ldaps": "network.ldap:Ldaps",
    "urn": "names.urn:Urn",
    "magnet": "names.magnet:Magnet",
    "geo": "names.geo:Geo",
    "data": "web.data:Data",
    "blob": "web.browser:Blob",
    "about": "web.browser:About",
    "javascript": "web.browser:Javascript",
    "view-source": "web.browser:ViewSource",
    "s3": "stores.bucket:S3",
    "gs": "stores.bucket:Gs",
    "stun": "telephony.stun:Stun",
    "stuns": "telephony.stun:Stuns",
    "turn": "telephony.stun:Turn",
    "turns": "telephony.stun:Turns",
    "redis": "databases.redis:Redis",
    "rediss": "databases.redis:Rediss",
    "redis+socket": "network.unix:RedisSocket",
    "unix": "network.unix:Unix",
    "tcp": "rows:row",
    "postgresql": "databases.postgresql:Postgresql",
    "postgres": "databases.postgresql:Postgresql",
    "mongodb": "databases.mongodb:Mongodb",
    "mongodb+srv": "databases.mongodb:MongodbSrv",
    "amqp": "messaging.amqp:Amqp",
    "amqps": "messaging.amqp:Amqps",
    "jdbc": "databases.jdbc:Jdbc",
    "acct": "names.identifiers:Acct",
    "cid": "names.identifiers:Cid",
    "mid": "names.identifiers:Mid",
    "tag": "names.identifiers:Tag",
    "pkcs11": "names.pkcs11:Pkcs11",
    "pkg": "supply.purl:Pkg",
    "mysql": "databases.servers:Mysql",
    "mariadb": "databases.servers:Mysql",
    "mssql": "databases.servers:Mssql",
    "sqlserver": "databases.servers:Mssql",
    "oracle": "databases.servers:Oracle",
    "clickhouse": "databases.servers:Clickhouse",
    "clickhouses": "databases.servers:Clickhouse",
    "snowflake": "databases.servers:Snowflake",
    "bigquery": "databases.servers:Bigquery",
    "neo4j": "databases.servers:Neo4j",
    "bolt": "databases.servers:Neo4j",
    "sqlite": "databases.files:Sqlite",
    "duckdb": "databases.files:Duckdb",
    "trino": "databases.servers:Trino",
    "presto": "databases.servers:Trino",
    "redshift": "databases.servers:server",
    "cockroachdb": "databases.servers:server",
    "hive": "databases.servers:server",
    "impala": "databases.servers:server",
    "databricks": "databases.servers:server",
    "cassandra": "databases.servers:server",
    "couchbase": "databases.servers:server",
    "couchbases": "databases.servers:server",
    "elasticsearch": "databases.servers:server",
    "opensearch": "databases.servers:server",
    "influxdb": "databases.servers:server",
    "mysqlx": "databases.servers:server",
    "teradatasql": "databases.servers:server",
    "awsathena": "databases.servers:server",
    "dremio": "databases.servers:server",
    "firebird": "databases.servers:server",
    "access": "databases.servers:server",
    "ibm_db_sa": "databases.servers:server",
    "db2": "databases.servers:server",
    "vertica": "databases.servers:server",
    "hana": "databases.servers:server",
    "exa": "databases.servers:server",
    "crate": "databases.servers:server",
    "druid": "databases.servers:server",
    "pinot": "databases.servers:server",
    "starrocks": "databases.servers:server",
    "doris": "databases.servers:server",
    "singlestoredb": "databases.servers:server",
    "sybase": "databases.servers:server",
    "monetdb": "databases.servers:server",
    "risingwave": "databases.servers:server",
    "ydb": "databases.servers:server",
    "s3a": "stores.bucket:S3",
    "s3n": "stores.bucket:S3",
    "gcs": "stores.bucket:Gs",
    "oss": "stores.bucket:bucket",
    "cos": "stores.bucket:bucket",
    "cosn": "stores.bucket:bucket",
    "obs": "stores.bucket:bucket",
    "tos": "stores.bucket:bucket",
    "r2": "stores.bucket:bucket",
    "b2": "stores.bucket:bucket",
    "minio": "stores.bucket:bucket",
    "hf": "stores.hf:Hf",
    "abfs": "stores.azure:Abfs",
    "abfss": "stores.azure:Abfs",
    "wasb": "stores.azure:Abfs",
    "wasbs": "stores.azure:Abfs",
    "az": "stores.azure:Az",
    "adl": "stores.azure:Adl",
    "git+https": "supply.vcs:Vcs",
    "git+ssh": "supply.vcs:Vcs",
    "git+http": "supply.vcs:Vcs",
    "git+file": "supply.vcs:Vcs",
    "git+git": "supply.vcs:Vcs",
    "hg+https": "supply.vcs:Vcs",
    "hg+ssh": "supply.vcs:Vcs",
    "hg+http": "supply.vcs:Vcs",
    "hg+file": "supply.vcs:Vcs",
    "hg+static-http": "supply.vcs:Vcs",
    "bzr+https": "supply.vcs:Vcs",
    "bzr+ssh": "supply.vcs:Vcs",
    "bzr+http": "supply.vcs:Vcs",
    "bzr+sftp": "supply.vcs:Vcs",
    "bzr+ftp": "supply.vcs:Vcs",
    "bzr+lp": "supply.vcs:Vcs",
    "svn+https": "supply.vcs:Vcs",
    "svn+http": "supply.vcs:Vcs",
    "svn+file": "supply.vcs:Vcs",
    "svn+svn": "supply.vcs:Vcs",
    "otpauth": "apps.otpauth:Otpauth",
    "did": "names.did:Did",
    "ni": "names.digest:Ni",
    "nih": "names.digest:Nih",
    "ipfs": "stores.ipfs:Ipfs",
    "ipns": "stores.ipfs:Ipns",
    "aaa": "network.diameter:Aaa",
    "aaas": "network.diameter:Aaas",
    "iax": "network.diameter:Iax",
    "bitcoin": "money.payments:Bitcoin",
    "bitcoincash": "money.payments:Bitcoin",
    "litecoin": "money.payments:Bitcoin",
    "lightning": "money.payments:Lightning",
    "ethereum": "money.payments:Ethereum",
    "payto": "money.payments:Payto",
    "intent": "apps.intent:Intent",
    "jar": "files.archive:Archive",
    "zip": "files.archive:Archive",
    "war": "files.archive:War",
    "docker": "supply.containers:Docker",
    "docker-daemon": "supply.containers:DockerDaemon",
    "docker-archive": "supply.containers:ImageArchive",
    "oci-archive": "supply.containers:ImageArchive",
    "oci": "supply.containers:Oci",
    "containers-storage": "supply.containers:ContainersStorage",
    "android-app": "apps.links:AndroidApp",
    "gitoid": "names.persistent:Gitoid",
    "vers": "supply.vers:Vers",
    "cpe": "names.cpe:Cpe",
    # each is a row of rows.py
    "acap": "rows:row",
    "cap": "rows:row",
    "coap+tcp": "network.coap:over",
    "coaps+tcp": "network.coap:over",
    "coap+ws": "network.coap:over",
    "coaps+ws": "network.coap:over",
    "crid": "rows:row",
    "dav": "rows:row",
    "dict": "rows:row",
    "dtn": "rows:row",
    "example": "rows:row",
    "go": "rows:row",
    "h323": "rows:row",
    "icap": "rows:row",
    "im": "rows:row",
    "info": "rows:row",
    "ipn": "names.identifiers:Ipn",
    "ipp": "rows:row",
    "ipps": "rows:row",
    "iris": "rows:row",
    "iris.beep": "rows:row",
    "iris.lwz": "rows:row",
    "iris.xpc": "rows:row",
    "iris.xpcs": "rows:row",
    "jabber": "rows:row",
    "leaptofrogans": "rows:row",
    "msrp": "rows:row",
    "msrps": "rows:row",
    "mtqp": "rows:row",
    "mupdate": "rows:row",
    "nfs": "rows:row",
    "opaquelocktoken": "rows:row",
    "pop": "rows:row",
    "pres": "rows:row",
    "reload": "rows:row",
    "service": "rows:row",
    "session": "rows:row",
    "sieve": "rows:row",
    "snmp": "rows:row",
    "soap.beep": "rows:row",
    "soap.beeps": "rows:row",
    "tftp": "rows:row",
    "thismessage": "rows:row",
    "tip": "rows:row",
    "tn3270": "rows:row",
    "tv": "rows:row",
    "vemmi": "rows:row",
    "vnc": "rows:row",
    "xcon": "rows:row",
    "xcon-userid": "rows:row",
    "xmlrpc.beep": "rows:row",
    "xmlrpc.beeps": "rows:row",
    "z39.50r": "rows:row",
    "z39.50s": "rows:row",
    "chrome-extension": "rows:row",
    "dbfs": "rows:row",
    "itms": "rows:row",
    "itms-apps": "rows:row",
    "itms-appss": "rows:row",
    "market": "rows:row",
    "moz-extension": "rows:row",
    "grpc": "rows:row",
    "grpcs": "rows:row",
    "slack": "rows:row",
    "discord": "rows:row",
    "msteams": "rows:row",
    "zoommtg": "rows:row",
    "tg": "rows:row",
    "whatsapp": "rows:row",
    "obsidian": "rows:row",
    "steam": "rows:row",
    "vscode": "rows:row",
    "vscode-insiders": "rows:row",
    "afp": "rows:row",
    "alluxio": "rows:row",
    "cifs": "files.smb:Smb",
    "finger": "rows:row",
    "gemini": "rows:row",
    "hdfs": "rows:row",
    "irc": "messaging.irc:Irc",
    "irc6": "messaging.irc:Irc",
    "ircs": "messaging.irc:Irc",
    "mqtt": "messaging.mqtt:Mqtt",
    "mqtts": "messaging.mqtt:Mqtt",
    "matrix": "messaging.matrix:Matrix",
    "nats": "messaging.nats:Nats",
    "o3fs": "rows:row",
    "ofs": "rows:row",
    "pulsar": "messaging.kafka:Pulsar",
    "pulsar+ssl": "messaging.kafka:Pulsar",
    "smb": "files.smb:Smb",
    "socks4": "rows:row",
    "socks4a": "rows:row",
    "socks5": "rows:row",
    "socks5h": "rows:row",
    "spartan": "rows:row",
    "swebhdfs": "rows:row",
    "titan": "rows:row",
    "viewfs": "rows:row",
    "webhdfs": "rows:row",
    "kafka": "messaging.kafka:Kafka",
    "doi": "names.persistent:Doi",
    "swh": "names.persistent:Swh",
    "spiffe": "names.persistent:Spiffe",
}


# "a+b" of these is a repository as "a+https" is, even if nobody knows the transport b
OVER = {"git": "git+https", "hg": "hg+https", "bzr": "bzr+https", "svn": "svn+https"}

CARRIERS = ("tcp", "unix")  # "a+b" of these is a by way of b: http+unix, amqp+tcp


def known() -> dict[str, str]:
    """Return every scheme that has a handler of its own, sorted, and its origin: "built in", "registered", or the
    name and version of the distribution that announces it. Reads entry points without loading them."""
    from urlsm.meaning.registry import known

    return known()


def registry() -> dict[str, Registered]:
    """Return every scheme that IANA lists as permanent, sorted: its status, document, default port and an example."""
    from urlsm.schemes.rows import permanent

    return permanent()


# module -> the folder of its family: these modules were here before there were folders; their old names still work
MOVED = {
    **dict.fromkeys(("browser", "data", "http", "media_type", "rtsp", "ws"), "web"),
    **dict.fromkeys(("imap", "mailto", "news"), "mail"),
    **dict.fromkeys(("sip", "sms", "stun", "tel"), "telephony"),
    **dict.fromkeys(("amqp", "xmpp"), "messaging"),
    **dict.fromkeys(("coap", "diameter", "dns", "gopher", "ldap", "prospero", "telnet", "wais"), "network"),
    **dict.fromkeys(("file", "ftp", "ssh"), "files"),
    **dict.fromkeys(("geo", "hdl", "magnet", "urn"), "names"),
    **dict.fromkeys(("jdbc", "mongodb", "postgresql", "redis"), "databases"),
    "bucket": "stores",
    "repository": "supply",
}


class _Moved:
    """Finds a module under its old name: the same object as under its new name."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package, _, module = name.rpartition(".")
        if package != __name__ or module not in MOVED or __spec__ is None:
            return None
        return type(__spec__)(name, _Moved)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Return None: the import makes an empty module, which exec_module replaces."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        old = module.__name__.rpartition(".")[2]
        sys.modules[module.__name__] = __import__(f"{__name__}.{MOVED[old]}.{old}", fromlist=[old])


sys.meta_path.append(_Moved)  # asked last, for modules that are not found elsewhere

if not TYPE_CHECKING:

    def __getattr__(name: str) -> ModuleType:
        if name not in MOVED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found: ModuleType = __import__(f"{__name__}.{name}", fromlist=[name])
        return found
