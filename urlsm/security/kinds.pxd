from libc.stdint cimport uint8_t

cdef int name_row(const uint8_t* p, Py_ssize_t n) noexcept nogil
