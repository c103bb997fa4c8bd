"""The structs of the index of marks and its searches (marks.h), for Cython."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "machine/structs.h" nogil:
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

cdef struct Cursor:
    const uint8_t* p         # borrowed; it must outlive the cursor
    uint32_t start           # where the text begins after trimming
    uint32_t end
    uint32_t indexed         # how many octets, from start on, the index covers; the octets after them are searched
    uint32_t looks           # the row of URLSM_LOOKS that is used for searches
    Index index
