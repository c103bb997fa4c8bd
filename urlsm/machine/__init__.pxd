"""The public interface of the state machine. Third parties may cimport it to split a text without making a Python
object:

    from urlsm.machine cimport HOST, Reading, WHATWG, WHOLE, dialect_at, read, span_of
    cdef Reading r
    read(&r, text, length, dialect_at(WHATWG), WHOLE)
    span_of(&r, HOST)  # .start, .end: offsets into text, or ABSENT
"""
from urlsm.machine.bounds cimport Bounds
from urlsm.machine.dialects cimport BARTH, Dialect, RFC1738, RFC2396, RFC3986, STDLIB, WHATWG
from urlsm.machine.driver cimport (
    BY_LANE, BY_MACHINE, IPV4_TOO, LENIENT, TO_AUTHORITY, WHOLE, default_port, dialect_at, kind_of,
)
from urlsm.machine.log cimport (
    AFTER_SCHEME, AUTHORITY_STATE, DONE, Entry, FAILED, FILE_HOST_STATE, FILE_SLASH_STATE, FILE_STATE,
    FRAGMENT_STATE, HOSTNAME_STATE, HOST_STATE, Log, NO_OVERRIDE, NO_SCHEME_STATE, OPAQUE_PATH_STATE,
    PATH_OR_AUTHORITY_STATE, PATH_START_STATE, PATH_STATE, PORT_STATE, QUERY_STATE, RELATIVE_SLASH_STATE,
    RELATIVE_STATE, SCHEME_START_STATE, SCHEME_STATE, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE,
    SPECIAL_AUTHORITY_SLASHES_STATE, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, Step, free_log,
)
from urlsm.machine.machine cimport (
    ABSENT, AUTHORITY, Base, COMPONENTS, FRAGMENT, HOST, INHERIT_AUTHORITY, INHERIT_DIRECTORY, INHERIT_DRIVE,
    INHERIT_PATH, INHERIT_QUERY, INHERIT_SCHEME, Inherit, Machine, NOTHING, PASSWORD, PATH, PORT, QUERY, SCHEME,
    Span, USERINFO, USERNAME,
)
from urlsm.machine.reading cimport Reading, read, read_component, read_on, span_of
from urlsm.machine.special cimport FILE, FTP, HTTP, HTTPS, NOT_SPECIAL, WS, WSS, SchemeKind
from urlsm.octets.buffer cimport MAX_LENGTH
