"""The components of a text for profiles: by the machine, with the profiles' differences and refusals."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcmp
from urlsm.crawler.rules cimport (
    AUTHORITY_FIRST_AT, AUTHORITY_WHOLE, BACKSLASHES_REFUSE, BRACKETS_ANY, BRACKETS_WHOLE, IPV6_BARE,
    IPV6_BARE_WITHOUT_DOTS, PORTS_AFTER_COLONS, Rules,
)
from urlsm.crawler.structs cimport KeyFailure, KeyParts, Scratch, fresh, refuse, take
from urlsm.machine cimport (
    ABSENT, AUTHORITY, BY_LANE, BY_MACHINE, FRAGMENT, HOST, Machine, PATH, PORT, QUERY, Reading, SCHEME, Span, USERINFO,
    read,
)
from urlsm.machine.bounds cimport Bounds
from urlsm.machine.codes cimport DOMAIN_TO_ASCII, IPV6_UNCLOSED
from urlsm.machine.log cimport AUTHORITY_STATE, HOST_STATE
from urlsm.machine.machine cimport slice_of
from urlsm.machine.special cimport HTTP, HTTPS, scheme_kind
from urlsm.octets.buffer cimport Buffer, buffer_copy
from urlsm.octets.chars cimport CLASS, HEX
from urlsm.octets.find cimport find
from urlsm.octets.slice cimport Slice
from urlsm.url.inherited cimport head_of
from urlsm.url.normal cimport tail_is_normal
from urlsm.url.parser cimport write_found
from urlsm.url.spans cimport fragment_span, host_span, path_span, port_span, query_span, userinfo_span
from urlsm.url.structs cimport Failure, Offsets, WRITTEN
from urlsm.url.write.ipv6 cimport read_pieces


cdef inline Slice cut(const uint8_t* p, size_t start, size_t end) noexcept nogil:
    cdef Slice part
    part.p = p + start
    part.n = end - start
    return part


cdef inline Slice cut_span(const uint8_t* p, Span lies) noexcept nogil:
    """Return the octets of a component; p is NULL if it is absent."""
    cdef Slice part
    part.p, part.n = NULL, 0
    if lies.start != ABSENT:
        part = cut(p, lies.start, lies.end)
    return part


cdef inline bint standard_text(Machine* m, Slice* text, Offsets* o, Scratch* s, KeyFailure* why) except -1 nogil:
    """Write the serialisation of the URL that the machine found, and its offsets (#concept-url-serializer)."""
    cdef Failure failure
    cdef Buffer* b
    cdef const uint8_t* head = head_of(m, NULL, o)
    if head != NULL and tail_is_normal(m, text.n, o):
        return True
    b = fresh(s)
    if write_found(b, o, &failure, m, head, NULL, NULL) != WRITTEN:
        return refuse(why, failure.code, failure.step, m.text.p + failure.at)
    take(text, b)
    return True


cdef inline bint take_standard(KeyParts* parts, Slice text, Machine* m, Scratch* s, KeyFailure* why) except -1 nogil:
    cdef Offsets o
    if not standard_text(m, &text, &o, s, why):
        return False
    parts.scheme = cut(text.p, 0, o.scheme_end)
    parts.userinfo = cut_span(text.p, userinfo_span(&o))
    parts.host = cut_span(text.p, host_span(&o))
    parts.port = cut_span(text.p, port_span(&o))
    parts.path = cut_span(text.p, path_span(&o, text.n))
    parts.query = cut_span(text.p, query_span(&o, text.n))
    parts.fragment = cut_span(text.p, fragment_span(&o, text.n))
    parts.kind = o.kind
    parts.opaque = o.opaque_path
    return True


cdef inline void split_at_first(KeyParts* parts, Slice authority) noexcept nogil:
    """Take user information up to the first "@", then the host up to the first ":" after it that is not in brackets."""
    cdef const uint8_t* end = authority.p + authority.n
    cdef const uint8_t* at = find(authority.p, end, c'@')
    cdef const uint8_t* bracket
    cdef const uint8_t* colon
    parts.userinfo = cut(authority.p, 0, at - authority.p)
    parts.host = cut(at + 1, 0, end - at - 1)
    bracket = find(parts.host.p, end, c']')
    colon = find(parts.host.p if bracket == end else bracket, end, c':')
    parts.port.p = NULL
    parts.port.n = 0
    if colon < end:
        parts.port = cut(colon + 1, 0, end - colon - 1)
        parts.host.n = colon - parts.host.p


cdef inline int take_whole(KeyParts* parts, Slice authority, Scratch* s) except -1 nogil:
    """Take all after the last "@" as the host, without a ":" at its end."""
    cdef const uint8_t* p = authority.p
    cdef size_t n = authority.n, k
    cdef bint ascii = True
    for k in range(n):
        ascii = ascii and p[k] < 0x80
    if not ascii:
        write_whole(&s.piece, authority)
        p, n = s.piece.p, s.piece.n
    k = n
    while k and p[k - 1] != c'@':
        k -= 1
    parts.userinfo.p = NULL
    parts.userinfo.n = 0
    if k:
        parts.userinfo = cut(p, 0, k - 1)
    parts.host = cut(p, k, n)
    while parts.host.n and parts.host.p[parts.host.n - 1] == c':':
        parts.host.n -= 1
    parts.port.p = NULL
    parts.port.n = 0
    return 0


cdef inline int write_whole(Buffer* b, Slice authority) except -1 with gil:
    from urlsm.crawler.idn import whole_to_ascii
    cdef bytes octets = whole_to_ascii(authority.p[:authority.n])
    b.n = 0
    return buffer_copy(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))


