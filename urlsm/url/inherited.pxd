"""The parts of a URL that are copied unchanged, from the base of a reference or from the reference itself."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.machine cimport (
    ABSENT, FRAGMENT, INHERIT_AUTHORITY, INHERIT_DIRECTORY, INHERIT_PATH, INHERIT_QUERY, Machine, PATH, QUERY, SCHEME,
)
from urlsm.machine.special cimport FILE
from urlsm.octets.chars cimport BACKSLASH, DOT_SEGMENT, ENC_FRAGMENT, ENC_PATH, ENC_SPECIAL_QUERY
from urlsm.url.normal cimport head_is_normal
from urlsm.url.structs cimport Href, Offsets
from urlsm.url.write.record cimport offsets_reach

cdef struct Splice:          # a URL in two pieces: base[0:cut], and then text[start:end] of the reference
    uint32_t cut
    uint32_t start
    uint32_t end


cdef inline void inherit_head(Offsets* o, const Offsets* given) noexcept nogil:
    """Copy the offsets up to the path from a base that has a host."""
    o.scheme_end = given.scheme_end
    o.username_end = given.username_end
    o.host_start = given.host_start
    o.host_end = given.host_end
    o.path_start = given.path_start
    o.port = given.port
    o.kind = given.kind
    o.has_host = True
    o.opaque_path = False


cdef inline const uint8_t* head_of(const Machine* m, const Href* base, Offsets* o) noexcept nogil:
    """Return a text (the base's, or the one that the machine read) whose beginning, up to the path, can be copied into
    the URL, and set the offsets of that beginning. Return NULL if that part of the URL has to be written anew."""
    if m.log != NULL:
        return NULL
    if m.inherit < INHERIT_AUTHORITY:
        return m.text.p + m.text.start if head_is_normal(m, o) else NULL
    if not base.o.has_host:
        return NULL
    inherit_head(o, base.o)
    return base.p


cdef inline bint climb(const Href* base, const Machine* m, uint32_t* cut, uint32_t* start) noexcept nogil:
    """Follow the segments "." and ".." at the beginning of a reference, from the directory base.p[0:cut]. Set cut to
    the end of the directory that they lead to, and start to the beginning of the rest of the reference. Return False if
    the rest may have a dot segment."""
    cdef const uint8_t* p = m.text.p
    cdef uint32_t k = m.spans[PATH].start, end = m.spans[PATH].end, dots
    while k < end and p[k] == c'.':
        dots = 2 if k + 1 < end and p[k + 1] == c'.' else 1
        if k + dots < end and p[k + dots] != c'/':
            return False
        if dots == 2 and cut[0] > base.o.path_start + 1:
            # "Shorten url's path."
            cut[0] -= 1
            while cut[0] > base.o.path_start + 1 and base.p[cut[0] - 1] != c'/':
                cut[0] -= 1
        k = min(k + dots + 1, end)
    start[0] = k
    for k in range(k, end):
        if (p[k] == c'.' or p[k] == c'%') and (k == start[0] or p[k - 1] == c'/'):
            return False
    return True


cdef inline bint can_splice(Offsets* o, Splice* s, const Machine* m, const Href* base) noexcept nogil:
    """Return whether the URL is a piece of the base followed by a piece of the reference, both unchanged. If so, set s
    to the two pieces and o to the offsets of the URL."""
    cdef const Offsets* given = base.o
    cdef uint32_t n = m.text.end - m.text.start, start = m.text.start, cut, shift
    cdef uint32_t query = m.spans[QUERY].start, fragment = m.spans[FRAGMENT].start
    if not given.has_host or m.kind == FILE or m.inherit < INHERIT_AUTHORITY or m.spans[SCHEME].start != ABSENT \
            or m.path_seen & (ENC_PATH | BACKSLASH) or (m.path_seen & DOT_SEGMENT and m.inherit != INHERIT_DIRECTORY) \
            or m.query_seen & ENC_SPECIAL_QUERY or m.fragment_seen & ENC_FRAGMENT:
        return False
    cut = given.path_start
    if m.inherit != INHERIT_AUTHORITY:
        cut = base.n if given.fragment_start == ABSENT else given.fragment_start
        if m.inherit != INHERIT_QUERY:
            cut = cut if given.query_start == ABSENT else given.query_start
            if m.inherit != INHERIT_PATH:
                # "Shorten url's path."
                while cut > given.path_start and base.p[cut - 1] != c'/':
                    cut -= 1
                if cut == given.path_start:
                    return False
                if m.path_seen & DOT_SEGMENT and not climb(base, m, &cut, &start):
                    return False
    if not offsets_reach(<size_t>cut + n):
        return False
    shift = cut - start  # unsigned arithmetic: this may wrap around, and then the sums below wrap back
    inherit_head(o, given)
    o.query_start = (given.query_start if m.inherit == INHERIT_QUERY
                     else ABSENT if query == ABSENT else query - 1 + shift)
    o.fragment_start = ABSENT if fragment == ABSENT else fragment - 1 + shift
    s.cut, s.start, s.end = cut, start, m.text.end
    return True
