"""The matcher: which of many rules a URL falls under, and which of them decides."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.patterns.hosts cimport HostTable
from urlsm.patterns.program cimport Work
from urlsm.url.structs cimport Offsets

cdef enum:
    NO_RULE = 0xFFFFFFFF

cdef struct View:            # a URL as it is matched
    const uint8_t* p
    uint32_t n
    Offsets o

cdef struct Search:
    uint32_t rank            # of what decides so far; 0: nothing yet
    uint32_t rule
    bint all                 # every rule that fits is written into found
    Work found
    Work work

cdef class Matcher:
    cdef readonly HostTable hosts
    cdef readonly uint32_t count
    cdef bytes pool
    cdef const uint8_t* octets
    cdef uint32_t* w         # all tables; header says where each begins
    cdef uint32_t size, rules, roots, nodes, edges, edge_mask, any_target, any_href
    cdef int search(self, const View* v, Search* s) except -1 nogil
    cdef int descend(self, uint32_t node, const View* v, uint32_t kind, Search* s) except -1 nogil
    cdef int consider(self, const uint32_t* listed, const View* v, Search* s) except -1 nogil
    cdef int fits(self, uint32_t rule, const View* v, Work* work) except -1 nogil
    cdef Py_ssize_t decided(self, const View* v, Search* s) except -2
    cdef list fitting(self, const View* v)
