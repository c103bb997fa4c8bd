"""IDNA 2008, for Cython. None: the domain is refused; a program that goes on with the text as it is then says
`idna2008(domain) or domain`."""
from libc.stdint cimport uint8_t

cdef str idna2008(str domain, bint mapped=*, bint full_stop_only=*)
cdef bint is_readable2008(str domain) except -1
cdef bint is_domain2008(const uint8_t* p, size_t n, size_t* at) noexcept nogil
cdef bint is_coded_label(const uint8_t* p, size_t n) noexcept nogil
