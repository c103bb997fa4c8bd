"""How the machine runs: prepare, then run; or enter at a state override. Its data is in machine.pxd."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.log cimport Step
from urlsm.machine.machine cimport Machine
from urlsm.machine.plain cimport Plain
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

cdef const Dialect* dialect_at(int number) noexcept nogil
cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef bint run_authority(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil
cdef bint read_plain(const uint8_t* p, uint32_t n, Plain* plain) noexcept nogil
cdef uint32_t plain_authority_end(const uint8_t* p, uint32_t n) noexcept nogil
cdef bint plain_or_prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect,
                           Plain* plain) noexcept nogil
cdef bint plain_authority_or_prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect,
                                     Plain* plain) noexcept nogil
cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil
cdef bint run(Machine* m) noexcept nogil


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
