"""References as browsers of 2011 resolved them: draft-abarth-url-00, section 4."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.components.spans cimport absent, copy, error_of_text, length, octets, same_text
from urlsm.machine.codes cimport MISSING_SCHEME_NON_RELATIVE_URL
from urlsm.machine.machine cimport AUTHORITY, Machine, PATH, QUERY, SCHEME
from urlsm.machine.special cimport FILE, is_windows_drive_letter
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_put, buffer_start, utf8_text
from urlsm.octets.chars cimport CLASS, SCHEME_CHAR
from urlsm.url.write.path cimport shorten, write_segments


cdef inline str resolve_barth(const Machine* b, const uint8_t* p, uint32_t begin, uint32_t end):
    """draft-abarth-url-00, section 4. It leaves paths open: they are resolved as in the URL Standard, in which, too, a
    base that is not hierarchical resolves only fragments."""
    # p[begin:end] is the reference without "leading and trailing control characters"
    cdef uint32_t colon, k
    cdef Buffer out
    cdef bint known = True
    colon = begin
    while colon < end and p[colon] != c':':
        colon += 1
    for k in range(begin, colon):
        known = known and CLASS[p[k]] & SCHEME_CHAR != 0
    # "[relative-url has no scheme, or it] contains a character that is not among the valid scheme characters"; one
    # letter is a Windows drive
    if colon < end and known and colon - begin != 1 and colon > begin:
        # "base-url's scheme is an ASCII case insensitive match [...] and the shared scheme is hierarchical"
        if b.opaque_path or colon - begin != length(b, SCHEME) \
                or not same_text(p + begin, octets(b, SCHEME), colon - begin):
            return utf8_text(p + begin, end - begin)
        begin = colon + 1
    buffer_start(&out)
    try:
        write_barth(&out, b, p + begin, end - begin)
        return utf8_text(out.p, out.n)
    finally:
        buffer_free(&out)


cdef inline int write_barth(Buffer* out, const Machine* b, const uint8_t* p, uint32_t n) except -1:
    """"Given a string relative-url and a ParsedURL base-url\""""
    cdef uint32_t k = 0, start
    cdef uint8_t first = p[0] if n else 0
    if b.opaque_path:
        if first != c'#':
            raise error_of_text(utf8_text(p, n), MISSING_SCHEME_NON_RELATIVE_URL, "barth")
        copy(out, b, SCHEME)
        buffer_put(out, c':')
        k = 0
        while k < length(b, PATH) and octets(b, PATH)[k] != c'#':
            k += 1
        buffer_copy(out, octets(b, PATH), k)
        return buffer_copy(out, p, n)
    copy(out, b, SCHEME)
    buffer_put(out, c':')
    # "the first [and] the second character is also a slash character": scheme-relative
    if n > 1 and is_slash(p[0]) and is_slash(p[1]):
        return buffer_copy(out, p, n)
    buffer_copy(out, <const uint8_t*>b"//", 2)
    if not absent(b, AUTHORITY):
        copy(out, b, AUTHORITY)
    # authority-relative
    if n and is_slash(first):
        return buffer_copy(out, p, n)
    # "identical to base-url, with the fragment, if any, removed"; query-relative; fragment-relative
    if n == 0 or first == c'?' or first == c'#':
        if not absent(b, PATH):
            copy(out, b, PATH)
        if first != c'?' and not absent(b, QUERY):
            buffer_put(out, c'?')
            copy(out, b, QUERY)
        return buffer_copy(out, p, n)
    # path-relative: "TODO"; as the URL Standard's path state
    start = out.n
    while k < n and p[k] != c'?' and p[k] != c'#':
        k += 1
    if not absent(b, PATH) and not (b.kind == FILE and starts_with_drive(p, n)):
        write_segments(out, start, octets(b, PATH), length(b, PATH), True, b.kind == FILE, 0)
        shorten(out, start, b.kind == FILE)
    write_segments(out, start, p, k, True, b.kind == FILE, 0)
    return buffer_copy(out, p + k, n - k)


cdef inline bint is_slash(uint8_t octet) noexcept nogil:
    return octet == c'/' or octet == c'\\'


cdef inline bint starts_with_drive(const uint8_t* p, uint32_t n) noexcept nogil:
    return n >= 2 and is_windows_drive_letter(p, 2) \
        and (n == 2 or is_slash(p[2]) or p[2] == c'?' or p[2] == c'#')
