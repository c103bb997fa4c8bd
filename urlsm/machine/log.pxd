"""The log: a list of the steps taken and the violations seen, for `explain` and `validate`."""
from libc.stdint cimport uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset
from urlsm.machine.codes cimport Code

cdef extern from *:
    bint unlikely(bint condition) noexcept nogil  # Cython's macro, which tells the compiler that a branch is rare

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
    # the step after the scheme in the dialects of Barth's draft (3.2) and of the RFCs
    AFTER_SCHEME
    DONE
    FAILED
    NO_OVERRIDE = -1

cdef struct Entry:           # an entry of a Log: a step taken (code NO_ERROR) or a violation seen
    Code code
    bint fatal
    Step step
    uint32_t start
    uint32_t end

cdef struct Log:
    Entry* entries           # owned by the log, and freed by free_log
    uint32_t count
    uint32_t capacity
    bint out_of_memory


cdef inline void push(Log* log, Step step, Code code, bint fatal, uint32_t start, uint32_t end) noexcept nogil:
    cdef inline void* grown
    cdef uint32_t capacity
    if log.count == log.capacity:
        capacity = 2 * log.capacity + 16
        grown = realloc(log.entries, capacity * sizeof(Entry))
        if grown == NULL:
            log.out_of_memory = True
            return
        log.entries = <Entry*>grown
        log.capacity = capacity
    log.entries[log.count] = Entry(code=code, fatal=fatal, step=step, start=start, end=end)
    log.count += 1


cdef inline void free_log(Log* log) noexcept nogil:
    free(log.entries)
    memset(log, 0, sizeof(Log))


cdef inline void log_violation(Log* log, Step step, Code code, bint fatal, uint32_t at) noexcept nogil:
    push(log, step, code, fatal, at, at)
