"""The fast way of the judging functions: it recognises ordinary links, which every reader reads alike.

It is a proof by grammar, not a guess: where it accepts, the slow way would find nothing.
"""
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND, PyUnicode_New, PyUnicode_READ, PyUnicode_WRITE,
)
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.driver cimport default_port, plain_lane
from urlsm.machine.special cimport FILE, NOT_SPECIAL, same_letters, scheme_kind
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.chars cimport (
    ALPHA, AT, BACKSLASH, CLASS, COLON, DIGIT, ENC_C0, HASH, HEX, PERCENT, QUESTION, SLASH, URL_CODE_POINT,
)
from urlsm.octets.text cimport among
from urlsm.security.kinds cimport is_hazard, read_ipv4


cdef enum:
    HEAD = 512  # characters: longer than a scheme, a name and a port


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
    if len(text) > HEAD:  # HEAD holds any ordinary host; only a port of many zeros is longer, and ends at the NUL
        text = text[:HEAD] + "\0"
    octets = scalars(text).encode()
    return ordinary_authority(octets, len(octets), a)


cpdef bint is_ordinary(str text) except -1:
    """Return whether the text begins as an ordinary link."""
    cdef Authority a
    return begins_ordinary(text, &a)


def unremarkable(str text not None) -> int:
    """Return the number of characters from the start that certainly hold no hazard of urlsm.audit: all; or those up to
    the path of a link with an ordinary host, which is not a hazard by addresses.py, and with no port but the scheme's;
    or 0. Such a host is in normal form, so it does not hide another, and all readers see the same host and scheme, and
    no user information."""
    cdef Authority a
    cdef const uint8_t* p
    cdef bytes octets
    cdef Py_ssize_t n = len(text), k
    if not begins_ordinary(text, &a) or (a.has_port and a.port != <int>default_port(a.kind)):
        return 0
    if is_ascii(text):
        p = ascii_data(text)
    else:
        octets = text[:a.end + 1].encode("utf-8", "surrogatepass")
        p = octets
    if is_hazard(p + a.host, a.host_end - a.host):
        return 0
    for k in range(a.host, a.host_end - 3):
        if p[k] | 0x20 == c'x' and same_letters(p + k, b"xn--", 4):
            return 0
    if is_ascii(text):
        return n if is_harmless(PyUnicode_1BYTE_KIND, p, a.end, n) else a.end
    return n if is_harmless(PyUnicode_KIND(text), PyUnicode_DATA(text), a.end, n) else a.end


cdef inline bint is_harmless(int kind, const void* data, Py_ssize_t k, Py_ssize_t n) noexcept:
    """Return whether path, query and fragment, which begin at k, hold no hazard. They have hazards only where
    first_suspects finds something: a backslash, a control character or an escape of one; in a path also an escape of a
    slash, of a backslash, or of a dot, which may make a segment of dots. Escapes are decoded in the same way here."""
    cdef Py_UCS4 char
    cdef bint in_path = True
    cdef int octet
    while k < n:
        char = PyUnicode_READ(kind, data, k)
        if among(char, PERCENT | BACKSLASH | ENC_C0 | QUESTION | HASH):
            if char == c'%':
                octet = decoded_at(kind, data, &k, n)
                if octet < 0x20 or octet == 0x7F:
                    return False
                if in_path and (octet == c'/' or octet == c'\\' or octet == c'.'):
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
