"""The fast way of the judging functions."""

cdef enum:
    LONGEST_NAME = 253  # RFC 1035 section 2.3.4: 255 octets, two of them the first label's length and the root's

cpdef bint is_plain(str text) except -1
cpdef str scalars(str text)
cpdef bint is_authority(str text) except -1
cdef bint is_bracketed_address(str host) except -1
cdef bint is_digits(str text) except -1
