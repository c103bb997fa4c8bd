"""The functions of urllib.parse. The functions from urlsplit to urljoin use the machine; the functions that quote and
unquote use octets/text; parse_qs and parse_qsl use url/params.

Exact str and bytes, the arguments of nearly all calls, are handled here without a Python object between the text and
the result. All other arguments go to _general.py, which turns them into exact str and calls this module.

This file has more than a thousand lines because splitting it would only make more libraries to load: _general.py, which
the trial of each function loads, needs all functions of this file.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_DecodeUTF8, PyUnicode_FindChar
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.machine.dialects cimport Dialect, stdlib
from urlsm.machine.driver cimport BY_MACHINE, WHOLE
from urlsm.machine.machine cimport ABSENT, AUTHORITY, FRAGMENT, Machine, PATH, QUERY, SCHEME, Span, slice_of
from urlsm.machine.reading cimport Reading, read, span_of
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii, utf8_text,
)
from urlsm.octets.chars cimport BRACKET, CLASS, DOT_SEGMENT, NON_ASCII, QUESTION, SCHEME_CHAR, lower
from urlsm.octets.dots cimport dots
from urlsm.octets.find cimport find
from urlsm.octets.once cimport publish, published, stay, stay_all
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport (
    Quoting, UNRESERVED, UNRESERVED_OR_PLUS, UNRESERVED_OR_SLASH, all_kept, keep_octets, quoting_at, without,
    write_quoted, write_space_as_plus, write_unquoted, write_utf8,
)
from urlsm.octets.utf8 cimport SHORT, short_text
from urlsm.octets.words cimport is_all_ascii
from urlsm.url.normal cimport seen_by
from urlsm.url.params cimport read_form

from sys import exc_info
import urllib.parse as theirs
from urlsm.stdlib._probe import DIFFERENCES, NO_SCHEME, UNSPECIFIED

cdef extern from *:
    """
    /* Makes a result of one of the interpreter's own classes without calling the class: a tuple whose items are
     * followed by slots that hold False (_keep_empty: this is not a result of missing_as_none). It will hold only exact
     * str or bytes, so it cannot be in a cycle and the collector does not track it. With tracking, keeping a hundred
     * thousand results would take three times as long. */
    static inline PyObject *urlsm_result(PyObject *type, Py_ssize_t size, int slots)
    {
        PyTupleObject *result = PyObject_GC_NewVar(PyTupleObject, (PyTypeObject *)type, size);
        if (result == NULL)
            return NULL;
        for (Py_ssize_t k = 0; k < size; k++)
            result->ob_item[k] = NULL;
        for (Py_ssize_t k = size; k < size + slots; k++) {
            Py_INCREF(Py_False);
            result->ob_item[k] = Py_False;
        }
    #if PY_VERSION_HEX >= 0x030E0000
        result->ob_hash = -1;
    #endif
        return (PyObject *)result;
    }

    /* Returns the number of slots after the items of an instance; -1 if it is not just a tuple with slots. */
    static inline int urlsm_slots(PyObject *cls)
    {
        PyTypeObject *type = (PyTypeObject *)cls;
        const unsigned long outside = 7ul << 2; /* a dict, weak references or values that lie before the object */
        if (!PyType_Check(cls) || !PyType_IsSubtype(type, &PyTuple_Type) || (type->tp_flags & outside)
            || type->tp_dictoffset || type->tp_weaklistoffset || type->tp_itemsize != sizeof(PyObject *)
            || PyTuple_Type.tp_basicsize != offsetof(PyTupleObject, ob_item) || type->tp_alloc != PyType_GenericAlloc
            || type->tp_free != PyObject_GC_Del || type->tp_init != PyBaseObject_Type.tp_init)
            return -1;
        if (type->tp_basicsize == PyTuple_Type.tp_basicsize)
            return 0;
        return type->tp_basicsize == PyTuple_Type.tp_basicsize + (Py_ssize_t)sizeof(PyObject *) ? 1 : -1;
    }

    /* The slot after the items of an instance: a borrowed reference, or NULL. */
    #define urlsm_slot(result) (((PyTupleObject *)(result))->ob_item[Py_SIZE(result)])
    """
    object allocated "urlsm_result"(PyObject* type, Py_ssize_t size, int slots)
    object new_tuple "PyTuple_New"(Py_ssize_t size)
    int slots_of "urlsm_slots"(object cls) noexcept
    PyObject* slot "urlsm_slot"(object result) noexcept
    void PyTuple_SET_ITEM(object, Py_ssize_t, object)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)

cdef extern from *:
    """
    #include "octets/shortcut.h"
    URLSM_SHORTCUT(urlsplit)
    URLSM_SHORTCUT(urlparse)
    URLSM_SHORTCUT(urlunsplit)
    URLSM_SHORTCUT(urldefrag)
    URLSM_SHORTCUT(quote)
    URLSM_SHORTCUT(quote_plus)
    URLSM_SHORTCUT(unquote)
    URLSM_SHORTCUT(unquote_plus)
    """
    void shorten_urlsplit "urlsm_shortcut_urlsplit"(object function, object (*one)(object))
    void shorten_urlparse "urlsm_shortcut_urlparse"(object function, object (*one)(object))
    void shorten_urlunsplit "urlsm_shortcut_urlunsplit"(object function, object (*one)(object))
    void shorten_urldefrag "urlsm_shortcut_urldefrag"(object function, object (*one)(object))
    void shorten_quote "urlsm_shortcut_quote"(object function, object (*one)(object))
    void shorten_quote_plus "urlsm_shortcut_quote_plus"(object function, object (*one)(object))
    void shorten_unquote "urlsm_shortcut_unquote"(object function, object (*one)(object))
    void shorten_unquote_plus "urlsm_shortcut_unquote_plus"(object function, object (*one)(object))
    uint32_t PyUnicode_MAX_CHAR_VALUE(object)
    Py_ssize_t PyUnicode_CopyCharacters(object, Py_ssize_t, object, Py_ssize_t, Py_ssize_t) except -1
    object PyUnicode_New(Py_ssize_t, uint32_t)

cdef enum Kind:              # the kind of the octets
    ASCII                    # a str
    UTF8                     # a str beyond ASCII; lone surrogates are kept
    OCTETS                   # bytes, which are all ASCII

cdef struct Argument:        # an argument that is a str or bytes
    const uint8_t* p         # borrowed
    Py_ssize_t n
    Kind kind

cdef struct Shape:           # one of the interpreter's result classes
    PyObject* type           # borrowed from `classes`
    Py_ssize_t size          # the number of items
    int slots                # the number of slots after the items; -1: unknown, so the class has to be called

# these are the interpreter's own lists, so schemes that other code appends to them count as well
cdef list uses_params = theirs.uses_params
cdef list uses_netloc = theirs.uses_netloc
cdef list uses_relative = theirs.uses_relative
cdef Py_ssize_t HTTPS_IN_PARAMS = place_of_https(uses_params)
cdef Py_ssize_t HTTPS_IN_NETLOC = place_of_https(uses_netloc)
cdef Py_ssize_t HTTPS_IN_RELATIVE = place_of_https(uses_relative)
cdef bint MISSING_AS_NONE = DIFFERENCES["missing_as_none"]
cdef bint SCHEME_MAY_BE_NONE = DIFFERENCES["scheme_may_be_none"]
cdef bint DOUBLES_SLASHES = DIFFERENCES["doubles_slashes"]
cdef bint KEEPS_RELATIVE_PATH = DIFFERENCES["keeps_relative_path"]
cdef bint KEEPS_EMPTY = DIFFERENCES["keeps_empty"]
cdef bint PARAMS_COME_LAST = DIFFERENCES["params_come_last"]
cdef bint CHAINS = DIFFERENCES["urlencode_chains"]
cdef object their_quote = theirs.quote
cdef object their_quote_plus = theirs.quote_plus
# the default arguments, which are compared by identity
cdef object UTF_8 = "utf-8"
cdef object REPLACE = "replace"
cdef object ROOT = "/"
cdef object EMPTY = ""
stay(UTF_8)  # unlike the other default arguments, this str is not interned

# --- results -----------------------------------------------------------------------------------

cdef list classes = []       # keeps alive the classes that shapes point to


cdef Shape shape_of(object cls, Py_ssize_t size) except *:
    """Return the Shape of a class whose instances have `size` items."""
    cdef Shape shape
    classes.append(cls)
    shape.type, shape.size, shape.slots = <PyObject*>cls, size, slots_of(cls)
    if shape.slots == 1 and not has_slot_after_items(cls, size):
        shape.slots = -1
    return shape


cdef bint has_slot_after_items(object cls, Py_ssize_t size) except -1:
    """Return whether the slot _keep_empty directly follows the items in an instance of the class."""
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


cdef inline object new_result(const Shape* shape):
    """Return an object into which put() sets the items of a result. finished() then turns it into an instance of the
    class."""
    if shape.slots < 0:
        return new_tuple(shape.size)
    return allocated(shape.type, shape.size, shape.slots)


cdef inline object finished(const Shape* shape, object result):
    return constructed(shape, result) if shape.slots < 0 else result


cdef inline int put(object result, Py_ssize_t k, object item) except -1:
    """Set an item of a new result."""
    Py_INCREF(item)
    PyTuple_SET_ITEM(result, k, item)
    return 0


cdef object SplitResult = theirs.SplitResult
cdef object ParseResult = theirs.ParseResult
cdef Shape SPLIT = shape_of(SplitResult, 5), SPLIT_BYTES = shape_of(theirs.SplitResultBytes, 5)
cdef Shape PARSE = shape_of(ParseResult, 6), PARSE_BYTES = shape_of(theirs.ParseResultBytes, 6)
cdef Shape DEFRAG = shape_of(theirs.DefragResult, 2)


# the dialect of the running interpreter: the first without fragments, the second with fragments
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
    """Return the module _general, which handles arguments that are not exact str or bytes. It is imported on first use,
    because it imports this module."""
    if published(&_general) == NULL:
        from urlsm.stdlib import _general as module
        publish(&_general, module)
    return <object>published(&_general)


# --- reading -----------------------------------------------------------------------------------

cdef object read_argument(object text, Argument* o):
    """Point o at the octets of an exact str or bytes. Return the object that keeps them alive."""
    if type(text) is str:
        if is_ascii(text):
            o.p, o.n, o.kind = ascii_data(text), len(<str>text), ASCII
            return text
        text = (<str>text).encode("utf-8", "surrogatepass")
        o.kind = UTF8
    else:
        if not is_all_ascii(<const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)):
            (<bytes>text).decode("ascii", "strict")  # raises UnicodeDecodeError
        o.kind = OCTETS
    o.p, o.n = <const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)
    return text


cdef object read_spans(Reading* r, object owner, const Argument* o, bint fragments):
    """Find the components and set their spans in r.m. Return the object that keeps the octets alive: the argument
    `owner`, or a clean copy. ValueError for a text that is too long, and for a netloc that urlsplit refuses."""
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
    # a netloc needs a check only if it has one of these marks
    if (m.host_seen | m.seen) & (BRACKET | NON_ASCII) and m.spans[AUTHORITY].start != ABSENT:
        general().check_netloc(component(m, AUTHORITY, UTF8))
    return owner


cdef inline void take_spans(Reading* r) noexcept nogil:
    """After the plain lane (the fast parser of machine/lane) has read a text, set the spans of r.m that this module
    uses, as the machine would have set them."""
    r.m.spans[SCHEME] = span_of(r, SCHEME)
    r.m.spans[AUTHORITY] = span_of(r, AUTHORITY)
    r.m.spans[PATH] = span_of(r, PATH)
    r.m.spans[QUERY] = span_of(r, QUERY)
    r.m.spans[FRAGMENT] = span_of(r, FRAGMENT)
    r.m.path_seen = 0


cdef bytes cleaned(Reading* r, const Argument* o, const Dialect* rules):
    """Run the machine again on a copy of the text without tabs and newlines and with its scheme in lower case. Return
    the copy."""
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


cdef inline object as_given(const uint8_t* p, Py_ssize_t n, Kind kind):
    """Return octets as str or bytes, whichever the argument was."""
    if kind == ASCII and n > 1:
        return ascii_text(p, n)
    if kind == OCTETS:
        return PyBytes_FromStringAndSize(<const char*>p, n)
    return utf8_text(p, n)  # the interpreter shares "" and single characters


cdef inline object component(const Machine* m, int which, Kind kind):
    """Return a component as written; empty if it is absent."""
    cdef Span s = m.spans[which]
    if s.start == s.end:
        return b"" if kind == OCTETS else ""
    return as_given(m.text.p + s.start, s.end - s.start, kind)


cdef inline Slice slice_of_text(object text) noexcept:
    """Return the octets of an exact str or bytes; for a str beyond ASCII, an empty slice, because no list of schemes
    holds such a str."""
    if type(text) is bytes:
        return Slice(<const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
    if is_ascii(text):
        return Slice(ascii_data(text), PyUnicode_GET_LENGTH(text))
    return Slice(NULL, 0)


cdef inline Slice filled(const Machine* m, int which) noexcept:
    """Return the octets of a component; if it is absent, an empty slice, whose pointer is not NULL."""
    cdef Span s = m.spans[which]
    cdef const uint8_t* p = m.text.p
    if s.start != ABSENT:
        p += s.start
    return Slice(p, s.end - s.start)


cdef inline bint is_exact(object url) noexcept:
    return type(url) is str or type(url) is bytes


cdef inline object scheme_of(const Machine* m, Kind kind, object scheme):
    """Return the scheme of the text, or the argument `scheme` if the text has none."""
    cdef Span s = m.spans[SCHEME]
    if s.start == ABSENT:
        return scheme
    if kind != UTF8 and s.end - s.start == 5 and memcmp(m.text.p + s.start, b"https", 5) == 0:
        return "https" if kind == ASCII else b"https"
    if kind != UTF8 and s.end - s.start == 4 and memcmp(m.text.p + s.start, b"http", 4) == 0:
        return "http" if kind == ASCII else b"http"
    return as_given(m.text.p + s.start, s.end - s.start, kind)


cdef Py_ssize_t place_of_https(list names) except -1:
    """Return the index at which listed() looks first: the index of "https", or 0 if the list does not have it."""
    return names.index("https") if "https" in names else 0


@cython.boundscheck(True)
cdef bint listed(list names, Slice scheme, Py_ssize_t guess) except -1:
    """Return whether the scheme is in a list. The list may hold any objects, because other code can change it. guess:
    the index to look at first, which was the index of "https" at import."""
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
        pass  # in a free-threaded interpreter, another thread may shorten the list meanwhile; then the search ends here
    return False


cdef inline bint is_name(object name, Slice scheme) except -1:
    if type(name) is str and is_ascii(name):
        return <size_t>PyUnicode_GET_LENGTH(name) == scheme.n and memcmp(ascii_data(name), scheme.p, scheme.n) == 0
    return name == scheme.p[:scheme.n].decode("latin-1")


cdef uint32_t params_of(const Machine* m, Slice scheme) except? 0xFFFFFFFE:
    """Return the place of the ";" that begins the params of the last segment. Return ABSENT if there is none, or if the
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
    """Return whether the argument `scheme` needs no conversion. url: an exact str or bytes."""
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
        url: str, bytes or urlsm.URL. scheme: the default for a URL without a scheme, of the same type. allow_fragments:
            whether "#" begins a fragment. missing_as_none: whether an absent component is None instead of "".

    Returns:
        urllib.parse.SplitResult, or SplitResultBytes if url is bytes; with missing_as_none, before CPython 3.15, a
        subclass of these.

    Raises:
        ValueError: the netloc has brackets without an IP address, or characters that NFKC would turn into delimiters.
            TypeError: str and bytes are mixed. UnicodeDecodeError: the bytes are not ASCII.

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
    urllib.parse.ParseResult, or ParseResultBytes if url is bytes.

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
    """Return scheme, netloc, path, params, query and fragment of an exact str. Each is None if it is absent; but if the
    text has no scheme, the argument `scheme` is returned in its place."""
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


