"""The text that urlunsplit puts before the path."""

cdef enum:
    SLASHES = 1              # "//" and the netloc, which may be empty
    SLASH = 2                # then "/"

cdef int prefix(bint has_netloc, bint uses_netloc, int first, int second) noexcept nogil
