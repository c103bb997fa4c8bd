"""mqtt and mqtts: a broker, and a topic on it."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Mqtt", "MqttParts"]

_PORTS = {"mqtt": 1883, "mqtts": 8883, "mqtt+ws": 80, "mqtt+wss": 443, "mqtts+ws": 443}


class MqttParts(ServerParts):
    """An MQTT broker and a topic.

    Attributes:
        topic: the topic, which is the decoded path without its first "/"; None if it is empty
        query: the query as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("mqtt://broker.example/house/lamp", "mqtt").topic
        'house/lamp'
    """

    topic: str | None = None
    query: str | None = None


class Mqtt(Scheme[MqttParts]):
    """ "mqtt" [ "s" ] "://" [ user [ ":" password ] "@" ] host [ ":" port ] [ "/" topic ]"""

    names: ClassVar[tuple[str, ...]] = ("mqtt", "mqtts")
    title = "MQTT broker"
    reference = "IANA, mqtt; mosquitto, -L"
    reference_date = "2026-11-23"
    example = "mqtt://user:secret@broker.example.org:1884/house/lamp"
    owns_plus = True
    hierarchical = False
    authority = host = "required"
    password = "allowed"
    fragment = "ignored"
    equal_by_parts = True
    rules: ClassVar[dict[str, str]] = {
        "mqtt-topic-wildcard": "this topic contains a wildcard: clients cannot publish to it",
    }

    def default_port_of(self, scheme: str) -> int | None:
        return _PORTS.get(lower(scheme))

    def read_parts(self, components: Components) -> MqttParts:
        path = components.path or ""
        return MqttParts(*self.server(components), decode(path[1:]) if path else None, components.query)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        at = (components.span("path") or (0, 0))[0]
        for level in (components.path or "").split("/"):
            if decode(level) in ("+", "#"):
                yield self.violation("mqtt-topic-wildcard", "path", at, "warning")
            at += len(level) + 1

    def write_parts(self, parts: Any) -> str:
        path = "" if parts.topic is None else "/" + (PCHAR + "/").encode(parts.topic)
        query = "" if parts.query is None else f"?{parts.query}"
        return self.composed_authority(parts.username, parts.password, parts.host, parts.port) + path + query
