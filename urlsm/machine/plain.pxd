"""The plain lane (plain.h), for Cython."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.marks cimport Index, Looks

cdef extern from "machine/plain.h" nogil:
    ctypedef struct Plain "urlsm_plain":
        uint32_t scheme_end
        uint32_t host_start
        uint32_t host_end        # where the path starts
        uint32_t query_start     # of "?", and
        uint32_t fragment_start  # of "#"; ABSENT
        uint32_t path_end
        bint root_missing        # the path is empty
    bint plain_authority "urlsm_plain_authority"(const uint8_t* p, uint32_t n, const Looks* looks,
                                                 Plain* found) noexcept
    bint plain_text "urlsm_plain_text"(const uint8_t* p, uint32_t n, const Index* index, const Looks* looks,
                                       Plain* found) noexcept
