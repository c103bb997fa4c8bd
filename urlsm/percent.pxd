"""Percent-coding of octets (URL Standard, #percent-encoded-bytes)."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.buffer cimport Buffer

cdef int write_encoded(Buffer* b, const uint8_t* p, size_t n, uint32_t encode_set) except -1 nogil
cdef int write_decoded(Buffer* b, const uint8_t* p, size_t n) except -1 nogil
cdef int octet_escaped(const uint8_t* p, size_t n) noexcept nogil
cdef str decode_text(const uint8_t* p, Py_ssize_t n)
cdef int write_text(Buffer* b, str text, uint32_t encode_set, bint keep_escapes) except -1
