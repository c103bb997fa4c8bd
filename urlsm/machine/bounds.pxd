"""The bounds that the plain lane finds: where the components of a text lie (bounds.h). A leaf."""
from libc.stdint cimport uint8_t, uint32_t

cdef extern from "machine/bounds.h" nogil:
    ctypedef struct Bounds "urlsm_bounds":
        uint32_t scheme_end
        uint32_t host_start
        uint32_t host_end        # where the path starts
        uint32_t query_start     # of "?"; ABSENT if there is none
        uint32_t fragment_start  # of "#"; likewise
        uint32_t path_end
        bint root_missing        # the path is empty
    ctypedef struct Lane "urlsm_lane":
        int (*text)(const uint8_t* p, uint32_t n, Bounds* found) noexcept nogil
        uint32_t (*authority)(const uint8_t* p, uint32_t n) noexcept nogil
    enum:
        PLAIN_NAME "URLSM_PLAIN_NAME"
    const uint32_t OF_IPV4 "URLSM_OF_IPV4"
