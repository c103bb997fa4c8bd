"""Editing without the parser: one component of a URL is replaced by a text that the parser would certainly leave as it
is."""
from cpython.unicode cimport PyUnicode_New
from libc.stdint cimport int32_t, uint32_t, uint8_t
from libc.string cimport memchr, memcpy
from urlsm.machine.driver cimport default_port, kind_of
from urlsm.machine.machine cimport ABSENT, COMPONENTS, FRAGMENT, HOST, PASSWORD, PATH, PORT, QUERY, SCHEME, USERNAME
from urlsm.machine.special cimport FILE, NOT_SPECIAL, SchemeKind
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, is_ascii
from urlsm.octets.chars cimport (
    BACKSLASH, CLASS, DIGIT, ENC_FRAGMENT, ENC_PATH, ENC_SPECIAL_QUERY, ENC_USERINFO, PERCENT, SLASH, UPPER,
    classes_of,
)
from urlsm.url.spans cimport authority_start, has_credentials
from urlsm.url.value cimport URL, as_url, empty_url, path_end, query_end
from urlsm.url.write.host cimport DIGITS, digits_of, is_normal_domain

cdef extern from "Python.h":
    long small_int "PyLong_AsLongAndOverflow"(object value, int* overflow) except? -1


cdef enum:
    NO_OCTETS = 0            # for with_piece: refuse no octets besides those that the component would encode


cdef inline URL spliced_url(URL url, uint32_t start, uint32_t end, uint8_t prefix, const uint8_t* p, uint32_t n,
                            uint8_t suffix=0):
    """Return url with its octets [start, end) replaced by a prefix (0: none), p[0:n] and a suffix (0: none). Offsets of
    path, query and fragment that are at or after `end` are moved; the others stay. Return None if the result would be
    longer than parse accepts."""
    cdef const uint8_t* text = ascii_data(url.href)
    cdef size_t size = len(url.href), piece = <size_t>n + (prefix != 0) + (suffix != 0)
    # unsigned arithmetic: this may wrap around, and then the sums below wrap back
    cdef uint32_t shift = <uint32_t>(piece - (end - start))
    cdef uint8_t* to
    cdef URL made
    if piece > end - start and size - (end - start) + piece > MAX_LENGTH:
        return None
    made = empty_url()
    made.href = PyUnicode_New(size - (end - start) + piece, 127)
    to = ascii_data(made.href)
    memcpy(to, text, start)
    if prefix:
        to[start] = prefix
    if n:  # if n is 0, p may be NULL
        memcpy(to + start + (prefix != 0), p, n)
    if suffix:
        to[start + piece - 1] = suffix
    memcpy(to + start + piece, text + end, size - end)
    made.o = url.o
    if url.o.path_start >= end:
        made.o.path_start += shift
    if url.o.query_start != ABSENT and url.o.query_start >= end:
        made.o.query_start += shift
    if url.o.fragment_start != ABSENT and url.o.fragment_start >= end:
        made.o.fragment_start += shift
    return made


