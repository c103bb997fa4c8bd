"""The canonicaliser: it computes a key from the bytes of a URL, without the GIL.

    text -> components, by the machine -> scheme -> user information, host, port -> path -> query -> fragment

Every profile takes these steps, in this order. Profiles reproduce the keys of different libraries; where these differ,
a step reads a field of Rules, and no step is for one library alone. Each step appends to the key, and may then remove
bytes from it in place.

"The machine" is the URL parser in urlsm.machine. "The plain lane" is its fast path for plain texts, in which no dialect
changes anything (machine/lane/plain.h).

This is one file of 1,600 lines, because write_key inlines all its steps, and the compiler would have to read the same
declarations again for each further file.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset, strlen
from urlsm.crawler.labels cimport dots_of, label_start
from urlsm.crawler.rules cimport (
    AUTHORITY_FIRST_AT, AUTHORITY_WHOLE, BACKSLASHES_KEEP, BACKSLASHES_REFUSE, BLANK_VALUES_BARE, BLANK_VALUES_DROP,
    BRACKETS_ANY, BRACKETS_WHOLE, DOTS_KEEP, DOTS_PAIRS, DOTS_TRAILING, EMPTY_PATH_SLASH,
    EMPTY_PATH_SLASH_AFTER_HOST_OR_BEFORE_QUERY, EMPTY_PATH_SLASH_BEFORE_SPECIAL_QUERY, PARAMS_READING_FORM,
    KEY_FORM_SURT, KEY_FORM_URL, FRAGMENT_DROP, FRAGMENT_ROUTES, HOST_CASE_KEEP, HOST_CASE_LOWER_ESCAPES,
    HOST_CASE_LOWER_NAME, HOST_OTHERS_REFUSE, HOST_REQUIRED_OR_REST, HOST_REQUIRED_YES, IDNA_NONE, IPV4_ANY, IPV4_FOUR,
    IPV4_INET_ATON, IPV4_KEEP, IPV6_BARE, IPV6_BARE_WITHOUT_DOTS, IPV6_BRACKETED, IPV6_RFC5952, NO_AUTHORITY_NONE,
    NO_AUTHORITY_URLLIB, NO_AUTHORITY_WHATWG, PORTS_AFTER_COLONS, PORTS_ANY, PORT_DROP, PORT_DROP_DEFAULT,
    PORT_DROP_HTTP_DEFAULT_AND_0, PORT_KEEP, QUERY_DROP, DOT_SEGMENTS_NONE, DOT_SEGMENTS_WAYBACK, Rules, SCHEME_DROP,
    SCHEME_HTTP, SCHEME_KEEP, SCHEME_LOWER, SCHEME_SIGN_COLON, SCHEME_SIGN_COLON_SLASH, SCHEME_SIGN_LISTED,
    SORT_PARAMS_DECODED_NAMES, SORT_PARAMS_NAMES, SORT_PARAMS_NONE, SORT_PARAMS_PAIRS, TRAILING_SLASH_KEEP,
    TRAILING_SLASH_STRIP, TRIM_C0_SPACE, TRIM_NONE, DECODE_NONE, DECODE_ONCE, DECODE_REPEATEDLY, DECODE_UNRESERVED,
    USERINFO_DROP, USERINFO_KEEP, WWW_ALL, WWW_KEEP, set_rules,
)
from urlsm.crawler.sessions cimport without_path_sessions, without_query_sessions
from urlsm.crawler.structs cimport KeyFailure, Recoding, Scratch, refuse
from urlsm.machine cimport (
    ABSENT, AUTHORITY, BY_LANE, BY_MACHINE, FRAGMENT, HOST, Machine, PATH, PORT, QUERY, Reading, SCHEME, Span, USERINFO,
    dialect_at, read,
)
from urlsm.machine.bounds cimport Bounds
from urlsm.machine.codes cimport (
    DOMAIN_TO_ASCII, HOST_INVALID_CODE_POINT, HOST_MISSING, INVALID_REVERSE_SOLIDUS, IPV6_UNCLOSED,
    MISSING_SCHEME_NON_RELATIVE_URL, PORT_INVALID, PORT_OUT_OF_RANGE, SCHEME_NOT_READ,
)
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.log cimport AUTHORITY_STATE, HOST_STATE, NO_SCHEME_STATE, PORT_STATE, SCHEME_STATE
from urlsm.machine.machine cimport slice_of
from urlsm.machine.special cimport HTTP, HTTPS, NOT_SPECIAL, SchemeKind, is_listed, listed_port, scheme_kind
from urlsm.octets.buffer cimport (
    Buffer, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve, buffer_start,
)
from urlsm.octets.chars cimport ALPHA, C0_OR_SPACE, CLASS, DIGIT, FORBIDDEN_DOMAIN, HASH, HEX, SCHEME_CHAR, UPPER
from urlsm.octets.dots cimport without_dots
from urlsm.octets.find cimport find
from urlsm.octets.merge cimport compare_fn, merge_sort
from urlsm.octets.query cimport QueryField, field_end, next_field, value_of
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport (
    Quoting, UNRESERVED, UNRESERVED_OR_FIELDS, UNRESERVED_OR_PLUS, all_kept, octet_escaped, quoting_at, write_quoted,
    write_unquoted,
)
from urlsm.octets.words cimport octets_equal, word_at, word_in_order
from urlsm.url.inherited cimport head_of
from urlsm.url.params cimport is_field_named, is_named
from urlsm.url.normal cimport tail_is_normal
from urlsm.url.parser cimport write_found
from urlsm.url.spans cimport fragment_span, host_span, path_span, port_span, query_span, userinfo_span
from urlsm.url.structs cimport Failure, Offsets, WRITTEN
from urlsm.url.write.host cimport write_number
from urlsm.url.write.ipv4 cimport ipv4_number
from urlsm.url.write.ipv6 cimport ipv6_serializer, read_pieces
from urlsm.crawler.rules import TABLE as _TABLE
from urlsm.machine.driver import DIALECTS

# --- the state of a call --------------------------------------------------------------------------

cdef struct KeyParts:        # the components into which a profile splits a text
    Slice scheme
    Slice userinfo
    Slice host
    Slice port
    Slice path
    Slice query
    Slice fragment
    SchemeKind kind
    bint opaque              # whether the path is opaque (it has no segments)
    bint plain               # whether the plain lane found the components; the host is then a name in lower case


cdef void scratch_start(Scratch* s) noexcept nogil:
    s.turn = 0
    buffer_start(&s.text[0])
    buffer_start(&s.text[1])
    buffer_start(&s.host)
    buffer_start(&s.piece)


cdef void scratch_free(Scratch* s) noexcept nogil:
    buffer_free(&s.text[0])
    buffer_free(&s.text[1])
    buffer_free(&s.host)
    buffer_free(&s.piece)


cdef inline Buffer* fresh(Scratch* s) noexcept nogil:
    """Empty the buffer that does not contain the text, and return it."""
    s.turn ^= 1
    s.text[s.turn].n = 0
    return &s.text[s.turn]


cdef inline void take(Slice* text, const Buffer* b) noexcept nogil:
    """Point `text` at the bytes of the buffer."""
    text.p = b.p
    text.n = b.n


# Recoding a component means to decode some escapes, encode some octets and change case, all in one pass.

cdef inline int write_recoded(Buffer* b, const uint8_t* p, size_t n, const Recoding* coding) except -1 nogil:
    """Append p[0:n] with each byte and each escape replaced by its entry in the tables of `coding`."""
    cdef size_t k = 0, start
    cdef int octet
    cdef const uint8_t* written
    cdef uint8_t* out
    if n == 0:
        return 0
    if all_kept(p, n, &coding.raw):
        return buffer_copy(b, p, n)
    buffer_reserve(b, 3 * n + 4)
    if coding.repeatedly and memchr(p, c'%', n) != NULL:
        # Decode into the end of the free space of b, and encode from there to the start of the free space. The space
        # has three octets for each octet of the text, as many as an encoded octet takes, so writing never overtakes
        # reading.
        start = b.capacity - n
        n = unescaped_to(b.p + start, p, n)
        p = b.p + start
    out = b.p + b.n
    while k < n:
        written = coding.raw.written[p[k]]
        if p[k] == c'%' and coding.escapes:
            octet = octet_escaped(p + k, n - k)
            if octet >= 0:
                written = coding.escaped[octet]
                k += 2
        k += 1
        if written[3] == 1:  # the CPU predicts this branch, which is faster than waiting until the length is loaded
            out[0] = written[0]
            out += 1
        else:
            memcpy(out, written, 4)
            out += written[3]
    b.n = out - b.p
    return 0


cdef inline size_t unescaped_to(uint8_t* out, const uint8_t* p, size_t n) noexcept nogil:
    """Write p[0:n] to out, decoded until no escape is left. Returns the number of bytes written.

    After each byte is written, the function checks whether an escape ends with it. This finds all escapes, including
    escapes that decoding creates, in linear time. No two escapes overlap, so the order of decoding makes no difference.
    """
    cdef const uint8_t* first = <const uint8_t*>memchr(p, c'%', n)
    cdef size_t k, written = n if first == NULL else first - p
    cdef int octet
    memcpy(out, p, written)
    for k in range(written, n):
        out[written] = p[k]
        written += 1
        while written >= 3 and out[written - 3] == c'%':
            octet = octet_escaped(out + written - 3, 3)
            if octet < 0:
                break
            written -= 2
            out[written - 1] = <uint8_t>octet
    return written


cdef inline int write_unescaped(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append p[0:n], percent-decoded until no escape is left."""
    buffer_reserve(b, n)
    b.n += unescaped_to(b.p + b.n, p, n)
    return 0