# --- putting together --------------------------------------------------------------------------

cdef enum:
    SLASHES = 1              # before the path comes "//" and the netloc, which may be empty
    SLASH = 2                # between the netloc and the path comes "/"


cdef int prefix(bint has_netloc, bint uses_netloc, int first, int second) noexcept nogil:
    """Return what to write before a path: 0 (nothing), SLASHES, or SLASHES | SLASH. first, second: the first two octets
    of the path; -1 if there is none."""
    if has_netloc:
        return SLASHES | (SLASH if first >= 0 and first != c'/' else 0)
    if first == c'/' and second == c'/':
        return SLASHES if DOUBLES_SLASHES else 0
    if not uses_netloc or (KEEPS_RELATIVE_PATH and first >= 0 and first != c'/'):
        return 0
    return SLASHES | (SLASH if first >= 0 and first != c'/' else 0)


cdef inline int character(str text, Py_ssize_t k) noexcept:
    """Return the ASCII character at k; -1 past the end, 0 for a character that is not ASCII."""
    if k >= PyUnicode_GET_LENGTH(text):
        return -1
    cdef Py_UCS4 c = text[k]
    return <int>c if c < 128 else 0


cdef struct Pieces:
    (PyObject*)[12] items    # borrowed, exact str
    int count
    Py_ssize_t n             # the number of characters of all pieces together
    uint32_t most            # no character has a higher code point


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
    """Do what urlunparse does, for exact str. Empty components are left out."""
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
    """Return whether a result certainly does not come from missing_as_none."""
    return not MISSING_AS_NONE or (shape.slots == 1 and slot(result) == <PyObject*>False)


