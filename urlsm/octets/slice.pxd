"""Borrowed octets: a pointer and a length."""
from libc.stdint cimport uint8_t

cdef struct Slice:
    const uint8_t* p         # borrowed; NULL if absent
    size_t n
