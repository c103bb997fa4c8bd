"""Writes the URL of a record (#concept-url-serializer): write_head, then write_tail. A piece in normal form is copied.
write_odd writes a URL from what the lane found."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memcpy, memmove
from urlsm.machine.bounds cimport Bounds, ODD_HEAD, ODD_PATH
from urlsm.machine.driver cimport default_port
from urlsm.machine.machine cimport ABSENT, Base, Machine
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL, listed_port
from urlsm.octets.buffer cimport (
    Buffer, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve, buffer_start,
)
from urlsm.octets.chars cimport (
    BACKSLASH, DOT_SEGMENT, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO,
)
from urlsm.octets.text cimport write_encoded
from urlsm.url.structs cimport Offsets, Piece, Record
from urlsm.url.write.host cimport HostInput, is_normal_domain, write_number
from urlsm.url.write.host_parser cimport host_parser
from urlsm.url.write.ipv6 cimport ipv6_parser
from urlsm.url.write.path cimport write_opaque_path, write_segments
from urlsm.url.write.record cimport take_host

cdef enum:
    NO_DEFAULT_PORT = 0x10000


cdef inline void base_of(Base* base, const uint8_t* text, const Offsets* o) noexcept nogil:
    """Set what the machine needs to know of a base URL."""
    base.scheme = text
    base.scheme_length = o.scheme_end
    base.kind = o.kind
    base.opaque = o.opaque_path


cdef inline int write(Buffer* b, const Piece* piece, uint32_t encode_set) except -1 nogil:
    if piece.normal or not piece.seen & encode_set:
        return buffer_copy(b, piece.p, piece.n)
    return write_encoded(b, piece.p, piece.n, encode_set)


cdef inline int write_scheme(Buffer* b, const Piece* scheme) except -1 nogil:
    buffer_copy_lower(b, scheme.p, scheme.n)
    return buffer_put(b, c':')


cdef inline int write_userinfo(Buffer* b, Offsets* o, const Record* r) except -1 nogil:
    """Append "If url includes credentials [...]": user, ":" and password if it is not empty, "@"."""
    if r.username.n or r.password.n:
        if r.username.normal:
            buffer_copy(b, r.username.p, r.username.n)
        else:
            write_encoded(b, r.username.p, r.username.n, ENC_USERINFO)
        o.username_end = b.n
        if r.password.n:
            buffer_put(b, c':')
            if r.password.normal:
                buffer_copy(b, r.password.p, r.password.n)
            else:
                write_encoded(b, r.password.p, r.password.n, ENC_USERINFO)
        buffer_put(b, c'@')
    else:
        o.username_end = b.n
    o.host_start = b.n
    return 0


cdef inline bint write_host(Buffer* b, Record* r) except -1 nogil:
    cdef size_t start = b.n
    cdef HostInput h
    # most hosts are normal; an empty one is here only if the machine accepts it
    if r.host.normal or r.host.n == 0 or (
            r.kind != NOT_SPECIAL and r.log == NULL and is_normal_domain(r.host.p, r.host.n, r.host.seen)):
        buffer_copy(b, r.host.p, r.host.n)
    else:
        h.p, h.n, h.seen = r.host.p, r.host.n, r.host.seen
        h.offset, h.special, h.step, h.log = r.host_offset, r.kind != NOT_SPECIAL, r.host_step, r.log
        if not host_parser(b, &h):
            r.error, r.error_at = h.error, h.error_at
            return False
    # "If host is "localhost", then set host to the empty string." (file host state)
    if r.kind == FILE and not r.host.normal and b.n - start == 9 and memcmp(b.p + start, b"localhost", 9) == 0:
        b.n = start
    return True


cdef inline bint host_is_accepted(Record* r, const Machine* m) except -1 nogil:
    """Return whether the host parser accepts the host that the machine found. If not, see r.error."""
    cdef Buffer b
    r.kind = m.kind
    take_host(r, m)
    buffer_start(&b)
    try:
        return write_host(&b, r)
    finally:
        buffer_free(&b)


cdef inline void take_odd_host(HostInput* h, const uint8_t* p, const Bounds* at) noexcept nogil:
    """The host of the text p, of which the lane says that its head is odd."""
    h.p, h.n, h.seen, h.special, h.log = p + at.host_start, at.name_end - at.host_start, 0, True, NULL
    h.offset = 0


cdef inline bint odd_host_is_accepted(const uint8_t* p, const Bounds* at) except -1 nogil:
    """Return whether the host parser accepts the host of a text that the lane takes."""
    cdef Buffer b
    cdef HostInput h
    cdef uint16_t[8] pieces
    if not at.odd & ODD_HEAD:
        return True
    take_odd_host(&h, p, at)
    if h.p[0] == c'[':  # the lane has found the "]" at the end
        return ipv6_parser(&h, pieces)
    buffer_start(&b)
    try:
        return host_parser(&b, &h)
    finally:
        buffer_free(&b)


cdef inline int write_path(Buffer* b, Offsets* o, const Record* r) except -1 nogil:
    cdef size_t start = b.n
    cdef bint special = r.kind != NOT_SPECIAL
    o.path_start = b.n
    if r.path.normal:
        buffer_copy(b, r.path.p, r.path.n)
    elif r.opaque_path:
        write_opaque_path(b, r.path.p, r.path.n, r.query.p != NULL or r.fragment.p != NULL)
        return 0
    elif r.path.n and r.path.p[0] == c'/' and r.base_path.p == NULL and r.kind != FILE \
            and not r.path.seen & (DOT_SEGMENT | (BACKSLASH if special else 0)):
        write(b, &r.path, ENC_PATH)
    elif r.path.n or special:
        buffer_copy(b, r.base_path.p, r.base_path.n)
        write_segments(b, start, r.path.p, r.path.n, special, r.kind == FILE, r.path.seen & ENC_PATH and ENC_PATH)
    # "If url's host is null, [...] path's size is greater than 1, and path[0] is the empty string, then
    # append U+002F (/) followed by U+002E (.)"
    if r.host.p == NULL and not r.opaque_path and b.n - start >= 2 and b.p[start + 1] == c'/' and b.p[start] == c'/':
        buffer_reserve(b, 2)
        memmove(b.p + start + 2, b.p + start, b.n - start)
        memcpy(b.p + start, b"/.", 2)
        b.n += 2
        o.path_start += 2
    return 0


cdef inline bint write_head(Buffer* b, Offsets* o, Record* r) except -1 nogil:
    """Append all that precedes the path, and set its offsets; return False if the host is refused, see r.error."""
    cdef uint32_t start = b.n
    o.kind = r.kind
    o.opaque_path = r.opaque_path
    o.has_host = r.host.p != NULL
    write_scheme(b, &r.scheme)
    o.scheme_end = b.n - 1
    o.username_end = o.host_start = b.n
    if o.has_host:
        buffer_copy(b, <const uint8_t*>b"//", 2)
        write_userinfo(b, o, r)
        if not write_host(b, r):
            return False
    o.host_end = b.n
    # "Set url's port to null, if port is url's scheme's default port"
    o.port = -1
    if r.port >= 0 and <uint32_t>r.port != (default_port(r.kind) or NO_DEFAULT_PORT):
        o.port = r.port
        buffer_put(b, c':')
        write_number(b, r.port, 10)
    if start:  # modulo 2**32, all of them
        o.scheme_end -= start
        o.username_end -= start
        o.host_start -= start
        o.host_end -= start
    return True


cdef inline int write_tail(Buffer* b, Offsets* o, const Record* r, uint32_t start) except -1 nogil:
    """Append path, query and fragment. Their offsets count from start."""
    write_path(b, o, r)
    o.path_start -= start
    o.query_start = o.fragment_start = ABSENT
    if r.query.p != NULL:
        o.query_start = b.n - start
        buffer_put(b, c'?')
        write(b, &r.query, ENC_SPECIAL_QUERY if r.kind != NOT_SPECIAL else ENC_QUERY)
    if r.fragment.p != NULL:
        o.fragment_start = b.n - start
        buffer_put(b, c'#')
        write(b, &r.fragment, ENC_FRAGMENT)
    return 0


cdef inline bint write_odd(Buffer* b, Offsets* o, const uint8_t* p, uint32_t n, const Bounds* at) except -1 nogil:
    """Append the URL of the text p[0:n], of which the lane says that some parts are odd: these are written anew, the
    others are copied. The offsets count from the end of the buffer before. If the host is refused, return False and
    append nothing."""
    cdef HostInput h
    cdef size_t start = b.n
    cdef uint32_t kept = at.host_end, shift
    o.kind = HTTPS if at.host_start == 8 else HTTP
    o.has_host, o.opaque_path, o.port = True, False, -1
    o.scheme_end = at.scheme_end
    o.username_end = o.host_start = at.host_start
    if at.odd & ODD_HEAD:
        buffer_copy(b, <const uint8_t*>b"https://" if o.kind == HTTPS else <const uint8_t*>b"http://", at.host_start)
        take_odd_host(&h, p, at)
        if not host_parser(b, &h):
            b.n = start
            return False
        o.host_end = b.n - start
        if at.port >= 0 and <uint32_t>at.port != listed_port(o.kind):
            o.port = at.port
            buffer_put(b, c':')
            write_number(b, at.port, 10)
    else:
        buffer_copy(b, p, at.host_end)
        o.host_end = at.host_end
    o.path_start = b.n - start
    if at.odd & ODD_PATH:
        kept = at.path_end
        write_segments(b, b.n, p + at.host_end, kept - at.host_end, True, False, 0)
    elif at.root_missing:
        buffer_put(b, c'/')
    shift = b.n - start - kept  # may wrap around; then the sums below wrap back
    o.query_start = ABSENT if at.query_start == ABSENT else at.query_start + shift
    o.fragment_start = ABSENT if at.fragment_start == ABSENT else at.fragment_start + shift
    buffer_copy(b, p + kept, n - kept)
    return True
