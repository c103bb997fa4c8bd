"""Hosts in Mono's System.Uri, for Cython. text: that of the URI. implicit_file: whether it is a path of a file, without
a scheme."""
from urlsm.octets.chars cimport BACKSLASH, SLASH
from urlsm.octets.text cimport among

cdef enum HostType:
    NOT_PARSED
    DNS
    IPV4
    IPV6
    UNC
    BASIC
    NO_HOST

cdef frozenset BIDI_CONTROLS

cdef Py_ssize_t domain_end(str text, Py_ssize_t start, Py_ssize_t end, bint implicit_file) except -2
cdef Py_ssize_t unc_end(str text, Py_ssize_t start, Py_ssize_t end, bint implicit_file) except -2
cdef Py_ssize_t ipv4_end(str text, Py_ssize_t start, Py_ssize_t end, bint canonical, bint implicit_file) except -2
cdef Py_ssize_t ipv6_end(str text, Py_ssize_t start, Py_ssize_t end) except -2
cdef str without_bidi_controls(str host)
cdef str host_string(str host, HostType host_type)


cdef inline bint is_slash(Py_UCS4 char) noexcept:
    return among(char, SLASH | BACKSLASH)
