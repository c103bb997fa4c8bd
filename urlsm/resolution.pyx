"""Resolving a reference in the dialects other than the URL Standard: RFC 3986 and RFC 2396 section 5.2, Barth's section 4.

The machine finds the components of both; what is taken from which is put together here, octet for octet: nothing is
encoded, decoded or folded.
"""
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memmove
from urlsm.buffer cimport (
    Buffer, ascii_data, ascii_text, is_ascii, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start,
)
from urlsm.chars cimport CLASS, SCHEME_CHAR
from urlsm.codes cimport MISSING_SCHEME_NON_RELATIVE_URL, TOO_LONG
from urlsm.log cimport NO_SCHEME_STATE, SCHEME_START_STATE
from urlsm.machine cimport (
    ABSENT, AUTHORITY, FRAGMENT, MAX_LENGTH, Machine, PATH, QUERY, SCHEME, Span, dialect_at, prepare, run,
)
from urlsm.path cimport shorten, write_segments
from urlsm.reader cimport Failure, error_of, read_octets
from urlsm.record cimport Offsets
from urlsm.special cimport FILE, is_windows_drive_letter
from urlsm.text cimport Octets, octets_of
from urlsm.url cimport URL, as_url, read_url
from urlsm.components import dialect_number
from urlsm.errors import ParseError

cdef int RFC3986 = dialect_number("rfc3986")

cdef enum DotRule:
    KEEP_DOTS        # the path is written as it is
    REMOVE_DOTS      # RFC 3986 section 5.2.4
    REMOVE_PAIRS     # RFC 2396 section 5.2, step 6 c to f: ".." that have nothing to remove stay


cdef struct Taken:
    # where each component comes from: the machine that split its text, or NULL where it is absent
    const Machine* authority
    const Machine* query
    DotRule dots
    bint merge               # the path is the base's up to its last "/", and the reference's


def resolve(base, ref, dialect, bint strict=True) -> str:
    """urlsm.resolve, in a dialect other than whatwg. Its docstring says the rest."""
    cdef Machine b, r
    cdef Octets base_text = None, ref_text = None
    cdef bint plain = type(base) is str and type(ref) is str and is_ascii(base) and is_ascii(ref) \
        and len(<str>base) <= MAX_LENGTH and len(<str>ref) <= MAX_LENGTH
    if base is None:
        raise TypeError("a base is str, bytes or urlsm.URL, not NoneType")
    if dialect == "stdlib":
        from urlsm.stdlib import urljoin
        return urljoin(getattr(base, "href", base), getattr(ref, "href", ref))
    cdef int number = RFC3986 if dialect == "rfc3986" else dialect_number(dialect)
    if plain:
        prepare(&b, ascii_data(base), len(<str>base), dialect_at(number))
        prepare(&r, ascii_data(ref), len(<str>ref), dialect_at(number))
    else:
        base_text, ref_text = octets_of(base, isinstance(base, str)), octets_of(ref, isinstance(ref, str))
        if base_text.too_long or ref_text.too_long:
            raise refused(base if base_text.too_long else ref, TOO_LONG, dialect)
        prepare(&b, base_text.p, base_text.n, dialect_at(number))
        prepare(&r, ref_text.p, ref_text.n, dialect_at(number))
    ran(&b, base, dialect)
    if dialect == "barth":
        return resolve_barth(&b, &r)
    ran(&r, ref, dialect)
    if dialect == "rfc1738":
        # "relative" URLs are RFC 1808's
        if absent(&r, SCHEME):
            raise ValueError("RFC 1738 has no relative references")
        return text_of(r.text.p, r.text.end)
    if absent(&b, SCHEME):
        raise refused(base, MISSING_SCHEME_NON_RELATIVE_URL, dialect)
    return resolve_2396(&b, &r, strict) if dialect == "rfc2396" else resolve_3986(&b, &r, strict)


