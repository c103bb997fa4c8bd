"""The machine's data: its input, the spans that it finds, and the classes of the octets that it sees. driver.pxd runs
it."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.machine.codes cimport Code
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.log cimport Log, Step
from urlsm.machine.marks cimport Cursor
from urlsm.machine.special cimport SchemeKind
from urlsm.octets.slice cimport Slice

cdef extern from *:
    """
    #define URLSM_ABSENT UINT32_MAX  /* a macro, because an enumerator would have the type int */
    """
    const uint32_t ABSENT "URLSM_ABSENT"  # start and end of the span of an absent component

cdef enum:                   # the components, which are indices of Machine.spans
    SCHEME
    AUTHORITY
    USERINFO
    USERNAME
    PASSWORD
    HOST
    PORT
    PATH
    QUERY
    FRAGMENT
    COMPONENTS               # the number of components

cdef struct Span:
    uint32_t start
    uint32_t end

# what a reference inherits from its base; each member adds something to the member before it
cdef enum Inherit:
    NOTHING
    INHERIT_SCHEME           # for //host/path
    INHERIT_AUTHORITY        # for /path
    INHERIT_DRIVE            # for /path if the base is file:///C:/; adds the base's drive letter
    INHERIT_DIRECTORY        # for a relative path; adds the base's path up to its last "/"
    INHERIT_PATH             # for ?query
    INHERIT_QUERY            # for #fragment, or an empty reference

cdef struct Base:            # what the machine has to know about a base URL
    const uint8_t* scheme    # the scheme's text, in lower case
    uint32_t scheme_length
    SchemeKind kind
    bint opaque              # whether its path is opaque

cdef struct Machine:
    # --- input (prepare sets these fields; then the caller may set base, log, override and lenient)
    Cursor text
    const Dialect* dialect
    const Base* base         # NULL if there is none
    Log* log                 # NULL: nothing is recorded
    Step override            # the URL Standard's state override, or NO_OVERRIDE
    bint lenient             # for the function `split`: record an error and go on
    bint authority_only      # stop before the path, as nothing after the authority is refused
    # --- output
    Span spans[COMPONENTS]
    # class bits of the marks (marks.h) in each of these components; host_seen also has UPPER if the host has an
    # upper-case letter, and path_seen has DOT_SEGMENT if a segment may begin with a dot
    uint32_t host_seen
    uint32_t path_seen
    uint32_t query_seen
    uint32_t fragment_seen
    uint32_t seen            # class bits of the marks in the other components, and of all other marks that were passed
    SchemeKind kind
    Inherit inherit
    bint opaque_path
    bint scheme_upper        # whether the scheme has upper-case letters
    bint special             # whether kind is special, and the dialect is the URL Standard's
    int32_t port             # -1: absent or empty
    Code error               # the first fatal error, or NO_ERROR
    uint32_t error_at
    Step error_step
    # --- while it runs
    uint32_t i
    uint32_t authority_stop
    uint32_t path_stop


cdef inline Slice slice_of(const Machine* m, int which) noexcept nogil:
    """Return the octets of a component as they are in the text. p is NULL if the component is absent."""
    cdef Slice found
    found.p = NULL
    found.n = 0
    if m.spans[which].start != ABSENT:
        found.p = m.text.p + m.spans[which].start
        found.n = m.spans[which].end - m.spans[which].start
    return found