# The next functions clean the text before it is split. Most texts need no change: then the slice still points into the
# caller's text. A changed text goes to one of two buffers in turn, so that no function writes to the buffer that it
# reads.

cdef inline bint is_trimmed(uint8_t octet, const Rules* r) noexcept nogil:
    if r.trim == TRIM_C0_SPACE:
        return CLASS[octet] & C0_OR_SPACE != 0
    return octet == c' ' or 9 <= octet <= 13


cdef inline void trim(Slice* text, const Rules* r) noexcept nogil:
    if r.trim == TRIM_NONE:
        return
    while text.n and is_trimmed(text.p[text.n - 1], r):
        text.n -= 1
    while text.n and is_trimmed(text.p[0], r):
        text.p += 1
        text.n -= 1


cdef inline bint has(Slice text, uint8_t octet) noexcept nogil:
    return text.n != 0 and memchr(text.p, octet, text.n) != NULL


cdef inline int drop_tabs(Slice* text, Scratch* s) except -1 nogil:
    cdef Buffer* b
    cdef size_t k
    if has(text[0], c'\t') or has(text[0], c'\n') or has(text[0], c'\r'):
        b = fresh(s)
        buffer_reserve(b, text.n)
        for k in range(text.n):
            if text.p[k] not in (c'\t', c'\n', c'\r'):
                b.p[b.n] = text.p[k]
                b.n += 1
        take(text, b)
    return 0


cdef inline size_t scheme_length(Slice text) noexcept nogil:
    """Return the length of the text's scheme, without the ":"; 0 if there is no scheme."""
    cdef size_t k = 0
    if text.n and CLASS[text.p[0]] & ALPHA:
        while k < text.n and CLASS[text.p[k]] & SCHEME_CHAR:
            k += 1
    return k if k < text.n and text.p[k] == c':' else 0


cdef inline bint is_port_at(Slice text, size_t k) noexcept nogil:
    """Return whether the bytes from k to the end of the authority are digits, at least one."""
    if k >= text.n or not CLASS[text.p[k]] & DIGIT:
        return False
    while k < text.n and CLASS[text.p[k]] & DIGIT:
        k += 1
    return k == text.n or text.p[k] in (c'/', c'?', c'#')


