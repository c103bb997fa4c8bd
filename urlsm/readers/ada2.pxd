"""Domains as Ada writes them in ASCII (ada2.pyx), for Cython. None: the domain is refused."""
from libc.stdint cimport uint32_t

cdef enum:
    KNOWN = 130  # the version of Unicode whose marks and directions Ada has, times ten

cdef str ada_domain(str domain)
cdef str ada_host(str host)
cdef str ada_label(str label, uint32_t version)
cdef str coded_after_delimiter(str label)
