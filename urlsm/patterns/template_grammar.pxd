"""Declares the parts of a URI template, and the functions that read and write them."""
cimport cython
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport Buffer

cdef enum:                   # the operators, as indices of OPERATORS; Cython has no other word for "operator" than sign
    SIMPLE
    RESERVED
    FRAGMENT
    LABEL
    PATH_SEGMENT
    PARAMETER
    QUERY
    CONTINUATION
    OPERATOR_COUNT


cdef struct Signs:           # a row of OPERATORS
    uint8_t first            # 0: none
    uint8_t separator
    bint named
    bint equals_if_empty     # whether "=" follows the name of an empty value
    bint reserved
    bint[256] stops


@cython.final
cdef class Variable:
    cdef str name
    cdef bytes key           # the name as octets
    cdef bint explode        # "*"
    cdef int prefix          # ":n"; 0: the whole value


@cython.final
cdef class Expression:
    cdef str text            # with its braces
    cdef int sign            # its operator
    cdef list variables

cdef const Signs* row_of(int sign) noexcept nogil
cdef int read_template(const uint8_t* p, size_t n, size_t* at, list parts) except -1
cdef list parts_of(str template)
cdef int template_fault(const uint8_t* p, size_t n, size_t* at) except -1
cdef int write_literal(Buffer* b, const uint8_t* p, size_t n) except -1
cdef bytes written_literal(const uint8_t* p, size_t n)
