"""urlsplit and urlparse of urllib.parse, over the machine.

Exact str and bytes, the arguments of nearly all calls, are handled here without a Python object between the text and
the result. All other arguments go to _general.py, which turns them into exact str and calls this module.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp
from urlsm.machine.dialects cimport Dialect, stdlib
from urlsm.machine.driver cimport BY_MACHINE, WHOLE
from urlsm.machine.machine cimport ABSENT, AUTHORITY, FRAGMENT, Machine, PATH, QUERY, SCHEME, Span
from urlsm.machine.reading cimport Reading, read, span_of
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, is_ascii
from urlsm.octets.chars cimport BRACKET, CLASS, NON_ASCII, QUESTION, SCHEME_CHAR, lower
from urlsm.octets.once cimport publish, published
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport without
from urlsm.octets.words cimport is_all_ascii
from urlsm.url.normal cimport seen_by

import urllib.parse as theirs
from urlsm.stdlib._probe import DIFFERENCES, NO_SCHEME

cdef extern from *:
    """
    #include "octets/shortcut.h"
    URLSM_SHORTCUT(urlsplit)
    URLSM_SHORTCUT(urlparse)
    """
    void shorten_urlsplit "urlsm_shortcut_urlsplit"(object function, object (*one)(object))
    void shorten_urlparse "urlsm_shortcut_urlparse"(object function, object (*one)(object))

cdef list uses_params = theirs.uses_params  # the list itself, so that appended schemes count
cdef Py_ssize_t HTTPS_IN_PARAMS = place_of_https(uses_params)

# --- results -----------------------------------------------------------------------------------

cdef list classes = []       # the classes that shapes point at


cdef Shape shape_of(object cls, Py_ssize_t size) except *:
    """Return the layout of instances of a class with this many items, as far as it is known now."""
    cdef Shape shape
    classes.append(cls)
    shape.type, shape.size, shape.slots = <PyObject*>cls, size, slots_of(cls)
    if shape.slots == 1 and not has_slot_after_items(cls, size):
        shape.slots = -1
    return shape


cdef bint has_slot_after_items(object cls, Py_ssize_t size) except -1:
    """Return whether the slot _keep_empty follows the items."""
    cdef bint found = False
    mark = object()
    try:
        result = cls(*("",) * size)
        if type(result) is cls and len(result) == size:
            result._keep_empty = mark
            found = slot(result) == <PyObject*>mark
    except (AttributeError, TypeError):
        pass
    return found


cdef object constructed(const Shape* shape, object items):
    result = (<object>shape.type)(*items)
    if MISSING_AS_NONE:
        result._keep_empty = False
    return result


cdef bint MISSING_AS_NONE = DIFFERENCES["missing_as_none"]
cdef bint SCHEME_MAY_BE_NONE = DIFFERENCES["scheme_may_be_none"]
cdef Shape SPLIT = shape_of(theirs.SplitResult, 5), SPLIT_BYTES = shape_of(theirs.SplitResultBytes, 5)
cdef Shape PARSE = shape_of(theirs.ParseResult, 6), PARSE_BYTES = shape_of(theirs.ParseResultBytes, 6)


# the interpreter's dialect: without, and with fragments
cdef Dialect[2] RULES
RULES[1] = stdlib()
if not DIFFERENCES["strips_start"]:
    RULES[1].trim = 0
if not DIFFERENCES["scheme_starts_with_letter"]:
    RULES[1].scheme_first = SCHEME_CHAR
RULES[0] = RULES[1]
RULES[0].path_stop = QUESTION
RULES[0].query_stop = 0


cdef PyObject* _general = NULL


cdef object general():
    """Return the module for all other arguments; imported on first use, because it imports this one."""
    if published(&_general) == NULL:
        from urlsm.stdlib import _general as module
        publish(&_general, module)
    return <object>published(&_general)


# --- reading -----------------------------------------------------------------------------------

cdef object read_argument(object text, Argument* o):
    """Point o at the octets of an exact str or bytes; returns the object that keeps them alive."""
    if type(text) is str:
        if is_ascii(text):
            o.p, o.n, o.kind = ascii_data(text), len(<str>text), ASCII
            return text
        text = (<str>text).encode("utf-8", "surrogatepass")
        o.kind = UTF8
    else:
        if not is_all_ascii(<const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)):
            (<bytes>text).decode("ascii", "strict")  # raises
        o.kind = OCTETS
    o.p, o.n = <const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)
    return text


cdef object read_spans(Reading* r, object owner, const Argument* o, bint fragments):
    """Find the components, in r.m. Returns the object that keeps its octets alive: owner, or a clean copy.
    ValueError for more octets than offsets can count, and for a netloc that urlsplit refuses."""
    cdef const Dialect* rules = &RULES[fragments]
    cdef Machine* m = &r.m
    if o.n > MAX_LENGTH:
        raise ValueError(f"the URL is longer than {MAX_LENGTH} octets")
    read(r, o.p, o.n, rules, WHOLE if fragments else BY_MACHINE)
    if r.by_lane:
        take_spans(r)
        return owner
    if m.scheme_upper or seen_by(m) & rules.remove:
        owner = cleaned(r, o, rules)
    # only these marks matter in a netloc
    if (m.host_seen | m.seen) & (BRACKET | NON_ASCII) and m.spans[AUTHORITY].start != ABSENT:
        general().check_netloc(component(m, AUTHORITY, UTF8))
    return owner


cdef inline void take_spans(Reading* r) noexcept nogil:
    """Set the spans of r.m that are used here, as the machine would have, after the lane has read."""
    r.m.spans[SCHEME] = span_of(r, SCHEME)
    r.m.spans[AUTHORITY] = span_of(r, AUTHORITY)
    r.m.spans[PATH] = span_of(r, PATH)
    r.m.spans[QUERY] = span_of(r, QUERY)
    r.m.spans[FRAGMENT] = span_of(r, FRAGMENT)
    r.m.path_seen = 0


cdef bytes cleaned(Reading* r, const Argument* o, const Dialect* rules):
    """Run the machine again, over a copy without tabs and newlines and with the scheme in lower case."""
    cdef bytes clean
    cdef uint8_t* p
    cdef uint32_t k
    cdef Machine* m = &r.m
    clean = without(o.p, m.text.start, m.text.end, rules.remove)
    p = <uint8_t*>PyBytes_AS_STRING(clean)
    read(r, p, PyBytes_GET_SIZE(clean), rules, BY_MACHINE)
    if m.scheme_upper:
        for k in range(m.spans[SCHEME].start, m.spans[SCHEME].end):
            p[k] = lower(p[k])
    return clean


cdef inline object scheme_of(const Machine* m, Kind kind, object scheme):
    """Return the scheme; `scheme` for a text without one."""
    cdef Span s = m.spans[SCHEME]
    if s.start == ABSENT:
        return scheme
    if kind != UTF8 and s.end - s.start == 5 and memcmp(m.text.p + s.start, b"https", 5) == 0:
        return "https" if kind == ASCII else b"https"
    if kind != UTF8 and s.end - s.start == 4 and memcmp(m.text.p + s.start, b"http", 4) == 0:
        return "http" if kind == ASCII else b"http"
    return as_given(m.text.p + s.start, s.end - s.start, kind)


cdef Py_ssize_t place_of_https(list names) except -1:
    """Return the place at which listed() looks first."""
    return names.index("https") if "https" in names else 0


@cython.boundscheck(True)
cdef bint listed(list names, Slice scheme, Py_ssize_t guess) except -1:
    """Return whether the scheme is in a list (in which others may put anything). guess: the place to look first, that
    of "https" at import."""
    cdef Py_ssize_t k = 0
    if scheme.p == NULL:
        return False
    try:
        if guess < len(names) and is_name(names[guess], scheme):
            return True
        while k < len(names):
            if is_name(names[k], scheme):
                return True
            k += 1
    except IndexError:
        pass  # without the lock, another thread may make the list shorter meanwhile: it ends here
    return False


cdef inline bint is_name(object name, Slice scheme) except -1:
    if type(name) is str and is_ascii(name):
        return <size_t>PyUnicode_GET_LENGTH(name) == scheme.n and memcmp(ascii_data(name), scheme.p, scheme.n) == 0
    return name == scheme.p[:scheme.n].decode("latin-1")


cdef uint32_t params_of(const Machine* m, Slice scheme) except? 0xFFFFFFFE:
    """Return the place of the ";" that begins the params of the path's last segment; ABSENT without ";", or if the
    scheme has no params."""
    cdef Span s = m.spans[PATH]
    cdef const uint8_t* p = m.text.p
    cdef const uint8_t* found = <const uint8_t*>memchr(p + s.start, c';', s.end - s.start)
    cdef uint32_t k = s.end
    if found == NULL or not listed(uses_params, scheme, HTTPS_IN_PARAMS):
        return ABSENT
    while k > s.start and p[k - 1] != c'/':
        k -= 1
    found = <const uint8_t*>memchr(p + k, c';', s.end - k)
    return ABSENT if found == NULL else <uint32_t>(found - p)


# --- splitting ---------------------------------------------------------------------------------

cdef inline bint is_clean(object url, object scheme) noexcept:
    """Return whether scheme, an exact str, may go with this URL as it is."""
    cdef Py_ssize_t k
    if scheme is None:
        return SCHEME_MAY_BE_NONE
    if type(scheme) is not str or not is_ascii(scheme) or (type(url) is bytes and len(<str>scheme)):
        return False
    for k in range(len(<str>scheme)):
        if not CLASS[ascii_data(scheme)[k]] & SCHEME_CHAR:
            return False
    return True


cpdef object split(object text, object scheme, bint fragments):
    """Return the SplitResult of an exact str, or the SplitResultBytes of exact bytes (scheme is of the same type)."""
    cdef Reading r
    cdef Machine* m = &r.m
    cdef Argument o
    cdef const Shape* shape
    owner = read_argument(text, &o)
    owner = read_spans(&r, owner, &o, fragments)
    shape = &SPLIT_BYTES if o.kind == OCTETS else &SPLIT
    result = new_result(shape)
    put(result, 0, scheme_of(m, o.kind, scheme))
    put(result, 1, component(m, AUTHORITY, o.kind))
    put(result, 2, component(m, PATH, o.kind))
    put(result, 3, component(m, QUERY, o.kind))
    put(result, 4, component(m, FRAGMENT, o.kind))
    return finished(shape, result)


cdef inline Slice scheme_or(const Machine* m, object scheme) noexcept:
    return slice_of_text(scheme) if m.spans[SCHEME].start == ABSENT else filled(m, SCHEME)


cpdef object parse(object text, object scheme, bint fragments):
    """Return the ParseResult of an exact str, or the ParseResultBytes of exact bytes (scheme is of the same type)."""
    cdef Reading r
    cdef Machine* m = &r.m
    cdef Argument o
    cdef Slice by
    cdef uint32_t semicolon
    cdef const Shape* shape
    owner = read_argument(text, &o)
    owner = read_spans(&r, owner, &o, fragments)
    by = scheme_or(m, scheme)
    semicolon = params_of(m, by)
    shape = &PARSE_BYTES if o.kind == OCTETS else &PARSE
    result = new_result(shape)
    put(result, 0, scheme_of(m, o.kind, scheme))
    put(result, 1, component(m, AUTHORITY, o.kind))
    if semicolon == ABSENT:
        put(result, 3, b"" if o.kind == OCTETS else "")
    else:
        put(result, 3, as_given(m.text.p + semicolon + 1, m.spans[PATH].end - semicolon - 1, o.kind))
        m.spans[PATH].end = semicolon
    put(result, 2, component(m, PATH, o.kind))
    put(result, 4, component(m, QUERY, o.kind))
    put(result, 5, component(m, FRAGMENT, o.kind))
    return finished(shape, result)


def urlsplit(url, scheme=NO_SCHEME, allow_fragments=True, *, missing_as_none=False):
    """Split a URL: <scheme>://<netloc>/<path>?<query>#<fragment>.

    Args:
        url: str, bytes or urlsm.URL. scheme: the scheme of a URL without one, of the same type. allow_fragments:
            whether "#" begins a fragment. missing_as_none: an absent component is None, an empty one "".

    Returns:
        urllib.parse.SplitResult, of bytes SplitResultBytes; with missing_as_none a subclass of it.

    Raises:
        ValueError: brackets without an IP address, or characters of the netloc that NFKC would turn into delimiters.
        TypeError: str mixed with bytes. UnicodeDecodeError: bytes that are not ASCII.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlsplit
    """
    if missing_as_none:
        return general().urlsplit(url, scheme, allow_fragments, missing_as_none)
    if is_exact(url) and is_clean(url, scheme) and type(allow_fragments) is bool:
        return split(url, (scheme or "") if type(url) is str else b"", allow_fragments)
    return general().urlsplit(url, scheme, allow_fragments)


cdef object urlsplit_one(object url):
    if type(url) is str:
        return split(url, "", True)
    return general().urlsplit(url, NO_SCHEME, True) if type(url) is not bytes else split(url, b"", True)


shorten_urlsplit(urlsplit, urlsplit_one)


def urlparse(url, scheme=NO_SCHEME, allow_fragments=True, *, missing_as_none=False):
    """Split a URL: <scheme>://<netloc>/<path>;<params>?<query>#<fragment>.

    Like urlsplit, but if the scheme is in uses_params, the params of the path's last segment are separate. Returns
    urllib.parse.ParseResult, or ParseResultBytes of bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlparse
    """
    if missing_as_none:
        from urlsm.stdlib import _results
        return _results.urlparse(url, scheme, allow_fragments, missing_as_none)
    if is_exact(url) and is_clean(url, scheme) and type(allow_fragments) is bool:
        return parse(url, (scheme or "") if type(url) is str else b"", allow_fragments)
    return general().urlparse(url, scheme, allow_fragments)


cdef object urlparse_one(object url):
    if type(url) is str:
        return parse(url, "", True)
    return general().urlparse(url, NO_SCHEME, True) if type(url) is not bytes else parse(url, b"", True)


shorten_urlparse(urlparse, urlparse_one)


def components(str text, scheme, bint fragments, bint with_params):
    """Return scheme, netloc, path, params, query, fragment of an exact str, None where absent."""
    cdef Reading r
    cdef Machine* m = &r.m
    cdef Argument o
    cdef uint32_t semicolon
    cdef list found = []
    cdef int which
    owner = read_argument(text, &o)
    owner = read_spans(&r, owner, &o, fragments)
    semicolon = params_of(m, scheme_or(m, "" if scheme is None else scheme)) if with_params else <uint32_t>ABSENT
    params = None
    if semicolon != ABSENT:
        params = as_given(m.text.p + semicolon + 1, m.spans[PATH].end - semicolon - 1, o.kind)
        m.spans[PATH].end = semicolon
    for which in (AUTHORITY, PATH, QUERY, FRAGMENT):
        found.append(None if m.spans[which].start == ABSENT else component(m, which, o.kind))
    netloc, path, query, fragment = found
    return scheme_of(m, o.kind, scheme), netloc, path, params, query, fragment
