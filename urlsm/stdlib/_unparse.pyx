"""urlunsplit, urlunparse and urldefrag of urllib.parse. Arguments: as in _parse.pyx."""
from cpython.object cimport PyObject
from libc.stdint cimport uint32_t
from libc.string cimport memchr, memcpy
from urlsm.machine.machine cimport ABSENT, AUTHORITY, FRAGMENT, Machine, PATH, QUERY, SCHEME, Span
from urlsm.machine.reading cimport Reading
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.once cimport stay_all
from urlsm.stdlib._parse cimport (
    Argument, PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyUnicode_GET_LENGTH, Shape, as_given, finished, general, listed,
    new_result, parse, place_of_https, put, read_argument, read_spans, shape_of, slice_of_text, slot,
)

import urllib.parse as theirs
from urlsm.stdlib._probe import DIFFERENCES, UNSPECIFIED

cdef extern from *:
    """
    #include "octets/shortcut.h"
    URLSM_SHORTCUT(urlunsplit)
    URLSM_SHORTCUT(urldefrag)
    """
    void shorten_urlunsplit "urlsm_shortcut_urlunsplit"(object function, object (*one)(object))
    void shorten_urldefrag "urlsm_shortcut_urldefrag"(object function, object (*one)(object))
    uint32_t PyUnicode_MAX_CHAR_VALUE(object)
    Py_ssize_t PyUnicode_CopyCharacters(object, Py_ssize_t, object, Py_ssize_t, Py_ssize_t) except -1
    object PyUnicode_New(Py_ssize_t, uint32_t)

cdef enum:
    SLASHES = 1              # before the path: "//" and the netloc, which may be empty
    SLASH = 2                # then "/"

cdef object SplitResult = theirs.SplitResult
cdef object ParseResult = theirs.ParseResult
cdef Shape SPLIT = shape_of(SplitResult, 5), PARSE = shape_of(ParseResult, 6), DEFRAG = shape_of(theirs.DefragResult, 2)
cdef list uses_netloc = theirs.uses_netloc  # the list itself, so that appended schemes count
cdef Py_ssize_t HTTPS_IN_NETLOC = place_of_https(uses_netloc)
cdef bint DOUBLES_SLASHES = DIFFERENCES["doubles_slashes"]
cdef bint KEEPS_RELATIVE_PATH = DIFFERENCES["keeps_relative_path"]
cdef bint KEEPS_EMPTY = DIFFERENCES["keeps_empty"]
cdef bint PARAMS_COME_LAST = DIFFERENCES["params_come_last"]
cdef bint MISSING_AS_NONE = DIFFERENCES["missing_as_none"]


# --- putting together --------------------------------------------------------------------------

cdef int prefix(bint has_netloc, bint uses_netloc, int first, int second) noexcept nogil:
    """Return the text before a path that begins with these two octets (-1 for a missing one)."""
    if has_netloc:
        return SLASHES | (SLASH if first >= 0 and first != c'/' else 0)
    if first == c'/' and second == c'/':
        return SLASHES if DOUBLES_SLASHES else 0
    if not uses_netloc or (KEEPS_RELATIVE_PATH and first >= 0 and first != c'/'):
        return 0
    return SLASHES | (SLASH if first >= 0 and first != c'/' else 0)


cdef inline int character(str text, Py_ssize_t k) noexcept:
    """Return the ASCII character at k; -1 past the end, 0 for one that is not ASCII."""
    if k >= PyUnicode_GET_LENGTH(text):
        return -1
    cdef Py_UCS4 c = text[k]
    return <int>c if c < 128 else 0


cdef struct Pieces:
    (PyObject*)[12] items    # borrowed, exact str
    int count
    Py_ssize_t n             # characters in all
    uint32_t most            # an upper bound of their code points


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
    """urlunparse for exact str. Empty components are left out."""
    cdef Pieces pieces
    cdef int before, first = character(path, 0), second = character(path, 1)
    cdef bint with_params = PyUnicode_GET_LENGTH(params) > 0, listed_scheme = False
    cdef bint has_netloc = PyUnicode_GET_LENGTH(netloc) > 0, has_scheme = PyUnicode_GET_LENGTH(scheme) > 0
    pieces.count, pieces.n, pieces.most = 0, 0, 127
    if not has_netloc and has_scheme:
        listed_scheme = listed(uses_netloc, slice_of_text(scheme), HTTPS_IN_NETLOC)
        if PARAMS_COME_LAST and listed_scheme and (first < 0 or first == c'/'):
            has_netloc = True
    if with_params and first < 0:
        first = c';'
    before = prefix(has_netloc, listed_scheme, first, second)
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