def resolve_many(base, refs, dialect="whatwg", *, bint strict=True) -> list:
    """The text of the URL that each reference is, relative to one base: a page's links in one call.

    Args:
        base: str, bytes or URL. refs: an iterable of them. dialect, strict: as resolve has them.

    Returns:
        a list of str, None in the place of each reference that is no URL.

    Raises:
        ParseError: the base is no URL. ValueError: no such dialect, or one without references. TypeError: not a text.
    """
    cdef URL whatwg_base
    cdef Offsets o
    cdef Failure failure
    cdef list found = []
    if dialect != "whatwg":
        resolve(base, base, dialect, strict)  # so that a refusal is of the reference
        for ref in refs:
            try:
                found.append(resolve(base, ref, dialect, strict))
            except ParseError:
                found.append(None)
        return found
    whatwg_base = as_url(base)
    if whatwg_base is None:
        raise TypeError("a base is str, bytes or urlsm.URL, not NoneType")
    for ref in refs:
        if type(ref) is str and is_ascii(ref) and len(<str>ref) <= MAX_LENGTH:
            found.append(read_octets(ascii_data(ref), len(<str>ref), <str>ref, whatwg_base.href, &whatwg_base.o, None, &o,
                                     &failure, NULL))
        else:
            url = read_url(octets_of(ref, False), whatwg_base, None, &failure, NULL)
            found.append(None if url is None else (<URL>url).href)
    return found


def same_document(base, ref, dialect="rfc3986") -> bool:
    """Does a reference name the document that it stands in, so that nothing need be retrieved?

    rfc2396: it has nothing but a fragment, or is empty (section 4.2). rfc3986: the URI that it resolves to is the base,
    fragments aside (section 4.4). whatwg: as that, of parsed URLs.

    Args:
        base, ref: str, bytes or URL. dialect: "rfc3986", "rfc2396", "barth" or "whatwg".

    Raises:
        ParseError: one of them is no URL there. ValueError: no such dialect, or one without references. TypeError: not a text.
    """
    from urlsm.components import split
    from urlsm.url import resolve
    if dialect == "rfc1738":
        raise ValueError("RFC 1738 has no relative references")
    if dialect == "rfc2396":
        c = split(ref, dialect)
        return c.scheme is None and c.authority is None and not c.path and c.query is None
    return resolve(base, ref, dialect).partition("#")[0] == resolve(base, "", dialect).partition("#")[0]


cdef inline int ran(Machine* m, given, dialect) except -1:
    """Run the machine; ParseError where the dialect refuses."""
    cdef Failure failure
    if not run(m):
        failure.removed_from, failure.code, failure.step, failure.at = -1, m.error, m.error_step, m.error_at
        error = error_of(given, &failure)
        error.facts += (dialect,)
        raise error
    return 0


cdef object refused(given, code, dialect):
    cdef Failure failure
    failure.removed_from, failure.code, failure.at = -1, code, 0
    failure.step = SCHEME_START_STATE if code == TOO_LONG else NO_SCHEME_STATE
    error = error_of(given, &failure)
    error.facts += (dialect,)
    return error


cdef inline bint absent(const Machine* m, int which) noexcept nogil:
    return m.spans[which].start == ABSENT


cdef inline uint32_t length(const Machine* m, int which) noexcept nogil:
    return m.spans[which].end - m.spans[which].start


cdef inline const uint8_t* octets(const Machine* m, int which) noexcept nogil:
    return m.text.p + m.spans[which].start


cdef inline bint is_absolute(const Machine* b, const Machine* r, bint strict) noexcept nogil:
    """Has the reference a scheme that counts? "if (not strict and (R.scheme == Base.scheme)) then undefine(R.scheme)"."""
    if absent(r, SCHEME):
        return False
    return strict or length(b, SCHEME) != length(r, SCHEME) \
        or not same_text(octets(b, SCHEME), octets(r, SCHEME), length(b, SCHEME))


cdef str resolve_3986(const Machine* b, const Machine* r, bint strict):
    """RFC 3986 section 5.2.2."""
    cdef Taken t
    t.authority, t.query, t.dots, t.merge = b, r, REMOVE_DOTS, False
    # "if defined(R.scheme) then T.scheme = R.scheme; T.authority = R.authority; [...]"
    if is_absolute(b, r, strict):
        t.authority = r
        return written(r, r, r, &t)
    # "if defined(R.authority) then T.authority = R.authority"
    if not absent(r, AUTHORITY):
        t.authority = r
    # "if (R.path == "") then T.path = Base.path; if defined(R.query) then T.query = R.query; else T.query = Base.query"
    elif length(r, PATH) == 0:
        t.query, t.dots = b if absent(r, QUERY) else r, KEEP_DOTS
        return written(b, b, r, &t)
    # "if (R.path starts-with "/") then T.path = remove_dot_segments(R.path); else T.path = merge(Base.path, R.path)"
    else:
        t.merge = octets(r, PATH)[0] != c'/'
    return written(b, r, r, &t, b)


