"""unix: a socket in the file system; and redis+socket: a Redis server at such a socket."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import Parts, decode
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH
from urlsm.schemes.fields import QueryParams, read_number
from urlsm.schemes.hostlist import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

__all__ = ["RedisSocket", "RedisSocketParts", "Unix", "UnixParts"]


class UnixParts(Parts):
    """A socket in the file system.

    Attributes:
        username: the user name, decoded; None if absent
        password: the password, decoded; None if absent
        file_path: the path of the socket, decoded; an abstract socket begins with "@"; None if absent
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("unix:///var/run/docker.sock", "unix").file_path
        '/var/run/docker.sock'
    """

    username: str | None = None
    password: str | None = None
    file_path: str | None = None
    query_params: QueryParams = ()


class RedisSocketParts(UnixParts):
    """A Redis server at a socket in the file system.

    Attributes:
        database_index: the number of the database to SELECT, taken from "virtual_host" or "db" in the query; None if
            absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("redis+socket:///run/redis.sock?virtual_host=2", "redis+socket").database_index
        2
    """

    database_index: int | None = None


if TYPE_CHECKING:
    U = TypeVar("U", bound=Parts, default=UnixParts, covariant=True)
else:
    U = UnixParts


class Unix(Connection[U]):
    """ "unix:" [ "//" [ user [ ":" password ] "@" ] ] path [ "?" options ]"""

    names: ClassVar[tuple[str, ...]] = ("unix",)
    title = "Socket in the file system"
    reference = "Docker, daemon sockets; gRPC Name Resolution; redis-py"
    reference_date = "2026-11-26"
    example = "unix:///var/run/docker.sock"
    authority = host = "optional"
    port = "forbidden"
    path = "required"
    in_text = "absolute"
    rules: ClassVar[dict[str, str]] = {
        "unix-host-not-allowed": 'a socket has no host: write "///" before its path',
    }

    def read_parts(self, components: Components) -> U:
        username, password = components.username, components.password
        return UnixParts(  # type: ignore[return-value]
            None if username is None else decode(username),
            None if password is None else decode(password),
            decode(components.path or "") or None,
            self.query_params(components),
        )

    def host_violations(self, components: Components) -> Iterator[Violation]:
        if components.host:
            yield self.violation("unix-host-not-allowed", "host", (components.span("host") or (0, 0))[0])

    def write_parts(self, parts: Any) -> str:
        path = GENERIC_PATH.encode(parts.file_path or "")
        head = "" if path[:1] != "/" else self.composed_authority(parts.username, parts.password) or "//"
        return head + path + self.parameters.composed(parts.query_params)


class RedisSocket(Unix[RedisSocketParts]):
    names: ClassVar[tuple[str, ...]] = ("redis+socket",)
    title = "Redis connection over a socket"
    reference = "kombu, Redis"
    example = "redis+socket:///run/redis/redis.sock?virtual_host=0"

    def read_parts(self, components: Components) -> RedisSocketParts:
        found = super().read_parts(components)
        given = dict(found.query_params)
        index = given.get("virtual_host") or given.get("db") or ""
        return RedisSocketParts(**dict(found), database_index=read_number(index))

    def write_parts(self, parts: Any) -> str:
        if parts.query_params is None and parts.database_index is not None:
            parts = type(parts)(**{**vars(parts), "query_params": (("virtual_host", str(parts.database_index)),)})
        return super().write_parts(parts)
