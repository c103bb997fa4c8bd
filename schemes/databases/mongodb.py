"""mongodb (the connection string specification) and mongodb+srv (initial DNS seedlist discovery)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST
from urlsm.schemes.fields import Parameters, with_lower_name
from urlsm.schemes.hostlist import HostList, entries, is_socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

__all__ = ["Mongodb", "MongodbSrv"]

# slash, backslash, space, double-quote or dollar sign in a database name, "once it has been decoded"
_PROHIBITED = re.compile(r'[/\\ "$]|%(?:2[024Ff]|5[Cc])')

_SYNONYMS = {"ssl": "tls", "tls": "ssl"}
# at most one option of each set may be given
_CHECKS = {"tlsdisableocspendpointcheck", "tlsdisablecertificaterevocationcheck"}
_EXCLUSIVE = (
    *({"tlsinsecure", implied} for implied in ("tlsallowinvalidcertificates", "tlsallowinvalidhostnames", *_CHECKS)),
    {"tlsallowinvalidcertificates", *_CHECKS},
)


class Mongodb(HostList):
    names: ClassVar[tuple[str, ...]] = ("mongodb",)
    title = "MongoDB connection"
    reference = "the MongoDB connection string specification"
    example = "mongodb://user:secret@host1:27018,host2/db?replicaSet=rs&w=majority"
    default_port: ClassVar[int | None] = 27017
    host = "required"
    parameters: ClassVar[Parameters] = Parameters(fold=True, equals=True)  # "character case should be ignored"
    userinfo_characters = HOST  # "more than one colon": an exception MUST be thrown
    rules: ClassVar[dict[str, str]] = {
        "mongodb-database-invalid": 'a database name cannot hold "/", "\\", space, quotation mark or "$"',
        "mongodb-options-contradict": "this option contradicts one before it",
    }

    def userinfo_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().userinfo_violations(c)
        where = c.span("userinfo")
        if where is not None and not c.username:  # "a username [...] must be specified" before an "@"
            yield self.violation("username-missing", "userinfo", where[0])

    def host_violations(self, c: Components) -> Iterator[Violation]:
        """Yield the violations: only the path of a socket is escaped, and it has no port."""
        yield from super().host_violations(c)
        for start, host, port in entries(c):
            socket = is_socket(decode(host))
            if "%" in host and not socket:
                yield self.violation("host-invalid", "host", start + host.index("%"))
            if socket and port is not None:
                yield self.violation("port-not-allowed", "port", start + len(host))

    def has_several_hosts(self, c: Components) -> bool:
        return len(list(entries(c))) > 1

    def number_violations(self, c: Components, start: int, end: int) -> Iterator[Violation]:
        yield from super().number_violations(c, start, end)
        if start == end:
            yield self.violation("port-empty", "port", start)
        elif not c.text[start:end].strip("0"):  # an integer between 1 and 65535
            yield self.violation("port-out-of-range", "port", start, message="a port is from 1 to 65535")

    def path_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().path_violations(c)
        start, end = c.span("path") or (0, 0)
        for prohibited in _PROHIBITED.finditer(c.text, start + 1, end):
            yield self.violation("mongodb-database-invalid", "path", prohibited.start())

    def query_violations(self, c: Components) -> Iterator[Violation]:
        """Yield the violations: each option holds one "=", and options must not contradict each other (URI Options
        specification, "TLS Options") or the hosts ("directConnection=true with multiple seeds")."""
        yield from super().query_violations(c)
        given: dict[str, tuple[int, str]] = {}  # the last option of a name counts
        for start, name, value in self.parameters.of_query(c):
            option = lower(decode(name))
            given.pop(option, None)
            given[option] = start, decode(value or "")
            if "=" in (value or ""):
                place = start + len(name) + len("=") + (value or "").index("=")
                yield self.violation("character-not-allowed", "query", place)
        seen: set[str] = set()
        for option, (start, said) in given.items():
            other = _SYNONYMS.get(option)
            if (
                (other in seen and given[other or ""][1] != said)
                or (option == "directconnection" and said not in ("", "false") and self.has_several_hosts(c))
                or any(option in one and (one - {option}) & seen for one in _EXCLUSIVE)
            ):
                yield self.violation("mongodb-options-contradict", "query", start)
            seen.add(option)

    def normalize(self, components: Components) -> Components:
        """Normalise host by host, with the names of options in lower case."""
        normal = super().normalize(components)
        if normal.query is None:
            return normal
        return normal.replace(query="&".join(map(with_lower_name, normal.query.split("&"))))


class MongodbSrv(Mongodb):
    names: ClassVar[tuple[str, ...]] = ("mongodb+srv",)
    title = "MongoDB connection by SRV record"
    reference = "the MongoDB initial DNS seedlist discovery specification"
    example = "mongodb+srv://user:secret@cluster.example.org/db?authSource=admin"
    default_port: ClassVar[int | None] = None
    port = "forbidden"
    rules: ClassVar[dict[str, str]] = {
        "mongodb-srv-multiple-hosts": "mongodb+srv takes one host only",
    }

    def has_several_hosts(self, c: Components) -> bool:
        """Return whether there are several hosts. An SRV record may name any number of them."""
        return True

    def host_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().host_violations(c)
        where, userinfo = c.span("authority") or (0, 0), c.span("userinfo")
        comma = c.text.find(",", where[0] if userinfo is None else userinfo[1], where[1])
        if comma >= 0:
            yield self.violation("mongodb-srv-multiple-hosts", "host", comma)
