"""The fast way of the judging functions: it recognises ordinary links, which every reader reads alike.

It is a proof by grammar, not a guess: where it accepts, the slow way would find nothing.
"""
import re
cimport cython
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_New
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND, PyUnicode_New, PyUnicode_READ, PyUnicode_WRITE,
)
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp
from urlsm.machine.driver cimport default_port, plain_lane
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL, same_letters, scheme_kind
from urlsm.octets.buffer cimport MAX_LENGTH, Buffer, ascii_data, buffer_copy, buffer_free, buffer_start, is_ascii
from urlsm.octets.chars cimport (
    ALPHA, AT, BACKSLASH, CLASS, COLON, DIGIT, ENC_C0, HASH, HEX, NON_ASCII, PERCENT, QUESTION, SLASH, URL_CODE_POINT,
    classes_of,
)
from urlsm.octets.text cimport among
from urlsm.security.kinds cimport (
    NONE, UNALLOCATED, UNREAD, address_row, canonical_row, is_hazard, is_hazard_name, read_ipv4,
)
from urlsm.unicode.domains cimport is_shown, write_domain


cdef extern from *:
    Py_UCS4 char_at "PyUnicode_READ"(int kind, const void* data, Py_ssize_t k) noexcept nogil

cdef enum:
    HEAD = 512  # characters: longer than a scheme, a name and a port
    MOST_LISTS = 256


cdef inline bint is_label(uint8_t octet) noexcept nogil:
    return CLASS[octet] & (ALPHA | DIGIT) != 0 or octet == c'-' or octet == c'_'


cdef bint ordinary_authority(const uint8_t* p, Py_ssize_t n, Authority* a) noexcept nogil:
    """Return whether p[0:n] begins as an ordinary link: a special scheme, "://", and what ordinary_host takes."""
    cdef Py_ssize_t k = 2
    while k < n and k < 6 and p[k] != c':':
        k += 1
    if k + 3 >= n or p[k] != c':' or p[k + 1] != c'/' or p[k + 2] != c'/':
        return False
    a.kind = scheme_kind(p, k)
    if not NOT_SPECIAL < a.kind < FILE:
        return False
    return ordinary_host(p, n, k + 3, a)


cdef bint ordinary_host(const uint8_t* p, Py_ssize_t n, Py_ssize_t k, Authority* a) noexcept nogil:
    """Return whether an ordinary host begins at p[k], behind "//": labels of which the last does not begin with a
    digit, or four decimal numbers as the URL Standard writes an IPv4 address; then perhaps a port; then the end, "/",
    "?" or "#". Every reader sees the same there: no step of a dialect, rule of a grammar or normal form asks for more
    than that."""
    cdef Py_ssize_t label
    cdef uint32_t ipv4
    if not plain_lane:  # the tests' switch
        return False
    a.host = k
    while True:
        label = k
        while k < n and is_label(p[k]):
            k += 1
        if k == label or p[label] == c'-' or p[k - 1] == c'-':
            return False  # an empty label, or one that RFC 2396 does not allow
        if k + 1 >= n or p[k] != c'.' or not is_label(p[k + 1]):
            break
        k += 1
    if CLASS[p[label]] & DIGIT:
        if not read_ipv4(p + a.host, k - a.host, &ipv4):
            return False
    elif k - a.host > LONGEST_NAME:
        return False
    elif k < n and p[k] == c'.':  # of the root
        k += 1
    a.host_end, a.port = k, 0
    if k < n and p[k] == c':':
        k += 1
        while k < n and CLASS[p[k]] & DIGIT and a.port <= 0xFFFF:
            a.port = 10 * a.port + p[k] - c'0'
            k += 1
    a.has_port = k > a.host_end + 1
    a.end = k
    return a.port <= 0xFFFF and (k == n or CLASS[p[k]] & (SLASH | QUESTION | HASH) != 0)


cdef bint begins_ordinary(str text, Authority* a) except -1:
    """Return ordinary_authority of a text. Its positions in octets and in characters are the same up to there."""
    cdef bytes octets
    if is_ascii(text):
        return ordinary_authority(ascii_data(text), len(text), a)
    octets = begin_of(text)
    return ordinary_authority(octets, len(octets), a)


cdef bytes begin_of(str text):
    """Return a text as UTF-8, without what lies behind any ordinary host. HEAD holds each of these; only a port of many
    zeros is longer, and ends at the NUL."""
    return scalars(text[:HEAD] + "\0" if len(text) > HEAD else text).encode()


