"""IDNA 2008, for Cython. None: the domain is refused; a program that goes on with the text as it is then says
`idna2008(domain) or domain`."""
cdef str idna2008(str domain, bint mapped=*, bint full_stop_only=*)
cdef bint is_readable2008(str domain) except -1
cdef bint is_ascii_label(str label) except -1
