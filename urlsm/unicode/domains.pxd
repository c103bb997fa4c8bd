"""Processing of domains by UTS 46, for Cython."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.buffer cimport Buffer

cdef int write_domain(Buffer* b, const uint8_t* p, size_t n, bint in_unicode, uint32_t* culprit) except -1 nogil
cdef bint is_shown(const uint8_t* p, size_t n) noexcept nogil
