"""The state machine's contract. Third parties may cimport it and split without a Python object:

    from urlsm.machine cimport Machine, prepare, run, dialect_at, span, HOST
    cdef Machine m
    prepare(&m, text, length, dialect_at(0)); run(&m)
    # now m.spans[HOST].start, .end: offsets into text, or ABSENT
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from urlsm.codes cimport Code
from urlsm.dialects cimport Dialect

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

cdef enum SchemeKind:        # the special schemes, #special-scheme
    NOT_SPECIAL
    HTTP
    HTTPS
    WS
    WSS
    FTP
    FILE

cdef enum Step:
    # the URL Standard's states, in its order
    SCHEME_START_STATE
    SCHEME_STATE
    NO_SCHEME_STATE
    SPECIAL_RELATIVE_OR_AUTHORITY_STATE
    PATH_OR_AUTHORITY_STATE
    RELATIVE_STATE
    RELATIVE_SLASH_STATE
    SPECIAL_AUTHORITY_SLASHES_STATE
    SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    AUTHORITY_STATE
    HOST_STATE
    HOSTNAME_STATE
    PORT_STATE
    FILE_STATE
    FILE_SLASH_STATE
    FILE_HOST_STATE
    PATH_START_STATE
    PATH_STATE
    OPAQUE_PATH_STATE
    QUERY_STATE
    FRAGMENT_STATE
    # the draft's and the RFCs' choice after the scheme (Barth 3.2)
    AFTER_SCHEME
    DONE
    FAILED
    NO_OVERRIDE = -1

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

cdef struct Entry:           # of a Log: a step taken (code NO_ERROR) or a violation seen
    Code code
    bint fatal
    Step step
    uint32_t start
    uint32_t end

cdef struct Log:
    Entry* entries           # owned: free with free_log
    uint32_t count
    uint32_t capacity
    bint out_of_memory

cdef struct Machine:
    # --- in (prepare sets them; base, override, lenient, log may be set after it)
    const uint8_t* p         # borrowed: must outlive the machine
    uint32_t start           # after trimming
    uint32_t end
    const Dialect* dialect
    const Base* base         # NULL: none
    Step override            # URL Standard's state override, or NO_OVERRIDE
    bint lenient             # split: note the error and go on
    Log* log                 # NULL: nothing is recorded
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
    int32_t port             # -1: none or empty
    Code error               # the first fatal error, or NO_ERROR
    uint32_t error_at
    Step error_step
    # --- while it runs
    uint32_t i
    bint special
    uint32_t authority_stop
    uint32_t window          # offset of the indexed window; see marks.h
    uint64_t marks[8]
    uint64_t upper[8]

cdef const Dialect* dialect_at(int number) noexcept nogil
cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil
cdef bint run(Machine* m) noexcept nogil
cdef bint upper_between(Machine* m, uint32_t start, uint32_t end) noexcept nogil
cdef SchemeKind scheme_kind(const uint8_t* p, uint32_t n) noexcept nogil
cdef void free_log(Log* log) noexcept nogil
cdef void log_violation(Log* log, Step step, Code code, bint fatal, uint32_t at) noexcept nogil
cdef uint32_t default_port(SchemeKind kind) noexcept nogil
cdef bint is_windows_drive_letter(const uint8_t* p, uint32_t n) noexcept nogil
cdef bint is_url_unit(const uint8_t* p, uint32_t n, uint32_t* size) noexcept nogil