cdef inline bint drops_empty(object result, const Shape* shape) noexcept:
    """Return whether a result of this class certainly is not one of missing_as_none."""
    return not MISSING_AS_NONE or (shape.slots == 1 and slot(result) == <PyObject*>False)


cdef inline bint are_plain(object parts, Py_ssize_t size) noexcept:
    """Return whether it is a tuple of this many exact str, or one of the interpreter's results."""
    cdef Py_ssize_t k
    if type(parts) is not tuple and not (type(parts) is SplitResult and drops_empty(parts, &SPLIT)) \
            and not (type(parts) is ParseResult and drops_empty(parts, &PARSE)) or PyTuple_GET_SIZE(parts) != size:
        return False
    for k in range(size):
        if type(<object>PyTuple_GET_ITEM(parts, k)) is not str:
            return False
    return True


cdef inline str part(object parts, Py_ssize_t k):
    return <str><object>PyTuple_GET_ITEM(parts, k)


def urlunsplit(components, *, keep_empty=UNSPECIFIED):
    """Put a URL together from scheme, netloc, path, query and fragment.

    Args:
        components: an iterable of five str or five bytes; empty ones, and None, are left out.
        keep_empty: leave out only None. The default is True for results of missing_as_none=True.

    Raises:
        ValueError: not five components. TypeError: str mixed with bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlunsplit
    """
    if keep_empty is UNSPECIFIED:
        return urlunsplit_one(components)
    return general().urlunsplit(components, keep_empty)


cdef object urlunsplit_one(object components):
    if type(components) is list:
        components = tuple(<list>components)
    if are_plain(components, 5):
        return unsplit(part(components, 0), part(components, 1), part(components, 2), "", part(components, 3),
                       part(components, 4))
    return general().urlunsplit(components, UNSPECIFIED)


shorten_urlunsplit(urlunsplit, urlunsplit_one)


def urlunparse(components, *, keep_empty=UNSPECIFIED):
    """Put a URL together from scheme, netloc, path, params, query and fragment; otherwise like urlunsplit.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlunparse
    """
    if type(components) is list:
        components = tuple(<list>components)
    if keep_empty is UNSPECIFIED and are_plain(components, 6):
        return unsplit(part(components, 0), part(components, 1),
                       part(components, 2), part(components, 3),
                       part(components, 4), part(components, 5))
    return general().urlunparse(components, keep_empty)


def urldefrag(url, *, missing_as_none=False, keep_empty=None):
    """Return a URL without its fragment, and the fragment.

    Args:
        url: str or bytes. missing_as_none: an absent fragment is None, an empty one "".
        keep_empty: empty components of url stay (default: as missing_as_none).

    Returns:
        urllib.parse.DefragResult, or DefragResultBytes of bytes; with missing_as_none a subclass of it. Raises the
        exceptions of urlparse if there is a "#".

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
    """Return whether joining the components certainly gives the text again."""
    cdef Span authority = m.spans[AUTHORITY], path = m.spans[PATH], query = m.spans[QUERY]
    return m.text.start == 0 and (query.start == ABSENT or query.start < query.end) \
        and (authority.start < authority.end or (authority.start == ABSENT and m.spans[SCHEME].start == ABSENT)) \
        and (path.start == path.end or m.text.p[path.end - 1] != c';')


cdef object defrag(str url):
    cdef Reading r
    cdef const Machine* m = &r.m
    cdef Argument o
    cdef uint32_t start, begin
    owner = read_argument(url, &o)
    if memchr(o.p, c'#', o.n) == NULL:
        return defrag_result(url, "")
    owner = read_spans(&r, owner, &o, True)
    if KEEPS_EMPTY or (owner is url and is_as_written(m)):
        begin, start = m.text.start, m.spans[FRAGMENT].start
        return defrag_result(as_given(m.text.p + begin, start - 1 - begin, o.kind),
                             as_given(m.text.p + start, m.spans[FRAGMENT].end - start, o.kind))
    scheme, netloc, path, params, query, fragment = parse(url, "", True)
    return defrag_result(unsplit(scheme, netloc, path, params, query, ""), fragment)


cdef inline object defrag_result(object url, object fragment):
    result = new_result(&DEFRAG)
    put(result, 0, url)
    put(result, 1, fragment)
    return finished(&DEFRAG, result)


include "_join.pxi"
stay_all(globals())
