"""The changes that a profile makes to a text before it is split.

Most texts need no change: then the slice is of the given text. Rewritten texts go to one of two buffers in turn, so
that a step never writes to the buffer that it reads.
"""
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp, strlen
from urlsm.crawler.recoding cimport write_unescaped
from urlsm.crawler.rules cimport (
    BACKSLASHES_KEEP, BACKSLASHES_REFUSE, Rules, SCHEME_SIGN_COLON, SCHEME_SIGN_COLON_SLASH, SCHEME_SIGN_LISTED,
    TRIM_C0_SPACE, TRIM_NOTHING,
)
from urlsm.crawler.structs cimport KeyFailure, Scratch, fresh, refuse, take
from urlsm.machine.codes cimport INVALID_REVERSE_SOLIDUS, MISSING_SCHEME_NON_RELATIVE_URL, SCHEME_NOT_READ
from urlsm.machine.log cimport NO_SCHEME_STATE, SCHEME_STATE
from urlsm.machine.special cimport NOT_SPECIAL, is_listed, scheme_kind
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_reserve
from urlsm.octets.chars cimport ALPHA, C0_OR_SPACE, CLASS, DIGIT, SCHEME_CHAR
from urlsm.octets.find cimport find
from urlsm.octets.slice cimport Slice


cdef inline bint is_trimmed(uint8_t octet, const Rules* r) noexcept nogil:
    if r.trim == TRIM_C0_SPACE:
        return CLASS[octet] & C0_OR_SPACE != 0
    return octet == c' ' or 9 <= octet <= 13


cdef inline void trim(Slice* text, const Rules* r) noexcept nogil:
    if r.trim == TRIM_NOTHING:
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
    """Return the length of the scheme before the ":"; 0 if there is none."""
    cdef size_t k = 0
    if text.n and CLASS[text.p[0]] & ALPHA:
        while k < text.n and CLASS[text.p[k]] & SCHEME_CHAR:
            k += 1
    return k if k < text.n and text.p[k] == c':' else 0


cdef inline bint is_port_at(Slice text, size_t k) noexcept nogil:
    """Return whether digits follow up to the end of an authority."""
    if k >= text.n or not CLASS[text.p[k]] & DIGIT:
        return False
    while k < text.n and CLASS[text.p[k]] & DIGIT:
        k += 1
    return k == text.n or text.p[k] in (c'/', c'?', c'#')


cdef inline bint give_scheme(Slice* text, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Put the default scheme before a text without one. Returns False for a scheme that the profile does not read."""
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
    """Keep the last scheme of "http://https://", and two slashes of "http:////"."""
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
    while r.many_slashes and length and k < text.n and text.p[k] == c'/':
        k += 1
    if k > length:
        b = fresh(s)
        buffer_copy(b, text.p, length)
        buffer_copy(b, text.p + k, text.n - k)
        take(text, b)
    return 0


cdef inline bint turn_backslashes(Slice* text, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Turn "\\" into "/" under a special scheme, up to "?" or "#", or refuse it."""
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
    """Prepare the text for the split. Returns False if it is refused."""
    cdef Buffer* b
    trim(text, r)
    if r.remove_tabs:
        drop_tabs(text, s)
    if r.fragment_first:
        text.n = find(text.p, text.p + text.n, c'#') - text.p
    if r.unescape_first and has(text[0], c'%'):
        b = fresh(s)
        write_unescaped(b, text.p, text.n)
        take(text, b)
    if (r.default_scheme[0] or r.schemes[0]) and not give_scheme(text, r, s, why):
        return False
    if r.repair_schemes or r.many_slashes:
        repair_http(text, r, s)
    return r.backslashes == BACKSLASHES_KEEP or turn_backslashes(text, r, s, why)
