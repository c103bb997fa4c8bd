"""IDNA 2003: the codec "idna" of CPython, and java.net.IDN. None: the domain is refused."""
cdef str idna2003(str domain)
