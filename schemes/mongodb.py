"""mongodb (the connection string specification) and mongodb+srv (initial DNS seedlist discovery)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from urlsm.components import Components
from urlsm.schemes.characters import HOST
from urlsm.schemes.hostlist import HostList, QueryParams, with_lower_name
from urlsm.values import lower
from urlsm.violations import Violation

__all__ = ["Mongodb", "MongodbSrv"]

# slash, backslash, space, double-quote or dollar sign in a database name, "once it has been decoded"
_PROHIBITED = re.compile(r'[/\\ "$]|%(?:2[024Ff]|5[Cc])')


class Mongodb(HostList):
    names = ("mongodb",)
    title = "MongoDB connection"
    reference = "the MongoDB connection string specification"
    example = "mongodb://user:secret@host1:27018,host2/db?replicaSet=rs&w=majority"
    default_port: ClassVar[int | None] = 27017
    host = "required"
    userinfo_characters = HOST  # "more than one colon": an exception MUST be thrown

    def query_params(self, c: Components) -> QueryParams:
        """Names in lower case: "character case should be ignored"."""
        return tuple([(lower(name), value) for name, value in super().query_params(c)])

    def number_violations(self, c: Components, start: int, end: int) -> Iterator[Violation]:
        yield from super().number_violations(c, start, end)
        if start < end and not c.text[start:end].strip("0"):  # an integer between 1 and 65535
            yield self.violation("port-out-of-range", "port", start)

    def path_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().path_violations(c)
        start, end = c.span("path") or (0, 0)
        for prohibited in _PROHIBITED.finditer(c.text, start + 1, end):
            yield self.violation("mongodb-database-invalid", "path", prohibited.start())

    def normalize(self, c: Components) -> Components:
        """And the names of options in lower case."""
        normal = super().normalize(c)
        if normal.query is None:
            return normal
        return normal.replace(query="&".join(map(with_lower_name, normal.query.split("&"))))


class MongodbSrv(Mongodb):
    names = ("mongodb+srv",)
    title = "MongoDB connection by SRV record"
    reference = "the MongoDB initial DNS seedlist discovery specification"
    example = "mongodb+srv://user:secret@cluster.example.org/db?authSource=admin"
    default_port = None
    port = "forbidden"

    def host_violations(self, c: Components) -> Iterator[Violation]:
        yield from super().host_violations(c)
        where, userinfo = c.span("authority") or (0, 0), c.span("userinfo")
        comma = c.text.find(",", where[0] if userinfo is None else userinfo[1], where[1])
        if comma >= 0:
            yield self.violation("mongodb-srv-multiple-hosts", "host", comma)
