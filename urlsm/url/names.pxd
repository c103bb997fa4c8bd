"""A set of parameter names, and of beginnings of names."""
from libc.stdint cimport uint8_t, uint32_t

cdef struct Name:
    const uint8_t* p
    uint32_t n
    bint begins              # every name that begins so
    int next                 # another that begins with the same octet, or -1

cdef struct Names:
    int first[256]           # by first octet: the place in names, or -1
    int any                  # of "*" alone: every name; or -1
    Name* names

cdef void names_start(Names* names, Name* room) noexcept nogil
cdef void names_put(Names* names, int k, const uint8_t* p, size_t n, bint starred) noexcept nogil
cdef bint is_named(const Names* names, const uint8_t* p, size_t n) noexcept nogil
cdef bint is_field_named(const Names* names, const uint8_t* p, size_t n) except? -1 nogil

cdef class NameSet:
    cdef Names names
    cdef tuple texts         # own the octets
