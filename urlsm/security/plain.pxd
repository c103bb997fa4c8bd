"""Fast paths for the functions that judge a URL (see the head of plain.pyx)."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.special cimport SchemeKind

cdef enum:
    LONGEST_NAME = 253  # RFC 1035 section 2.3.4: 255 octets, less the first label's length octet and the root's label

cdef struct Authority:
    SchemeKind kind          # the kind of the scheme
    Py_ssize_t host, host_end, end
    bint has_port            # whether there is a port that is not empty
    int port

cdef bint ordinary_authority(const uint8_t* p, Py_ssize_t n, Authority* a) noexcept nogil
cdef bint ordinary_host(const uint8_t* p, Py_ssize_t n, Py_ssize_t k, Authority* a) noexcept nogil
cpdef bint is_ordinary(str text) except -1
cpdef Py_ssize_t unremarkable(str text) except -1
cpdef object is_plainly_safe(object target, object base, object allowed_hosts)
cpdef bint names_in_scheme(str text) except -1
cpdef str scalars(str text)
cpdef tuple texts_of(object entries, str name)
cpdef object host_list(tuple texts, bint broad)
cdef bint has_a_label(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef bint read_ipv4(const uint8_t* p, Py_ssize_t n, uint32_t* ipv4) noexcept nogil
cdef int decoded_at(int kind, const void* data, Py_ssize_t* at, Py_ssize_t end) noexcept nogil
cdef int hexes(uint8_t high, uint8_t low) noexcept nogil
