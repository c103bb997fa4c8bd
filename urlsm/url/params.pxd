"""Form coding of octets (URL Standard, #application/x-www-form-urlencoded)."""
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport Buffer

cdef object read_form(const uint8_t* p, Py_ssize_t n, bint ascii, uint8_t separator, bint keep_blank,
                      const char* errors, dict lists)
cdef int write_form(Buffer* b, str text) except -1
