"""urlunsplit, urlunparse, urldefrag and urljoin of urllib.parse. Arguments: as in _parse.pyx."""
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.buffer cimport Buffer, ascii_data, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii
from urlsm.chars cimport DOT_SEGMENT
from urlsm.machine cimport ABSENT, AUTHORITY, FRAGMENT, Machine, PATH, QUERY, SCHEME, Span
from urlsm.stdlib._parse cimport (
    general, Kind, OCTETS, Octets, Piece, PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyUnicode_GET_LENGTH, UTF8, is_plain, listed,
    new_result, octets_of, params_of, parse, piece, piece_of, put, read, text_of,
)

import urllib.parse as theirs
from urlsm.stdlib._probe import DIFFERENCES

cdef extern from *:
    """
    #include "shortcut.h"
    URLSM_SHORTCUT(urlunsplit)
    URLSM_SHORTCUT(urldefrag)
    """
    void shorten_urlunsplit "urlsm_shortcut_urlunsplit"(object function, object (*one)(object))
    void shorten_urldefrag "urlsm_shortcut_urldefrag"(object function, object (*one)(object))
    uint32_t PyUnicode_MAX_CHAR_VALUE(object)
    Py_ssize_t PyUnicode_CopyCharacters(object, Py_ssize_t, object, Py_ssize_t, Py_ssize_t) except -1
    object PyUnicode_New(Py_ssize_t, uint32_t)

cdef object SplitResult = theirs.SplitResult
cdef object ParseResult = theirs.ParseResult
cdef object DefragResult = theirs.DefragResult
cdef list uses_relative = theirs.uses_relative  # the very lists: what is appended to them counts
cdef list uses_netloc = theirs.uses_netloc
cdef Py_ssize_t HTTPS_IN_RELATIVE = uses_relative.index("https")
cdef Py_ssize_t HTTPS_IN_NETLOC = uses_netloc.index("https")
cdef bint DOUBLES_SLASHES = DIFFERENCES["doubles_slashes"]
cdef bint KEEPS_RELATIVE_PATH = DIFFERENCES["keeps_relative_path"]


# --- putting together --------------------------------------------------------------------------

cdef enum:                   # what urlunsplit puts before the path
    SLASHES = 1              # "//" and the netloc, which may be empty
    SLASH = 2                # then "/"


cdef inline int prefix(bint has_netloc, bint uses_netloc, int first, int second) noexcept nogil:
    """What goes before a path that begins with these two octets (-1: it has none)."""
    if has_netloc:
        return SLASHES | (SLASH if first >= 0 and first != c'/' else 0)
    if first == c'/' and second == c'/':
        return SLASHES if DOUBLES_SLASHES else 0
    if not uses_netloc or (KEEPS_RELATIVE_PATH and first >= 0 and first != c'/'):
        return 0
    return SLASHES | (SLASH if first >= 0 and first != c'/' else 0)


cdef inline int character(str text, Py_ssize_t k) noexcept:
    """The ASCII character at k; -1 past the end, 0 for one that is not ASCII."""
    if k >= PyUnicode_GET_LENGTH(text):
        return -1
    cdef Py_UCS4 c = text[k]
    return <int>c if c < 128 else 0


cdef struct Pieces:
    (PyObject*)[12] items    # borrowed, exact str
    int count
    Py_ssize_t n             # characters in all
    uint32_t most            # the largest of them, or more


cdef inline void add(Pieces* pieces, object text) noexcept:
    pieces.items[pieces.count] = <PyObject*>text
    pieces.count += 1
    pieces.n += PyUnicode_GET_LENGTH(text)
    if not is_ascii(text):
        pieces.most = max(pieces.most, PyUnicode_MAX_CHAR_VALUE(text))


cdef object concatenated(const Pieces* pieces):
    cdef Py_ssize_t n = 0, size
    cdef object whole, piece
    cdef int k
    if pieces.count == 1:
        return <object>pieces.items[0]
    whole = PyUnicode_New(pieces.n, pieces.most)
    for k in range(pieces.count):
        piece = <object>pieces.items[k]
        size = PyUnicode_GET_LENGTH(piece)
        if pieces.most == 127:
            memcpy(ascii_data(whole) + n, ascii_data(piece), size)
        elif size:
            PyUnicode_CopyCharacters(whole, n, piece, 0, size)
        n += size
    return whole