cdef inline void open_brackets(KeyParts* parts, Slice authority, const Rules* r) noexcept nogil:
    """Take the text between the first "[" and the "]" after it, or the end, as the host. With IPV6_BARE no ":" before
    it begins a port."""
    cdef const uint8_t* p = parts.host.p
    cdef const uint8_t* end = p + parts.host.n
    cdef const uint8_t* opened
    cdef const uint8_t* closed
    cdef const uint8_t* colon
    if r.ipv6 == IPV6_BARE:
        p = authority.p if parts.userinfo.p == NULL else parts.userinfo.p + parts.userinfo.n + 1
        end = authority.p + authority.n
        while r.ports == PORTS_AFTER_COLONS and end > p and (end - 1)[0] == c':':
            end -= 1
    opened = find(p, end, c'[')
    if opened == end or (r.ipv6 == IPV6_BARE_WITHOUT_DOTS and find(p, end, c'.') < end):
        return
    closed = find(opened, end, c']')
    parts.host = cut(opened + 1, 0, closed - opened - 1)
    if r.ipv6 == IPV6_BARE:
        colon = find(closed, end, c':')
        parts.port.p = NULL
        parts.port.n = 0
        if colon < end:
            parts.port = cut(colon + 1, 0, end - colon - 1)


cdef inline void take_host_from_path(KeyParts* parts) noexcept nogil:
    """Take the first segment of the path as the host, as written."""
    cdef const uint8_t* p = parts.path.p
    cdef const uint8_t* end = p + parts.path.n
    cdef const uint8_t* stop
    while p < end and p[0] == c'/':
        p += 1
    stop = find(p, end, c'/')
    parts.host = cut(p, 0, stop - p)
    if stop < end:
        parts.path = cut(stop, 0, end - stop)
    else:
        parts.path = cut(<const uint8_t*>b"/", 0, 1)


cdef inline bint take_plain(KeyParts* parts, const uint8_t* p, size_t n, const Rules* r) noexcept nogil:
    """Take the components that the plain lane finds; all dialects agree on them. Returns False if the machine has to
    run."""
    cdef Reading found
    cdef const Bounds* at = &found.at
    cdef size_t end = n
    if not read(&found, p, n, &r.dialect, BY_LANE) or at.root_missing:
        return False
    if r.backslashes == BACKSLASHES_REFUSE and find(p + at.host_end, p + n, c'\\') != p + n:
        return False
    parts.fragment.p = parts.query.p = parts.userinfo.p = parts.port.p = NULL
    parts.fragment.n = parts.query.n = parts.userinfo.n = parts.port.n = 0
    if at.fragment_start != ABSENT:
        end = at.fragment_start
        if not r.fragment_first:
            parts.fragment = cut(p, end + 1, n)
    if at.query_start != ABSENT:
        parts.query = cut(p, at.query_start + 1, end)
    parts.scheme = cut(p, 0, at.scheme_end)
    parts.kind = HTTP if at.scheme_end == 4 else HTTPS
    parts.host = cut(p, at.host_start, at.host_end)
    parts.path = cut(p, at.host_end, at.path_end)
    parts.opaque = False
    parts.plain = True
    return True


