"""Form coding of octets (URL Standard, #application/x-www-form-urlencoded)."""
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.text cimport Quoting
from urlsm.url.coding cimport Coding

cdef object read_form(const uint8_t* p, Py_ssize_t n, bint ascii, uint8_t separator, bint keep_blank,
                      const char* errors, dict lists, const Coding* coding)
cdef object pairs_in(object source)
cdef int write_coded(Buffer* b, str text, const Quoting* quoting) except -1
cdef int write_field(Buffer* b, str name, str value, const Coding* coding) except -1