cdef object unsplit(str scheme, str netloc, str path, str params, str query, str fragment):
    """urlunparse of exact str. What is empty is left out."""
    cdef Pieces pieces
    cdef int before, first = character(path, 0), second = character(path, 1)
    cdef bint with_params = PyUnicode_GET_LENGTH(params) > 0
    cdef bint has_netloc = PyUnicode_GET_LENGTH(netloc) > 0, has_scheme = PyUnicode_GET_LENGTH(scheme) > 0
    pieces.count, pieces.n, pieces.most = 0, 0, 127
    if with_params and first < 0:
        first = c';'
    before = prefix(has_netloc, not has_netloc and has_scheme and listed(uses_netloc, piece_of(scheme), HTTPS_IN_NETLOC), first, second)
    if has_scheme:
        add(&pieces, scheme)
        add(&pieces, ":")
    if before & SLASHES:
        add(&pieces, "//")
        add(&pieces, netloc)
    if before & SLASH:
        add(&pieces, "/")
    add(&pieces, path)
    if with_params:
        add(&pieces, ";")
        add(&pieces, params)
    if PyUnicode_GET_LENGTH(query):
        add(&pieces, "?")
        add(&pieces, query)
    if PyUnicode_GET_LENGTH(fragment):
        add(&pieces, "#")
        add(&pieces, fragment)
    return concatenated(&pieces)


cdef inline bint are_plain(object parts, Py_ssize_t size) noexcept:
    """Is it a tuple of so many exact str, or one of the interpreter's results?"""
    cdef Py_ssize_t k
    if type(parts) is not tuple and type(parts) is not SplitResult and type(parts) is not ParseResult \
            or PyTuple_GET_SIZE(parts) != size:
        return False
    for k in range(size):
        if type(<object>PyTuple_GET_ITEM(parts, k)) is not str:
            return False
    return True


cdef inline str part(object parts, Py_ssize_t k):
    return <str><object>PyTuple_GET_ITEM(parts, k)


def urlunsplit(components, *, keep_empty=None):
    """Put a URL together from scheme, netloc, path, query and fragment.

    Args:
        components: an iterable of five str, or of five bytes; what is empty, or None, is left out.
        keep_empty: leave out only what is None. By default that is so for results of missing_as_none=True.

    Raises:
        ValueError: not five. TypeError: str mixed with bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlunsplit
    """
    if keep_empty is None:
        return urlunsplit_one(components)
    return general().urlunsplit(components, keep_empty)


cdef object urlunsplit_one(object components):
    if type(components) is list:
        components = tuple(<list>components)
    if are_plain(components, 5):
        return unsplit(part(components, 0), part(components, 1), part(components, 2), "", part(components, 3),
                       part(components, 4))
    return general().urlunsplit(components, None)


shorten_urlunsplit(urlunsplit, urlunsplit_one)


def urlunparse(components, *, keep_empty=None):
    """Put a URL together from scheme, netloc, path, params, query and fragment; else as urlunsplit.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlunparse
    """
    if type(components) is list:
        components = tuple(<list>components)
    if keep_empty is None and are_plain(components, 6):
        return unsplit(part(components, 0), part(components, 1),
                       part(components, 2), part(components, 3),
                       part(components, 4), part(components, 5))
    return general().urlunparse(components, keep_empty)


def urldefrag(url, *, missing_as_none=False, keep_empty=None):
    """A URL without its fragment, and the fragment.

    Args:
        url: str or bytes. missing_as_none: a fragment that is absent is None, one that is empty is "".
        keep_empty: components of url that are empty stay (default: as missing_as_none).

    Returns:
        urllib.parse.DefragResult, of bytes DefragResultBytes; with missing_as_none a subclass of it. Raises what
        urlparse raises, where there is a "#".

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urldefrag
    """
    if missing_as_none or keep_empty is not None:
        from urlsm.stdlib import _results
        return _results.urldefrag(url, missing_as_none, keep_empty)
    return urldefrag_one(url)


cdef object urldefrag_one(object url):
    if type(url) is str:
        if is_ascii(url) and memchr(ascii_data(url), c'#', len(<str>url)) == NULL:
            return defrag_result(url, "")
        return defrag(url)
    return general().urldefrag(url)


shorten_urldefrag(urldefrag, urldefrag_one)


