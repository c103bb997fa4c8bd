"""Text in: the octets of the caller's text, as the machine reads them."""
cimport cython
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.chars cimport CLASS


@cython.final
@cython.no_gc  # short-lived, and never in a cycle
@cython.freelist(8)
cdef class Octets:
    cdef object given        # as the caller gave it
    cdef object owner        # keeps p alive
    cdef const uint8_t* p    # UTF-8 (of str), or the octets themselves (raw bytes)
    cdef uint32_t n
    cdef bint is_text        # owner is an exact ASCII str, which may become a URL's text
    cdef bint too_long       # for 32-bit offsets; then n is 0

cdef str exact(object text)
cdef bytes scalar_values(str text)
cdef int write_utf8(Buffer* b, str text) except -1
cdef Octets octets_of(object given, bint raw)
cdef size_t copy_without(uint8_t* out, const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed) noexcept nogil
cdef bytes without(const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed)
cdef bint contains(const uint8_t* p, uint32_t start, uint32_t end, uint32_t bits) noexcept nogil
cdef Py_ssize_t place(const uint8_t* p, Py_ssize_t n, Py_ssize_t octet, Py_ssize_t removed_from,
                      bint trimmed) noexcept nogil
cpdef str deciding(str text)
cdef int write_domain(Buffer* b, const uint8_t* p, size_t n, bint in_unicode, uint32_t* culprit) except -1 nogil


cdef inline bint among(Py_UCS4 char, uint32_t classes) noexcept nogil:
    return char < 0x80 and CLASS[char] & classes != 0