cdef inline URL with_piece(URL url, int which, const uint8_t* p, uint32_t n, uint32_t refused):
    """Return url with p[0:n] as its HOST, PATH, QUERY, FRAGMENT, SCHEME, USERNAME or PASSWORD; a p of NULL removes the
    query or fragment. Return None if the parser has to decide, for example if an octet has one of the classes `refused`
    or would be encoded in the component, or if the scheme is not special or is file."""
    cdef uint32_t seen, k
    cdef SchemeKind kind
    cdef URL made
    if not NOT_SPECIAL < url.o.kind < FILE:
        return None
    seen = classes_of(p, n)
    if seen & refused:
        return None
    if which == FRAGMENT:
        if seen & ENC_FRAGMENT:
            return None
        made = spliced_url(url, query_end(url), len(url.href), c'#' if p != NULL else 0, p, n)
        if made is not None:
            made.o.fragment_start = query_end(url) if p != NULL else <uint32_t>ABSENT
    elif which == QUERY:
        if seen & ENC_SPECIAL_QUERY:
            return None
        made = spliced_url(url, path_end(url), query_end(url), c'?' if p != NULL else 0, p, n)
        if made is not None:
            made.o.query_start = path_end(url) if p != NULL else <uint32_t>ABSENT
    elif which == PATH:
        if n == 0 or p[0] != c'/' or seen & (ENC_PATH | BACKSLASH):
            return None
        for k in range(1, n):
            if p[k - 1] == c'/' and (p[k] == c'.' or p[k] == c'%'):  # a dot segment may begin here
                return None
        made = spliced_url(url, url.o.path_start, path_end(url), 0, p, n)
        if made is not None:
            made.o.path_start = url.o.path_start
    elif which == HOST:
        if not is_normal_domain(p, n, seen):
            return None
        made = spliced_url(url, url.o.host_start, url.o.host_end, 0, p, n)
        if made is not None:
            made.o.host_end = url.o.host_start + n
    elif which == USERNAME or which == PASSWORD:
        return with_credential(url, which, p, n) if n and not seen & ENC_USERINFO else None
    else:
        kind = kind_of(p, n)
        if seen & UPPER or not NOT_SPECIAL < kind < FILE or url.o.port == <int32_t>default_port(kind):
            # the parser would "set url's port to null" (the default of the new scheme), or read the scheme in another
            # way
            return None
        made = spliced_url(url, 0, url.o.scheme_end, 0, p, n)
        if made is not None:
            made.o.kind = kind
            made.o.scheme_end = n
            made.o.username_end += n - url.o.scheme_end
            made.o.host_start += n - url.o.scheme_end
            made.o.host_end += n - url.o.scheme_end
    return made


cdef inline URL with_credential(URL url, int which, const uint8_t* p, uint32_t n):
    """Return url with p[0:n] as its USERNAME or PASSWORD, n > 0, and with an "@" if url had none. The scheme has to be
    special and not file."""
    cdef uint32_t start = authority_start(&url.o), end = url.o.username_end, shift
    cdef bint first = not has_credentials(&url.o)
    cdef URL made
    if which == PASSWORD:
        start, end = end, url.o.host_start - (not first)
    made = spliced_url(url, start, end, c':' if which == PASSWORD else 0, p, n, c'@' if first else 0)
    if made is not None:
        # unsigned arithmetic: this may wrap around, and then the sums below wrap back
        shift = len(made.href) - len(url.href)
        if which == USERNAME:
            made.o.username_end = start + n
        made.o.host_start += shift
        made.o.host_end += shift
    return made


cdef inline URL with_segment(URL url, const uint8_t* p, uint32_t n):
    """Return url with p[0:n] appended as a path segment, and without query and fragment. None if the parser has to
    decide."""
    cdef uint32_t end = path_end(url)
    cdef bint slash
    cdef URL made
    if n == 0 or p[0] == c'.' or classes_of(p, n) & (ENC_PATH | SLASH | BACKSLASH | PERCENT) \
            or not is_special_still(url):
        return None
    slash = ascii_data(url.href)[end - 1] != c'/'
    made = spliced_url(url, end, len(url.href), c'/' if slash else 0, p, n)
    if made is not None:
        made.o.query_start = made.o.fragment_start = <uint32_t>ABSENT
    return made


cdef inline URL without_last_segment(URL url):
    """Return url without the last segment of its path, and without query and fragment. None if the parser has to
    decide. Removing a segment cannot create a dot segment."""
    cdef const uint8_t* p = ascii_data(url.href)
    cdef uint32_t end = path_end(url)
    cdef URL made
    if not is_special_still(url):
        return None
    while p[end - 1] != c'/':
        end -= 1
    end -= end > url.o.path_start + 1  # also remove the "/" before the segment, unless it is the root
    if end == <uint32_t>len(url.href):
        return url
    made = spliced_url(url, end, len(url.href), 0, NULL, 0)
    if made is not None:
        made.o.query_start = made.o.fragment_start = <uint32_t>ABSENT
    return made


