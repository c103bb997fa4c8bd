"""postgresql, also spelt postgres (libpq, connection URIs)."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components import Components
from urlsm.schemes.hostlist import HostList, query_fields
from urlsm.values import decode
from urlsm.violations import Violation

__all__ = ["KEYWORDS", "Postgresql"]

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


class Postgresql(HostList):
    names = ("postgresql", "postgres")
    title = "PostgreSQL connection"
    reference = "libpq, Connection URIs"
    example = "postgresql://user:secret@host1:5433,host2/db?target_session_attrs=any&application_name=x"
    default_port = 5432
    forbidden_escapes = "\0"  # libpq: forbidden value %00

    def query_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().query_violations(c)
        for start, name, value in query_fields(c):
            if name and not _known(decode(name), value):
                yield self.violation("parameter-unknown", "query", start)
            if value is not None and "=" in value:  # libpq: extra key/value separator
                yield self.violation("character-not-allowed", "query", start + len(name) + 1 + value.index("="))


def _known(name: str, value: str | None) -> bool:
    # "ssl=true" is JDBC's, which libpq takes for sslmode=require
    return name in KEYWORDS or (name == "ssl" and decode(value or "") == "true")
