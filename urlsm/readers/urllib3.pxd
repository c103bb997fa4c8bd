"""What urllib3 shares with the package rfc3986: the pattern of IPv6 addresses."""
cdef tuple split_uri(str text)
cdef bint is_bracketed(str text) except -1