cpdef bint is_ordinary(str text) except -1:
    """Return whether the text begins as an ordinary link."""
    cdef Authority a
    return begins_ordinary(text, &a)


cpdef Py_ssize_t unremarkable(str text) except -1:
    """Return the number of characters from the start that certainly hold no hazard of urlsm.audit: all; or those up to
    the path of a link with an ordinary host, which is not a hazard by addresses.py, and with no port but the scheme's;
    or 0. Such a host is in normal form, so it does not hide another, and all readers see the same host and scheme, and
    no user information."""
    cdef Authority a
    cdef Py_ssize_t n = len(text)
    cdef bytes octets
    if is_ascii(text):
        if not ordinary_authority(ascii_data(text), n, &a) or not holds_no_hazard(ascii_data(text), &a):
            return 0
        return n if is_free(ascii_data(text) + a.end, n - a.end, PERCENT | BACKSLASH | ENC_C0) \
            or is_harmless(PyUnicode_1BYTE_KIND, ascii_data(text), a.end, n) else a.end
    octets = begin_of(text)
    if ordinary_authority(octets, len(octets), &a):
        if not holds_no_hazard(octets, &a):
            return 0
    elif not begins_with_domain(octets, len(octets), &a):
        return 0
    return n if is_harmless(PyUnicode_KIND(text), PyUnicode_DATA(text), a.end, n) else a.end


cdef bint reads_alike(const uint8_t* p, size_t n) except -1 nogil:
    """Return whether is_ambiguous is certainly False for p[0:n], UTF-8 or not: is_ordinary of a text asks no more of
    it than that, and the octets behind the authority do not matter."""
    cdef Authority a
    return ordinary_authority(p, n, &a) and a.end < HEAD


cdef bint is_clear(const uint8_t* p, size_t n) except -1 nogil:
    """Return whether audit certainly finds nothing in p[0:n]: whether it is ASCII, and unremarkable says so of all."""
    cdef Authority a
    if not ordinary_authority(p, n, &a) or not holds_no_hazard(p, &a):
        return False
    if is_free(p + a.end, n - a.end, PERCENT | BACKSLASH | ENC_C0 | NON_ASCII):
        return True
    return not classes_of(p + a.end, n - a.end) & NON_ASCII and is_harmless(PyUnicode_1BYTE_KIND, p, a.end, n)


cdef inline bint is_free(const uint8_t* p, size_t n, uint32_t classes) noexcept nogil:
    """Return whether p[0:n] holds no octet of these classes, and no ";", which may end a segment of dots."""
    return not classes_of(p, n) & classes and memchr(p, c';', n) == NULL


READS_ALIKE = PyCapsule_New(<void*>reads_alike, NULL, NULL)  # for columns, which load this module when they need it
IS_CLEAR = PyCapsule_New(<void*>is_clear, NULL, NULL)


cdef bint holds_no_hazard(const uint8_t* p, const Authority* a) except -1 nogil:
    """Return whether host and port of an ordinary authority in p are no hazard. An "xn--" label is not one where all
    of the host decodes to labels that people may see."""
    cdef uint32_t culprit
    cdef Buffer shown
    if a.has_port and a.port != <int>default_port(a.kind):
        return False
    if is_hazard(p + a.host, a.host_end - a.host) if CLASS[p[a.host_end - 1]] & DIGIT \
            else is_hazard_name(p + a.host, a.host_end - a.host):  # an address ends in a digit
        return False
    if not has_a_label(p + a.host, a.host_end - a.host):
        return True
    buffer_start(&shown)
    try:
        return write_domain(&shown, p + a.host, a.host_end - a.host, True, &culprit) == 0 and is_shown(shown.p, shown.n)
    finally:
        buffer_free(&shown)


