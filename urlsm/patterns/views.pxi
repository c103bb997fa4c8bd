# The texts of a URL that rules look at.

cdef inline uint32_t end_of_path(const View* v) noexcept nogil:
    if v.o.query_start != ABSENT:
        return v.o.query_start
    return v.o.fragment_start if v.o.fragment_start != ABSENT else v.n


cdef inline uint32_t end_of_query(const View* v) noexcept nogil:
    return v.o.fragment_start if v.o.fragment_start != ABSENT else v.n


cdef const uint8_t* text_of(const View* v, uint32_t kind, uint32_t* n) noexcept nogil:
    """Return one text of a URL: search and hash without "?" and "#", empty if they are absent; query with its "?"."""
    cdef uint32_t start = 0, end = 0
    if kind >= CASED_TARGET:
        start, end = v.o.path_start if kind == CASED_TARGET else 0, end_of_query(v)
        n[0] = end - start
        return v.cased + start
    if kind == TARGET:
        start, end = v.o.path_start, end_of_query(v)
    elif kind == PATH:
        start, end = v.o.path_start, end_of_path(v)
    elif kind == HREF:
        end = end_of_query(v)
    elif kind == WHOLE:
        end = v.n
    elif kind == PROTOCOL:
        end = v.o.scheme_end
    elif kind == USERNAME:
        if v.o.username_end > v.o.scheme_end + 3:
            start, end = v.o.scheme_end + 3, v.o.username_end
    elif kind == PASSWORD:
        if v.o.host_start > v.o.username_end + 1:
            start, end = v.o.username_end + 1, v.o.host_start - 1
    elif kind == HOSTNAME:
        start, end = v.o.host_start, v.o.host_end
    elif kind == PORT:
        if v.o.port >= 0:
            start, end = v.o.host_end + 1, v.o.path_start
            if v.p[end - 1] == c'.':  # never: a URL with a port has a host, so no "/." before its path
                end -= 2
    elif kind == SEARCH:
        if v.o.query_start != ABSENT:
            start, end = v.o.query_start + 1, end_of_query(v)
    elif kind == QUERY:
        if v.o.query_start != ABSENT:
            start, end = v.o.query_start, end_of_query(v)
    elif v.o.fragment_start != ABSENT:
        start, end = v.o.fragment_start + 1, v.n
    n[0] = end - start
    return v.p + start


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
