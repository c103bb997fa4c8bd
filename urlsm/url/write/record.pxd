"""A URL record (URL Standard, #url-representation). Its pieces point into the text that the machine read, into a URL,
or into arguments."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.codes cimport NO_ERROR
from urlsm.machine.log cimport FILE_HOST_STATE, HOST_STATE
from urlsm.machine.machine cimport (
    ABSENT, FRAGMENT, HOST, INHERIT_AUTHORITY, INHERIT_DIRECTORY, INHERIT_DRIVE, INHERIT_PATH, INHERIT_QUERY, Inherit,
    Machine, NOTHING, PASSWORD, PATH, QUERY, SCHEME, Span, USERNAME,
)
from urlsm.machine.special cimport FILE
from urlsm.url.spans cimport (
    end_of_path, fragment_span, host_span, password_span, query_span, username_span,
)
from urlsm.url.structs cimport Offsets, Piece, Record
from urlsm.url.write.path cimport begins_with_normalized_drive


cdef inline bint offsets_reach(size_t n) noexcept nogil:
    """Return whether 32-bit offsets suffice for a text of n octets. The largest offset is not available, as it means
    ABSENT."""
    return n < <uint32_t>ABSENT


# Pieces are set in place, field by field: the CPU would stall if a struct were copied right after its fields were
# written.

cdef inline void set_piece(Piece* piece, const uint8_t* p, uint32_t n, uint32_t seen) noexcept nogil:
    """Set a piece to octets that may not be in normal form."""
    piece.p = p
    piece.n = n
    piece.seen = seen
    piece.normal = False


cdef inline void set_normal(Piece* piece, const uint8_t* p, uint32_t start, uint32_t end) noexcept nogil:
    """Set a piece to p[start:end], octets of a serialised URL."""
    piece.p = p + start
    piece.n = end - start
    piece.seen = 0
    piece.normal = True


cdef inline void set_absent(Piece* piece) noexcept nogil:
    piece.p = NULL
    piece.n = 0
    piece.seen = 0
    piece.normal = True


cdef inline void set_kept(Piece* piece, const uint8_t* p, Span lies) noexcept nogil:
    """Set a piece to a component of a serialised URL, which may be absent."""
    if lies.start == ABSENT:
        set_absent(piece)
    else:
        set_normal(piece, p, lies.start, lies.end)


cdef inline void set_spanned(Piece* piece, const Machine* m, int which, uint32_t seen) noexcept nogil:
    if m.spans[which].start == ABSENT:
        set_absent(piece)
    else:
        set_piece(piece, m.text.p + m.spans[which].start, m.spans[which].end - m.spans[which].start, seen)


cdef inline void record_of_text(Record* r, const uint8_t* text, uint32_t n, const Offsets* o) noexcept nogil:
    """Fill in the record of a serialised URL, in which every piece is in normal form."""
    r.kind = o.kind
    r.opaque_path = o.opaque_path
    r.port = o.port
    set_normal(&r.scheme, text, 0, o.scheme_end)
    set_kept(&r.username, text, username_span(o))
    set_kept(&r.password, text, password_span(o))
    set_kept(&r.host, text, host_span(o))
    set_normal(&r.path, text, o.path_start, end_of_path(o, n))
    set_kept(&r.query, text, query_span(o, n))
    set_kept(&r.fragment, text, fragment_span(o, n))
    set_absent(&r.base_path)
    r.log = NULL
    r.error = NO_ERROR


cdef inline void take_host(Record* r, const Machine* m) noexcept nogil:
    """Take over the host that the machine found, without parsing it."""
    set_spanned(&r.host, m, HOST, m.host_seen)
    r.host_step = FILE_HOST_STATE if m.kind == FILE else HOST_STATE
    r.host_offset = m.spans[HOST].start
    r.log = m.log


cdef inline void take_tail(Record* r, const Machine* m) noexcept nogil:
    """Do what take_reference does, but only for path, query and fragment."""
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


cdef inline void take_reference(Record* r, const Machine* m) noexcept nogil:
    """Set the components that the reference does not inherit to what the machine found. r: the record of the base; if
    m.inherit is NOTHING, it may be uninitialised."""
    take_tail(r, m)
    if m.inherit >= INHERIT_AUTHORITY:
        return
    take_host(r, m)
    r.port = m.port
    set_spanned(&r.username, m, USERNAME, 0)
    set_spanned(&r.password, m, PASSWORD, 0)
    if r.kind == FILE and r.host.p == NULL:
        # "Set url's host to the empty string." (file state)
        set_normal(&r.host, m.text.p, 0, 0)
    if m.inherit == NOTHING:
        set_spanned(&r.scheme, m, SCHEME, 0)
        r.error = NO_ERROR
