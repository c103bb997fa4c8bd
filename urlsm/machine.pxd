"""The state machine's contract. Third parties may cimport it and split without a Python object:

    from urlsm.machine cimport Machine, prepare, run, dialect_at, span, HOST
    cdef Machine m
    prepare(&m, text, length, dialect_at(0)); run(&m)
    # now m.spans[HOST].start, .end: offsets into text, or ABSENT
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.codes cimport Code
from urlsm.cursor cimport Cursor
from urlsm.dialects cimport Dialect
from urlsm.log cimport Log, Step
from urlsm.special cimport FILE, NOT_SPECIAL, SchemeKind, listed_port, same_letters, scheme_kind

cdef enum:
    ABSENT = 0xFFFFFFFF      # a span's start and end, where the component is absent
    MAX_LENGTH = 0x3FFFFFFF  # octets; results (at most 3 times as long) then fit 32-bit offsets

cdef enum:                   # indices of Machine.spans
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
    COMPONENTS               # how many there are

cdef struct Span:
    uint32_t start
    uint32_t end

cdef enum Inherit:           # what a reference takes from its base, each all of the one before it
    NOTHING
    INHERIT_SCHEME           # //host/path
    INHERIT_AUTHORITY        # /path
    INHERIT_DRIVE            # /path on file:///C:/: the base's drive letter too
    INHERIT_DIRECTORY        # path: the base's path up to its last "/"
    INHERIT_PATH             # ?query
    INHERIT_QUERY            # #fragment, or nothing

cdef struct Base:            # what the machine has to know of a base URL
    const uint8_t* scheme    # in lower case
    uint32_t scheme_length
    SchemeKind kind
    bint opaque              # has an opaque path

cdef struct Machine:
    # --- in (prepare sets them; base, log, override, lenient may be set after it)
    Cursor text
    const Dialect* dialect
    const Base* base         # NULL: none
    Log* log                 # NULL: nothing is recorded
    Step override            # URL Standard's state override, or NO_OVERRIDE
    bint lenient             # split: note the error and go on
    bint authority_only      # stop before the path: what comes after the authority is never refused
    # --- out
    Span spans[10]
    uint32_t host_seen       # class bits of the octets each component holds; of marks only
    uint32_t path_seen
    uint32_t query_seen
    uint32_t fragment_seen
    uint32_t seen            # of the others, and whatever else was passed
    SchemeKind kind
    Inherit inherit
    bint opaque_path
    bint scheme_upper        # the scheme holds upper-case letters
    bint special             # kind is one, and the dialect is the URL Standard
    int32_t port             # -1: none or empty
    Code error               # the first fatal error, or NO_ERROR
    uint32_t error_at
    Step error_step
    # --- while it runs
    uint32_t i
    uint32_t authority_stop
    uint32_t path_stop

# --- special schemes beside the URL Standard's, by urlsm.register: see special_kind in machine.pyx

cdef enum:
    MAX_SPECIAL = 256
    MAX_SPECIAL_NAME = 64

cdef struct SpecialScheme:
    char name[64]            # in lower case
    uint32_t n
    uint32_t port            # 0: null
    bint active              # not unregistered again

cdef SpecialScheme special_schemes[256]
cdef int special_count
cdef int special_active   # how many of them are


cdef inline SchemeKind kind_of(const uint8_t* p, uint32_t n) noexcept nogil:
    """Which special scheme the n octets are, in any case."""
    cdef SchemeKind kind = scheme_kind(p, n)
    cdef int k
    if kind == NOT_SPECIAL and special_active:
        for k in range(special_count):
            if special_schemes[k].active and special_schemes[k].n == n and same_letters(p, special_schemes[k].name, n):
                return <SchemeKind>(FILE + 1 + k)
    return kind


cdef inline uint32_t default_port(SchemeKind kind) noexcept nogil:
    """#default-port; 0: null."""
    return special_schemes[<int>kind - FILE - 1].port if kind > FILE else listed_port(kind)


cdef const Dialect* dialect_at(int number) noexcept nogil
cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef bint run_authority(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil
cdef bint run(Machine* m) noexcept nogil
