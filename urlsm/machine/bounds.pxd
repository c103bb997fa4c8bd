"""Where the plain lane, a fast parser, finds the components of a text (bounds.h)."""
from libc.stdint cimport int32_t, uint8_t, uint32_t

cdef extern from "machine/bounds.h" nogil:
    ctypedef struct Bounds "urlsm_bounds":
        uint32_t scheme_end
        uint32_t host_start
        uint32_t host_end        # the path starts here
        uint32_t query_start     # the offset of "?"; ABSENT if there is none
        uint32_t fragment_start  # the offset of "#"; ABSENT if there is none
        uint32_t path_end
        bint root_missing        # whether the path is empty, so that its serialisation is "/"
        uint32_t odd             # which parts have to be rewritten: ODD_HEAD, ODD_PATH
        uint32_t name_end        # if the head is odd: where the host ends, before its port
        int32_t port             # if the head is odd: the port; -1: none
    ctypedef struct Lane "urlsm_lane":
        int (*text)(const uint8_t* p, uint32_t n, Bounds* found) noexcept nogil
        uint32_t (*authority)(const uint8_t* p, uint32_t n) noexcept nogil
    enum:
        PLAIN_NAME "URLSM_PLAIN_NAME"
        PLAIN_IPV4 "URLSM_PLAIN_IPV4"
        ODD_HEAD "URLSM_ODD_HEAD"
        ODD_PATH "URLSM_ODD_PATH"
    const uint32_t OF_IPV4 "URLSM_OF_IPV4"
