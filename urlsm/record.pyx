"""From spans to a URL: the pieces of a record come from the machine, from a base URL or from an
argument; serialize() writes them, touching only those that are not in normal form already.
"""
from libc.string cimport memcmp, memcpy, memmove
from urlsm.buffer cimport buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start
from urlsm.chars cimport (
    BACKSLASH, CLASS, DOT_SEGMENT, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO, UPPER,
)
from urlsm.codes cimport NO_ERROR
from urlsm.host cimport HostInput, host_parser, is_normal_domain
from urlsm.log cimport FILE_HOST_STATE, HOST_STATE
from urlsm.machine cimport (
    default_port,     ABSENT, FRAGMENT, HOST, INHERIT_AUTHORITY, INHERIT_DIRECTORY, INHERIT_DRIVE, INHERIT_PATH, INHERIT_QUERY,
    Inherit, NOTHING, PASSWORD, PATH, QUERY, SCHEME, Span, USERNAME,
)
from urlsm.special cimport FILE, NOT_SPECIAL
from urlsm.path cimport begins_with_normalized_drive, write_opaque_path, write_segments
from urlsm.percent cimport write_encoded

cdef enum:
    NO_DEFAULT_PORT = 0x10000


cdef inline void set_spanned(Piece* piece, const Machine* m, int which, uint32_t seen) noexcept nogil:
    if m.spans[which].start == ABSENT:
        set_absent(piece)
    else:
        set_piece(piece, m.text.p + m.spans[which].start, m.spans[which].end - m.spans[which].start, seen)


cdef void base_of(Base* base, const uint8_t* text, const Offsets* o) noexcept nogil:
    """What the machine needs of a URL that serves as base."""
    base.scheme = text
    base.scheme_length = o.scheme_end
    base.kind = o.kind
    base.opaque = o.opaque_path


cdef void record_of_text(Record* r, const uint8_t* text, uint32_t n, const Offsets* o) noexcept nogil:
    """The record of a serialised URL: every piece normal."""
    cdef uint32_t fragment = n if o.fragment_start == ABSENT else o.fragment_start
    cdef uint32_t query = fragment if o.query_start == ABSENT else o.query_start
    r.kind = o.kind
    r.opaque_path = o.opaque_path
    r.port = o.port
    set_normal(&r.scheme, text, 0, o.scheme_end)
    set_absent(&r.host)
    set_absent(&r.username)
    set_absent(&r.password)
    if o.has_host:
        set_normal(&r.host, text, o.host_start, o.host_end)
        set_normal(&r.username, text, o.scheme_end + 3, o.username_end)
        if o.host_start > o.username_end + 1:
            set_normal(&r.password, text, o.username_end + 1, o.host_start - 1)
    set_normal(&r.path, text, o.path_start, query)
    set_absent(&r.query)
    if o.query_start != ABSENT:
        set_normal(&r.query, text, query + 1, fragment)
    set_absent(&r.fragment)
    if o.fragment_start != ABSENT:
        set_normal(&r.fragment, text, fragment + 1, n)
    set_absent(&r.base_path)
    r.log = NULL
    r.error = NO_ERROR


cdef void take_host(Record* r, const Machine* m) noexcept nogil:
    """The host the machine found, as written."""
    set_spanned(&r.host, m, HOST, m.host_seen)
    r.host_step = FILE_HOST_STATE if m.kind == FILE else HOST_STATE
    r.host_offset = m.spans[HOST].start
    r.log = m.log