cdef bint begins_with_domain(const uint8_t* p, Py_ssize_t n, Authority* a) except -1:
    """Return whether p[0:n], UTF-8, begins like an ordinary link without a port, but with a domain in Unicode that is
    not a hazard; a.end is in characters then. Every reader takes such a domain as it is, because it holds letters,
    marks, digits and "-" alone, and sees its ASCII form in it (folded_host of comparison.pyx), because it is its own
    ToUnicode form and holds none of the code points on which versions of IDNA differ. So they all see what they see in
    the same link with the ASCII form, which has to be an ordinary one."""
    cdef Py_ssize_t k = 2, start, end
    cdef uint32_t culprit
    cdef Buffer b, back
    while k < n and k < 6 and p[k] != c':':
        k += 1
    start = end = k + 3
    if start > n or p[k] != c':':
        return False
    while end < n and (is_label(p[end]) or p[end] == c'.' or p[end] >= 0x80):
        end += 1
    if end - start > LONGEST_NAME or (end < n and not CLASS[p[end]] & (SLASH | QUESTION | HASH)):
        return False
    buffer_start(&b)
    buffer_start(&back)
    try:
        buffer_copy(&b, p, start)
        if not is_shown(p + start, end - start) or write_domain(&b, p + start, end - start, False, &culprit) != 0:
            return False
        if not ordinary_authority(b.p, b.n, a) or is_hazard(b.p + a.host, a.host_end - a.host):
            return False
        write_domain(&back, b.p + start, b.n - start, True, &culprit)
        if back.n != <size_t>(end - start) or memcmp(back.p, p + start, back.n) != 0:
            return False
    finally:
        buffer_free(&b)
        buffer_free(&back)
    a.end = start
    for k in range(start, end):
        a.end += p[k] & 0xC0 != 0x80  # not within a character
    return True


