"""The index of marks, and searches (marks.h), for Cython."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "machine/marks.h" nogil:
    const uint32_t WINDOW "URLSM_WINDOW"
    ctypedef struct Index "urlsm_index":
        uint64_t* marks
        uint64_t* delimiters
        uint64_t* dots
        uint64_t* upper
    ctypedef struct Looks "urlsm_looks":
        int octets
        void (*index)(const uint8_t*, uint32_t, Index*) noexcept nogil
        size_t (*find)(const uint8_t*, size_t, size_t, const uint8_t*) noexcept nogil
        bint (*dot_segment)(const uint8_t*, size_t, size_t) noexcept nogil
    const Looks* LOOKS "URLSM_LOOKS"
    const uint8_t* MARKS_LOW "URLSM_MARKS_LOW"
    const uint8_t* BOTH_LOW "URLSM_BOTH_LOW"
    uint32_t choose_looks "urlsm_choose_looks"(int width) noexcept
    uint32_t ctz "urlsm_ctz"(uint64_t word) noexcept
