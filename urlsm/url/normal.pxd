"""Checks whether a text that the machine accepted is its own serialisation, so that the URL need not be written. The
plain lane (machine/lane) is a fast parser for most http and https texts."""
from libc.stdint cimport uint32_t
from urlsm.machine.bounds cimport Bounds
from urlsm.machine.driver cimport default_port
from urlsm.machine.machine cimport (
    ABSENT, FRAGMENT, HOST, Machine, NOTHING, PATH, PORT, QUERY, SCHEME, USERINFO, USERNAME,
)
from urlsm.machine.reading cimport Reading
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL
from urlsm.octets.chars cimport (
    BACKSLASH, C0_OR_SPACE, CLASS, DOT_SEGMENT, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY,
    ENC_USERINFO, FORBIDDEN_HOST,
)
from urlsm.url.structs cimport Offsets
from urlsm.url.write.host cimport is_normal_domain


cdef inline bint credentials_as_serialized(const Machine* m) noexcept nogil:
    """Return whether username and password are absent, or already written as the serializer would write them."""
    cdef uint32_t start = m.spans[USERINFO].start, end = m.spans[USERINFO].end, colon = m.spans[USERNAME].end, k
    if start == ABSENT:
        return True
    if start == end or colon + 1 == end:  # the serializer would change "@" and "user:@"
        return False
    for k in range(start, end):
        if CLASS[m.text.p[k]] & ENC_USERINFO and k != colon:
            return False
    return True


cdef inline bint port_as_serialized(const Machine* m) noexcept nogil:
    """Return whether the port is absent, or already written as the serializer would write it."""
    cdef uint32_t start = m.spans[PORT].start
    if start == ABSENT:
        return True
    return m.port >= 0 and <uint32_t>m.port != default_port(m.kind) \
        and (m.text.p[start] != c'0' or m.spans[PORT].end - start == 1)


cdef inline bint head_is_normal(const Machine* m, Offsets* o) noexcept nogil:
    """Return whether an accepted text is already, up to its path, as the serializer would write it. If so, set the
    offsets of that part. Tabs and newlines are checked elsewhere."""
    cdef uint32_t start = m.text.start, path = m.spans[PATH].start, host = path, host_end = path
    if m.inherit != NOTHING or m.scheme_upper:
        return False
    o.has_host = m.spans[HOST].start != ABSENT
    if o.has_host:
        host, host_end = m.spans[HOST].start, m.spans[HOST].end
        if m.seen & BACKSLASH or not credentials_as_serialized(m) or not port_as_serialized(m):
            return False
        if m.kind == FILE:
            # accept only "file://" without a host: the parser would remove the host "localhost"
            if host != host_end or host - start != 7 or m.text.p[host - 1] != c'/' or m.text.p[host - 2] != c'/':
                return False
        elif m.kind != NOT_SPECIAL:
            if not is_normal_domain(m.text.p + host, host_end - host, m.host_seen):
                return False
        elif m.host_seen & (FORBIDDEN_HOST | ENC_C0):
            return False
    elif m.kind == FILE:  # "Set url's host to the empty string."
        return False
    o.scheme_end = m.spans[SCHEME].end - start
    o.username_end = (host if m.spans[USERINFO].start == ABSENT else m.spans[USERNAME].end) - start
    o.host_start = host - start
    o.host_end = host_end - start
    o.path_start = path - start
    o.port = m.port
    o.kind = m.kind
    o.opaque_path = m.opaque_path
    return True


cdef inline bint tail_is_normal(const Machine* m, uint32_t n, Offsets* o) noexcept nogil:
    """Return whether p[0:n] is, from its path on, as the serializer would write it, and the machine trimmed nothing. If
    so, set the offsets of query and fragment."""
    cdef uint32_t path = m.spans[PATH].start, end = m.spans[PATH].end
    cdef bint special = m.kind != NOT_SPECIAL
    if m.text.start != 0 or m.text.end != n:
        return False
    if m.opaque_path:
        if m.path_seen & (ENC_C0 | C0_OR_SPACE):
            return False
    elif m.path_seen & (ENC_PATH | DOT_SEGMENT | BACKSLASH) or (path == end and special) \
            or (path < end and m.text.p[path] != c'/') \
            or (m.kind == FILE and end - path > 2 and m.text.p[path + 2] == c'|'):  # the parser changes "C|" to "C:"
        return False
    if m.query_seen & (ENC_SPECIAL_QUERY if special else ENC_QUERY) or m.fragment_seen & ENC_FRAGMENT:
        return False
    o.query_start = ABSENT if m.spans[QUERY].start == ABSENT else m.spans[QUERY].start - 1
    o.fragment_start = ABSENT if m.spans[FRAGMENT].start == ABSENT else m.spans[FRAGMENT].start - 1
    return True


cdef inline bint is_normal(const Machine* m, uint32_t n, Offsets* o) noexcept nogil:
    """Return whether the text p[0:n], which the machine accepted, is its own serialisation. If so, set the offsets."""
    return head_is_normal(m, o) and tail_is_normal(m, n, o)


cdef inline void offsets_of_plain(const Bounds* plain, Offsets* o) noexcept nogil:
    """Set the offsets of the URL for a text that the plain lane accepted. If the text lacks the "/" of its path, the
    offsets are those after its insertion."""
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


cdef inline bint is_as_serialized(const Reading* r, uint32_t n, Offsets* o) noexcept nogil:
    """Return whether the text p[0:n], from which `r` was read, is its own serialisation. If so, or if the plain lane
    accepted the text, set the offsets of the URL."""
    if not r.by_lane:
        return is_normal(&r.m, n, o)
    offsets_of_plain(&r.at, o)
    return not r.at.root_missing


cdef inline uint32_t seen_by(const Machine* m) noexcept nogil:
    return m.seen | m.host_seen | m.path_seen | m.query_seen | m.fragment_seen
