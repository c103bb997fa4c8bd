"""amqp and amqps (the RabbitMQ URI specification)."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST, PCHAR
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.fields import QueryParams
from urlsm.schemes.hostlist import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Amqp", "AmqpParts", "Amqps"]


class AmqpParts(ServerParts):
    """A message broker (RabbitMQ) and a virtual host on it.

    Attributes:
        vhost: the virtual host, decoded; None for an empty path (the default), "" for "/"
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("amqp://broker.example/v%2Fhost", "amqp").vhost
        'v/host'
    """

    vhost: str | None = None
    query_params: QueryParams = ()


class Amqp(Connection[AmqpParts]):
    names: ClassVar[tuple[str, ...]] = ("amqp",)
    title = "AMQP 0-9-1 broker"
    reference = "the RabbitMQ URI specification"
    example = "amqp://user:secret@broker.example.org:5672/v%2Fhost?heartbeat=10"
    default_port: ClassVar[int | None] = 5672
    userinfo_characters = HOST  # username, password = *( unreserved / pct-encoded / sub-delims )
    rules: ClassVar[dict[str, str]] = {
        "amqp-vhost-multiple-segments": 'a virtual host must be one segment: write %2F for "/"',
    }

    def read_parts(self, components: Components) -> AmqpParts:
        path = components.path
        return AmqpParts(
            *server(components), decode(path.removeprefix("/")) if path else None, self.query_params(components)
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of the rule vhost = segment."""
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        slash = components.text.find("/", start + 1, end)
        if slash >= 0:
            yield self.violation("amqp-vhost-multiple-segments", "path", slash)

    def write_parts(self, parts: Any) -> str:
        path = "" if parts.vhost is None else "/" + PCHAR.encode(parts.vhost)
        return super().write_parts(parts) + path + self.parameters.composed(parts.query_params)


class Amqps(Amqp):
    names: ClassVar[tuple[str, ...]] = ("amqps",)
    title = "AMQP 0-9-1 broker over TLS"
    example = "amqps://user:secret@broker.example.org/v%2Fhost?verify=verify_peer"
    default_port: ClassVar[int | None] = 5671
