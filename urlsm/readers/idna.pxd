"""International domain names as programs write them in ASCII, in two ways. None: the domain is refused; a program
that goes on with the text as it is then says `idna2008(domain) or domain`.

idna2008  The package `idna`: encode(domain, uts46=mapped, strict=full_stop_only).
idna2003  The codec "idna" of CPython, and java.net.IDN.
"""
cdef str idna2008(str domain, bint mapped=*, bint full_stop_only=*)
cdef bint is_readable2008(str domain) except -1
cdef str idna2003(str domain)
