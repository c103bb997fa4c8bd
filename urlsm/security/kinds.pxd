from libc.stdint cimport uint8_t, uint32_t

cdef bint read_ipv4(const uint8_t* p, Py_ssize_t n, uint32_t* ipv4) noexcept nogil
cdef bint is_hazard(const uint8_t* p, Py_ssize_t n) except -1
cdef bint is_hazard_name(const uint8_t* p, Py_ssize_t n) except -1
