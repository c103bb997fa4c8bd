"""The methods of .url on expressions and series of Polars; polars.py registers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import urlsm.columns as uc
from urlsm.columns.names import FIELDS, FIVE, OF_PARTS, SPANS, check_fields, plugin_arguments, type_in
from urlsm.components.value import dialect_number
from urlsm.crawler.profiles import DEFAULT_PROFILE
from urlsm.engines.required import required

polars: Any = required("polars", "polars")

type_of = partial(type_in, {"": polars.String, "S": polars.UInt16, "b": polars.Boolean, "i": polars.Int32})


class Urls:
    """The methods of .url. Subclasses define _map(function, dtype, plugged=None), which maps a function over a column.
    plugged: the name of a plug-in function that can do the same, and the request for it (columns/kwargs.h); or None."""

    _map: Callable[..., Any]

    def __init__(self, column: Any) -> None:
        self._column = column

    def parse(self, fields: Sequence[str] = FIVE, **options: Any) -> Any:
        """Return a struct of the fields that urlsm.columns.parse returns."""
        names = check_fields(fields, FIELDS, OF_PARTS)
        struct = polars.Struct({name: type_of(name) for name in names})
        by_python = options or "error" in names or any(name.startswith(OF_PARTS) for name in names)
        plugged = None if by_python else ("url_parse", plugin_arguments("+-", names))
        return self._map(lambda series: uc.parse(series, names, **options), struct, plugged)

    def split(self, dialect: str = "whatwg", fields: Sequence[str] = SPANS) -> Any:
        """Return the components as written, like urlsm.columns.split."""
        names = check_fields(fields, SPANS)
        plugged = "url_split", plugin_arguments(f"+{dialect_number(dialect)}", names)
        struct = polars.Struct(dict.fromkeys(names, polars.String))
        return self._map(lambda series: uc.split(series, dialect, fields=names), struct, plugged)

    def _field(self, name: str, function: Callable[[Any], Any], kind: str = "1-") -> Any:
        return self._map(function, type_of(name), (f"url_{name}", plugin_arguments(kind, (name,))))

    def host(self) -> Any:
        return self._field("host", uc.host)

    def href(self) -> Any:
        return self._field("href", uc.href)

    def valid(self) -> Any:
        return self._field("valid", uc.valid)

    def site(self, private: bool = True, **options: Any) -> Any:
        """Return the registrable domain, like urlsm.columns.registrable_domain."""
        return self._end("site" if private else "icann_site", uc.registrable_domain, private, options)

    def suffix(self, private: bool = True, **options: Any) -> Any:
        """Return the public suffix, like urlsm.columns.public_suffix."""
        return self._end("suffix" if private else "icann_suffix", uc.public_suffix, private, options)

    def _end(self, name: str, function: Callable[..., Any], private: bool, options: dict[str, Any]) -> Any:
        plugged = None if options else ("url_site", plugin_arguments("?-", (name,)))
        return self._map(lambda series: function(series, private=private, **options), polars.String, plugged)

    def segments(self) -> Any:
        """Return a list of the decoded segments of each path."""
        return self._map(uc.segments, polars.List(polars.String))

    def traps(self, today: Any = None) -> Any:
        """Return for each URL a list of the reasons why it looks like a crawler's trap."""
        return self._map(lambda series: uc.traps(series, today), polars.List(polars.String))

    def audit(self) -> Any:
        """Return for each URL a list of the codes of its hazards."""
        return self._map(uc.audit, polars.List(polars.String))

    def ambiguous(self) -> Any:
        return self._map(uc.ambiguous, type_of("ambiguous"))

    def matches(self, patterns: Any) -> Any:
        """Return whether each text is in a urlsm.patterns.PatternSet."""
        return self._map(lambda series: uc.matches(series, patterns), polars.Boolean)

    def pattern_index(self, patterns: Any) -> Any:
        """Return the index of the pattern that puts each text into the set; null if none does."""
        return self._map(lambda series: uc.pattern_index(series, patterns), polars.Int32)

    def param(self, name: str) -> Any:
        question = plugin_arguments("1-", ("param",)) + str.encode(name, "utf-8", "replace").decode()
        return self._map(lambda series: uc.query_param(series, name), polars.String, ("url_param", question))

    def resolve(self, base: str) -> Any:
        """Return each text resolved against one base."""
        return self._map(lambda series: uc.resolve(base, series), polars.String)

    def canonicalize(self, profile: Any = DEFAULT_PROFILE) -> Any:
        return self._map(lambda series: uc.canonicalize(series, profile), polars.String)

    def surt(self, profile: Any = "surt", **options: Any) -> Any:
        return self._map(lambda series: uc.surt(series, profile, **options), polars.String)

    def hash(self, profile: Any = DEFAULT_PROFILE, kind: Any = "hash64") -> Any:
        """Return the fingerprint of each text's key, like urlsm.columns.fingerprint: UInt64 for "hash64", otherwise
        Binary."""
        dtype = polars.UInt64 if kind == "hash64" else polars.Binary
        return self._map(lambda series: uc.fingerprint(series, profile, kind=kind), dtype)
