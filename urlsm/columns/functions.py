"""The functions of urlsm.columns, each with the data that an engine needs to offer it under the same name.

To add a function, write it in columns and add a row to FUNCTIONS: the methods for Polars, pandas and Dask, the SQL
functions for DuckDB and Spark, and the fields of `urlsm columns -f` are made from the rows. Then run tools/tables.py,
which writes the types of the methods, engines/methods.pyi.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from urlsm.columns.names import FORMATS, INDEX, SPANS, TABLE

COMPONENTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


class Function(NamedTuple):
    """A function on columns: urlsm.columns.NAME, the method .url.NAME, the SQL function url_NAME and the field NAME."""

    name: str
    result: str = ""  # Arrow's format string, as in Field; "": text; "+l": a list of texts; "+s": a struct
    takes: str = ""  # the argument that SQL takes behind the URL, and a field of the shell behind ":"
    needs: bool = False  # whether this argument is required
    fields: tuple[str, ...] = ()  # the fields of a struct in SQL
    field: str = ""  # the name of the field in the shell, if it differs
    lacks: Mapping[str, str] = {}  # says for "method", "SQL" or "field" why it does not exist

    def formats(self, fields: Iterable[str]) -> dict[str, str]:
        """Return Arrow's format string for each of these fields of the struct; "" means text."""
        known = {"parse": FORMATS, "commoncrawl": {"url_port": "i"}}.get(self.name, {})
        return {name: known.get(name, "") for name in fields}


def _lacks(*what: str, why: str) -> dict[str, str]:
    return dict.fromkeys(what, why)


_LIST = _lacks("field", why="a CSV cell cannot contain a list")
_STRUCT = _lacks("field", why="name its fields instead")
_BY_MATCH = _lacks("field", why="`urlsm match` does this")

FUNCTIONS = (
    *(Function(field.name, field.format) for field in TABLE if field.of_parse and not field.of_list),
    Function("is_ambiguous", "b"),
    *(Function(name, takes="only_icann") for name in ("registrable_domain", "public_suffix")),
    *(Function("canonicalize", takes="profile", field="key"), Function("surt", takes="profile")),
    Function("fingerprint", "L", takes="profile"),
    Function("query_param", takes="name", needs=True),
    *(Function(name, "+l", lacks=_LIST) for name in ("segments", "traps", "audit")),
    Function("matches", "b", takes="patterns", needs=True, lacks=_BY_MATCH),
    Function("pattern_index", "i", takes="patterns", needs=True, lacks=_BY_MATCH),
    Function("resolve", takes="base", needs=True, lacks=_lacks("field", why="`--base` does this")),
    Function("parse", "+s", fields=COMPONENTS, lacks=_STRUCT),
    Function("split", "+s", takes="dialect", fields=SPANS, lacks=_STRUCT),
    Function("commoncrawl", "+s", fields=INDEX, lacks=_STRUCT),
    Function("parse_stream", lacks=_lacks("method", "SQL", "field", why="each makes batches by itself")),
    Function("release_memory", lacks=_lacks("method", "SQL", "field", why="it takes no column")),
)


def functions(what: str) -> Iterator[Function]:
    """Yield the functions that exist as a "method", in "SQL" or as a "field" of the shell."""
    return (row for row in FUNCTIONS if what not in row.lacks)
