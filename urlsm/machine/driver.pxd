"""Functions that prepare the machine and run it, or start it at a state override. machine.pxd has the machine's data.
Other packages call the machine through reading.pxd."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.machine.bounds cimport Lane
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.log cimport Step
from urlsm.machine.machine cimport Machine
from urlsm.machine.marks cimport Cursor
from urlsm.machine.special cimport FILE, Registered, SchemeKind, kind_among, listed_port
from urlsm.octets.chars cimport CLASS

cdef enum:
    LONG_TEXT = 0x8000       # in octets; longer texts are read without the interpreter's lock

cdef extern from "Python.h":
    ctypedef class builtins.ValueError [object PyBaseExceptionObject]:
        pass

cdef class Refusal(ValueError):
    cdef object given        # the text that was refused, as the caller gave it
    cdef object dialect      # None for whatwg
    cdef int step
    cdef uint32_t at         # the position, counted in octets of the text that was read
    cdef int32_t removed_from  # tabs and newlines were removed from this octet on; -1: none were removed

cdef Registered registered   # the special and opaque schemes that urlsm.register adds and removes
cdef const Lane* lane        # the plain lane for this CPU (lane/plain.h), or a lane that declines every text
cdef bint plain_lane         # whether the plain lane is turned on

cdef const Dialect* dialect_at(int number) noexcept nogil
cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil
cdef bint run(Machine* m) noexcept nogil
cdef bint holds(const Cursor* t, uint32_t bits) noexcept nogil
cdef bint read_by_machine(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, int how) noexcept nogil

cdef enum:                   # how a text is read (reading.pxd)
    WHOLE = 0                # by the plain lane if it accepts the text, else by the machine
    LENIENT = 1              # only for whatwg: record the error for which the text would be refused, and go on
    TO_AUTHORITY = 2         # read only up to the end of the authority
    BY_LANE = 4              # by the lane; if it declines the text, do not read the text
    BY_MACHINE = 8           # by the machine, which also notes the classes of the octets that it sees
    # the lane may accept a text with an IPv4 address, for which it proves less than for a name (lane/plain.h)
    IPV4_TOO = 16
    ODD_TOO = 32             # the lane may accept a text of which some parts (at.odd) must be rewritten (lane/odd.h)


cdef inline void trim(const uint8_t* p, uint32_t n, const Dialect* dialect, uint32_t* begin,
                      uint32_t* stop) noexcept nogil:
    """Set begin and stop to where p[0:n] begins and ends after the dialect has trimmed it."""
    cdef uint32_t start = 0, end = n
    while start < end and CLASS[p[start]] & dialect.trim:
        start += 1
    while start < end and CLASS[p[end - 1]] & dialect.trim_end:
        end -= 1
    begin[0], stop[0] = start, end


cdef inline SchemeKind kind_of(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return the special scheme that the n octets name, in upper or lower case; NOT_SPECIAL if there is none."""
    return kind_among(&registered, p, n)


cdef inline uint32_t default_port(SchemeKind kind) noexcept nogil:
    """Return the default port of a scheme (#default-port), or 0 if it is null."""
    return registered.rows[<int>kind - FILE - 1].port if kind > FILE else listed_port(kind)
