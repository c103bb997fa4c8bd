"""Included by _unparse: urljoin of urllib.parse. Arguments: as in _parse.pyx."""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp
from urlsm.machine.machine cimport ABSENT, AUTHORITY, FRAGMENT, Machine, PATH, QUERY, SCHEME, slice_of
from urlsm.machine.reading cimport Reading
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_put, buffer_start
from urlsm.octets.chars cimport DOT_SEGMENT
from urlsm.octets.dots cimport dots
from urlsm.octets.find cimport find
from urlsm.octets.slice cimport Slice
from urlsm.stdlib._parse cimport (
    Argument, UTF8, as_given, filled, general, is_exact, listed, params_of, place_of_https, read_argument,
    read_spans,
)

cdef list uses_relative = theirs.uses_relative  # the list itself, as that of netlocs
cdef Py_ssize_t HTTPS_IN_RELATIVE = place_of_https(uses_relative)


cdef inline bint has_empty_segment(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether p[0:end] holds "//"."""
    while True:
        p = find(p, end, c'/') + 1
        if p >= end:
            return False
        if p[0] == c'/':
            return True


cdef struct Resolved:        # an unfinished path: the segments left of urljoin's list, with "/" between them
    Buffer b
    bint any                 # it has a segment, perhaps an empty one


cdef inline int add_segment(Resolved* path, const uint8_t* p, size_t n) except -1 nogil:
    cdef int which = dots(p, 0, n)
    if which == 1:
        return 0
    if which == 2:
        while path.b.n and path.b.p[path.b.n - 1] != c'/':
            path.b.n -= 1
        if path.b.n:
            path.b.n -= 1
        else:
            path.any = False
        return 0
    if path.any:
        buffer_put(&path.b, c'/')
    path.any = True
    return buffer_copy(&path.b, p, n)


cdef int add_segments(Resolved* path, const uint8_t* p, const uint8_t* end, bint keep_first, bint keep_last,
                      bint keep_others) except -1 nogil:
    """Add the segments of p[0:end], without the empty ones that urljoin drops. If the last one (last) is a dot segment,
    the path ends in "/"."""
    cdef const uint8_t* stop
    cdef bint keep = keep_first
    while True:
        stop = find(p, end, c'/')
        if stop > p or keep or (keep_last and stop == end):
            add_segment(path, p, stop - p)
        if stop == end:
            break
        p = stop + 1
        keep = keep_others
    if keep_last and dots(p, 0, stop - p):
        add_segment(path, p, 0)
    return 0


cdef int merge(Resolved* path, Slice base, bint base_has_dots, Slice ref) except -1 nogil:
    """Merge the path of a reference, which is not empty, with the base's (both without params), by RFC 3986, 5.2.3 and
    5.2.4, like urljoin: it splits both into one list of segments, drops the empty ones within it, and lets ".." remove
    even the empty one before the first "/"."""
    cdef const uint8_t* end = base.p + base.n
    if ref.n and ref.p[0] == c'/':
        add_segments(path, ref.p, ref.p + ref.n, True, True, True)
    else:
        while end > base.p and (end - 1)[0] != c'/':
            end -= 1
        if base.n and end == base.p:
            add_segments(path, ref.p, ref.p + ref.n, True, True, False)
        else:
            if base_has_dots or has_empty_segment(base.p, end):
                add_segments(path, base.p, end - 1 if base.n else end, True, False, False)
            else:
                buffer_copy(&path.b, base.p, end - 1 - base.p if base.n else 0)
                path.any = True
            add_segments(path, ref.p, ref.p + ref.n, False, True, False)
    if path.b.n == 0:
        buffer_put(&path.b, c'/')
    return 0


cdef inline Slice given(const Machine* m, int which) noexcept:
    """Return the octets of a component, at NULL if it is absent; or empty, for interpreters that drop empty
    components."""
    cdef Slice found = slice_of(m, which)
    if not (found.n or KEEPS_EMPTY):
        found.p = NULL
    return found


cdef int write_part(Buffer* b, uint8_t delimiter, Slice part) except -1 nogil:
    if part.p != NULL:
        buffer_put(b, delimiter)
        buffer_copy(b, part.p, part.n)
    return 0


cdef int write_url(Buffer* b, Slice scheme, bint uses_netloc, Slice netloc, Slice path, Slice params, Slice query,
                   Slice fragment) except -1 nogil:
    """Write like urlunparse. An absent part is at NULL."""
    cdef int first = path.p[0] if path.n else c';' if params.n else -1
    cdef int before = prefix(netloc.p != NULL, uses_netloc and scheme.n > 0 and not KEEPS_EMPTY, first,
                             path.p[1] if path.n > 1 else -1)
    if scheme.n:
        buffer_copy(b, scheme.p, scheme.n)
        buffer_put(b, c':')
    if before & SLASHES:
        buffer_copy(b, <const uint8_t*>b"//", 2)
        if netloc.n:
            buffer_copy(b, netloc.p, netloc.n)
    if before & SLASH:
        buffer_put(b, c'/')
    buffer_copy(b, path.p, path.n)
    write_part(b, c';', params)
    write_part(b, c'?', query)
    return write_part(b, c'#', fragment)


cdef inline Slice cut_params(Machine* m, Slice scheme) except *:
    """Cut the params off the path, where urljoin does. Empty params are absent."""
    cdef uint32_t semicolon = ABSENT if KEEPS_EMPTY else params_of(m, scheme), end = m.spans[PATH].end
    if semicolon == ABSENT or semicolon + 1 == end:
        m.spans[PATH].end = min(semicolon, end)
        return Slice(NULL, 0)
    m.spans[PATH].end = semicolon
    return Slice(m.text.p + semicolon + 1, end - semicolon - 1)


cpdef object join(object base, object url, bint fragments):
    """urljoin for exact str, or exact bytes, neither of them empty."""
    cdef Reading base_read, ref_read
    cdef Machine* b = &base_read.m
    cdef Machine* r = &ref_read.m
    cdef Argument base_octets, octets
    cdef Slice scheme, netloc, path, params, base_params, query, fragment
    cdef Resolved resolved
    cdef Buffer out
    cdef bint has_netloc
    base_owner = read_argument(base, &base_octets)
    owner = read_argument(url, &octets)
    base_owner = read_spans(&base_read, base_owner, &base_octets, fragments)
    owner = read_spans(&ref_read, owner, &octets, fragments)
    scheme = filled(b, SCHEME)
    path = filled(r, SCHEME)
    if r.spans[SCHEME].start != ABSENT and (path.n != scheme.n or memcmp(path.p, scheme.p, path.n) != 0) \
            or not (KEEPS_EMPTY and not scheme.n or listed(uses_relative, scheme, HTTPS_IN_RELATIVE)):
        return url
    params = cut_params(r, scheme)
    path, netloc, query, fragment = filled(r, PATH), given(r, AUTHORITY), given(r, QUERY), given(r, FRAGMENT)
    has_netloc = KEEPS_EMPTY and not scheme.n or listed(uses_netloc, scheme, HTTPS_IN_NETLOC)
    buffer_start(&out)
    buffer_start(&resolved.b)
    try:
        if not has_netloc or not netloc.n:
            if has_netloc:
                netloc = given(b, AUTHORITY)
            base_params = cut_params(b, scheme)
            if not path.n and not params.n:
                path, params = filled(b, PATH), base_params
                if query.p == NULL:
                    query = given(b, QUERY)
                    if KEEPS_EMPTY and fragment.p == NULL:
                        fragment = given(b, FRAGMENT)
            elif not path.n or path.p[0] != c'/' or r.path_seen & DOT_SEGMENT:
                resolved.any = False
                merge(&resolved, filled(b, PATH), b.path_seen & DOT_SEGMENT, path)
                path = Slice(resolved.b.p, resolved.b.n)
        write_url(&out, scheme, has_netloc, netloc, path, params, query, fragment)
        return as_given(out.p, out.n, UTF8 if base_octets.kind == UTF8 else octets.kind)
    finally:
        buffer_free(&out)
        buffer_free(&resolved.b)


def urljoin(base, url, allow_fragments=True):
    """Resolve url against base, as text.

    Args:
        base, url: str or bytes, both of one type. allow_fragments: whether "#" begins a fragment.

    Raises:
        The exceptions of urlparse, for base or url.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urljoin
    """
    if type(base) is type(url) and is_exact(base) and type(allow_fragments) is bool:
        if not base:
            return url
        if not url:
            return base
        return join(base, url, allow_fragments)
    return general().urljoin(base, url, allow_fragments)