cdef inline bint has_a_label(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return whether a host has "xn--", behind which IDNA decides."""
    cdef Py_ssize_t k
    if memchr(p, c'-', n) == NULL:
        return False
    for k in range(n - 3):
        if p[k] | 0x20 == c'x' and same_letters(p + k, b"xn--", 4):
            return True
    return False


cdef inline bint is_harmless(int kind, const void* data, Py_ssize_t k, Py_ssize_t n) noexcept nogil:
    """Return whether path, query and fragment, which begin at k, hold no hazard. They have hazards only where
    first_suspects finds something: a backslash, a control character or an escape of one; in a path also an escape of a
    slash, of a backslash, of a ";" or of a dot, which may make a segment of dots; and where a ";" is behind dots.
    Escapes are decoded in the same way here."""
    cdef Py_UCS4 char
    cdef bint in_path = True
    cdef int octet
    while k < n:
        char = char_at(kind, data, k)
        if char == c';' and in_path and k > 0 and char_at(kind, data, k - 1) == c'.':
            return False
        if among(char, PERCENT | BACKSLASH | ENC_C0 | QUESTION | HASH):
            if char == c'%':
                octet = decoded_at(kind, data, &k, n)
                if octet < 0x20 or octet == 0x7F:
                    return False
                if in_path and (octet == c'/' or octet == c'\\' or octet == c'.' or octet == c';'):
                    return False
                continue
            if not among(char, QUESTION | HASH):
                return False
            in_path = False
        k += 1
    return True


cpdef str scalars(str text):
    """Return text with U+FFFD for each lone surrogate: a scalar value string, as the URL Standard takes it."""
    cdef Py_ssize_t k, n = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 char
    cdef str made
    for k in range(n if kind > 1 else 0):
        if 0xD800 <= PyUnicode_READ(kind, data, k) <= 0xDFFF:
            break
    else:
        return text
    made = PyUnicode_New(n, 0xFFFF if kind == 2 else 0x10FFFF)
    for k in range(n):
        char = PyUnicode_READ(kind, data, k)
        PyUnicode_WRITE(kind, PyUnicode_DATA(made), k, 0xFFFD if 0xD800 <= char <= 0xDFFF else char)
    return made


cpdef tuple texts_of(entries):
    """Return a host, or an iterable of hosts, as a tuple of exact str. TypeError: one is not a str."""
    cdef tuple listed = (entries,) if isinstance(entries, str) else tuple(entries)
    cdef bint are_exact = True
    for entry in listed:
        if type(entry) is not str:
            if not isinstance(entry, str):
                raise TypeError(f"a host of a list is str, not {type(entry).__name__}")
            are_exact = False
    return listed if are_exact else tuple([str.__str__(entry) for entry in listed])


cdef dict broad_lists = {}, narrow_lists = {}  # by their texts: a caller writes the same few lists again and again


cpdef object host_list(tuple texts, bint broad):
    """Return the HostList of texts_of. The last ones are kept. broad: a bare name is also what lies below it, and an
    entry without a port is for any."""
    cdef dict known = broad_lists if broad else narrow_lists
    found = known.get(texts)
    if found is None:
        from urlsm.security.host_lists import HostList
        found = HostList(texts, below=broad, any_port=broad)
        if len(known) >= MOST_LISTS:
            known.clear()
        known[texts] = found
    return found


def checked_hosts(allowed_hosts):
    """Return the allowed hosts of is_safe_redirect, to be asked twice: a tuple, or a PatternSet. ValueError, whatever
    the target is: one cannot be read."""
    cdef tuple texts
    if allowed_hosts is None:
        return ()
    if type(allowed_hosts) not in (list, tuple, set, frozenset, str) and hasattr(allowed_hosts, "explain"):
        return allowed_hosts  # see _refusal
    texts = texts_of(allowed_hosts)
    host_list(texts, False)
    return texts


# what urllib3 (parse_url of 1.26 to 2.x), which takes no "." in a scheme, reads as an authority
cdef object NAME_OF_SCHEME = re.compile(
    r"[\0- ]*[A-Za-z][A-Za-z0-9+-]*\.[A-Za-z0-9+.-]*:(?:[0-9]*(?:[/\\?#]|$)|[^/\\?#]*@)"
)


cpdef bint names_in_scheme(str text) except -1:
    """Return whether a scheme of the text holds a "." and stands where urllib3 reads a host."""
    return not is_ordinary(text) and NAME_OF_SCHEME.match(text) is not None


# --- RFC 3986 appendix A -------------------------------------------------------------------------

cpdef bint is_authority(str text) except -1:
    """Return whether the text is [ userinfo "@" ] host [ ":" port ]. Any character beyond ASCII is allowed, roughly RFC
    3987's ucschar; ToASCII judges those of a host."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t k, n = len(text), start = 0
    k = name_end(kind, data, 0, n, True)
    if k < n and PyUnicode_READ(kind, data, k) == c'@':
        start = k + 1
    k = start
    if k < n and PyUnicode_READ(kind, data, k) == c'[':
        k += 1
        while k < n and (among(PyUnicode_READ(kind, data, k), HEX | COLON) or PyUnicode_READ(kind, data, k) == c'.'):
            k += 1
        if k == start + 1 or k == n or PyUnicode_READ(kind, data, k) != c']':
            return False
        k += 1
    else:
        k = name_end(kind, data, k, n, False)
    if k < n and PyUnicode_READ(kind, data, k) == c':':
        k += 1
        while k < n and among(PyUnicode_READ(kind, data, k), DIGIT):
            k += 1
    return k == n


cdef bint is_digits(str text) except -1:
    """Return whether the text consists of ASCII digits only."""
    cdef const uint8_t* p
    cdef Py_ssize_t k, n = len(text)
    if n == 0 or not is_ascii(text):
        return False
    p = ascii_data(text)
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return False
    return True


cdef bint is_bracketed_address(str host) except -1:
    """Return whether the host may pass for an IP-literal:
    "[" ( 1*( HEXDIG / ":" / "." ) [ "%" *any ] / "v" 1*HEXDIG "." 1*any ) "]"."""
    cdef int kind = PyUnicode_KIND(host)
    cdef void* data = PyUnicode_DATA(host)
    cdef Py_ssize_t k = 1, n = len(host) - 1, start
    if n < 2 or host[0] != "[" or host[n] != "]":
        return False
    if host[1] in "vV":
        k = start = 2
        while k < n and among(PyUnicode_READ(kind, data, k), HEX):
            k += 1
        return k > start and k + 1 < n and PyUnicode_READ(kind, data, k) == c'.'
    while k < n and (among(PyUnicode_READ(kind, data, k), HEX | COLON) or PyUnicode_READ(kind, data, k) == c'.'):
        k += 1
    return k == n or (k > 1 and PyUnicode_READ(kind, data, k) == c'%')


cdef Py_ssize_t name_end(int kind, void* data, Py_ssize_t k, Py_ssize_t n, bint colons) noexcept:
    """Return where *( unreserved / pct-encoded / sub-delims ) ends; in userinfo (colons) also ":" is allowed."""
    cdef Py_UCS4 char
    while k < n:
        char = PyUnicode_READ(kind, data, k)
        if char == c'%':
            if k + 2 >= n or not among(PyUnicode_READ(kind, data, k + 1), HEX) \
                    or not among(PyUnicode_READ(kind, data, k + 2), HEX):
                return k
            k += 2
        elif char < 0x80 and not (colons and char == c':'):
            if not CLASS[char] & URL_CODE_POINT or CLASS[char] & (SLASH | COLON | QUESTION | AT):
                return k
        k += 1
    return k


include "disguise.pxi"
include "targets.pxi"
include "gate.pxi"