cdef str resolve_2396(const Machine* b, const Machine* r, bint strict):
    """RFC 2396 section 5.2."""
    cdef Taken t
    t.authority, t.query, t.dots, t.merge = b, r, KEEP_DOTS, False
    # "3) If the scheme component is defined, [...] the reference is interpreted as an absolute URI"
    if is_absolute(b, r, strict):
        t.authority = r
        return written(r, r, r, &t)
    # "4) If the authority component is defined, then the reference is a network-path and we skip to step 7."
    if not absent(r, AUTHORITY):
        t.authority = r
        return written(b, r, r, &t)
    # "2) If the path component is empty and the scheme, authority, and query components are undefined, then it is a
    # reference to the current document"
    if length(r, PATH) == 0 and absent(r, QUERY):
        t.query = b
        return written(b, b, r, &t)
    # "5) If the path component begins with a slash character ("/"), then the reference is an absolute-path"
    if length(r, PATH) and octets(r, PATH)[0] == c'/':
        return written(b, r, r, &t)
    t.dots, t.merge = REMOVE_PAIRS, True
    return written(b, r, r, &t, b)


cdef str written(const Machine* scheme, const Machine* path, const Machine* fragment, const Taken* t,
                 const Machine* base=NULL):
    """RFC 3986 section 5.3, RFC 2396 section 5.2 step 7."""
    cdef Buffer out
    cdef Buffer merged
    cdef const uint8_t* p
    cdef size_t n, start
    buffer_start(&out)
    buffer_start(&merged)
    try:
        if not absent(scheme, SCHEME):
            copy(&out, scheme, SCHEME)
            buffer_put(&out, c':')
        if not absent(t.authority, AUTHORITY):
            buffer_copy(&out, <const uint8_t*>b"//", 2)
            copy(&out, t.authority, AUTHORITY)
        p, n = octets(path, PATH), length(path, PATH)
        if t.merge:
            merge(&merged, base, path)
            p, n = merged.p, merged.n
        start = out.n
        if t.dots == KEEP_DOTS:
            buffer_copy(&out, p, n)
        elif t.dots == REMOVE_DOTS:
            write_without_dots(&out, p, n)
        else:
            write_without_pairs(&out, p, n)
        if absent(t.authority, AUTHORITY) and out.n - start >= 2 and out.p[start] == c'/' and out.p[start + 1] == c'/':
            # a gap in both RFCs: it would read as an authority. "/." before it, as the URL serializer has it
            buffer_reserve(&out, 2)
            memmove(out.p + start + 2, out.p + start, out.n - start)
            out.p[start + 1] = c'.'
            out.n += 2
        if not absent(t.query, QUERY):
            buffer_put(&out, c'?')
            copy(&out, t.query, QUERY)
        if not absent(fragment, FRAGMENT):
            buffer_put(&out, c'#')
            copy(&out, fragment, FRAGMENT)
        return text_of(out.p, out.n)
    finally:
        buffer_free(&out)
        buffer_free(&merged)


cdef inline int copy(Buffer* out, const Machine* m, int which) except -1:
    return buffer_copy(out, octets(m, which), length(m, which))


cdef int merge(Buffer* out, const Machine* base, const Machine* r) except -1:
    """RFC 3986 section 5.2.3."""
    cdef uint32_t n = length(base, PATH)
    # "If the base URI has a defined authority component and an empty path, then return a string consisting of "/"
    # concatenated with the reference's path" (RFC 2396 forgot it)
    if not absent(base, AUTHORITY) and n == 0:
        buffer_put(out, c'/')
    # "all but the last segment of the base URI's path"
    while n and octets(base, PATH)[n - 1] != c'/':
        n -= 1
    buffer_copy(out, octets(base, PATH), n)
    return copy(out, r, PATH)


