"""Text in: whatever the caller gave, as the octets the machine reads."""
cimport cython
from libc.stdint cimport uint8_t, uint32_t

@cython.final
@cython.no_gc  # short-lived; nothing that it holds can hold it
@cython.freelist(8)
cdef class Octets:
    cdef object given        # as the caller gave it
    cdef object owner        # keeps p alive
    cdef const uint8_t* p    # UTF-8 (of str), or the octets themselves (raw bytes)
    cdef uint32_t n
    cdef bint is_text        # owner is an exact ASCII str: fit to be a URL's text
    cdef bint too_long       # for 32-bit offsets; then n is 0

cdef str exact(object text)
cdef bytes scalar_values(str text)
cdef Octets octets_of(object given, bint raw)
cdef bytes without(const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed)
cdef bint contains(const uint8_t* p, uint32_t start, uint32_t end, uint32_t bits) noexcept nogil