cdef inline bint give_scheme(Slice* text, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Put the profile's default scheme, if there is one, before a text that has no scheme. Returns False if the text is
    refused: it has a scheme that the profile does not support, or it is empty and there is a default scheme."""
    cdef size_t length = scheme_length(text[0])
    cdef bint listed = length and (not r.schemes[0] or is_listed(r.schemes, text.p, length))
    cdef bint given = length != 0
    cdef Buffer* b
    if r.scheme_sign != SCHEME_SIGN_COLON:
        given = length and length + 1 < text.n and text.p[length + 1] == c'/' \
            and (r.scheme_sign == SCHEME_SIGN_COLON_SLASH
                 or (listed and length + 2 < text.n and text.p[length + 2] == c'/'))
    if r.scheme_sign == SCHEME_SIGN_LISTED and length and not listed and not is_port_at(text[0], length + 1):
        return refuse(why, SCHEME_NOT_READ, SCHEME_STATE, text.p)
    if given:
        return listed or refuse(why, SCHEME_NOT_READ, SCHEME_STATE, text.p)
    if r.default_scheme[0] and not text.n:
        return refuse(why, MISSING_SCHEME_NON_RELATIVE_URL, NO_SCHEME_STATE, text.p)
    if r.default_scheme[0]:
        b = fresh(s)
        buffer_copy(b, <const uint8_t*>r.default_scheme, strlen(r.default_scheme))
        buffer_copy(b, text.p, text.n)
        take(text, b)
    return True


cdef inline size_t http_length(Slice text) noexcept nogil:
    """Return the length of the "http://" or "https://" at the beginning of the text, or 0."""
    if text.n >= 7 and memcmp(text.p, b"http://", 7) == 0:
        return 7
    return 8 if text.n >= 8 and memcmp(text.p, b"https://", 8) == 0 else 0


cdef inline int repair_http(Slice* text, const Rules* r, Scratch* s) except -1 nogil:
    """Keep only the last scheme of "http://https://", and only two slashes of "http:////", each if the rules say so."""
    cdef size_t length = http_length(text[0]), k = length
    cdef Slice rest
    cdef Buffer* b
    rest.p, rest.n = text.p + length, text.n - length
    while r.repair_schemes and length and http_length(rest):
        text[0] = rest
        length = http_length(rest)
        rest.p += length
        rest.n -= length
    k = length
    while r.collapse_authority_slashes and length and k < text.n and text.p[k] == c'/':
        k += 1
    if k > length:
        b = fresh(s)
        buffer_copy(b, text.p, length)
        buffer_copy(b, text.p + k, text.n - k)
        take(text, b)
    return 0


cdef inline bint turn_backslashes(Slice* text, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Turn each "\\" before the first "?" or "#" into "/" if the scheme is special. Returns False if the text has a
    "\\" and the profile rejects such texts."""
    cdef Buffer* b
    cdef const uint8_t* end
    cdef size_t k, stop
    if not has(text[0], c'\\'):
        return True
    if r.backslashes == BACKSLASHES_REFUSE:
        return refuse(why, INVALID_REVERSE_SOLIDUS, NO_SCHEME_STATE, find(text.p, text.p + text.n, c'\\'))
    if scheme_kind(text.p, scheme_length(text[0])) == NOT_SPECIAL:
        return True
    end = find(text.p, text.p + text.n, c'?')
    stop = find(text.p, end, c'#') - text.p
    b = fresh(s)
    buffer_copy(b, text.p, text.n)
    for k in range(stop):
        if b.p[k] == c'\\':
            b.p[k] = c'/'
    take(text, b)
    return True


cdef inline bint clean(Slice* text, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Prepare the text for the split into components. Returns False if the text is rejected."""
    cdef Buffer* b
    trim(text, r)
    if r.remove_tabs:
        drop_tabs(text, s)
    if r.fragment_first:
        text.n = find(text.p, text.p + text.n, c'#') - text.p
    if r.decode_first and has(text[0], c'%'):
        b = fresh(s)
        write_unescaped(b, text.p, text.n)
        take(text, b)
    if (r.default_scheme[0] or r.schemes[0]) and not give_scheme(text, r, s, why):
        return False
    if r.repair_schemes or r.collapse_authority_slashes:
        repair_http(text, r, s)
    return r.backslashes == BACKSLASHES_KEEP or turn_backslashes(text, r, s, why)


# --- the components of the text -------------------------------------------------------------------
# The machine finds the components. Profiles differ in how they read the authority.

cdef inline Slice cut(const uint8_t* p, size_t start, size_t end) noexcept nogil:
    cdef Slice part
    part.p = p + start
    part.n = end - start
    return part


cdef inline Slice cut_span(const uint8_t* p, Span lies) noexcept nogil:
    """Return the slice of p with the component at the span `lies`. If the component is absent, the slice's p is
    NULL."""
    cdef Slice part
    part.p, part.n = NULL, 0
    if lies.start != ABSENT:
        part = cut(p, lies.start, lies.end)
    return part


cdef inline bint standard_text(Machine* m, Slice* text, Offsets* o, Scratch* s, KeyFailure* why) except -1 nogil:
    """Set `text` to the serialisation of the URL that the machine found, and `o` to its offsets
    (#concept-url-serializer). Returns False if the URL is rejected."""
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
    """Set the user information to the text before the first "@" of the authority, the host to the text up to the next
    ":" outside of brackets, and the port to the text after this ":"."""
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
    """Set the host to all text after the last "@" of the authority, without any ":" at its end; there is no port."""
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
    """If the host has a "[", set the host to the text between it and the next "]" (or the end). With IPV6_BARE, look
    for the brackets in all the text after the user information; a port can begin only after the "]". With
    IPV6_BARE_WITHOUT_DOTS, a host that has a dot stays unchanged."""
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
    """Set the host to the first segment of the path that is not empty, and remove this segment from the path."""
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
    """Set the components as the plain lane finds them; they are the same in all dialects. Returns False if the text is
    not plain, has an empty path, or has a backslash that the profile refuses: then the machine has to run."""
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
    """Find the components of the text with the machine. Returns False if the text is rejected."""
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


# --- checks of the authority ----------------------------------------------------------------------

cdef inline bint is_ip_literal(const uint8_t* p, const uint8_t* end) except -1 nogil:
    """Return whether the text from p to `end` is an IPv6 address, perhaps with a zone, or an IPvFuture: "v",
    hexadecimal digits, ".", and at least one byte more (RFC 3986 section 3.2.2)."""
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
    """Check the brackets as urlsplit does, in the whole authority or, with BRACKETS_WHOLE, in the part after the user
    information. Returns False if the authority is rejected."""
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
    """Check the brackets and characters of an authority. Returns False if it is rejected."""
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


# --- user information -----------------------------------------------------------------------------

cdef inline bint write_userinfo(Buffer* b, Slice userinfo, const Rules* r) except -1 nogil:
    """Append the user information and "@", if the text has user information and the rules keep it."""
    cdef const uint8_t* end = userinfo.p + userinfo.n
    cdef const uint8_t* colon
    if userinfo.p == NULL or r.userinfo == USERINFO_DROP:
        return True
    if r.userinfo == USERINFO_KEEP:
        buffer_copy(b, userinfo.p, userinfo.n)
    else:
        colon = find(userinfo.p, end, c':')
        write_recoded(b, userinfo.p, colon - userinfo.p, &r.userinfo_safe)
        if colon < end:
            buffer_put(b, c':')
            write_recoded(b, colon + 1, end - colon - 1, &r.userinfo_safe)
    buffer_put(b, c'@')
    return True


# --- IPv4 -----------------------------------------------------------------------------------------

cdef inline int read_numbers(const uint8_t* p, size_t n, bint only_digits, uint64_t* values) noexcept nogil:
    """Read one to four numbers with dots between them. A number is decimal, octal (after "0") or, unless only_digits is
    true, hexadecimal (after "0x"). Returns how many numbers p[0:n] consists of, or 0 for any other string."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* stop
    cdef const uint8_t* q
    cdef int count = 0
    cdef bint non_decimal
    while True:
        stop = find(p, end, c'.')
        if count == 4 or stop - p > 64:
            return 0
        q = p
        while only_digits and q < stop:
            if not CLASS[q[0]] & DIGIT:
                return 0
            q += 1
        if not ipv4_number(p, stop - p, &values[count], &non_decimal):
            return 0
        count += 1
        if stop == end:
            return count
        p = stop + 1


cdef inline bint number_modulo(const uint8_t* p, size_t n, uint64_t most, uint64_t* value) noexcept nogil:
    """Return whether p[0:n] is a decimal number that is at most `most` (0: any number is allowed). Sets *value to the
    number modulo 2**32."""
    cdef size_t k
    cdef uint64_t number = 0
    cdef bint exceeded = False
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return False
        if most != 0 and number > (most - (p[k] - c'0')) // 10:
            exceeded = True
        number = number * 10 + (p[k] - c'0')  # wraps modulo 2**64
    value[0] = <uint32_t>number
    return n > 0 and not exceeded


cdef inline bint four_numbers(const uint8_t* p, size_t n, uint64_t* value) noexcept nogil:
    """Read an address of four numbers up to 255. If the first begins with "0", all are octal, otherwise all are
    decimal. Returns False for any other string."""
    cdef uint32_t radix = 8 if p[0] == c'0' else 10
    cdef uint32_t number = 0
    cdef size_t k, digits = 0, dots = 0
    value[0] = 0
    for k in range(n + 1):
        if k == n or p[k] == c'.':
            if not digits or number > 255:
                return False
            value[0] = value[0] << 8 | number
            dots += k < n
            number = digits = 0
        else:
            if not CLASS[p[k]] & DIGIT or <uint32_t>(p[k] - c'0') >= radix:
                return False
            number = min(number * radix + p[k] - c'0', 256)
            digits += 1
    return dots == 3


cdef inline bint read_ipv4(const uint8_t* p, size_t n, const Rules* r, uint64_t* address) noexcept nogil:
    """Read the host p[0:n] as an IPv4 address in one of the forms that the rules allow. Returns False for any other
    host."""
    cdef uint64_t[4] values
    cdef int k, count
    if n == 0 or not CLASS[p[0]] & DIGIT:
        return False
    if r.ipv4 == IPV4_FOUR:
        return number_modulo(p, n, (<uint64_t>1 << 63) - 1, address) or four_numbers(p, n, address)
    if r.ipv4 == IPV4_INET_ATON and number_modulo(p, n, 0, address):
        return True
    if r.ipv4 == IPV4_INET_ATON and p[0] == c'0':  # as in surt's OCTAL_IP: all numbers must be octal if the first is
        for k in range(<int>n):
            if p[k] == c'8' or p[k] == c'9':
                return False
    count = read_numbers(p, n, r.ipv4 == IPV4_INET_ATON, values)
    address[0] = 0
    for k in range(count):
        if r.ipv4 == IPV4_ANY:
            if values[k] >> 32:
                return False
            values[k] &= (<uint64_t>1 << (8 if k + 1 < count else 8 * (5 - count))) - 1
        elif (k + 1 < count and values[k] > 255) or values[k] >> 8 * (5 - count) != 0:
            return False
        address[0] += values[k] << 8 * (3 - k) if k + 1 < count else values[k]
    return count > 0


cdef inline int write_ipv4(Buffer* b, uint64_t address) except -1 nogil:
    cdef int k
    for k in range(4):
        if k:
            buffer_put(b, c'.')
        write_number(b, address >> 8 * (3 - k) & 0xFF, 10)
    return 0


# --- IPv6 -----------------------------------------------------------------------------------------

cdef inline bint write_ipv6(Buffer* b, Slice host, const Rules* r, bint* done) except -1 nogil:
    """Append an IPv6 address in brackets, and set *done to True. With IPV6_RFC5952, the address is in the form of RFC
    5952, or unchanged if it cannot be read; with IPV6_BRACKETED, it is recoded like a name. For a literal without ":"
    (RFC 3986's IPvFuture), append nothing and set *done to False: the caller handles it."""
    cdef uint16_t[8] pieces
    cdef const uint8_t* end = find(host.p, host.p + host.n, c']')
    cdef const uint8_t* zone = find(host.p, end, c'%')
    done[0] = find(host.p, end, c':') < end
    if not done[0]:
        return True
    if r.ipv6 == IPV6_BRACKETED:
        write_recoded(b, host.p, zone - host.p, &r.host_safe)
        buffer_copy(b, zone, end - zone)
        return buffer_put(b, c']') == 0
    if read_pieces(host.p, zone - host.p, pieces):
        ipv6_serializer(b, pieces)
        b.n -= 1
    else:
        buffer_copy(b, host.p, zone - host.p)
    buffer_copy_lower(b, zone, end - zone)
    buffer_put(b, c']')
    return True


cdef inline Slice inside_brackets(Slice host) noexcept nogil:
    """Return the part of the host between the first "[" and the next "]"."""
    cdef const uint8_t* end = host.p + host.n
    cdef Slice inside
    inside.p = find(host.p, end, c'[') + 1
    inside.n = find(inside.p, end, c']') - inside.p
    return inside


# --- "www", and the labels in the order of a SURT -------------------------------------------------

cdef inline size_t www_end(const uint8_t* p, size_t n) noexcept nogil:
    """Return the length of "www", digits (if any) and "." at the beginning of the host p[0:n]; 0 if they are not
    there."""
    cdef size_t k = 3
    if n < 4 or p[0] != c'w' or p[1] != c'w' or p[2] != c'w':
        return 0
    while k < n and CLASS[p[k]] & DIGIT:
        k += 1
    return k + 1 if k < n and p[k] == c'.' else 0


cdef inline bint is_dotted_digits(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n] consists of four groups of one to three digits, with dots between them."""
    cdef size_t k, digits = 0, dots = 0
    for k in range(n):
        if p[k] == c'.' and digits:
            dots += 1
            digits = 0
        elif CLASS[p[k]] & DIGIT and digits < 3:
            digits += 1
        else:
            return False
    return dots == 3 and digits > 0


cdef inline int reverse_labels(Buffer* b, size_t start, Buffer* scratch) except -1 nogil:
    """Reverse the order of the labels from b.p[start] on, and put "," between them."""
    cdef const uint8_t* p
    cdef size_t end, begin
    scratch.n = 0
    buffer_copy(scratch, b.p + start, b.n - start)
    p = scratch.p
    end = scratch.n
    b.n = start
    while True:
        begin = end
        while begin and p[begin - 1] != c'.':
            begin -= 1
        buffer_copy(b, p + begin, end - begin)
        if not begin:
            return 0
        buffer_put(b, c',')
        end = begin - 1


cdef inline bint write_plain_labels(Buffer* b, Slice host, const Rules* r) except -1 nogil:
    """Append the labels of a host that the plain lane found, the last label first. A "www" is left out if the rules say
    so. The result is the same as with the other steps in write_host. Returns False, and appends nothing, if only those
    steps can write the host."""
    cdef uint64_t dots = dots_of(host.p, <uint32_t>host.n)
    cdef uint32_t first = 0, start, size, end = <uint32_t>host.n
    cdef uint8_t* out
    if host.n > 64 or dots & 1 or dots & dots >> 1:
        return False
    while r.www != WWW_KEEP:
        size = <uint32_t>www_end(host.p + first, host.n - first)
        if not size or (r.www_needs_dot and not dots >> (first + size)):
            break
        first += size
        if r.www != WWW_ALL:
            break
    buffer_reserve(b, host.n)
    out = b.p + b.n
    while True:
        start = label_start(host.p, end, dots)
        memcpy(out, host.p + start, end - start)
        out += end - start
        if start <= first:
            break
        out[0] = c','
        out += 1
        end = start - 1
    b.n = out - b.p
    return True


# --- the host -------------------------------------------------------------------------------------

cdef inline bint is_ascii(const uint8_t* p, size_t n) noexcept nogil:
    cdef size_t k
    cdef uint8_t seen = 0
    for k in range(n):
        seen |= p[k]
    return seen < 0x80


cdef inline bint take_ascii(Slice* host, Buffer* b, const Rules* r) except -1 with gil:
    """Set the host to its ASCII form, which is stored in b. If it has no ASCII form, return False if the rules require
    one; otherwise set the host to its lower case."""
    from urlsm.crawler.idn import host_to_ascii, lower_case
    cdef bytes octets = host.p[:host.n]
    cdef object found = host_to_ascii(octets, <int>r.idna, r.host_case == HOST_CASE_LOWER_NAME)
    if found is None:
        if r.idna_required:
            return False
        found = lower_case(octets, <int>r.idna)
    octets = found
    b.n = 0
    buffer_copy(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
    take(host, b)
    return True


cdef inline int take_dots(Slice* host, Buffer* b, const Rules* r) except -1 nogil:
    """Remove from the host the dots that the rule `dots` does not keep."""
    cdef const uint8_t* p = host.p
    cdef size_t n = host.n, k = 0, out = 0
    cdef bint doubled = False
    if r.dots == DOTS_TRAILING:
        host.n -= n > 0 and p[n - 1] == c'.'
        return 0
    while k + 1 < n and not doubled:
        doubled = p[k] == c'.' and p[k + 1] == c'.'
        k += 1
    if doubled:
        if p != b.p:
            b.n = 0
            buffer_copy(b, p, n)
        k = 0
        while k < n:
            b.p[out] = b.p[k]
            if b.p[k] == c'.':
                while k + 1 < n and b.p[k + 1] == c'.':
                    k += 1
                    if r.dots == DOTS_PAIRS:
                        break
            out += 1
            k += 1
        p = b.p
        n = out
    while n and p[n - 1] == c'.':
        n -= 1
    while n and p[0] == c'.':
        p += 1
        n -= 1
    host.p, host.n = p, n
    return 0


cdef inline int drop_www(Buffer* b, size_t start, const Rules* r) except -1 nogil:
    cdef size_t begin = start, size
    while True:
        size = www_end(b.p + begin, b.n - begin)
        if not size or (r.www_needs_dot and memchr(b.p + begin + size, c'.', b.n - begin - size) == NULL):
            break
        begin += size
        if r.www != WWW_ALL:
            break
    memmove(b.p + start, b.p + begin, b.n - begin)
    b.n -= begin - start
    return 0


cdef inline int unescape_host(Slice* host, const Rules* r, Scratch* s) except -1 nogil:
    """Decode the host's escapes if the rules say so and the host has a "%". Returns whether this was done."""
    if r.host_decode == DECODE_NONE or memchr(host.p, c'%', host.n) == NULL:
        return False
    if r.host_decode == DECODE_REPEATEDLY:
        write_unescaped(&s.host, host.p, host.n)
    else:
        write_unquoted(&s.host, host.p, host.n, False)
    take(host, &s.host)
    return True


cdef inline bint write_host(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s,
                            KeyFailure* why) except -1 nogil:
    """Append the host. Returns False if the host is rejected."""
    cdef Slice host = parts.host
    cdef const uint8_t* where = host.p
    cdef size_t start = b.n, name
    cdef uint64_t address
    cdef bint done = False, decoded = False
    s.host.n = 0
    if parts.plain and r.key_form == KEY_FORM_SURT and r.plain.labels_kept and write_plain_labels(b, host, r):
        return True
    if not parts.plain:
        if (r.ipv6 == IPV6_RFC5952 or r.ipv6 == IPV6_BRACKETED) and memchr(host.p, c'[', host.n) != NULL:
            write_ipv6(b, host, r, &done)
            if done:
                return True
            host = inside_brackets(host)
        decoded = unescape_host(&host, r, s)
        if r.idna != IDNA_NONE and not is_ascii(host.p, host.n) and not take_ascii(&host, &s.host, r):
            return refuse(why, DOMAIN_TO_ASCII, HOST_STATE, where)
    if r.dots != DOTS_KEEP:
        take_dots(&host, &s.host, r)
    if r.ipv4 != IPV4_KEEP and not parts.plain and read_ipv4(host.p, host.n, r, &address):
        write_ipv4(b, address)
    else:
        if r.host_others == HOST_OTHERS_REFUSE and not (
            is_within(host.p, host.n, r) and (not decoded or is_host_again(host.p, host.n, parts.port.n > 0))
        ):
            return refuse(why, HOST_INVALID_CODE_POINT, HOST_STATE, where)
        name = find(host.p, host.p + host.n, c'%') - host.p if r.host_case == HOST_CASE_LOWER_NAME else host.n
        write_recoded(b, host.p, name, &r.host_safe)
        buffer_copy(b, host.p + name, host.n - name)
        if r.www != WWW_KEEP:
            drop_www(b, start, r)
    if r.key_form == KEY_FORM_SURT and (r.reverse_addresses or not is_dotted_digits(b.p + start, b.n - start)):
        reverse_labels(b, start, &s.host)
    return True


cdef inline bint is_within(const uint8_t* p, size_t n, const Rules* r) noexcept nogil:
    """Return whether the rule host_set keeps all bytes of the host."""
    cdef size_t k
    for k in range(n):
        if r.host_safe.raw.written[p[k]][3] != 1:
            return False
    return True


cdef inline bint is_host_again(const uint8_t* p, size_t n, bint port) noexcept nogil:
    """Return whether a host is still valid after its escapes were decoded. Text before an "@" is ignored. Brackets must
    hold an IPv6 address. If there is a ":", only a port may follow it. port: whether the authority has a port after the
    host; then the host may not have a ":"."""
    cdef uint16_t[8] pieces
    cdef const uint8_t* end = p + n
    cdef const uint8_t* k = p
    cdef uint64_t number = 0
    while k < end:
        if k[0] == c'@':
            p = k + 1
        k += 1
    if p < end and p[0] == c'[':
        k = find(p, end, c']')
        if k == end or not read_pieces(p, k - p, pieces):
            return False
        p = k + 1
        if p < end and p[0] != c':':
            return False
    if find(p, end, c'[') < end or find(p, end, c']') < end:
        return False
    k = find(p, end, c':') + 1
    if k > end:
        return True
    if port:
        return False
    while k < end:
        number = number * 10 + k[0] - c'0'
        if not CLASS[k[0]] & DIGIT or number >> 31:
            return False
        k += 1
    return True


# --- the port -------------------------------------------------------------------------------------

cdef inline bint write_port(Buffer* b, const KeyParts* parts, const Rules* r, KeyFailure* why) except -1 nogil:
    """Append ":" and the port, or nothing if there is no port or the rules drop it. Returns False if the port is
    rejected."""
    cdef const uint8_t* p = parts.port.p
    cdef size_t n = parts.port.n, k
    cdef uint64_t port = 0
    if r.ports == PORTS_AFTER_COLONS:
        while n and p[n - 1] == c':':
            n -= 1
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return refuse(why, PORT_INVALID, PORT_STATE, p + k)
        port = min(port * 10 + p[k] - c'0', <uint64_t>1 << 31)
    if port >> (31 if r.ports == PORTS_ANY else 16):
        return refuse(why, PORT_OUT_OF_RANGE, PORT_STATE, p)
    if not n or r.port == PORT_DROP or (port == 0 and r.port == PORT_DROP_HTTP_DEFAULT_AND_0):
        return True
    if r.port != PORT_KEEP and port == listed_port(parts.kind) and port \
            and (r.port == PORT_DROP_DEFAULT or parts.kind == HTTP or parts.kind == HTTPS):
        return True
    buffer_put(b, c':')
    write_number(b, port, 10)
    return True


# --- the path -------------------------------------------------------------------------------------
# The path is first recoded and appended to the key; then parts of it are removed in place.

cdef inline bint has_dots_or_slashes(const uint8_t* p, size_t n, bint slashes) noexcept nogil:
    """Return whether p[0:n] contains "/." or, if slashes is true, "//"."""
    cdef uint8_t other = c'/' if slashes else c'.'
    cdef uint64_t second
    cdef size_t k = 0
    while n >= 9 and k + 1 < n:
        k = min(k, n - 9)  # at the end, read the last nine octets, some of them a second time
        second = word_at(p + k + 1)
        if octets_equal(word_at(p + k), c'/') & (octets_equal(second, c'.') | octets_equal(second, other)):
            return True
        k += 8
    while k + 1 < n:
        if p[k] == c'/' and (p[k + 1] == c'.' or p[k + 1] == other):
            return True
        k += 1
    return False


cdef inline size_t resolve_dots(uint8_t* p, size_t n, const Rules* r) noexcept nogil:
    """Resolve the dot segments of the path p[0:n], and merge its slashes, in place, each if the rules say so. Returns
    the new length. The path begins with "/". An escaped dot does not count as a dot."""
    cdef bint wayback = r.dot_segments == DOT_SEGMENTS_WAYBACK
    cdef size_t out = without_dots(p, n, 0, r.dot_segments != DOT_SEGMENTS_NONE, r.merge_slashes, wayback)
    if wayback:
        out = merge_slashes(p, out)
    if out == 0:
        p[0] = c'/'
        out = 1
    return out


cdef inline size_t merge_slashes(uint8_t* p, size_t n) noexcept nogil:
    """Merge each run of slashes in p[0:n] into one. Returns the new length."""
    cdef size_t k, out = 0
    for k in range(n):
        if not (p[k] == c'/' and out and p[out - 1] == c'/'):
            p[out] = p[k]
            out += 1
    return out


cdef inline size_t param_start(const KeyParts* parts, const Rules* r) noexcept nogil:
    """Return where the parameters of the last segment begin: at its first ";". Return the length of the path if there
    is no ";", or if the URL has a scheme without parameters (one that is not in the rule `params`)."""
    cdef const uint8_t* p = parts.path.p
    cdef size_t n = parts.path.n, k = n, found = n
    if n == 0 or memchr(p, c';', n) == NULL:
        return n
    if parts.scheme.n and not is_listed(r.path_params_schemes, parts.scheme.p, parts.scheme.n):
        return n
    while k and p[k - 1] != c'/':
        k -= 1
        if p[k] == c';':
            found = k
    return found


cdef inline bint takes_slash(const KeyParts* parts, bint has_host, const Rules* r) noexcept nogil:
    """Return whether an empty path becomes "/", by the rule empty_path."""
    if r.empty_path == EMPTY_PATH_SLASH:
        return True
    if r.empty_path == EMPTY_PATH_SLASH_BEFORE_SPECIAL_QUERY:
        return parts.query.n and parts.kind != NOT_SPECIAL
    return r.empty_path == EMPTY_PATH_SLASH_AFTER_HOST_OR_BEFORE_QUERY and (has_host or parts.query.n)


cdef inline int write_path(Buffer* b, const KeyParts* parts, bint has_host, const Rules* r) except -1 nogil:
    """Append the path."""
    cdef size_t start = b.n, n = parts.path.n, params = n
    cdef bint rooted
    if parts.opaque:
        return buffer_copy(b, parts.path.p, n)
    if r.path_params_schemes[0]:
        params = param_start(parts, r)
    write_recoded(b, parts.path.p, params, &r.path_safe)
    if b.n == start and takes_slash(parts, has_host, r):
        buffer_put(b, c'/')
    rooted = b.n > start and b.p[start] == c'/' and (r.dot_segments != DOT_SEGMENTS_WAYBACK or has_host)
    if rooted and (r.dot_segments != DOT_SEGMENTS_NONE or r.merge_slashes) \
            and has_dots_or_slashes(b.p + start, b.n - start, r.merge_slashes):
        b.n = start + resolve_dots(b.p + start, b.n - start, r)
    if r.path_sessions:
        b.n = start + without_path_sessions(b.p + start, b.n - start)
    if r.trailing_slash != TRAILING_SLASH_KEEP and b.n > start and b.p[b.n - 1] == c'/' \
            and (b.n > start + 1 or r.trailing_slash == TRAILING_SLASH_STRIP):
        b.n -= 1
    if n > params + 1:
        buffer_put(b, c';')
        write_recoded(b, parts.path.p + params + 1, n - params - 1, &r.path_params_safe)
    return 0


# --- the query: its fields, and their order -------------------------------------------------------

cdef enum:
    FIELDS_STACK = 32        # up to this many fields are stored on the stack
    STACK_ROOM = 48          # the length of the array on the stack: FIELDS_STACK, and half as much again for sorting

cdef struct Field:
    const uint8_t* name
    size_t name_n
    const uint8_t* value     # the text after "="
    size_t value_n
    bint equals              # whether the field has a "="
    bint escaped             # whether the name has escapes and has to be decoded for sorting
    uint64_t first           # the first eight octets of the name, in the form that compare_first compares


cdef inline int compare_octets(const uint8_t* a, size_t a_n, const uint8_t* b, size_t b_n) noexcept nogil:
    cdef int order = memcmp(a, b, min(a_n, b_n))
    return order if order else (a_n > b_n) - (a_n < b_n)


cdef inline int compare_first(const Field* a, const Field* b) noexcept nogil:
    """Compare the first eight bytes of two names. If the result is not 0, it is also the order of the names."""
    return (a.first > b.first) - (a.first < b.first)


cdef inline int compare_pairs(const void* one, const void* other) noexcept nogil:
    """Compare two fields by name, then by whether there is a "=", then by value."""
    cdef const Field* a = <const Field*>one
    cdef const Field* b = <const Field*>other
    return compare_first(a, b) or compare_octets(a.name, a.name_n, b.name, b.name_n) or a.equals - b.equals \
        or compare_octets(a.value, a.value_n, b.value, b.value_n)


cdef inline int compare_names(const void* one, const void* other) noexcept nogil:
    cdef const Field* a = <const Field*>one
    cdef const Field* b = <const Field*>other
    return compare_first(a, b) or compare_octets(a.name, a.name_n, b.name, b.name_n)


cdef inline int next_decoded(const uint8_t** p, const uint8_t* end) noexcept nogil:
    """Return the byte at *p, or the byte that the escape at *p stands for, and move *p past it; return -1 at the
    end."""
    cdef int octet
    if p[0] == end:
        return -1
    octet = octet_escaped(p[0], end - p[0])
    p[0] += 3 if octet >= 0 else 1
    return octet if octet >= 0 else (p[0] - 1)[0]


cdef inline int compare_decoded_names(const void* one, const void* other) noexcept nogil:
    cdef const Field* a = <const Field*>one
    cdef const Field* b = <const Field*>other
    cdef const uint8_t* p = a.name
    cdef const uint8_t* q = b.name
    cdef int left = compare_first(a, b), right = 0
    if left or not (a.escaped or b.escaped):
        return left or compare_octets(a.name, a.name_n, b.name, b.name_n)
    while left == right and left >= 0:
        left = next_decoded(&p, a.name + a.name_n)
        right = next_decoded(&q, b.name + b.name_n)
    return left - right


cdef inline void set_first(Field* f, bint decoded) noexcept nogil:
    """Set `first`, the number that compare_first compares, to the first eight bytes of the name, padded with zeros. If
    `decoded` is true, the escapes of the name are decoded for this."""
    cdef const uint8_t* p = f.name
    cdef const uint8_t* end = p + f.name_n
    cdef uint64_t first = 0
    cdef int k = 8
    f.escaped = decoded and find(p, end, c'%') != end
    if not f.escaped and f.name_n >= 8:
        first = word_in_order(p)
    else:
        while k and p < end:
            k -= 1
            first |= <uint64_t>next_decoded(&p, end if f.escaped else p + 1) << 8 * k
    f.first = first


cdef inline compare_fn comparison(const Rules* r) noexcept nogil:
    if r.sort_params == SORT_PARAMS_PAIRS:
        return compare_pairs
    return compare_names if r.sort_params == SORT_PARAMS_NAMES else compare_decoded_names


cdef inline bint sort(Field* fields, size_t count, const Rules* r) noexcept nogil:
    """Sort the fields. Returns whether their order changed. The array must have room for half as many fields behind
    them, which is used for merging."""
    cdef size_t k
    cdef compare_fn compare = comparison(r)
    for k in range(count):
        set_first(&fields[k], r.sort_params == SORT_PARAMS_DECODED_NAMES)
    k = 1
    while k < count and compare(&fields[k - 1], &fields[k]) <= 0:
        k += 1
    if k >= count:
        return False
    merge_sort(fields, fields + count, count, sizeof(Field), compare)
    return True


# --- the query: how fields are read, dropped and written ------------------------------------------
# With the rule `fields` set to "raw", the fields are read from the recoded query. With "form", they are read from the
# query as given, decoded, and written form-encoded.

cdef inline size_t count_fields(const uint8_t* p, size_t n, const Rules* r) noexcept nogil:
    """Return the number of fields in p[0:n], including fields that will be dropped."""
    cdef const uint8_t* end = p + n
    cdef size_t count = 1
    while True:
        p = field_end(p, end, r.param_separators[0], r.param_separators[1])
        if p == end:
            return count
        p += 1
        count += 1


cdef inline bint is_dropped(const Field* f, bint decoded, const Rules* r) except? -1 nogil:
    if not f.name_n and not f.equals:
        return not r.keep_empty_params
    if not f.name_n and not r.keep_nameless_params:
        return True
    if r.blank_values == BLANK_VALUES_DROP and not f.value_n:
        return True
    if r.remove_params == NULL:
        return False
    if decoded:
        return is_named(r.remove_params, f.name, f.name_n)
    return is_field_named(r.remove_params, f.name, f.name_n, True)


cdef inline int set_decoded(const uint8_t** p, size_t* n, Buffer* piece) except -1 nogil:
    """Decode the n[0] bytes at p[0] as forms do. The result is appended to `piece`, which has room for the whole
    query; p[0] and n[0] are set to the result."""
    cdef size_t start = piece.n
    write_unquoted(piece, p[0], n[0], True)
    p[0] = piece.p + start
    n[0] = piece.n - start
    return 0


cdef inline size_t read_fields(Field* fields, const uint8_t* p, size_t n, bint decode, const Rules* r, Buffer* piece,
                               bint* changed) except? 0xFFFFFFFF nogil:
    """Read the fields of the query p[0:n] that the rules keep, and return how many there are. Sets *changed to True if
    a field was dropped, or will be written differently."""
    cdef QueryField given
    cdef Field* f
    cdef size_t count = 0
    if decode:
        buffer_reserve(piece, n + 16)
    given.next = p
    while next_field(&given, p + n, r.param_separators[0], r.param_separators[1]):
        f = &fields[count]
        f.name = given.name
        f.name_n = given.equals - given.name
        f.equals = given.equals < given.end
        f.value = value_of(&given)
        f.value_n = given.end - f.value
        if decode:
            set_decoded(&f.name, &f.name_n, piece)
            set_decoded(&f.value, &f.value_n, piece)
        if is_dropped(f, decode or r.params_reading == PARAMS_READING_FORM, r):
            changed[0] = True
        else:
            if r.blank_values == BLANK_VALUES_BARE and f.equals and not f.value_n:
                f.equals = False
                changed[0] = True
            count += 1
        if given.next != NULL and given.end[0] != r.param_separators[0]:
            changed[0] = True
    return count


cdef inline int write_raw(Buffer* b, const Field* fields, size_t count, const Rules* r) except -1 nogil:
    cdef size_t k
    for k in range(count):
        if k:
            buffer_put(b, r.param_separators[0])
        buffer_copy(b, fields[k].name, fields[k].name_n)
        if fields[k].equals:
            buffer_put(b, c'=')
            buffer_copy(b, fields[k].value, fields[k].value_n)
    return 0


cdef inline int write_form(Buffer* b, const Field* fields, size_t count, const Rules* r) except -1 nogil:
    cdef const Quoting* quoting = quoting_at(UNRESERVED_OR_PLUS)
    cdef size_t k
    for k in range(count):
        if k:
            buffer_put(b, r.param_separators[0])
        write_quoted(b, fields[k].name, fields[k].name_n, quoting)
        buffer_put(b, c'=')
        write_quoted(b, fields[k].value, fields[k].value_n, quoting)
    return 0


cdef inline bint is_form(const Field* fields, size_t count) noexcept nogil:
    """Return whether each field has exactly one "=". A field whose bytes need no encoding is then already
    form-encoded."""
    cdef size_t k
    for k in range(count):
        if not fields[k].equals or find(fields[k].value, fields[k].value + fields[k].value_n, c'=') \
                != fields[k].value + fields[k].value_n:
            return False
    return True


cdef inline int write_fields(Buffer* b, Slice query, Field* fields, const Rules* r, Buffer* piece) except -1 nogil:
    """Append the query's fields, or the query itself if no field changes.

    If the rule `fields` is "raw", the query is already at the end of b; if a field changes, the query is replaced
    there.
    """
    cdef bint form = r.params_reading == PARAMS_READING_FORM, changed = False
    cdef bint plain = all_kept(query.p, query.n, quoting_at(UNRESERVED_OR_FIELDS)) if form else False
    cdef bint decode = form and not (plain and r.param_separators[0] == c'&')
    cdef size_t start = b.n if form else b.n - query.n
    cdef size_t count
    piece.n = 0
    count = read_fields(fields, query.p, query.n, decode, r, piece, &changed)
    if r.sort_params != SORT_PARAMS_NONE and sort(fields, count, r):
        changed = True
    if form:
        if changed or decode or not is_form(fields, count):
            return write_form(b, fields, count, r)
        return buffer_copy(b, query.p, query.n)
    if changed:
        write_raw(piece, fields, count, r)
        b.n = start
        buffer_copy(b, piece.p, piece.n)
    return 0


cdef inline int write_split(Buffer* b, Slice query, const Rules* r, Buffer* piece) except -1 nogil:
    cdef Field[STACK_ROOM] stack
    cdef Field* fields = stack
    cdef size_t most = count_fields(query.p, query.n, r)
    if most > FIELDS_STACK:
        fields = <Field*>malloc((most + most // 2) * sizeof(Field))
        if fields == NULL:
            with gil:
                raise MemoryError()
    try:
        write_fields(b, query, fields, r, piece)
    finally:
        if fields != stack:
            free(fields)
    return 0


cdef inline int write_query(Buffer* b, Slice query, bint split, bint special, const Rules* r,
                            Buffer* piece) except -1 nogil:
    """Append "?" and the query, or nothing. split: whether the query is read as fields. special: whether the scheme is
    special."""
    cdef size_t start = b.n
    cdef bint form = split and r.params_reading == PARAMS_READING_FORM
    cdef Slice written
    if query.p == NULL or r.query == QUERY_DROP:
        return 0
    buffer_put(b, c'?')
    if query.n and not form:
        write_recoded(b, query.p, query.n, &r.special_query_safe if special else &r.query_safe)
        if r.query_sessions:
            b.n = start + 1 + without_query_sessions(b.p + start + 1, b.n - start - 1)
    if query.n and split:
        written.p, written.n = b.p + start + 1, b.n - start - 1
        if form or written.n:
            write_split(b, query if form else written, r, piece)
    if b.n == start + 1 and not (r.empty_query and query.n == 0):
        b.n = start
    return 0


# --- the key --------------------------------------------------------------------------------------

cdef int write_scheme(Buffer* b, const KeyParts* parts, const Rules* r) except -1 nogil:
    """Append the scheme and ":", if there is a scheme."""
    cdef const Slice* scheme = &parts.scheme
    if scheme.n == 0:
        return 0
    if r.scheme == SCHEME_HTTP and parts.kind == HTTPS:
        return buffer_copy(b, <const uint8_t*>b"http:", 5)
    if r.scheme == SCHEME_LOWER or r.scheme == SCHEME_HTTP:
        buffer_copy_lower(b, scheme.p, scheme.n)
    else:
        buffer_copy(b, scheme.p, scheme.n)
    return buffer_put(b, c':')


cdef struct Written:         # which parts of an authority were written into the key
    bint host
    bint authority


cdef bint write_host_and_port(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s, KeyFailure* why,
                              Written* written) except -1 nogil:
    """Append the host and port, and set written.host to whether there is a host. Returns False if one of them is
    rejected."""
    cdef size_t start = b.n
    if not write_host(b, parts, r, s, why):
        return False
    written.host = b.n > start
    return write_port(b, parts, r, why)


cdef bint write_url_authority(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s, KeyFailure* why,
                              Written* written) except -1 nogil:
    """Append the scheme and "//" (if the rule `form` is "url"), the user information, the host and the port. Returns
    False if one of them is rejected."""
    cdef size_t start, authority
    if parts.plain and r.plain.head_kept:
        written.host = written.authority = True
        return buffer_copy(b, parts.scheme.p, parts.host.p + parts.host.n - parts.scheme.p) == 0
    if r.key_form == KEY_FORM_URL and r.scheme != SCHEME_DROP:
        write_scheme(b, parts, r)
    start = b.n
    if parts.host.p == NULL:
        return True
    if r.key_form == KEY_FORM_URL:
        buffer_copy(b, <const uint8_t*>b"//", 2)
    authority = b.n
    write_userinfo(b, parts.userinfo, r)
    if not write_host_and_port(b, parts, r, s, why, written):
        return False
    written.authority = b.n > authority or r.no_authority == NO_AUTHORITY_WHATWG
    if not written.authority:
        b.n = start
    return True


cdef bint write_surt_authority(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s, KeyFailure* why,
                               Written* written) except -1 nogil:
    """Append the beginning of a SURT: the host's labels, the last label first, the port and ")", and before them the
    scheme and "//(" unless the rules drop the scheme. If there is no host, append only the scheme. Returns False if the
    host or the port is rejected."""
    cdef size_t start = b.n
    if r.scheme != SCHEME_DROP:
        write_scheme(b, parts, r)
        buffer_copy(b, <const uint8_t*>b"//(", 3)
    if not write_host_and_port(b, parts, r, s, why, written):
        return False
    if not written.host:
        b.n = start
        write_scheme(b, parts, r)
        return True
    if r.trailing_comma:
        buffer_put(b, c',')
    buffer_put(b, c')')
    return True


cdef int insert(Buffer* b, size_t at, const char* octets, size_t n) except -1 nogil:
    """Insert octets[0:n] at b.p[at]."""
    buffer_reserve(b, n)
    memmove(b.p + at + n, b.p + at, b.n - at)
    memcpy(b.p + at, octets, n)
    b.n += n
    return 0


cdef int mark_no_authority(Buffer* b, size_t path, const KeyParts* parts, const Rules* r) except -1 nogil:
    """Insert before the path what the rule no_authority asks for in a URL without an authority."""
    cdef bint rooted = b.n > path and b.p[path] == c'/'
    cdef bint double_slash = rooted and b.n - path >= 2 and b.p[path + 1] == c'/'
    cdef bint listed
    if r.no_authority == NO_AUTHORITY_NONE:
        return 0
    if r.no_authority == NO_AUTHORITY_WHATWG:
        return insert(b, path, b"/.", 2) if double_slash and parts.host.p == NULL and not parts.opaque else 0
    listed = is_listed(r.netloc_schemes, parts.scheme.p, parts.scheme.n)
    if r.no_authority == NO_AUTHORITY_URLLIB:
        return insert(b, path, b"//", 2) if double_slash or (listed and (rooted or b.n == path)) else 0
    return insert(b, path, b"///", 2 if rooted else 3) if listed and not double_slash else 0


cdef int write_fragment(Buffer* b, Slice fragment, const Rules* r) except -1 nogil:
    if r.fragment == FRAGMENT_DROP or fragment.n == 0:
        return 0
    if r.fragment == FRAGMENT_ROUTES and fragment.p[0] != c'/' and fragment.p[0] != c'!':
        return 0
    buffer_put(b, c'#')
    return write_recoded(b, fragment.p, fragment.n, &r.fragment_safe)


cdef bint write_key(Buffer* b, const uint8_t* p, size_t n, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Append the key of the text p[0:n], where n <= MAX_KEY_TEXT. If the text is rejected, return False and fill in
    `why`; b may then hold a part of a key."""
    cdef Slice text
    cdef KeyParts parts
    cdef size_t path
    cdef Written written
    written.host = written.authority = False
    if n == 0 and r.empty != NULL:
        return buffer_copy(b, <const uint8_t*>r.empty, strlen(r.empty)) == 0
    if r.verbatim != NULL and n and is_named(r.verbatim, p, n):
        return buffer_copy(b, p, n) == 0
    text.p, text.n = p, n
    if r.plain.read and take_plain(&parts, p, n, r):
        pass
    elif not clean(&text, r, s, why) or not take_parts(&parts, text, r, s, why):
        return False
    if r.key_form == KEY_FORM_SURT:
        if not write_surt_authority(b, &parts, r, s, why, &written):
            return False
    elif not write_url_authority(b, &parts, r, s, why, &written):
        return False
    if not written.host and (r.host_required == HOST_REQUIRED_YES or (
            r.host_required == HOST_REQUIRED_OR_REST and parts.host.p != NULL
            and parts.port.p == NULL and not parts.path.n and parts.query.p == NULL)):
        return refuse(why, HOST_MISSING, HOST_STATE, parts.host.p)
    path = b.n
    write_path(b, &parts, written.host, r)
    if r.key_form == KEY_FORM_URL and not written.authority:
        mark_no_authority(b, path, &parts, r)
    write_query(b, parts.query, r.split_params and (
        not r.sorted_schemes[0] or is_listed(r.sorted_schemes, parts.scheme.p, parts.scheme.n)),
        parts.kind != NOT_SPECIAL, r, &s.piece)
    write_fragment(b, parts.fragment, r)
    return True


# --- the rules of a profile, from the fields of its record ----------------------------------------

cdef void fill(Recoding* coding, bytes kept, int unescape=DECODE_NONE, bytes escapes_kept=b"", bint lower=False,
               bint lower_escapes=False) noexcept:
    """Set the tables of a Recoding so that it keeps the unreserved bytes and the bytes in `kept` (None: all bytes),
    and encodes all other bytes.

    unescape: which escapes are decoded first (enum Unescape). escapes_kept: bytes whose escapes DECODE_ONCE does not
    decode. lower: whether letters are written in lower case. lower_escapes: whether the hexadecimal digits of escapes
    are in lower case.
    """
    cdef Quoting* raw = &coding.raw
    cdef uint8_t[256][4] encoded
    cdef int k
    cdef uint8_t octet
    cdef bint decoded
    raw[0] = quoting_at(UNRESERVED)[0]
    for k in range(256):
        encoded[k][0] = c'%'
        encoded[k][1] = (b"0123456789abcdef" if lower_escapes else b"0123456789ABCDEF")[k >> 4]
        encoded[k][2] = (b"0123456789abcdef" if lower_escapes else b"0123456789ABCDEF")[k & 15]
        encoded[k][3] = 3
        if raw.written[k][3] == 3:
            memcpy(raw.written[k], encoded[k], 4)
    for octet in bytes(range(256)) if kept is None else kept:
        raw.written[octet][0] = octet
        raw.written[octet][3] = 1
        if octet < 0x80:
            raw.low[octet & 15] |= 1 << (octet >> 4)
    if lower:
        for k in range(c'A', c'Z' + 1):
            raw.written[k][0] = k | 0x20
            raw.low[k & 15] &= ~(1 << (k >> 4))
    if unescape != DECODE_NONE:
        raw.low[c'%' & 15] &= ~(1 << (c'%' >> 4))
    coding.escapes = unescape == DECODE_ONCE or unescape == DECODE_UNRESERVED
    coding.repeatedly = unescape == DECODE_REPEATEDLY
    memset(coding.escaped, 0, sizeof(coding.escaped))
    for k in range(256):
        decoded = k not in escapes_kept if unescape == DECODE_ONCE \
            else quoting_at(UNRESERVED).written[k][3] == 1
        memcpy(coding.escaped[k], &raw.written[k][0] if decoded else &encoded[k][0], 4)


@cython.binding(False)
cdef class Rulebook:
    """The rules of a profile, in the form that write_key reads. They never change after they are set."""

    def __cinit__(self, dict fields not None):
        memset(&self.rules, 0, sizeof(Rules))
        self.set_dialect(fields["dialect"], fields["fragment_first"])
        self.values = {rule.name: rule.value(fields[rule.name]) for rule in _TABLE}
        if self.values["default_scheme"]:
            self.values["default_scheme"] += b"://"
        set_rules(&self.rules, self.values)
        self.set_names(fields["verbatim"], fields["remove_params"])
        self.set_separators(fields["param_separators"])
        self.set_codings(self.values)
        self.set_plain()

    cdef int set_dialect(self, str name, bint fragment_first) except -1:
        cdef Dialect* dialect = &self.rules.dialect
        if name not in DIALECTS:
            raise ValueError(f"dialect must be one of {', '.join(DIALECTS)}, not {name!r}")
        dialect[0] = dialect_at(DIALECTS.index(name))[0]
        self.standard = dialect.url_standard
        if not self.standard:
            # clean() trims the text before the machine reads it, and all these profiles read schemes in the same way
            dialect.trim = dialect.trim_end = 0
            dialect.scheme_first, dialect.scheme_char = ALPHA, SCHEME_CHAR
        if fragment_first:
            dialect.authority_stop &= ~HASH
            dialect.path_stop &= ~HASH
            dialect.query_stop &= ~HASH
        return 0

    cdef int set_names(self, tuple verbatim, tuple remove) except -1:
        if verbatim:
            self.verbatim = NameSet(verbatim)
            self.rules.verbatim = &self.verbatim.names
        if remove:
            self.remove = NameSet(remove)
            self.rules.remove_params = &self.remove.names
        return 0

    cdef int set_separators(self, str separators) except -1:
        cdef int k
        if not 1 <= len(separators) <= 2:
            raise ValueError(f"param_separators must be one or two characters, not {separators!r}")
        for k in range(len(separators)):
            self.rules.param_separators[k] = ord(separators[k])
        return 0

    cdef int set_codings(self, dict values) except -1:
        cdef Rules* r = &self.rules
        fill(&r.userinfo_safe, values["userinfo_safe"], DECODE_ONCE)
        fill(&r.host_safe, values["host_safe"], DECODE_NONE, b"", r.host_case != HOST_CASE_KEEP,
             r.host_case == HOST_CASE_LOWER_ESCAPES)
        fill(&r.path_safe, values["path_safe"], r.path_decode, values["path_keep"], r.path_lower, r.path_lower)
        fill(&r.path_params_safe, values["path_params_safe"])
        fill(&r.query_safe, values["query_safe"], r.query_decode, b"", r.query_lower, r.query_lower)
        r.special_query_safe = r.query_safe
        if values["special_query_safe"] is not None:
            fill(&r.special_query_safe, values["special_query_safe"], r.query_decode, b"", r.query_lower, r.query_lower)
        fill(&r.fragment_safe, values["fragment_safe"])
        return 0

    cdef int set_plain(self) except -1:
        cdef Rules* r = &self.rules
        cdef int octet
        # The plain lane ends the path of every URL at "?". This is wrong in the dialect rfc1738, where only the schemes
        # in with_query have a query; in all other dialects, with_query is empty.
        r.plain.read = not r.decode_first and not r.dialect.with_query[0] and (not r.schemes[0] or (
            is_listed(r.schemes, <const uint8_t*>b"http", 4) and is_listed(r.schemes, <const uint8_t*>b"https", 5)))
        r.plain.head_kept = r.key_form == KEY_FORM_URL and r.scheme in (SCHEME_LOWER, SCHEME_KEEP) \
            and r.www == WWW_KEEP and r.dots in (DOTS_KEEP, DOTS_TRAILING) and self.values["host_safe"] is None
        r.plain.labels_kept = True
        for octet in range(128):
            if not CLASS[octet] & (UPPER | FORBIDDEN_DOMAIN):
                r.plain.labels_kept &= r.host_safe.raw.written[octet][3] == 1 \
                    and r.host_safe.raw.written[octet][0] == octet
        return 0
