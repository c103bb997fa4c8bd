"""postgresql, also spelt postgres (libpq, connection URIs)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.fields import QueryParams
from urlsm.schemes.hostlist import HostList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

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
    names: ClassVar[tuple[str, ...]] = ("postgresql", "postgres")
    title = "PostgreSQL connection"
    reference = "libpq, Connection URIs"
    example = "postgresql://user:secret@host1:5433,host2/db?target_session_attrs=any&application_name=x"
    default_port: ClassVar[int | None] = 5432
    forbidden_escapes = "\0"  # libpq: forbidden value %00

    def query_params(self, c: Components) -> QueryParams:
        """Return the parameters; ssl=true and requiressl become the sslmode that libpq makes of them."""
        return tuple([_as_sslmode(name, value) for name, value in super().query_params(c)])

    def scheme_violations(self, c: Components) -> Iterator[Violation]:
        """Yield the violations: libpq compares the first letters with "postgresql://" and "postgres://"
        case-sensitively."""
        yield from super().scheme_violations(c)
        capital = re.search("[A-Z]", c.scheme or "")
        if capital is not None:
            message = "an upper-case letter: libpq sees no URL then"
            yield self.violation("character-not-allowed", "scheme", capital.start(), message=message)

    def query_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().query_violations(c)
        for start, name, value in self.parameters.of_query(c):
            if name and not _known(decode(name), value):
                yield self.violation("parameter-unknown", "query", start)
            if value is not None and "=" in value:  # libpq: extra key/value separator
                yield self.violation("character-not-allowed", "query", start + len(name) + 1 + value.index("="))


def _known(name: str, value: str | None) -> bool:
    return name in KEYWORDS or _as_sslmode(name, decode(value or ""))[0] == "sslmode"


def _as_sslmode(name: str, value: str | None) -> tuple[str, str | None]:
    """A parameter, or what libpq takes it for: ssl=true is JDBC's sslmode=require; requiressl, "deprecated in favor of
    the sslmode setting", is require where it begins with "1", else prefer."""
    if name == "requiressl" and value is not None:
        return "sslmode", "require" if value.startswith("1") else "prefer"
    return ("sslmode", "require") if (name, value) == ("ssl", "true") else (name, value)
