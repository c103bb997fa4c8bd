"""Forms that several programs share, for Cython."""
cdef bytes octets(str text)
cdef str text_of(bytes octets)
cdef str utf8_or_none(bytes octets)
cdef tuple texts_of(tuple components)
cdef Py_ssize_t first_of(bytes text, Py_ssize_t begin, Py_ssize_t end, bytes stops) noexcept
cdef Py_ssize_t nearest(str text, Py_ssize_t begin, Py_ssize_t end, str stops) except -1
cdef Py_ssize_t scheme_end(str text) noexcept
cdef Py_ssize_t lettered_scheme_end(str text) noexcept
cdef bint is_scheme(bytes text) noexcept
cdef int decimal_port(bytes text) noexcept
cdef object inet_aton(bytes host)
cdef str dotted(object address)
cdef bytes ipv6_address(bytes text)
cdef str ipv6_text(bytes address, bint mixed)
cdef bytes decoded(bytes text)
cdef str unquoted(str text)
cdef bint has_bad_escape(bytes text) noexcept
cdef bytes kept(str chars, bint letters_and_digits)
cdef bytes escaped(bytes text, bytes kept, bint escapes=*)
cdef bytes capital_escapes(bytes text, bint* valid)
cdef bint is_hex(bytes text, Py_ssize_t at) noexcept
cdef str with_full_stops(str domain)
cdef str nfkc(str text)
cdef object uts46(str label, bint in_unicode)
