"""Which code points are newer than a version of Unicode, times ten, and its lower case, for Cython."""
from libc.stdint cimport uint32_t

cdef bint is_newer(str text, uint32_t version) noexcept
cdef bint is_newer_point(uint32_t point, uint32_t version) noexcept nogil
cdef bint is_newly_allowed_point(uint32_t point, uint32_t version) noexcept nogil
cdef bint is_newly_allowed(str text, uint32_t version) noexcept
cdef str lowered(str text, uint32_t version)
