"""Where each component of a serialised URL lies, computed from its Offsets (drawn in structs.pxd).

The span of an absent component is ABSENT, ABSENT, as in Machine.spans. n is the length of the text.
"""
from libc.stdint cimport uint32_t
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.url.structs cimport Offsets


cdef inline Span span_if(bint there, uint32_t start, uint32_t end) noexcept nogil:
    return Span(start, end) if there else Span(ABSENT, ABSENT)


cdef inline uint32_t authority_start(const Offsets* o) noexcept nogil:
    """Return where the text after "://" begins. The URL must have a host."""
    return o.scheme_end + 3


cdef inline bint has_credentials(const Offsets* o) noexcept nogil:
    """Return whether the text has an "@", which means that there is a user name, a password or both."""
    return o.host_start > authority_start(o)


cdef inline uint32_t end_of_query(const Offsets* o, uint32_t n) noexcept nogil:
    """Return where the text before the fragment ends."""
    return n if o.fragment_start == ABSENT else o.fragment_start


cdef inline uint32_t end_of_path(const Offsets* o, uint32_t n) noexcept nogil:
    """Return where the text before the query and fragment ends."""
    return end_of_query(o, n) if o.query_start == ABSENT else o.query_start


# --- the components ------------------------------------------------------------------------------

cdef inline Span authority_span(const Offsets* o) noexcept nogil:
    return span_if(o.has_host, authority_start(o), o.path_start)


cdef inline Span userinfo_span(const Offsets* o) noexcept nogil:
    return span_if(has_credentials(o), authority_start(o), o.host_start - 1)


cdef inline Span username_span(const Offsets* o) noexcept nogil:
    """Return the user name's span. It is empty, not absent, if there is only a password."""
    return span_if(has_credentials(o), authority_start(o), o.username_end)


cdef inline Span password_span(const Offsets* o) noexcept nogil:
    return span_if(o.host_start > o.username_end + 1, o.username_end + 1, o.host_start - 1)


cdef inline Span host_span(const Offsets* o) noexcept nogil:
    return span_if(o.has_host, o.host_start, o.host_end)


cdef inline Span port_span(const Offsets* o) noexcept nogil:
    return span_if(o.port >= 0, o.host_end + 1, o.path_start)


cdef inline Span path_span(const Offsets* o, uint32_t n) noexcept nogil:
    return Span(o.path_start, end_of_path(o, n))


cdef inline Span query_span(const Offsets* o, uint32_t n) noexcept nogil:
    return span_if(o.query_start != ABSENT, o.query_start + 1, end_of_query(o, n))


cdef inline Span fragment_span(const Offsets* o, uint32_t n) noexcept nogil:
    return span_if(o.fragment_start != ABSENT, o.fragment_start + 1, n)
