"""The fast way: is a text that the machine accepted its own serialisation?"""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.driver cimport default_port
from urlsm.machine.machine cimport (
    ABSENT, FRAGMENT, HOST, Machine, NOTHING, PATH, PORT, QUERY, SCHEME, USERINFO, USERNAME,
)
from urlsm.machine.plain cimport Plain
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL
from urlsm.octets.chars cimport (
    BACKSLASH, C0_OR_SPACE, CLASS, DOT_SEGMENT, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY,
    ENC_USERINFO, FORBIDDEN_HOST,
)
from urlsm.url.host cimport is_normal_domain
from urlsm.url.record cimport Offsets


cdef inline bint credentials_as_serialized(const Machine* m) noexcept nogil:
    """Are username and password absent, or written as the serializer would write them?"""
    cdef uint32_t start = m.spans[USERINFO].start, end = m.spans[USERINFO].end, colon = m.spans[USERNAME].end, k
    if start == ABSENT:
        return True
    if start == end or colon + 1 == end:  # "@", and "user:@"
        return False
    for k in range(start, end):
        if CLASS[m.text.p[k]] & ENC_USERINFO and k != colon:
            return False
    return True


cdef inline bint port_as_serialized(const Machine* m) noexcept nogil:
    """Is the port absent, or written as the serializer would write it?"""
    cdef uint32_t start = m.spans[PORT].start
    if start == ABSENT:
        return True
    return m.port >= 0 and <uint32_t>m.port != default_port(m.kind) \
        and (m.text.p[start] != c'0' or m.spans[PORT].end - start == 1)


cdef inline bint begins_as_file(const uint8_t* p, uint32_t host, uint32_t host_end, uint32_t path_end) noexcept nogil:
    """Is it "file:///", and what follows not a drive letter with the "|" that becomes ":"?"""
    return host == host_end == 7 and path_end > 7 and p[5] == c'/' and p[6] == c'/' \
        and not (path_end > 9 and p[9] == c'|')


cdef inline bint is_normal(const Machine* m, uint32_t n, Offsets* o) noexcept nogil:
    """Is the text p[0:n], which the machine accepted, its own serialisation? If so, set the offsets."""
    return root_missing(m, n, o) == 0


cdef inline int root_missing(const Machine* m, uint32_t n, Offsets* o) noexcept nogil:
    """Is the text p[0:n], which the machine accepted, its own serialisation, but perhaps for the "/" of an empty path?
    0: it is, 1: it is but for that, -1: it is not. Where it is, set the offsets."""
    cdef uint32_t root = 0
    cdef uint32_t host = m.spans[HOST].start, host_end = m.spans[HOST].end, path = m.spans[PATH].start
    cdef bint special = m.kind != NOT_SPECIAL
    if m.inherit != NOTHING or m.text.start != 0 or m.text.end != n or m.scheme_upper:
        return -1
    if m.opaque_path:
        if m.path_seen & (ENC_C0 | C0_OR_SPACE):
            return -1
    elif m.path_seen & (ENC_PATH | DOT_SEGMENT | BACKSLASH):
        return -1
    elif path == m.spans[PATH].end:
        root = special
    elif m.text.p[path] != c'/':
        return -1
    if m.query_seen & (ENC_SPECIAL_QUERY if special else ENC_QUERY):
        return -1
    o.has_host = host != ABSENT
    if not o.has_host:
        if m.kind == FILE:  # "Set url's host to the empty string."
            return -1
        host = host_end = path
    elif m.seen & BACKSLASH or not credentials_as_serialized(m) or not port_as_serialized(m):
        return -1
    elif m.kind == FILE:
        if not begins_as_file(m.text.p, host, host_end, m.spans[PATH].end):
            return -1
    elif special:
        if not is_normal_domain(m.text.p + host, host_end - host, m.host_seen):
            return -1
    elif m.host_seen & (FORBIDDEN_HOST | ENC_C0):
        return -1
    o.username_end = host if m.spans[USERINFO].start == ABSENT else m.spans[USERNAME].end
    o.host_start = host
    o.host_end = host_end
    if m.fragment_seen & ENC_FRAGMENT:
        return -1
    o.scheme_end = m.spans[SCHEME].end
    o.path_start = path
    o.query_start = ABSENT if m.spans[QUERY].start == ABSENT else m.spans[QUERY].start - 1 + root
    o.fragment_start = ABSENT if m.spans[FRAGMENT].start == ABSENT else m.spans[FRAGMENT].start - 1 + root
    o.port = m.port
    o.kind = m.kind
    o.opaque_path = m.opaque_path
    return root


cdef inline void offsets_of_plain(const Plain* plain, Offsets* o) noexcept nogil:
    """Of the serialisation of a text that the plain lane took."""
    cdef uint32_t root = plain.root_missing
    o.scheme_end = plain.scheme_end
    o.username_end = o.host_start = plain.host_start
    o.host_end = o.path_start = plain.host_end
    o.query_start = ABSENT if plain.query_start == ABSENT else plain.query_start + root
    o.fragment_start = ABSENT if plain.fragment_start == ABSENT else plain.fragment_start + root
    o.port = -1
    o.kind = HTTPS if plain.scheme_end == 5 else HTTP
    o.has_host = True
    o.opaque_path = False


cdef inline bint is_as_serialized(const Machine* m, const Plain* plain, uint32_t n, Offsets* o) noexcept nogil:
    """Is p[0:n], which read accepted, its own serialisation? If so, or where the plain lane took it, set the offsets
    of the serialisation."""
    if not plain.scheme_end:
        return is_normal(m, n, o)
    offsets_of_plain(plain, o)
    return not plain.root_missing


cdef inline uint32_t seen_by(const Machine* m) noexcept nogil:
    return m.seen | m.host_seen | m.path_seen | m.query_seen | m.fragment_seen
