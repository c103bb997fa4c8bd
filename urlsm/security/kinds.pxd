from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    NONE = -1          # no row
    UNREAD = -2        # the host has another form than the canonical one
    UNALLOCATED = -3   # an IPv6 address that is not of 2000::/3, from which IANA allocates

cdef bint read_ipv4(const uint8_t* p, Py_ssize_t n, uint32_t* ipv4) noexcept nogil
cdef bint is_hazard(const uint8_t* p, Py_ssize_t n) except -1
cdef bint is_hazard_name(const uint8_t* p, Py_ssize_t n) except -1
cdef int canonical_row(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef int address_row(const uint8_t* p, Py_ssize_t n) noexcept nogil
