"""Functions for whole columns of URLs: Arrow in, Arrow out. They release the GIL and depend on no other package.

    import urlsm.columns as uc
    uc.parse(column, ("host", "path"))    # a struct column, for pyarrow, Polars, DuckDB, pandas

Columns are imported and exported through the Arrow PyCapsule interface:
https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from urlsm.octets.later import later as _later

_NAMES = {
    "urlsm.columns.work": ("Array", "ChunkedArray"),
    "urlsm.columns.calls": (
        *("Stream", "authority", "can_parse", "canonicalize", "error_code", "error_position", "fingerprint"),
        *("fragment", "host", "href", "origin", "parse", "parse_stream", "password", "path", "port", "public_suffix"),
        *("query", "query_param", "registrable_domain", "resolve", "scheme", "segments", "split", "surt", "username"),
    ),
    "urlsm.columns.crawl_index": ("commoncrawl",),
    "urlsm.columns.judging": ("audit", "is_ambiguous", "matches", "pattern_index", "traps"),
    "urlsm.columns.names": ("FIELDS",),
    "urlsm.columns.rows": ("release_memory",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
