"""The steps of which the paths that programs match on are made, for Cython."""
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport Buffer

cdef enum:                     # the outcomes of a step
    DONE
    REFUSED
    REDIRECTED

cdef struct State:             # what steps change
    Buffer text                # the target at first, then the path
    Buffer spare               # where a step writes a text that grows
    Buffer marked              # the text as it was at MARK
    const uint8_t* target      # as it was sent
    Py_ssize_t n
    Py_ssize_t query, end      # the query in the target, with its "?"; -1: there is none
    bint decoded               # whether an escape was decoded

cdef class Pipeline:
    cdef readonly tuple steps
    cdef list sets             # keeps alive what `marks` point to
    cdef uint8_t* codes
    cdef const uint8_t** marks
    cdef Py_ssize_t count

    cdef int run(self, State* s) except -1
    cdef int call(self, State* s, Py_ssize_t k) except -1

cdef int begin(State* s, const uint8_t* target, Py_ssize_t n) except -1
cdef void end(State* s) noexcept nogil
