"""How the machine runs: prepare, then run; or enter at a state override. Its data is in machine.pxd."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.log cimport Step
from urlsm.machine.machine cimport Machine
from urlsm.machine.plain cimport Lane, OF_IPV4, PLAIN_NAME, Plain
from urlsm.machine.special cimport FILE, Registered, SchemeKind, kind_among, listed_port

cdef enum:
    LONG_TEXT = 0x8000       # octets; a longer one is read without the interpreter's lock

cdef extern from "Python.h":
    ctypedef class builtins.ValueError [object PyBaseExceptionObject]:
        pass

cdef class Refusal(ValueError):
    cdef public object url   # as given
    cdef object dialect      # None: whatwg
    cdef int step
    cdef uint32_t at         # in octets of the text that was read
    cdef int32_t removed_from  # -1, or: tabs and newlines were removed from this octet of the text on

cdef Registered registered   # of urlsm.register
cdef const Lane* lane        # for this CPU, or one that takes nothing
cdef bint plain_lane         # may the plain lane be taken?

cdef const Dialect* dialect_at(int number) noexcept nogil
cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef bint run_authority(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef bint plain_or_prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect,
                           Plain* plain) noexcept nogil
cdef bint plain_authority_or_prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect,
                                     Plain* plain) noexcept nogil
cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil
cdef bint run(Machine* m) noexcept nogil


cdef inline bint read_plain(const uint8_t* p, uint32_t n, Plain* plain) noexcept nogil:
    """Does the plain lane take p[0:n], whose host is not an address? Then plain tells where its components lie, and
    whether it lacks the "/" of an empty path."""
    return lane.text(p, n, plain) == PLAIN_NAME


cdef inline bint read_plain_or_ipv4(const uint8_t* p, uint32_t n, Plain* plain) noexcept nogil:
    """The same, where the host may be an IPv4 address too: for whom the text and its offsets are all."""
    return lane.text(p, n, plain) != 0


cdef inline uint32_t plain_authority_end(const uint8_t* p, uint32_t n) noexcept nogil:
    """Where the authority of p[0:n] ends, if the plain lane takes the text as far as that, and the host is not an
    address; otherwise 0. The URL Standard refuses nothing after it."""
    cdef uint32_t end = lane.authority(p, n)
    return 0 if end & OF_IPV4 else end


cdef inline bint has_plain_authority(const uint8_t* p, uint32_t n) noexcept nogil:
    """Does the lane take p[0:n] as far as that, an address or not?"""
    return lane.authority(p, n) != 0


cdef inline bint read_unlocked(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect,
                               Plain* plain) noexcept nogil:
    if plain != NULL:
        if read_plain(p, n, plain):
            return True
        plain.scheme_end = 0
    prepare(m, p, n, dialect)
    return run(m)


cdef inline bint read(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, Plain* plain) noexcept:
    """Prepare and run, with the lock held. Other threads run meanwhile, where that takes longer than to let them.

    plain: NULL, or what read_plain fills: where its scheme_end is not 0, it tells all, and the machine did not run.
    """
    cdef bint done
    if n <= LONG_TEXT:
        return read_unlocked(m, p, n, dialect, plain)
    with nogil:
        done = read_unlocked(m, p, n, dialect, plain)
    return done


cdef inline SchemeKind kind_of(const uint8_t* p, uint32_t n) noexcept nogil:
    """The special scheme that the n octets name, in any case."""
    return kind_among(&registered, p, n)


cdef inline uint32_t default_port(SchemeKind kind) noexcept nogil:
    """#default-port; 0: null."""
    return registered.rows[<int>kind - FILE - 1].port if kind > FILE else listed_port(kind)
