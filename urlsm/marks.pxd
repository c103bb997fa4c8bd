"""The index of marks (marks.h), for Cython."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "marks.h" nogil:
    const uint32_t WINDOW "URLSM_WINDOW"
    ctypedef void (*marks_fn "urlsm_marks_fn")(const uint8_t*, uint32_t, uint64_t*, uint64_t*) noexcept nogil
    marks_fn choose_marks "urlsm_choose_marks"(int vectors) noexcept
    uint32_t ctz "urlsm_ctz"(uint64_t word) noexcept
