# The texts of a URL that rules look at.

cdef const uint8_t* text_of(const View* v, uint32_t kind, uint32_t* n) noexcept nogil:
    """Return one text of a URL: search and hash without "?" and "#", empty if they are absent; query with its "?"."""
    cdef Span lies
    if kind >= CASED_TARGET:
        lies = Span(v.o.path_start if kind == CASED_TARGET else 0, end_of_query(&v.o, v.n))
        n[0] = lies.end - lies.start
        return v.cased + lies.start
    if kind == TARGET:
        lies = Span(v.o.path_start, end_of_query(&v.o, v.n))
    elif kind == PATH:
        lies = path_span(&v.o, v.n)
    elif kind == HREF:
        lies = Span(0, end_of_query(&v.o, v.n))
    elif kind == WHOLE:
        lies = Span(0, v.n)
    elif kind == PROTOCOL:
        lies = Span(0, v.o.scheme_end)
    elif kind == USERNAME:
        lies = username_span(&v.o)
    elif kind == PASSWORD:
        lies = password_span(&v.o)
    elif kind == HOSTNAME:
        lies = host_span(&v.o)
    elif kind == PORT:
        lies = port_span(&v.o)
    elif kind == SEARCH:
        lies = query_span(&v.o, v.n)
    elif kind == QUERY:
        lies = query_span(&v.o, v.n)
        lies.start -= lies.start != ABSENT
    else:
        lies = fragment_span(&v.o, v.n)
    if lies.start == ABSENT:
        n[0] = 0
        return v.p
    n[0] = lies.end - lies.start
    return v.p + lies.start


cdef int view_octets(View* v, const uint8_t* p, size_t n) except -1:
    """Set a view of octets that are not a URL: they are the target, and there is nothing else."""
    memset(v, 0, sizeof(View))
    if n > MAX_LENGTH:
        raise ValueError("the text is too long")
    v.p, v.cased, v.n = p, p, <uint32_t>n
    v.o.query_start = v.o.fragment_start = ABSENT
    return 0


cdef inline void view_url(View* v, URL url) noexcept:
    v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
    v.cased = v.p
