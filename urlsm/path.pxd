"""Paths as lists of segments (URL Standard, #url-path), serialised in place in a buffer."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.buffer cimport Buffer

cdef int write_segments(Buffer* b, size_t start, const uint8_t* p, size_t n, bint special, bint file,
                        uint32_t encode_set) except -1 nogil
cdef int write_opaque_path(Buffer* b, const uint8_t* p, size_t n, bint followed) except -1 nogil
cdef void shorten(Buffer* b, size_t start, bint file) noexcept nogil
cdef bint begins_with_normalized_drive(const uint8_t* p, size_t n) noexcept nogil
