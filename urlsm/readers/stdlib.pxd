"""CPython's own reading of URLs, which requests, yarl and others start from."""
cdef tuple urlsplit(str text, int release)
cdef bint is_netloc(str netloc, int release) except -1
cdef tuple split_rest(str text)
cdef tuple hostinfo(str netloc)
cdef str hostname(str host, int release=*)
cdef str userinfo(str netloc)
cdef str port(str text, int release)
cdef bint may_be_reached(str scheme, str host) except -1
cdef object number(str text)
cdef bint meets_nfkc_rule(str netloc) except -1
cdef bint is_ip4(str host) except -1
cdef bint is_ip6(str host) except -1
cdef bint has_unwanted(str text) noexcept
cdef bint is_latin(str text) noexcept
