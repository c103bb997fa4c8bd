"""Databases that are files: sqlite and duckdb."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, driver_of
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH
from urlsm.schemes.databases.database import Database
from urlsm.schemes.fields import QueryParams
from urlsm.schemes.generic import after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Duckdb", "FileDatabaseParts", "Sqlite"]

MEMORY = ":memory:"
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]")  # SQLAlchemy: "Windows absolute path", sqlite:///C:\a.db


class FileDatabaseParts(Parts):
    """A database in a file or in memory.

    Attributes:
        driver: the driver named after "+" in the scheme, in lower case; None if absent
        file_path: the path, decoded: "a.db" for sqlite:///a.db, "/a.db" for sqlite:////a.db; None for a database in
            memory
        is_absolute: whether the path is absolute ("/a.db", "C:/a.db")
        in_memory: whether the database is in memory, without a file
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("sqlite:////var/data.db", "sqlite").file_path
        '/var/data.db'
    """

    driver: str | None = None
    file_path: str | None = None
    is_absolute: bool = False
    in_memory: bool = False
    query_params: QueryParams = ()


class Sqlite(Database[FileDatabaseParts]):
    """sqlite [ "+" driver ] ":///" path. Three slashes precede a relative path; a fourth slash begins an absolute path.
    Rails and sqlx read the path as absolute even after three slashes."""

    names: ClassVar[tuple[str, ...]] = ("sqlite",)
    title = "SQLite database"
    example = "sqlite:////var/lib/app/data.db?mode=ro"
    host = "optional"
    authority = "optional"
    userinfo = port = "forbidden"
    fragment = "forbidden"
    in_text = "absolute"
    rules: ClassVar[dict[str, str]] = {
        "database-host-not-allowed": "a database in a file cannot have a host",
        "database-path-ambiguous": "after one slash, some programs read a relative path, and others an absolute one",
    }

    def read_parts(self, components: Components) -> FileDatabaseParts:
        path = components.path or ""
        file = decode(path[1:] if components.host is not None and path.startswith("/") else path)
        memory = file in ("", MEMORY)
        return FileDatabaseParts(
            driver_of(components),
            None if memory else file,
            _ABSOLUTE.match(file) is not None,
            memory,
            self.query_params(components),
        )

    def host_violations(self, components: Components) -> Iterator[Violation]:
        if components.host:
            yield self.violation("database-host-not-allowed", "host", (components.span("host") or (0, 0))[0])

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        if components.host is None and (components.path or "").startswith("/"):
            yield self.violation("database-path-ambiguous", "path", after_scheme(components), "warning")

    def write_parts(self, parts: Any) -> str:
        path = parts.file_path
        written = "//" if path is None else "///" + GENERIC_PATH.encode(path)
        return written + self.parameters.composed(parts.query_params)


class Duckdb(Sqlite):
    names: ClassVar[tuple[str, ...]] = ("duckdb",)
    title = "DuckDB database"
    example = "duckdb:///data.duckdb?access_mode=read_only"
