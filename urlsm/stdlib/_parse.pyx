"""urlsplit and urlparse of urllib.parse, over the machine.

Exact str and bytes, which is nearly every call, are handled here without a Python object between the text and
the result. All other arguments go to _general.py, which makes exact str of them and comes back.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp
from urlsm.buffer cimport ascii_data, is_ascii
from urlsm.chars cimport BRACKET, CLASS, NON_ASCII, QUESTION, SCHEME_CHAR
from urlsm.dialects cimport Dialect, stdlib
from urlsm.machine cimport ABSENT, AUTHORITY, FRAGMENT, MAX_LENGTH, Machine, PATH, QUERY, SCHEME, Span, prepare, run
from urlsm.normal cimport seen_by
from urlsm.text cimport without

import urllib.parse as theirs
from urlsm.stdlib._probe import DIFFERENCES

cdef extern from *:
    """
    #include "shortcut.h"
    URLSM_SHORTCUT(urlsplit)
    URLSM_SHORTCUT(urlparse)
    """
    void shorten_urlsplit "urlsm_shortcut_urlsplit"(object function, object (*one)(object))
    void shorten_urlparse "urlsm_shortcut_urlparse"(object function, object (*one)(object))

cdef object SplitResult = theirs.SplitResult
cdef object SplitResultBytes = theirs.SplitResultBytes
cdef object ParseResult = theirs.ParseResult
cdef object ParseResultBytes = theirs.ParseResultBytes
cdef list uses_params = theirs.uses_params  # the very list: what is appended to it counts
cdef Py_ssize_t HTTPS_IN_PARAMS = uses_params.index("https")

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


cdef object _general = None


cdef object general():
    """The module for all other arguments, which is imported when there are some: it needs this one."""
    global _general
    if _general is None:
        from urlsm.stdlib import _general as module
        _general = module
    return _general


# --- reading -----------------------------------------------------------------------------------

cdef object octets_of(object text, Octets* o):
    """Point o at the octets of an exact str, or of exact bytes; what keeps them alive."""
    if type(text) is str:
        if is_ascii(text):
            o.p, o.n, o.kind = ascii_data(text), len(<str>text), ASCII
            return text
        text = (<str>text).encode("utf-8", "surrogatepass")
        o.kind = UTF8
    else:
        if not (<bytes>text).isascii():
            (<bytes>text).decode("ascii", "strict")  # raises
        o.kind = OCTETS
    o.p, o.n = <const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)
    return text


cdef object read(Machine* m, object owner, const Octets* o, bint fragments):
    """Run the machine; what keeps the octets alive that it points at: owner, or a clean copy. ValueError for more
    octets than offsets can count, and for a netloc that urlsplit refuses."""
    cdef const Dialect* rules = &RULES[fragments]
    if o.n > MAX_LENGTH:
        raise ValueError(f"a URL of more than {MAX_LENGTH} octets")
    prepare(m, o.p, o.n, rules)
    run(m)
    if m.scheme_upper or seen_by(m) & rules.remove:
        owner = cleaned(m, o, rules)
    # of the marks, only these matter in a netloc
    if (m.host_seen | m.seen) & (BRACKET | NON_ASCII) and m.spans[AUTHORITY].start != ABSENT:
        general().check_netloc(component(m, AUTHORITY, UTF8))
    return owner


cdef bytes cleaned(Machine* m, const Octets* o, const Dialect* rules):
    """Run the machine again, over a copy without tabs and newlines and with the scheme in lower case."""
    cdef bytes clean
    cdef uint8_t* p
    cdef uint32_t k
    clean = without(o.p, m.text.start, m.text.end, rules.remove)
    p = <uint8_t*>PyBytes_AS_STRING(clean)
    prepare(m, p, PyBytes_GET_SIZE(clean), rules)
    run(m)
    if m.scheme_upper:
        for k in range(m.spans[SCHEME].start, m.spans[SCHEME].end):
            if c'A' <= p[k] <= c'Z':
                p[k] |= 0x20
    return clean


cdef inline object scheme_of(const Machine* m, Kind kind, object scheme):
    """scheme: what it is where the text has none."""
    cdef Span s = m.spans[SCHEME]
    if s.start == ABSENT:
        return scheme
    if kind == ASCII and s.end - s.start == 5 and memcmp(m.text.p + s.start, b"https", 5) == 0:
        return "https"
    if kind == ASCII and s.end - s.start == 4 and memcmp(m.text.p + s.start, b"http", 4) == 0:
        return "http"
    return text_of(m.text.p + s.start, s.end - s.start, kind)


cdef bint listed(list names, Piece scheme, Py_ssize_t guess) except -1:
    """Is the scheme in a list, which others may have filled with anything? guess: where to look first (where https
    stood when this was imported)."""
    cdef Py_ssize_t k = 0
    if scheme.p == NULL:
        return False
    if guess < len(names) and is_name(names[guess], scheme):
        return True
    while k < len(names):
        if is_name(names[k], scheme):
            return True
        k += 1
    return False


cdef inline bint is_name(object name, Piece scheme) except -1:
    if type(name) is str and is_ascii(name):
        return PyUnicode_GET_LENGTH(name) == scheme.n and memcmp(ascii_data(name), scheme.p, scheme.n) == 0
    return name == scheme.p[:scheme.n].decode("latin-1")


cdef uint32_t params_of(const Machine* m, Piece scheme) except? 0xFFFFFFFE:
    """Where the ";" is that begins the params of the path's last segment; ABSENT where there is none, or the
    scheme uses none."""
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
    """May scheme, an exact str, go with this URL as it is?"""
    cdef Py_ssize_t k
    if type(scheme) is not str or not is_ascii(scheme) or (type(url) is bytes and len(<str>scheme)):
        return False
    for k in range(len(<str>scheme)):
        if not CLASS[ascii_data(scheme)[k]] & SCHEME_CHAR:
            return False
    return True


cpdef object split(object text, object scheme, bint fragments):
    """The SplitResult of an exact str; the SplitResultBytes of exact bytes, where scheme is bytes too."""
    cdef Machine m
    cdef Octets o
    owner = octets_of(text, &o)
    owner = read(&m, owner, &o, fragments)
    result = new_result(SplitResultBytes if o.kind == OCTETS else SplitResult, 5)
    put(result, 0, scheme_of(&m, o.kind, scheme))
    put(result, 1, component(&m, AUTHORITY, o.kind))
    put(result, 2, component(&m, PATH, o.kind))
    put(result, 3, component(&m, QUERY, o.kind))
    put(result, 4, component(&m, FRAGMENT, o.kind))
    return result


cdef inline Piece scheme_piece(const Machine* m, object scheme) noexcept:
    return piece_of(scheme) if m.spans[SCHEME].start == ABSENT else piece(m, SCHEME)


cpdef object parse(object text, object scheme, bint fragments):
    """The ParseResult of an exact str; the ParseResultBytes of exact bytes, where scheme is bytes too."""
    cdef Machine m
    cdef Octets o
    cdef Piece by
    cdef uint32_t semicolon
    owner = octets_of(text, &o)
    owner = read(&m, owner, &o, fragments)
    by = scheme_piece(&m, scheme)
    semicolon = params_of(&m, by)
    result = new_result(ParseResultBytes if o.kind == OCTETS else ParseResult, 6)
    put(result, 0, scheme_of(&m, o.kind, scheme))
    put(result, 1, component(&m, AUTHORITY, o.kind))
    if semicolon == ABSENT:
        put(result, 3, b"" if o.kind == OCTETS else "")
    else:
        put(result, 3, text_of(m.text.p + semicolon + 1, m.spans[PATH].end - semicolon - 1, o.kind))
        m.spans[PATH].end = semicolon
    put(result, 2, component(&m, PATH, o.kind))
    put(result, 4, component(&m, QUERY, o.kind))
    put(result, 5, component(&m, FRAGMENT, o.kind))
    return result


def urlsplit(url, scheme="", allow_fragments=True, *, missing_as_none=False):
    """Split a URL: <scheme>://<netloc>/<path>?<query>#<fragment>.

    Args:
        url: str or bytes. scheme: of the same type; that of a URL which has none. allow_fragments: does "#" begin
            a fragment? missing_as_none: a component that is absent is None, one that is empty is "".

    Returns:
        urllib.parse.SplitResult, of bytes SplitResultBytes; with missing_as_none a subclass of it.

    Raises:
        ValueError: brackets that hold no IP address, or characters of the netloc that NFKC would make delimiters.
        TypeError: str mixed with bytes. UnicodeDecodeError: bytes that are not ASCII.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlsplit
    """
    if missing_as_none:
        from urlsm.stdlib import _results
        return _results.urlsplit(url, scheme, allow_fragments)
    if is_plain(url) and is_clean(url, scheme) and type(allow_fragments) is bool:
        return split(url, scheme if type(url) is str else b"", allow_fragments)
    return general().urlsplit(url, scheme, allow_fragments)


cdef object urlsplit_one(object url):
    if type(url) is str:
        return split(url, "", True)
    return general().urlsplit(url, "", True) if type(url) is not bytes else split(url, b"", True)


shorten_urlsplit(urlsplit, urlsplit_one)


def urlparse(url, scheme="", allow_fragments=True, *, missing_as_none=False):
    """Split a URL: <scheme>://<netloc>/<path>;<params>?<query>#<fragment>.

    As urlsplit, but the params of the path's last segment are apart, where the scheme is in uses_params. Returns
    urllib.parse.ParseResult, of bytes ParseResultBytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlparse
    """
    if missing_as_none:
        from urlsm.stdlib import _results
        return _results.urlparse(url, scheme, allow_fragments)
    if is_plain(url) and is_clean(url, scheme) and type(allow_fragments) is bool:
        return parse(url, scheme if type(url) is str else b"", allow_fragments)
    return general().urlparse(url, scheme, allow_fragments)


cdef object urlparse_one(object url):
    if type(url) is str:
        return parse(url, "", True)
    return general().urlparse(url, "", True) if type(url) is not bytes else parse(url, b"", True)


shorten_urlparse(urlparse, urlparse_one)


def components(str text, scheme, bint fragments, bint with_params):
    """scheme, netloc, path, params, query, fragment of an exact str, None where absent."""
    cdef Machine m
    cdef Octets o
    cdef uint32_t semicolon
    cdef list found = []
    cdef int which
    owner = octets_of(text, &o)
    owner = read(&m, owner, &o, fragments)
    semicolon = params_of(&m, scheme_piece(&m, "" if scheme is None else scheme)) if with_params else <uint32_t>ABSENT
    params = None
    if semicolon != ABSENT:
        params = text_of(m.text.p + semicolon + 1, m.spans[PATH].end - semicolon - 1, o.kind)
        m.spans[PATH].end = semicolon
    for which in (AUTHORITY, PATH, QUERY, FRAGMENT):
        found.append(None if m.spans[which].start == ABSENT else component(&m, which, o.kind))
    netloc, path, query, fragment = found
    return scheme_of(&m, o.kind, scheme), netloc, path, params, query, fragment