cdef inline bint is_special_still(URL url) noexcept:
    """Return whether the scheme is special and not file, both now and when url was made. urlsm.register may have
    changed which schemes are special."""
    return NOT_SPECIAL < url.o.kind < FILE and kind_of(ascii_data(url.href), url.o.scheme_end) == url.o.kind


cdef inline URL of_today(URL url):
    """Return url itself, or parse its text again if urlsm.register has made its scheme special, or no longer special,
    since url was made."""
    return url if kind_of(ascii_data(url.href), url.o.scheme_end) == url.o.kind else as_url(url.href)


cdef inline URL with_port(URL url, uint32_t port):
    """Return url with another port. Its scheme has to be special and not file."""
    cdef uint8_t[DIGITS] digits
    cdef bint shown = port != default_port(url.o.kind)
    cdef uint32_t k = digits_of(digits, port, 10) if shown else DIGITS
    cdef URL made = spliced_url(url, url.o.host_end, url.o.path_start, c':' if shown else 0, digits + k, DIGITS - k)
    if made is not None:
        made.o.port = <int32_t>port if shown else -1
    return made


cdef inline URL with_host_and_port(URL url, const uint8_t* p, uint32_t n):
    """Return url with p[0:n] as its host, or as its host, ":" and port. If there is no ":", the old port stays. None if
    the parser has to decide, as for a port that is not in normal form."""
    cdef const uint8_t* colon = <const uint8_t*>memchr(p, c':', n)
    cdef uint32_t host = n if colon == NULL else <uint32_t>(colon - p), k, port = 0
    cdef URL made
    if colon == NULL or not NOT_SPECIAL < url.o.kind < FILE:
        return with_piece(url, HOST, p, n, NO_OCTETS)
    if not 0 < n - host - 1 <= 5 or p[host + 1] == c'0' or not is_normal_domain(p, host, classes_of(p, host)):
        return None
    for k in range(host + 1, n):
        if not CLASS[p[k]] & DIGIT:
            return None
        port = 10 * port + (p[k] - c'0')
    if port > 0xFFFF or port == default_port(url.o.kind):
        return None
    made = spliced_url(url, url.o.host_start, url.o.path_start, 0, p, n)
    if made is not None:
        made.o.host_end = url.o.host_start + host
        made.o.port = <int32_t>port
    return made


cdef inline URL with_component(URL url, object name, object value):
    """Return what url.replace(**{name: value}) returns, or None if the parser has to decide."""
    cdef int which
    cdef long port
    cdef int overflow = 0
    if kind_of(ascii_data(url.href), url.o.scheme_end) != url.o.kind:
        return None  # since url was made, urlsm.register has made its scheme special, or no longer special
    which = FRAGMENT if name == "fragment" else QUERY if name == "query" else PATH if name == "path" \
        else HOST if name == "host" else SCHEME if name == "scheme" else PORT if name == "port" \
        else USERNAME if name == "username" else PASSWORD if name == "password" else COMPONENTS
    if which == COMPONENTS:
        return None
    if which == PORT:
        if type(value) is not int or not NOT_SPECIAL < url.o.kind < FILE:
            return None
        port = small_int(value, &overflow)  # -1 if value is too large
        return with_port(url, <uint32_t>port) if 0 <= port <= 0xFFFF else None
    if value is None and (which == FRAGMENT or which == QUERY):
        return with_piece(url, which, NULL, 0, NO_OCTETS)
    if type(value) is not str or not is_ascii(value) or len(<str>value) > MAX_LENGTH:
        return None
    return with_piece(url, which, ascii_data(value), len(<str>value), NO_OCTETS)