cdef inline bint are_plain(object parts, Py_ssize_t size) noexcept:
    """Return whether parts is a tuple or a result of the interpreter, with `size` items that are exact str."""
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
    """Join scheme, netloc, path, query and fragment into a URL.

    Args:
        components: an iterable of five str or five bytes; empty components and None are left out.
        keep_empty: whether to leave out only None. The default is True for results of missing_as_none=True.

    Raises:
        ValueError: there are not five components. TypeError: str and bytes are mixed.

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
    """Join scheme, netloc, path, params, query and fragment into a URL; otherwise like urlunsplit.

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
        url: str or bytes. missing_as_none: whether an absent fragment is None instead of "".
        keep_empty: whether to keep the empty components of url (the default with missing_as_none, or if the interpreter
            does so).

    Returns:
        urllib.parse.DefragResult, or DefragResultBytes if url is bytes; with missing_as_none, before CPython 3.15, a
        subclass of these.
        Raises the exceptions of urlparse if there is a "#".

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
    """Return whether putting the components together would certainly give the text again."""
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


# --- joining -----------------------------------------------------------------------------------

cdef inline bint has_empty_segment(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether the text from p to end holds "//"."""
    while True:
        p = find(p, end, c'/') + 1
        if p >= end:
            return False
        if p[0] == c'/':
            return True


cdef struct Resolved:        # an unfinished path: the segments that urljoin has kept so far, with "/" in between
    Buffer b
    bint any                 # whether there is a segment, which may be empty


cdef inline int add_segment(Resolved* path, const uint8_t* p, size_t n) except -1 nogil:
    cdef int which = dots(p, 0, n)
    if which == 1:
        return 0
    if which == 2:
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
    """Add the segments from p to end. keep_first, keep_last, keep_others: whether the first, the last and the other
    segments are kept if they are empty. If keep_last, and the last segment is a dot segment, the path ends in "/"."""
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
    if keep_last and dots(p, 0, stop - p):
        add_segment(path, p, 0)
    return 0


cdef int merge(Resolved* path, Slice base, bint base_has_dots, Slice ref) except -1 nogil:
    """Merge the path of a reference, which is not empty, with the path of the base, by RFC 3986, 5.2.3 and 5.2.4. Both
    paths are without params. As in urljoin, the segments of both are one list; empty segments within it are dropped,
    and ".." removes even the empty segment before the first "/"."""
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


cdef inline Slice given(const Machine* m, int which) noexcept:
    """Return the octets of a component. Their pointer is NULL if the component is absent, or if it is empty and the
    interpreter drops empty components."""
    cdef Slice found = slice_of(m, which)
    if not (found.n or KEEPS_EMPTY):
        found.p = NULL
    return found


cdef int write_part(Buffer* b, uint8_t delimiter, Slice part) except -1 nogil:
    if part.p != NULL:
        buffer_put(b, delimiter)
        buffer_copy(b, part.p, part.n)
    return 0


cdef int write_url(Buffer* b, Slice scheme, bint uses_netloc, Slice netloc, Slice path, Slice params, Slice query,
                   Slice fragment) except -1 nogil:
    """Write a URL as urlunparse does. The pointer of an absent part is NULL."""
    cdef int first = path.p[0] if path.n else c';' if params.n else -1
    cdef int before = prefix(netloc.p != NULL, uses_netloc and scheme.n > 0 and not KEEPS_EMPTY, first,
                             path.p[1] if path.n > 1 else -1)
    if scheme.n:
        buffer_copy(b, scheme.p, scheme.n)
        buffer_put(b, c':')
    if before & SLASHES:
        buffer_copy(b, <const uint8_t*>b"//", 2)
        if netloc.n:
            buffer_copy(b, netloc.p, netloc.n)
    if before & SLASH:
        buffer_put(b, c'/')
    buffer_copy(b, path.p, path.n)
    write_part(b, c';', params)
    write_part(b, c'?', query)
    return write_part(b, c'#', fragment)


cdef inline Slice cut_params(Machine* m, Slice scheme) except *:
    """Cut the params off the path, if urljoin does, and return them. Empty params count as absent."""
    cdef uint32_t semicolon = ABSENT if KEEPS_EMPTY else params_of(m, scheme), end = m.spans[PATH].end
    if semicolon == ABSENT or semicolon + 1 == end:
        m.spans[PATH].end = min(semicolon, end)
        return Slice(NULL, 0)
    m.spans[PATH].end = semicolon
    return Slice(m.text.p + semicolon + 1, end - semicolon - 1)


cpdef object join(object base, object url, bint fragments):
    """Do what urljoin does, for two exact str or two exact bytes, neither of which is empty."""
    cdef Reading base_read, ref_read
    cdef Machine* b = &base_read.m
    cdef Machine* r = &ref_read.m
    cdef Argument base_octets, octets
    cdef Slice scheme, netloc, path, params, base_params, query, fragment
    cdef Resolved resolved
    cdef Buffer out
    cdef bint has_netloc
    base_owner = read_argument(base, &base_octets)
    owner = read_argument(url, &octets)
    base_owner = read_spans(&base_read, base_owner, &base_octets, fragments)
    owner = read_spans(&ref_read, owner, &octets, fragments)
    scheme = filled(b, SCHEME)
    path = filled(r, SCHEME)
    if r.spans[SCHEME].start != ABSENT and (path.n != scheme.n or memcmp(path.p, scheme.p, path.n) != 0) \
            or not (KEEPS_EMPTY and not scheme.n or listed(uses_relative, scheme, HTTPS_IN_RELATIVE)):
        return url
    params = cut_params(r, scheme)
    path, netloc, query, fragment = filled(r, PATH), given(r, AUTHORITY), given(r, QUERY), given(r, FRAGMENT)
    has_netloc = KEEPS_EMPTY and not scheme.n or listed(uses_netloc, scheme, HTTPS_IN_NETLOC)
    buffer_start(&out)
    buffer_start(&resolved.b)
    try:
        if not has_netloc or not netloc.n:
            if has_netloc:
                netloc = given(b, AUTHORITY)
            base_params = cut_params(b, scheme)
            if not path.n and not params.n:
                path, params = filled(b, PATH), base_params
                if query.p == NULL:
                    query = given(b, QUERY)
                    if KEEPS_EMPTY and fragment.p == NULL:
                        fragment = given(b, FRAGMENT)
            elif not path.n or path.p[0] != c'/' or r.path_seen & DOT_SEGMENT:
                resolved.any = False
                merge(&resolved, filled(b, PATH), b.path_seen & DOT_SEGMENT, path)
                path = Slice(resolved.b.p, resolved.b.n)
        write_url(&out, scheme, has_netloc, netloc, path, params, query, fragment)
        return as_given(out.p, out.n, UTF8 if base_octets.kind == UTF8 else octets.kind)
    finally:
        buffer_free(&out)
        buffer_free(&resolved.b)


def urljoin(base, url, allow_fragments=True):
    """Resolve url against base, without decoding anything.

    Args:
        base, url: two str, or two bytes. allow_fragments: whether "#" begins a fragment.

    Raises:
        The exceptions that urlparse raises for base or url.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urljoin
    """
    if type(base) is type(url) and is_exact(base) and type(allow_fragments) is bool:
        if not base:
            return url
        if not url:
            return base
        return join(base, url, allow_fragments)
    return general().urljoin(base, url, allow_fragments)


# --- quoting -----------------------------------------------------------------------------------

cdef const Quoting* quoting_for(object safe, bint plus, Quoting* scratch) except NULL:
    """Return the quoting that keeps unreserved characters and the ASCII characters of safe. safe: an exact str or
    bytes. plus: a space becomes "+". scratch: room for a new quoting."""
    cdef bytes octets
    if safe is ROOT and not plus:
        return quoting_at(UNRESERVED_OR_SLASH)
    if safe is EMPTY:
        return quoting_at(UNRESERVED_OR_PLUS if plus else UNRESERVED)
    octets = safe if type(safe) is bytes else (<str>safe).encode("ascii", "ignore")
    scratch[0] = quoting_at(UNRESERVED)[0]
    keep_octets(scratch, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
    if plus:
        write_space_as_plus(scratch)
    return scratch


cdef str quoted(const uint8_t* p, Py_ssize_t n, const Quoting* quoting):
    cdef Buffer b
    buffer_start(&b)
    try:
        write_quoted(&b, p, n, quoting)
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef inline object quoted_text(object text, const Quoting* quoting):
    """Return an exact str after quoting; the same object if nothing changes."""
    cdef bytes octets
    cdef Buffer b
    if is_ascii(text):
        if all_kept(ascii_data(text), len(<str>text), quoting):
            return text
        return quoted(ascii_data(text), len(<str>text), quoting)
    if len(<str>text) <= SHORT:
        buffer_start(&b)
        try:
            if not write_utf8(&b, text):
                return quoted(b.p, b.n, quoting)
        finally:
            buffer_free(&b)
    octets = (<str>text).encode("utf-8", "strict")
    return quoted(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), quoting)


def quote(string, safe="/", encoding=None, errors=None):
    """Percent-encode all characters except those that are unreserved (RFC 3986, 2.3) or in safe.

    Args:
        string: str, which is encoded first (encoding and errors are passed to str.encode; by default they are UTF-8
            and "strict"), or bytes. safe: str or bytes, of which only ASCII counts.

    Returns:
        str.

    Raises:
        UnicodeEncodeError: string cannot be encoded. TypeError: encoding or errors is given with bytes, or string is
            neither str nor bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.quote
    """
    cdef Quoting scratch
    if encoding is None and errors is None and is_exact(safe):
        if type(string) is str:
            return quoted_text(string, quoting_for(safe, False, &scratch))
        if type(string) is bytes:
            return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                          quoting_for(safe, False, &scratch))
    return general().quote(string, safe, encoding, errors)


cdef object quote_one(object string):
    if type(string) is str:
        return quoted_text(string, quoting_at(UNRESERVED_OR_SLASH))
    if type(string) is bytes:
        return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                      quoting_at(UNRESERVED_OR_SLASH))
    return general().quote(string, ROOT, None, None)


shorten_quote(quote, quote_one)


def quote_plus(string, safe="", encoding=None, errors=None):
    """Do the same as `quote`, but write a space as "+", and encode "/" unless it is in safe.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.quote_plus
    """
    cdef Quoting scratch
    if encoding is None and errors is None and is_exact(safe):
        if type(string) is str:
            return quoted_text(string, quoting_for(safe, True, &scratch))
        if type(string) is bytes:
            return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                          quoting_for(safe, True, &scratch))
    return general().quote_plus(string, safe, encoding, errors)


cdef object quote_plus_one(object string):
    if type(string) is str:
        return quoted_text(string, quoting_at(UNRESERVED_OR_PLUS))
    if type(string) is bytes:
        return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                      quoting_at(UNRESERVED_OR_PLUS))
    return general().quote_plus(string, EMPTY, None, None)


shorten_quote_plus(quote_plus, quote_plus_one)


def quote_from_bytes(bs, safe="/"):
    """Do the same as `quote`, for bytes or bytearray. Anything else raises TypeError.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.quote_from_bytes
    """
    cdef Quoting scratch
    if type(bs) is bytes and is_exact(safe):
        return quoted(<const uint8_t*>PyBytes_AS_STRING(bs), PyBytes_GET_SIZE(bs), quoting_for(safe, False, &scratch))
    return general().quote_from_bytes(bs, safe)


# --- unquoting ---------------------------------------------------------------------------------

cdef inline bint has(str text, Py_UCS4 c) except? -1:
    if is_ascii(text):
        return memchr(ascii_data(text), c, len(text)) != NULL
    return PyUnicode_FindChar(text, c, 0, len(text), 1) >= 0


cdef str unquoted(const uint8_t* p, Py_ssize_t n, bint ascii, bint plus, const char* errors):
    """Return p[0:n] percent-decoded, as UTF-8. ascii: whether all of it is ASCII."""
    cdef Buffer b
    cdef bint high
    cdef str text
    buffer_start(&b)
    try:
        high = write_unquoted(&b, p, n, plus)
        if ascii and not high and b.n > 1:
            return ascii_text(b.p, b.n)
        text = short_text(b.p, b.n)
        return text if text is not None else PyUnicode_DecodeUTF8(<const char*>b.p, b.n, errors)
    finally:
        buffer_free(&b)


cdef object unquoted_text(str text, bint plus, object encoding, object errors):
    """Return an exact str percent-decoded. plus: each "+" becomes a space first."""
    cdef bytes octets
    if not has(text, u'%'):
        return text.replace("+", " ") if plus else text
    errors = REPLACE if errors is None else errors
    if (encoding is UTF_8 or encoding is None or encoding == UTF_8) and type(errors) is str:
        if is_ascii(text):
            return unquoted(ascii_data(text), len(text), True, plus, PyUnicode_AsUTF8(errors))
        # urllib decodes the pieces between characters beyond ASCII one by one. If bad octets are replaced, decoding the
        # whole text gives the same result, because no UTF-8 sequence continues across such a character
        if errors is REPLACE or errors == REPLACE:
            try:
                octets = text.encode("utf-8", "strict")
            except UnicodeEncodeError:
                pass
            else:
                return unquoted(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), False, plus,
                                "replace")
    return general().unquote(text.replace("+", " ") if plus else text, encoding, errors)


def unquote(string, encoding="utf-8", errors="replace"):
    """Replace percent-escapes with the characters that they represent.

    Args:
        string: str or bytes. encoding, errors: the arguments of bytes.decode, which decodes the escaped bytes.

    Returns:
        str; string itself if it is a str without "%".

    Raises:
        UnicodeDecodeError, LookupError: as for bytes.decode. TypeError: string is neither str nor bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.unquote
    """
    if type(string) is str:
        return unquoted_text(<str>string, False, encoding, errors)
    return general().unquote(string, encoding, errors)


cdef object unquote_one(object string):
    if type(string) is str:
        return unquoted_text(<str>string, False, UTF_8, REPLACE)
    return general().unquote(string, UTF_8, REPLACE)


shorten_unquote(unquote, unquote_one)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    """Do the same as `unquote`, but read each "+" as a space.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.unquote_plus
    """
    if type(string) is str:
        return unquoted_text(<str>string, True, encoding, errors)
    return unquote(string.replace("+", " "), encoding, errors)


cdef object unquote_plus_one(object string):
    if type(string) is str:
        return unquoted_text(<str>string, True, UTF_8, REPLACE)
    return unquote(string.replace("+", " "), UTF_8, REPLACE)


shorten_unquote_plus(unquote_plus, unquote_plus_one)


def unquote_to_bytes(string):
    """Replace percent-escapes with the bytes that they represent.

    Args:
        string: a str, which is first encoded as UTF-8, or bytes.

    Raises:
        UnicodeEncodeError: string has a lone surrogate. AttributeError: string is neither str nor bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.unquote_to_bytes
    """
    cdef Buffer b
    if type(string) is str:
        string = (<str>string).encode("utf-8", "strict")
    elif type(string) is not bytes:
        return general().unquote_to_bytes(string)
    if memchr(PyBytes_AS_STRING(string), c'%', PyBytes_GET_SIZE(string)) == NULL:
        return string
    buffer_start(&b)
    try:
        write_unquoted(&b, <const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string), False)
        return PyBytes_FromStringAndSize(<const char*>b.p, b.n)
    finally:
        buffer_free(&b)


# --- parsing a query ---------------------------------------------------------------------------

cdef object read_query(object qs, object keep_blank, object strict, object encoding, object errors, object most,
                       object separator, dict lists):
    """Return the list of pairs. If `lists` is not None, add the values to it, and return an empty list. Return None for
    arguments that need _general."""
    cdef bytes octets
    if not (type(qs) is str and type(separator) is str and len(<str>separator) == 1 and (<str>separator)[0] < 128
            and strict is False and most is None and type(errors) is str and encoding == "utf-8"):
        return None
    if is_ascii(qs):
        return read_form(ascii_data(qs), len(<str>qs), True, <uint8_t>(<str>separator)[0], bool(keep_blank),
                         PyUnicode_AsUTF8(errors), lists, NULL)
    if errors != "replace":
        return None
    try:
        octets = (<str>qs).encode("utf-8", "strict")  # for why the whole text may be decoded, see unquoted_text
    except UnicodeEncodeError:
        octets = None
    if octets is None:
        return None
    return read_form(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), False,
                     <uint8_t>(<str>separator)[0], bool(keep_blank), "replace", lists, NULL)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
              max_num_fields=None, separator="&", *, _stacklevel=1):
    """Return the pairs of names and values in a query, percent-decoded; "+" is read as a space.

    Args:
        qs: str or bytes. keep_blank_values: whether to keep pairs with an empty value. strict_parsing: whether to
            reject fields without "=". encoding, errors: the arguments of bytes.decode. max_num_fields: the maximum
            number of fields. separator: the text between fields.

    Returns:
        A list of pairs of str, or of bytes if qs is bytes.

    Raises:
        ValueError: a field has no "=" (strict_parsing), there are too many fields (max_num_fields), or the separator is
            empty. UnicodeDecodeError: as for bytes.decode.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.parse_qsl
    """
    pairs = read_query(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, None)
    if pairs is not None:
        return pairs
    return general().parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator,
                               _stacklevel)


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
             max_num_fields=None, separator="&"):
    """Like parse_qsl, but return a dict from each name to the list of its values.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.parse_qs
    """
    cdef dict found = {}
    read_lists(found, qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)
    return found


cdef int read_lists(dict found, object qs, object keep_blank, object strict, object encoding, object errors,
                    object most, object separator) except -1:
    if read_query(qs, keep_blank, strict, encoding, errors, most, separator, found) is None:
        for name, value in general().parse_qsl(qs, keep_blank, strict, encoding, errors, most, separator, 1):
            found.setdefault(name, []).append(value)
    return 0


# --- for urlsm.compat ---------------------------------------------------------------------------

def fill(made, query, errors="replace"):
    """Add the lists of parse_qs(query, True, errors=errors) to `made`. The methods of dict itself are used, even if
    `made` is an instance of a subclass. query: str."""
    if not isinstance(made, dict):
        raise TypeError(f"expected dict, not {type(made).__name__}")
    read_lists(<dict>made, query, True, False, "utf-8", errors, None, "&")


def fill_last(dict made not None, query):
    """Return parse_qsl(query, True), and set made[name] to the last value of each name. query: str, or bytes that are
    read as Latin-1."""
    cdef list pairs
    cdef tuple pair
    cdef const uint8_t* p
    if type(query) is bytes and is_all_ascii(<const uint8_t*>PyBytes_AS_STRING(query), PyBytes_GET_SIZE(query)):
        p = <const uint8_t*>PyBytes_AS_STRING(query)
        pairs = read_form(p, PyBytes_GET_SIZE(query), True, c'&', True, "replace", None, NULL)
    else:
        pairs = parse_qsl(query if isinstance(query, str) else str(query, "latin-1"), True)
    for pair in pairs:
        made[pair[0]] = pair[1]
    return pairs


# --- encoding a query --------------------------------------------------------------------------

cdef int write_item(Buffer* b, object item, const Quoting* quoting) except -1:
    """Append a str or bytes after quoting it."""
    if type(item) is str and is_ascii(item):
        return write_quoted(b, ascii_data(item), len(<str>item), quoting)
    if not isinstance(item, bytes):
        item = item.encode("utf-8", "strict")
    return write_quoted(b, <const uint8_t*>PyBytes_AS_STRING(item), PyBytes_GET_SIZE(item), quoting)


cdef inline object text_or_octets(object item):
    return item if type(item) is str or isinstance(item, bytes) else str(item)


cdef inline int write_pair(Buffer* b, object name, object value, bint as_it_is, const Quoting* quoting) except -1:
    """Append a pair. Values that are neither str nor bytes are converted by str() after the name is written, in
    urllib's order, because either step may raise."""
    if b.n:
        buffer_put(b, c'&')
    write_item(b, text_or_octets(name), quoting)
    buffer_put(b, c'=')
    return write_item(b, value if as_it_is else text_or_octets(value), quoting)


cdef int write_values(Buffer* b, object name, object value, const Quoting* quoting) except -1:
    """Append one pair for each value of a sequence (doseq)."""
    cdef size_t start = b.n
    cdef bint is_sequence
    if isinstance(value, (str, bytes)):
        return write_pair(b, name, value, True, quoting)
    name = text_or_octets(name)
    write_item(b, name, quoting)  # raises for a bad name, even if the sequence is empty
    b.n = start
    is_sequence = True
    try:
        len(value)
    except TypeError:
        is_sequence = False
    if not is_sequence:
        return write_pair(b, name, str(value), True, quoting)
    for element in value:
        write_pair(b, name, element, False, quoting)
    return 0


cdef inline int write_item_of(Buffer* b, object name, object value, bint doseq, const Quoting* quoting) except -1:
    if doseq:
        return write_values(b, name, value, quoting)
    return write_pair(b, name, value, False, quoting)


cdef str encoded(object pairs, bint doseq, const Quoting* quoting):
    """Return the query for pairs, which are a dict or an iterable of pairs."""
    cdef Buffer b
    buffer_start(&b)
    try:
        if type(pairs) is dict:
            for name, value in (<dict>pairs).items():
                write_item_of(&b, name, value, doseq, quoting)
        else:
            for pair in pairs:
                if type(pair) is tuple and len(<tuple>pair) == 2:
                    name, value = <tuple>pair
                else:
                    name, value = general().pair(pair)
                write_item_of(&b, name, value, doseq, quoting)
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    """Return the query for pairs of names and values.

    Args:
        query: a mapping, or a sequence of pairs. Names and values are bytes, or are converted by str().
        doseq: whether a value that is a sequence gives one pair for each of its elements. safe, encoding, errors: the
            arguments of quote. quote_via: the function that quotes each name and value.

    Raises:
        TypeError: query is neither a mapping nor a sequence. ValueError: an element is not a pair. UnicodeEncodeError:
            a name or a value cannot be encoded.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlencode
    """
    cdef Quoting scratch
    cdef bint plus = quote_via is quote_plus or quote_via is their_quote_plus
    cdef bint direct = encoding is None and errors is None \
        and (plus or quote_via is quote or quote_via is their_quote) and (type(safe) is str or type(safe) is bytes)
    if direct and type(query) is dict:
        pass
    elif type(query) is not list and hasattr(query, "items"):
        query = query.items()
    else:
        try:
            if len(query) and not isinstance(query[0], tuple):
                raise TypeError
        except TypeError:
            error = exc_info()[1]  # not "as error": Cython binds that to NULL when memory runs out
            raise TypeError("not a valid non-string sequence or mapping object") from (error if CHAINS else None)
    if direct:
        return encoded(query, bool(doseq), quoting_for(safe, plus, &scratch))
    return general().urlencode(query, doseq, safe, encoding, errors, quote_via)


stay_all(globals())