cdef inline bint is_as_written(const Machine* m) noexcept nogil:
    """Surely: does putting it together again give the text?"""
    cdef Span authority = m.spans[AUTHORITY], path = m.spans[PATH], query = m.spans[QUERY]
    return m.text.start == 0 and (query.start == ABSENT or query.start < query.end) \
        and (authority.start < authority.end or (authority.start == ABSENT and m.spans[SCHEME].start == ABSENT)) \
        and (path.start == path.end or m.text.p[path.end - 1] != c';')


cdef object defrag(str url):
    cdef Machine m
    cdef Octets o
    cdef uint32_t start
    owner = octets_of(url, &o)
    if memchr(o.p, c'#', o.n) == NULL:
        return defrag_result(url, "")
    owner = read(&m, owner, &o, True)
    if owner is url and is_as_written(&m):
        start = m.spans[FRAGMENT].start
        return defrag_result(text_of(o.p, start - 1, o.kind), text_of(o.p + start, o.n - start, o.kind))
    scheme, netloc, path, params, query, fragment = parse(url, "", True)
    return defrag_result(unsplit(scheme, netloc, path, params, query, ""), fragment)


cdef inline object defrag_result(object url, object fragment):
    result = new_result(DefragResult, 2)
    put(result, 0, url)
    put(result, 1, fragment)
    return result


# --- joining -----------------------------------------------------------------------------------

cdef inline const uint8_t* find(const uint8_t* p, const uint8_t* end, uint8_t octet) noexcept nogil:
    """Where p[0:end] first has the octet; end where it has not."""
    cdef const uint8_t* found = <const uint8_t*>memchr(p, octet, end - p)
    return end if found == NULL else found


