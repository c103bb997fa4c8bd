"""Processing of domains by UTS 46, for Cython."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.buffer cimport Buffer

cdef extern from "unicode/label.h" nogil:
    ctypedef struct Label "urlsm_label":
        uint32_t* points
        uint32_t n, wide
        uint8_t first, last, seen

cdef int write_domain(Buffer* b, const uint8_t* p, size_t n, bint in_unicode, uint32_t* culprit) except -1 nogil
cdef bint is_shown(const uint8_t* p, size_t n) noexcept nogil
cdef bint is_valid(uint32_t point) noexcept nogil
cdef uint32_t joining_type(uint32_t point) noexcept nogil
cdef str mapped_domain(str text)
cdef uint32_t kind_of(uint32_t point) noexcept nogil
cdef uint32_t mapped_point(uint32_t point) noexcept nogil
cdef const uint8_t* expanded_point(uint32_t point, size_t* n) noexcept nogil
cdef void label_start(Label* label) noexcept nogil
cdef int label_takes(Label* label, uint32_t point, uint32_t kind) noexcept nogil
cdef int label_settle(Label* label) noexcept nogil
cdef int decode_label(Label* label, const uint8_t* p, size_t n) noexcept nogil
cdef uint8_t* write_punycode(const Label* label, uint8_t* out, const uint8_t* end) noexcept nogil
