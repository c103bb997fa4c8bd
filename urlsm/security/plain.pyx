"""The fast way of the judging functions: is this an ordinary link, which every reader reads alike?

It is a proof by grammar, not a guess: where it accepts, the slow way would find nothing.
"""
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_New, PyUnicode_READ, PyUnicode_WRITE
from libc.stdint cimport uint8_t
from urlsm.machine.special cimport FILE, NOT_SPECIAL, same_letters, scheme_kind
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.chars cimport ALPHA, AT, BACKSLASH, CLASS, COLON, DIGIT, HEX, PERCENT, QUESTION, SLASH, URL_CODE_POINT
from urlsm.octets.text cimport among
from urlsm.security.kinds cimport name_row


cdef enum:
    HEAD = 512  # characters: more than a scheme, a name and a port


cdef inline bint is_label(uint8_t octet) noexcept nogil:
    return CLASS[octet] & (ALPHA | DIGIT) != 0 or octet == c'-' or octet == c'_'


cdef Py_ssize_t plain_end(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Where the host of an ordinary link ends, or -1: a special scheme, "://", a host of labels the last of which no
    number begins, perhaps a port, and then the end, "/", "?" or "#". Every reader sees the same there: no step of any
    dialect, no rule of any grammar and no fold asks for more than that."""
    cdef Py_ssize_t k = 2, label, port = 0, start, host_end
    while k < n and k < 6 and p[k] != c':':
        k += 1
    if k + 3 >= n or p[k] != c':' or p[k + 1] != c'/' or p[k + 2] != c'/' or not NOT_SPECIAL < scheme_kind(p, k) < FILE:
        return -1
    k += 3
    start = k
    while True:
        label = k
        while k < n and is_label(p[k]):
            k += 1
        if k == label or p[label] == c'-' or p[k - 1] == c'-':
            return -1  # an empty label, or one that RFC 2396 does not have
        if k + 1 >= n or p[k] != c'.' or not is_label(p[k + 1]):
            break
        k += 1
    if CLASS[p[label]] & DIGIT or k - start > LONGEST_NAME:
        return -1
    if k < n and p[k] == c'.':  # the root's
        k += 1
    host_end = k
    if k < n and p[k] == c':':
        k += 1
        while k < n and CLASS[p[k]] & DIGIT and port <= 0xFFFF:
            port = 10 * port + p[k] - c'0'
            k += 1
    if port > 0xFFFF or (k < n and p[k] != c'/' and p[k] != c'?' and p[k] != c'#'):
        return -1
    return host_end


cdef Py_ssize_t host_end(str text) except -2:
    """plain_end of a text. Its octets and its characters are the same up to there."""
    cdef bytes octets
    if is_ascii(text):
        return plain_end(ascii_data(text), len(text))
    if len(text) > HEAD:  # which holds a plain host; only a port of many zeros goes on, and ends at the NUL
        text = text[:HEAD] + "\0"
    octets = scalars(text).encode()
    return plain_end(octets, len(octets))


cpdef bint is_plain(str text) except -1:
    """Does the fast way accept?"""
    return host_end(text) >= 0


def unremarkable(str text not None) -> int:
    """How many characters from the start clearly hold no hazard of urlsm.audit? All; or those up to
    the path of a link with a plain host, which has no row in addresses.py, and no port; or none."""
    cdef const uint8_t* p
    cdef bytes octets
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 char
    cdef Py_ssize_t n = len(text), k, start = 0, end = host_end(text)
    if end < 0:
        return 0
    if is_ascii(text):
        p = ascii_data(text)
    else:
        octets = text[:end + 1].encode("utf-8", "surrogatepass")
        p = octets
    if end < n and p[end] == c':':
        return 0
    while p[start] != c'/':
        start += 1
    start += 2
    if p[start] == c'-' or p[end - 1] == c'.':
        return 0
    if name_row(p + start, end - start) >= 0:
        return 0
    for k in range(start, end - 3):
        if same_letters(p + k, b"xn--", 4):
            return 0
    for k in range(end, n):
        char = PyUnicode_READ(kind, data, k)
        if among(char, PERCENT | BACKSLASH) or char < 0x20 or char == 0x7F:
            return end
    return n


cpdef str scalars(str text):
    """text with U+FFFD in the place of each lone surrogate: a scalar value string, as the URL Standard takes it."""
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
    """[ userinfo "@" ] host [ ":" port ]. Beyond ASCII: RFC 3987's ucschar, more or less; ToASCII judges a host's."""
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
    """Does the text consist of ASCII digits only?"""
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
    """"[" ( 1*( HEXDIG / ":" / "." ) [ "%" *any ] / "v" 1*HEXDIG "." 1*any ) "]": what may pass for an IP-literal."""
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
    """Where *( unreserved / pct-encoded / sub-delims ) ends, of userinfo with ":"."""
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