cdef inline bint has_empty_segment(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Is there "//" in p[0:end]?"""
    while True:
        p = find(p, end, c'/') + 1
        if p >= end:
            return False
        if p[0] == c'/':
            return True


cdef struct Resolved:        # a path in the making: the segments left of urljoin's list, with "/" between them
    Buffer b
    bint any                 # is there a segment, be it empty?


cdef inline int add_segment(Resolved* path, const uint8_t* p, size_t n) except -1 nogil:
    if n == 1 and p[0] == c'.':
        return 0
    if n == 2 and p[0] == c'.' and p[1] == c'.':
        while path.b.n and path.b.p[path.b.n - 1] != c'/':
            path.b.n -= 1
        if path.b.n:
            path.b.n -= 1
        else:
            path.any = False
        return 0
    if path.any:
        buffer_put(&path.b, c'/')
    path.any = True
    return buffer_copy(&path.b, p, n)


cdef int add_segments(Resolved* path, const uint8_t* p, const uint8_t* end, bint keep_first, bint keep_last,
                      bint keep_others) except -1 nogil:
    """Add the segments of p[0:end]; of those that are empty only the ones that are kept. The last: if that is a
    dot segment, the path ends in "/"."""
    cdef const uint8_t* stop
    cdef bint keep = keep_first
    while True:
        stop = find(p, end, c'/')
        if stop > p or keep or (keep_last and stop == end):
            add_segment(path, p, stop - p)
        if stop == end:
            break
        p = stop + 1
        keep = keep_others
    if keep_last and ((stop - p == 1 and p[0] == c'.') or (stop - p == 2 and p[0] == c'.' and p[1] == c'.')):
        add_segment(path, p, 0)
    return 0


cdef int merge(Resolved* path, Piece base, bint base_has_dots, Piece ref) except -1 nogil:
    """The path of a reference that has one, on the base's (both without params): RFC 3986, 5.2.3 and 5.2.4, the way
    urljoin does it. It splits base and reference into one list of segments, drops those that are empty within it,
    and lets ".." take away even the empty one before the first "/"."""
    cdef const uint8_t* end = base.p + base.n
    if ref.n and ref.p[0] == c'/':
        add_segments(path, ref.p, ref.p + ref.n, True, True, True)
    else:
        while end > base.p and (end - 1)[0] != c'/':
            end -= 1
        if base.n and end == base.p:
            add_segments(path, ref.p, ref.p + ref.n, True, True, False)
        else:
            if base_has_dots or has_empty_segment(base.p, end):
                add_segments(path, base.p, end - 1 if base.n else end, True, False, False)
            else:
                buffer_copy(&path.b, base.p, end - 1 - base.p if base.n else 0)
                path.any = True
            add_segments(path, ref.p, ref.p + ref.n, False, True, False)
    if path.b.n == 0:
        buffer_put(&path.b, c'/')
    return 0


cdef int write_part(Buffer* b, uint8_t delimiter, Piece part) except -1 nogil:
    if part.n:
        buffer_put(b, delimiter)
        buffer_copy(b, part.p, part.n)
    return 0


cdef int write_url(Buffer* b, Piece scheme, bint uses_netloc, Piece netloc, Piece path, Piece params, Piece query,
                   Piece fragment) except -1 nogil:
    """urlunparse."""
    cdef int first = path.p[0] if path.n else c';' if params.n else -1
    cdef int before = prefix(netloc.n > 0, uses_netloc and scheme.n > 0, first, path.p[1] if path.n > 1 else -1)
    if scheme.n:
        buffer_copy(b, scheme.p, scheme.n)
        buffer_put(b, c':')
    if before & SLASHES:
        buffer_copy(b, <const uint8_t*>b"//", 2)
        buffer_copy(b, netloc.p, netloc.n)
    if before & SLASH:
        buffer_put(b, c'/')
    buffer_copy(b, path.p, path.n)
    write_part(b, c';', params)
    write_part(b, c'?', query)
    return write_part(b, c'#', fragment)


cdef inline Piece cut_params(Machine* m, Piece scheme) except *:
    """Take the params off the path."""
    cdef uint32_t semicolon = params_of(m, scheme), end = m.spans[PATH].end
    if semicolon == ABSENT:
        return Piece(m.text.p, 0)
    m.spans[PATH].end = semicolon
    return Piece(m.text.p + semicolon + 1, end - semicolon - 1)


cpdef object join(object base, object url, bint fragments):
    """urljoin of exact str, or exact bytes, neither of them empty."""
    cdef Machine b, r
    cdef Octets base_octets, octets
    cdef Piece scheme, netloc, path, params, base_params, query
    cdef Resolved resolved
    cdef Buffer out
    cdef bint has_netloc
    base_owner = octets_of(base, &base_octets)
    owner = octets_of(url, &octets)
    base_owner = read(&b, base_owner, &base_octets, fragments)
    owner = read(&r, owner, &octets, fragments)
    scheme = piece(&b, SCHEME)
    path = piece(&r, SCHEME)
    if r.spans[SCHEME].start != ABSENT and (path.n != scheme.n or memcmp(path.p, scheme.p, path.n) != 0) \
            or not listed(uses_relative, scheme, HTTPS_IN_RELATIVE):
        return url
    params = cut_params(&r, scheme)
    path, netloc, query = piece(&r, PATH), piece(&r, AUTHORITY), piece(&r, QUERY)
    has_netloc = listed(uses_netloc, scheme, HTTPS_IN_NETLOC)
    buffer_start(&out)
    buffer_start(&resolved.b)
    try:
        if not has_netloc or not netloc.n:
            if has_netloc:
                netloc = piece(&b, AUTHORITY)
            base_params = cut_params(&b, scheme)
            if not path.n and not params.n:
                path, params = piece(&b, PATH), base_params
                if not query.n:
                    query = piece(&b, QUERY)
            elif not path.n or path.p[0] != c'/' or r.path_seen & DOT_SEGMENT:
                resolved.any = False
                merge(&resolved, piece(&b, PATH), b.path_seen & DOT_SEGMENT, path)
                path = Piece(resolved.b.p, resolved.b.n)
        write_url(&out, scheme, has_netloc, netloc, path, params, query, piece(&r, FRAGMENT))
        return text_of(out.p, out.n, UTF8 if base_octets.kind == UTF8 else octets.kind)
    finally:
        buffer_free(&out)
        buffer_free(&resolved.b)


def urljoin(base, url, allow_fragments=True):
    """The URL that url is, relative to base, as text.

    Args:
        base, url: str or bytes, both the same. allow_fragments: does "#" begin a fragment?

    Raises:
        what urlparse raises of either.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urljoin
    """
    if type(base) is type(url) and is_plain(base) and type(allow_fragments) is bool:
        if not base:
            return url
        if not url:
            return base
        return join(base, url, allow_fragments)
    return general().urljoin(base, url, allow_fragments)
