"""Declares the functions of cuts.h, which write cuts as a column, for Cython."""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from urlsm.columns.cells cimport Cell, Cuts, Out

cdef extern from "columns/cuts.h" nogil:
    enum:
        DONE "URLSM_DONE"
        NO_MEMORY "URLSM_NO_MEMORY"
        TOO_MUCH "URLSM_TOO_MUCH"

    void put_validity "urlsm_put_validity"(Out* out, const uint64_t* there, int64_t row, uint32_t count) noexcept
    int64_t roomy_octets "urlsm_roomy_octets"(const Cell* texts, uint32_t count) noexcept
    int put "urlsm_put"(Out* out, int octets, int64_t roomy, const Cell* texts, const Cuts* cuts, int64_t row,
                        uint32_t count) noexcept
    void put_lines "urlsm_put_lines"(void* views, const uint8_t* p, size_t n) noexcept
