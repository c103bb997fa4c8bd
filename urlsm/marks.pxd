"""The index of marks (marks.h), for Cython."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "marks.h" nogil:
    const uint32_t WINDOW "URLSM_WINDOW"
    ctypedef struct Index "urlsm_index":
        uint64_t* marks
        uint64_t* delimiters
        uint64_t* dots
        uint64_t* upper
    ctypedef void (*index_fn "urlsm_index_fn")(const uint8_t*, uint32_t, Index*) noexcept nogil
    index_fn choose_index "urlsm_choose_index"(int width) noexcept
    uint32_t ctz "urlsm_ctz"(uint64_t word) noexcept