cdef void take_reference(Record* r, const Machine* m) noexcept nogil:
    """What the machine found replaces what the reference does not inherit. The record is that of the
    base; without one (m.inherit is NOTHING), it may be uninitialised."""
    cdef Inherit inherit = m.inherit
    cdef uint32_t end
    r.kind = m.kind
    r.opaque_path = m.opaque_path
    set_spanned(&r.fragment, m, FRAGMENT, m.fragment_seen)
    if inherit == INHERIT_QUERY:
        return
    set_spanned(&r.query, m, QUERY, m.query_seen)
    if inherit == INHERIT_PATH:
        return
    set_absent(&r.base_path)
    if inherit == INHERIT_DIRECTORY:
        # "Shorten url's path."
        end = r.path.n
        if not (r.kind == FILE and end == 3 and begins_with_normalized_drive(r.path.p, 3)):
            while end and r.path.p[end - 1] != c'/':
                end -= 1
            end -= end != 0
        set_normal(&r.base_path, r.path.p, 0, end)
    elif inherit == INHERIT_DRIVE and begins_with_normalized_drive(r.path.p, r.path.n):
        set_normal(&r.base_path, r.path.p, 0, 3)
    set_spanned(&r.path, m, PATH, m.path_seen)
    if inherit >= INHERIT_AUTHORITY:
        return
    take_host(r, m)
    r.port = m.port
    set_spanned(&r.username, m, USERNAME, 0)
    set_spanned(&r.password, m, PASSWORD, 0)
    if r.kind == FILE and r.host.p == NULL:
        # "Set url's host to the empty string." (file state)
        set_normal(&r.host, m.text.p, 0, 0)
    if inherit == NOTHING:
        set_spanned(&r.scheme, m, SCHEME, 0)
        r.error = NO_ERROR


cdef inline int write(Buffer* b, const Piece* piece, uint32_t encode_set) except -1:
    if piece.normal or not piece.seen & encode_set:
        return buffer_copy(b, piece.p, piece.n)
    return write_encoded(b, piece.p, piece.n, encode_set)


cdef int write_scheme(Buffer* b, const Piece* scheme) except -1:
    cdef uint32_t k
    buffer_reserve(b, scheme.n + 1)
    for k in range(scheme.n):
        b.p[b.n + k] = scheme.p[k] | 0x20 if CLASS[scheme.p[k]] & UPPER else scheme.p[k]
    b.n += scheme.n
    return buffer_put(b, c':')


cdef int write_userinfo(Buffer* b, Offsets* o, const Record* r) except -1:
    """"If url includes credentials [...]": user, ":" and password if it is not empty, "@"."""
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


cdef bint write_host(Buffer* b, Record* r) except -1:
    cdef size_t start = b.n
    cdef HostInput h
    # most hosts: nothing to do. "[host:] empty host", where the machine let one pass
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


cdef bint host_is_accepted(Record* r, const Machine* m) except -1:
    """Would the host parser take the host that the machine found? If not, see r.error."""
    cdef Buffer b
    r.kind = m.kind
    take_host(r, m)
    buffer_start(&b)
    try:
        return write_host(&b, r)
    finally:
        buffer_free(&b)


cdef int write_path(Buffer* b, Offsets* o, const Record* r) except -1:
    cdef size_t start = b.n
    cdef bint special = r.kind != NOT_SPECIAL
    o.path_start = b.n
    if r.path.normal:
        buffer_copy(b, r.path.p, r.path.n)
    elif r.opaque_path:
        write_opaque_path(b, r.path.p, r.path.n, r.query.p != NULL or r.fragment.p != NULL)
        return 0
    elif r.path.n and r.path.p[0] == c'/' and r.base_path.p == NULL and r.kind != FILE \
            and not r.path.seen & (ENC_PATH | DOT_SEGMENT | (BACKSLASH if special else 0)):
        buffer_copy(b, r.path.p, r.path.n)
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


cdef int write_port(Buffer* b, uint32_t port) except -1:
    cdef uint8_t[6] digits
    cdef uint32_t k = 6
    while True:
        k -= 1
        digits[k] = c'0' + port % 10
        port //= 10
        if not port:
            break
    buffer_put(b, c':')
    return buffer_copy(b, digits + k, 6 - k)


cdef bint serialize(Buffer* b, Offsets* o, Record* r) except -1:
    """Append the record's serialisation (#concept-url-serializer) to an empty buffer and tell the
    offsets; False where the host is refused, with r.error."""
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
        write_port(b, r.port)
    write_path(b, o, r)
    o.query_start = o.fragment_start = ABSENT
    if r.query.p != NULL:
        o.query_start = b.n
        buffer_put(b, c'?')
        write(b, &r.query, ENC_SPECIAL_QUERY if r.kind != NOT_SPECIAL else ENC_QUERY)
    if r.fragment.p != NULL:
        o.fragment_start = b.n
        buffer_put(b, c'#')
        write(b, &r.fragment, ENC_FRAGMENT)
    return True
