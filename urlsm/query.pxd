"""Form coding of octets (URL Standard, #application/x-www-form-urlencoded)."""
from libc.stdint cimport uint8_t

cdef object read_form(const uint8_t* p, Py_ssize_t n, bint ascii, uint8_t separator, bint keep_blank,
                      const char* errors, dict lists)