cdef inline bint take_parts(KeyParts* parts, Slice text, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Find the components of the text. Returns False if it is refused."""
    cdef Reading found
    cdef Machine* m = &found.m
    cdef Slice authority
    parts.plain = False
    if not read(&found, text.p, text.n, &r.dialect, BY_MACHINE):
        return refuse(why, m.error, m.error_step, text.p + m.error_at)
    if r.dialect.url_standard:
        return take_standard(parts, text, m, s, why)
    parts.scheme = slice_of(m, SCHEME)
    parts.userinfo = slice_of(m, USERINFO)
    parts.host = slice_of(m, HOST)
    parts.port = slice_of(m, PORT)
    parts.path = slice_of(m, PATH)
    parts.query = slice_of(m, QUERY)
    parts.fragment = slice_of(m, FRAGMENT)
    parts.kind = scheme_kind(parts.scheme.p, parts.scheme.n)
    parts.opaque = False
    authority = slice_of(m, AUTHORITY)
    if authority.p != NULL:
        if not check_authority(parts, authority, r, why):
            return False
        if r.authority == AUTHORITY_WHOLE:
            take_whole(parts, authority, s)
        elif r.authority == AUTHORITY_FIRST_AT and parts.userinfo.p != NULL:
            split_at_first(parts, authority)
        if r.ipv6 == IPV6_BARE or r.ipv6 == IPV6_BARE_WITHOUT_DOTS:
            open_brackets(parts, authority, r)
    if r.host_from_path and not parts.host.n and parts.path.n and parts.scheme.n >= 4 \
            and memcmp(parts.scheme.p, b"http", 4) == 0:
        take_host_from_path(parts)
    return True


# --- refusals ----------------------------------------------------------------------------------

cdef inline bint is_ip_literal(const uint8_t* p, const uint8_t* end) except -1 nogil:
    """Return whether this is an IPv6 address, perhaps with a zone, or "v", hexadecimal digits, "." and more (RFC 3986,
    3.2.2)."""
    cdef const uint8_t* zone = find(p, end, c'%')
    cdef uint16_t[8] pieces
    cdef size_t k
    if p < end and p[0] == c'v':
        k = 1
        while p + k < end and CLASS[p[k]] & HEX:
            k += 1
        return k > 1 and p + k + 1 < end and p[k] == c'.'
    if zone < end and (zone + 1 == end or find(zone + 1, end, c'%') < end):
        return False
    return read_pieces(p - 1, zone - p + 1, pieces)


cdef inline bint check_brackets(Slice authority, const Rules* r, KeyFailure* why) except -1 nogil:
    """Run urlsplit's checks, on the whole authority, or on the part after the user information."""
    cdef const uint8_t* p = authority.p
    cdef const uint8_t* end = p + authority.n
    cdef const uint8_t* opened = find(p, end, c'[')
    cdef const uint8_t* closed = find(p, end, c']')
    if opened == end and closed == end:
        return True
    if (opened == end) != (closed == end):
        return refuse(why, IPV6_UNCLOSED, HOST_STATE, p)
    if r.brackets == BRACKETS_WHOLE:
        while find(p, end, c'@') < end:
            p = find(p, end, c'@') + 1
        opened = find(p, end, c'[')
        if opened == end:
            closed = find(p, end, c':')
            opened = p - 1
        else:
            closed = find(opened, end, c']')
            if opened > p or (closed + 1 < end and closed[1] != c':'):
                return refuse(why, IPV6_UNCLOSED, HOST_STATE, p)
    else:
        closed = find(opened, end, c']')
    return is_ip_literal(opened + 1, closed) or refuse(why, IPV6_UNCLOSED, HOST_STATE, opened + 1)


cdef inline bint check_authority(const KeyParts* parts, Slice authority, const Rules* r,
                                 KeyFailure* why) except -1 nogil:
    """Check the brackets and characters of an authority. Returns False if it is refused."""
    cdef size_t k
    if r.brackets != BRACKETS_ANY and not check_brackets(authority, r, why):
        return False
    if r.nfkc_refused[0]:
        for k in range(authority.n):
            if authority.p[k] > 0x7F:
                return not brings_delimiters(authority, r) or refuse(why, DOMAIN_TO_ASCII, AUTHORITY_STATE, authority.p)
    return True


cdef inline bint brings_delimiters(Slice authority, const Rules* r) except -1 with gil:
    from urlsm.crawler.idn import changes_delimiters
    return changes_delimiters(authority.p[:authority.n], <bytes>r.nfkc_refused)
