"""redis and rediss (as registered with IANA)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.fields import QueryParams, read_number
from urlsm.schemes.hostlist import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Redis", "RedisParts", "Rediss"]


class RedisParts(ServerParts):
    """A Redis server, and the number of a database on it.

    Attributes:
        database_index: the number of the database to SELECT; None if the path is empty (most clients then use 0) or not
            a number
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("redis://localhost:6379/2", "redis").database_index
        2
    """

    database_index: int | None = None
    query_params: QueryParams = ()


class Redis(Connection[RedisParts]):
    names: ClassVar[tuple[str, ...]] = ("redis",)
    title = "Redis connection"
    reference = "IANA, redis"
    example = "redis://user:secret@localhost:6379/0?foo=bar&qux=baz"
    default_port: ClassVar[int | None] = 6379
    empty_path_is_root = True  # path = [ "/" [ db-number ] ]: neither "" nor "/" has a number
    rules: ClassVar[dict[str, str]] = {
        "redis-database-invalid": "the database must be a number without leading zeros",
    }

    def read_parts(self, components: Components) -> RedisParts:
        return RedisParts(*server(components), read_number(_database(components)), self.query_params(components))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the connections are equal. Paths that are not numbers must be identical."""
        one, other = _database(a), _database(b)
        return super().equivalent(a, b) and (one == other or read_number(one) is not None)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = _number(components)
        number = components.text[start:end]
        wrong = re.search("[^0-9]", number)
        # db-number = "0" / nz-num
        if wrong is not None and not re.match("0[0-9]", number):
            yield self.violation("redis-database-invalid", "path", start + wrong.start())
        elif not re.fullmatch("(?:0|[1-9][0-9]*)?", number):
            yield self.violation("redis-database-invalid", "path", start)

    def write_parts(self, parts: Any) -> str:
        path = "" if parts.database_index is None else "/" + PCHAR.encode(str(parts.database_index))
        return super().write_parts(parts) + path + self.parameters.composed(parts.query_params)


def _number(c: Components) -> tuple[int, int]:
    start, end = c.span("path") or (0, 0)
    return start + c.text.startswith("/", start, end), end


def _database(c: Components) -> str:
    return decode(c.text[slice(*_number(c))])


class Rediss(Redis):
    names: ClassVar[tuple[str, ...]] = ("rediss",)
    title = "Redis connection over TLS"
    reference = "IANA, rediss"
    example = "rediss://user:secret@localhost:6379/0?foo=bar&qux=baz"