cdef inline size_t segment_end(const uint8_t* p, size_t begin, size_t n) noexcept nogil:
    while begin < n and p[begin] != c'/':
        begin += 1
    return begin


cdef inline int dots(const uint8_t* p, size_t begin, size_t end) noexcept nogil:
    """1: the segment is ".", 2: "..", 0: another."""
    if end - begin > 2 or end == begin or p[begin] != c'.' or p[end - 1] != c'.':
        return 0
    return end - begin


cdef int write_without_dots(Buffer* out, const uint8_t* p, size_t n) except -1:
    """remove_dot_segments (RFC 3986 section 5.2.4): a segment goes over with the "/" before it."""
    cdef size_t start = out.n, begin = 0, end
    cdef int which
    # A. "If the input buffer begins with a prefix of "../" or "./"", D. "consists only of "." or "..""
    if n and p[0] != c'/':
        while True:
            end = segment_end(p, begin, n)
            if not dots(p, begin, end):
                break
            begin = end + 1
            if end == n or begin == n:
                return 0
        buffer_copy(out, p + begin, end - begin)  # E, without "/"
        begin = end
    while begin < n:
        end = segment_end(p, begin + 1, n)
        which = dots(p, begin + 1, end)
        if which == 0:
            buffer_copy(out, p + begin, end - begin)  # E
        # C. "remove the last segment and its preceding "/" (if any) from the output buffer"
        if which == 2:
            while out.n > start:
                out.n -= 1
                if out.p[out.n] == c'/':
                    break
        # B, C: the "/" after "." or ".." remains: it is the next segment's, or stands for itself
        if which and end == n:
            buffer_put(out, c'/')
        begin = end
    return 0


cdef int write_without_pairs(Buffer* out, const uint8_t* p, size_t n) except -1:
    """RFC 2396 section 5.2, step 6 c to f, of a merged path. A segment goes over with the "/" after it."""
    cdef size_t start = out.n, begin = 0, end, last
    cdef int which
    if n and p[0] == c'/':
        buffer_put(out, c'/')
        start, begin = out.n, 1
    while begin < n:
        end = segment_end(p, begin, n)
        which = dots(p, begin, end)
        if which == 2:
            last = out.n - 1 if out.n > start else start
            while last > start and out.p[last - 1] != c'/':
                last -= 1
            # "All occurrences of "<segment>/../", where <segment> is a complete path segment not equal to "..""
            if out.n > start and not dots(out.p, last, out.n - 1) == 2:
                out.n = last
            else:
                which = 0
        if which == 0:
            buffer_copy(out, p + begin, end - begin)
            if end < n:
                buffer_put(out, c'/')
        begin = end + 1
    return 0


cdef str resolve_barth(const Machine* b, const Machine* r):
    """draft-abarth-url-00, section 4. What it leaves open is as in the URL Standard: paths, and that a base that is not
    hierarchical resolves only fragments."""
    cdef const uint8_t* p = r.text.p
    # "leading and trailing control characters" are off already
    cdef uint32_t begin = r.text.start, end = r.text.end, colon, k
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
            return text_of(p + begin, end - begin)
        begin = colon + 1
    buffer_start(&out)
    try:
        write_barth(&out, b, p + begin, end - begin)
        return text_of(out.p, out.n)
    finally:
        buffer_free(&out)


cdef int write_barth(Buffer* out, const Machine* b, const uint8_t* p, uint32_t n) except -1:
    """"Given a string relative-url and a ParsedURL base-url\""""
    cdef uint32_t k = 0, start
    cdef uint8_t first = p[0] if n else 0
    if b.opaque_path:
        if first != c'#':
            raise refused(text_of(p, n), MISSING_SCHEME_NON_RELATIVE_URL, "barth")
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


cdef inline bint same_text(const uint8_t* a, const uint8_t* b, uint32_t n) noexcept nogil:
    """ASCII case-insensitive match."""
    cdef uint32_t k
    for k in range(n):
        if a[k] != b[k] and not (a[k] | 0x20 == b[k] | 0x20 and c'a' <= a[k] | 0x20 <= c'z'):
            return False
    return True


cdef str text_of(const uint8_t* p, size_t n):
    return PyUnicode_DecodeUTF8(<const char*>p, n, "surrogatepass")
