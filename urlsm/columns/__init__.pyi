from urlsm.columns.calls import Stream as Stream
from urlsm.columns.calls import authority as authority
from urlsm.columns.calls import can_parse as can_parse
from urlsm.columns.calls import canonicalize as canonicalize
from urlsm.columns.calls import error_code as error_code
from urlsm.columns.calls import error_position as error_position
from urlsm.columns.calls import fingerprint as fingerprint
from urlsm.columns.calls import fragment as fragment
from urlsm.columns.calls import host as host
from urlsm.columns.calls import href as href
from urlsm.columns.calls import origin as origin
from urlsm.columns.calls import parse as parse
from urlsm.columns.calls import parse_stream as parse_stream
from urlsm.columns.calls import password as password
from urlsm.columns.calls import path as path
from urlsm.columns.calls import port as port
from urlsm.columns.calls import public_suffix as public_suffix
from urlsm.columns.calls import query as query
from urlsm.columns.calls import query_param as query_param
from urlsm.columns.calls import registrable_domain as registrable_domain
from urlsm.columns.calls import resolve as resolve
from urlsm.columns.calls import scheme as scheme
from urlsm.columns.calls import segments as segments
from urlsm.columns.calls import split as split
from urlsm.columns.calls import surt as surt
from urlsm.columns.calls import username as username
from urlsm.columns.crawl_index import commoncrawl as commoncrawl
from urlsm.columns.judging import audit as audit
from urlsm.columns.judging import is_ambiguous as is_ambiguous
from urlsm.columns.judging import matches as matches
from urlsm.columns.judging import pattern_index as pattern_index
from urlsm.columns.judging import traps as traps
from urlsm.columns.names import FIELDS as FIELDS
from urlsm.columns.rows import release_memory as release_memory
from urlsm.columns.work import Array as Array
from urlsm.columns.work import ChunkedArray as ChunkedArray

__all__ = [
    "FIELDS",
    "Array",
    "ChunkedArray",
    "Stream",
    "audit",
    "authority",
    "can_parse",
    "canonicalize",
    "commoncrawl",
    "error_code",
    "error_position",
    "fingerprint",
    "fragment",
    "host",
    "href",
    "is_ambiguous",
    "matches",
    "origin",
    "parse",
    "parse_stream",
    "password",
    "path",
    "pattern_index",
    "port",
    "public_suffix",
    "query",
    "query_param",
    "registrable_domain",
    "release_memory",
    "resolve",
    "scheme",
    "segments",
    "split",
    "surt",
    "traps",
    "username",
]
