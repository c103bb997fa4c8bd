"""kafka and pulsar: brokers, and a topic."""

from __future__ import annotations

from urlsm.components.parts import Parts, driver_of, lower
from urlsm.components.value import Components
from urlsm.schemes.databases.database import with_driver
from urlsm.schemes.fields import QueryParams
from urlsm.schemes.hostlist import HostList, HostPort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Kafka", "KafkaParts", "Pulsar"]


class KafkaParts(Parts):
    """Kafka or Pulsar brokers, and a topic.

    Attributes:
        driver: the driver named after "+" in the scheme, such as "ssl", in lower case; None if absent
        username: the user name, decoded; None if absent
        password: the password, decoded; None if absent
        hosts: the brokers, in order
        topic: the topic, decoded; None if absent
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("kafka://a.example:9092,b.example/orders", "kafka").topic
        'orders'
    """

    driver: str | None = None
    username: str | None = None
    password: str | None = None
    hosts: tuple[HostPort, ...] = ()
    topic: str | None = None
    query_params: QueryParams = ()


class Kafka(HostList[KafkaParts]):
    """ "kafka" [ "+ssl" ] "://" host [ ":" port ] *( "," host [ ":" port ] ) [ "/" topic ] [ "?" options ]"""

    names: ClassVar[tuple[str, ...]] = ("kafka",)
    title = "Kafka brokers"
    reference = "Faust, broker; kombu, Confluent Kafka"
    reference_date = "2026-11-21"
    example = "kafka://user:secret@broker1.example.org:9093,broker2.example.org/topic?client_id=x"
    default_port: ClassVar[int | None] = 9092
    host = "required"
    owns_plus = True

    def read_parts(self, components: Components) -> KafkaParts:
        found: Any = super().read_parts(components)
        values = (found.username, found.password, found.hosts, found.database, found.query_params)
        return KafkaParts(driver_of(components), *values)

    def composed_scheme(self, parts: Any) -> str:
        return with_driver(self.names[0], parts)

    def write_parts(self, parts: Any) -> str:
        return super().write_parts(type(parts)(**{**vars(parts), "database": parts.topic}))


class Pulsar(Kafka):
    """ "pulsar" [ "+ssl" ] "://" host [ ":" port ] *( "," host [ ":" port ] ) [ "/" topic ]"""

    names: ClassVar[tuple[str, ...]] = ("pulsar", "pulsar+ssl")
    title = "Pulsar brokers"
    reference = "Apache Pulsar, URLs"
    reference_date = "2026-11-24"
    example = "pulsar://broker1.example.org:6651,broker2.example.org"
    default_port: ClassVar[int | None] = 6650
    owns_plus = False
    userinfo = "forbidden"
    empty_path_is_root = False

    def default_port_of(self, scheme: str) -> int | None:
        return 6651 if lower(scheme) == "pulsar+ssl" else super().default_port_of(scheme)
