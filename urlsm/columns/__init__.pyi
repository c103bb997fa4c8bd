from urlsm.columns.calls import Stream as Stream
from urlsm.columns.calls import canonicalize as canonicalize
from urlsm.columns.calls import fingerprint as fingerprint
from urlsm.columns.calls import host as host
from urlsm.columns.calls import href as href
from urlsm.columns.calls import parse as parse
from urlsm.columns.calls import public_suffix as public_suffix
from urlsm.columns.calls import query_param as query_param
from urlsm.columns.calls import registrable_domain as registrable_domain
from urlsm.columns.calls import resolve as resolve
from urlsm.columns.calls import segments as segments
from urlsm.columns.calls import split as split
from urlsm.columns.calls import stream as stream
from urlsm.columns.calls import surt as surt
from urlsm.columns.calls import valid as valid
from urlsm.columns.crawl_index import commoncrawl as commoncrawl
from urlsm.columns.judging import ambiguous as ambiguous
from urlsm.columns.judging import audit as audit
from urlsm.columns.judging import matches as matches
from urlsm.columns.judging import pattern_index as pattern_index
from urlsm.columns.judging import traps as traps
from urlsm.columns.names import FIELDS as FIELDS
from urlsm.columns.names import Schema as Schema
from urlsm.columns.rows import release_memory as release_memory
from urlsm.columns.work import Array as Array
from urlsm.columns.work import Chunked as Chunked

__all__ = [
    "FIELDS",
    "Array",
    "Chunked",
    "Schema",
    "Stream",
    "ambiguous",
    "audit",
    "canonicalize",
    "commoncrawl",
    "fingerprint",
    "host",
    "href",
    "matches",
    "parse",
    "pattern_index",
    "public_suffix",
    "query_param",
    "registrable_domain",
    "release_memory",
    "resolve",
    "segments",
    "split",
    "stream",
    "surt",
    "traps",
    "valid",
]
