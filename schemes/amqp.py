"""amqp and amqps (the RabbitMQ URI specification)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.components import Components
from urlsm.schemes.base import ServerParts
from urlsm.schemes.characters import HOST, PCHAR
from urlsm.schemes.hostlist import Connection, QueryParams, composed_query
from urlsm.values import decode, server
from urlsm.violations import Violation

__all__ = ["Amqp", "AmqpParts", "Amqps"]


class AmqpParts(ServerParts):
    """vhost is the virtual host, decoded: None where there is no path, which is the server's default one, "" of "/",
    which is the one of no name. query_params are decoded, in order, (name, None) of a field without "="."""

    vhost: str | None = None
    query_params: QueryParams = ()


class Amqp(Connection):
    names = ("amqp",)
    title = "AMQP 0-9-1 broker"
    reference = "the RabbitMQ URI specification"
    example = "amqp://user:secret@broker.example.org:5672/v%2Fhost?heartbeat=10"
    default_port = 5672
    userinfo_characters = HOST  # username, password = *( unreserved / pct-encoded / sub-delims )
    parts_type = AmqpParts

    def refine(self, c: Components) -> AmqpParts:
        path = c.path
        return AmqpParts(*server(c), decode(path.removeprefix("/")) if path else None, self.query_params(c))

    def path_violations(self, c: Components) -> Iterator[Violation]:
        """vhost = segment"""
        yield from super().path_violations(c)
        start, end = c.span("path") or (0, 0)
        slash = c.text.find("/", start + 1, end)
        if slash >= 0:
            yield self.violation("amqp-vhost-multiple-segments", "path", slash)

    def compose(self, p: Any) -> str:
        path = "" if p.vhost is None else "/" + PCHAR.encode(p.vhost)
        return self.composed_authority(p) + path + composed_query(p.query_params or ())


class Amqps(Amqp):
    names = ("amqps",)
    title = "AMQP 0-9-1 broker over TLS"
    example = "amqps://user:secret@broker.example.org/v%2Fhost?verify=verify_peer"
    default_port = 5671
