"""Text in, positions out. The machine counts octets of the text that it read; users count characters of the text that
they gave (of bytes: bytes)."""
from cpython.unicode cimport (
    PyUnicode_AsUTF8String, PyUnicode_DATA, PyUnicode_FromObject, PyUnicode_KIND, PyUnicode_READ,
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, buffer_free, buffer_reserve, buffer_start, is_ascii
from urlsm.octets.chars cimport CLASS, HASH, QUESTION, SLASH, TAB_NEWLINE
from urlsm.octets.words cimport is_all_ascii

cdef extern from "octets/utf8.h" nogil:
    size_t utf8_unit "urlsm_utf8_unit"(const uint8_t* p, size_t n, bint* whole) noexcept


cdef str exact(object text):
    """Return the str itself, or an exact copy of a subclass's. TypeError for anything else."""
    if type(text) is str:
        return text
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    return PyUnicode_FromObject(text)


cdef bytes scalar_values(str text):
    """Return text as UTF-8, each lone surrogate as U+FFFD (Infra, scalar value string). Both take three octets."""
    cdef Buffer b
    try:
        return PyUnicode_AsUTF8String(text)
    except UnicodeEncodeError:
        pass
    buffer_start(&b)
    try:
        write_utf8(&b, text)
        return b.p[:b.n]
    finally:
        buffer_free(&b)


cdef int write_utf8(Buffer* b, str text) except -1:
    """Append the octets of scalar_values(text), without a bytes object. Returns 1 if a surrogate was replaced."""
    cdef int replaced = 0
    cdef Py_ssize_t k, n = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef uint32_t c
    cdef uint8_t* out
    buffer_reserve(b, (kind + 1 if kind < 4 else 4) * n)
    out = b.p + b.n
    for k in range(n):
        c = PyUnicode_READ(kind, data, k)
        if c < 0x80:
            out[0] = c
            out += 1
        elif c < 0x800:
            out[0], out[1] = 0xC0 | c >> 6, 0x80 | c & 0x3F
            out += 2
        elif c < 0x10000:
            if 0xD800 <= c < 0xE000:
                c, replaced = 0xFFFD, 1
            out[0], out[1], out[2] = 0xE0 | c >> 12, 0x80 | c >> 6 & 0x3F, 0x80 | c & 0x3F
            out += 3
        else:
            out[0], out[1] = 0xF0 | c >> 18, 0x80 | c >> 12 & 0x3F
            out[2], out[3] = 0x80 | c >> 6 & 0x3F, 0x80 | c & 0x3F
            out += 4
    b.n = out - b.p
    return replaced


cdef Octets octets_of(object given, bint raw):
    """Return the octets of a str, of bytes (raw: as they are; else decoded as UTF-8 and encoded again), or of an
    object with a str `href` (a URL) or another library's URL. TypeError for anything else."""
    cdef Octets text = Octets.__new__(Octets)
    cdef Py_ssize_t n = 0
    text.given = given
    if not isinstance(given, (str, bytes)):
        given = getattr(given, "href", None)
        if type(given) is not str:
            from urlsm.octets.objects import url_text
            given = url_text(text.given)
    if isinstance(given, str):
        given = exact(given)
        if is_ascii(given):
            text.is_text = True
            text.owner = given
            text.p = ascii_data(given)
            n = len(<str>given)
        else:
            text.owner = given.encode("utf-8", "surrogatepass") if raw else scalar_values(given)
    elif raw or is_all_ascii(<const uint8_t*>PyBytes_AS_STRING(given), PyBytes_GET_SIZE(given)):
        text.owner = given
    else:
        text.owner = (<bytes>given).decode("utf-8", "replace").encode("utf-8")
    if text.p == NULL:
        text.p = <const uint8_t*>PyBytes_AS_STRING(text.owner)
        n = PyBytes_GET_SIZE(text.owner)
    text.too_long = n > MAX_LENGTH
    text.n = 0 if text.too_long else n
    return text


cdef bint contains(const uint8_t* p, uint32_t start, uint32_t end, uint32_t bits) noexcept nogil:
    while start < end:
        if CLASS[p[start]] & bits:
            return True
        start += 1
    return False


cdef size_t copy_without(uint8_t* out, const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed) noexcept nogil:
    """Copy p[start:end] without the octets of these classes ("remove all ASCII tab or newline"). Returns the new
    length."""
    cdef size_t n = 0
    while start < end:
        if not CLASS[p[start]] & removed:
            out[n] = p[start]
            n += 1
        start += 1
    return n


cdef bytes without(const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed):
    """Return the copy of copy_without as bytes."""
    cdef bytes kept = p[start:end]
    return kept[:copy_without(<uint8_t*>PyBytes_AS_STRING(kept), p, start, end, removed)]


def positions(given, removed_from: int = -1, trimmed: bool = True):
    """Return the position in given (characters, or bytes) of each octet that the machine read, and of the end.

    removed_from: tabs and newlines after this octet were removed (none precede it); -1: none were removed.
    trimmed: whether C0 controls and spaces were trimmed off the end.
    """
    cdef Py_ssize_t k, position = 0, written
    cdef list found = []
    if type(given) is not str and type(given) is not bytes:
        from urlsm.octets.objects import url_text
        given = url_text(given)
    if given.isascii():
        octets = given if isinstance(given, bytes) else given.encode("ascii")
        found = list(range(len(octets) + 1))
    elif isinstance(given, str):
        octets = given.encode("utf-8", "surrogatepass")
        for k in range(len(octets)):
            position += k > 0 and octets[k] & 0xC0 != 0x80
            found.append(position)
        found.append(len(given))
    else:
        octets = given.decode("utf-8", "replace").encode("utf-8")
        while position < len(given):
            k = written_for(given, len(given), position, &written)
            found += [position] * written
            position = k
        found.append(position)
    if removed_from < 0:
        return found
    end = len(octets)
    while trimmed and end > removed_from and octets[end - 1] <= 0x20:  # trimmed before anything was removed
        end -= 1
    return [found[k] for k in range(removed_from, end) if octets[k] not in b"\t\n\r"] + [found[end]]


cdef Py_ssize_t written_for(const uint8_t* p, Py_ssize_t n, Py_ssize_t k, Py_ssize_t* written) noexcept nogil:
    """Return where the character at p[k] ends; written: its length in octets when decoded and encoded again."""
    cdef bint whole
    cdef size_t length = utf8_unit(p + k, n - k, &whole)
    written[0] = length if whole else 3  # U+FFFD may stand for one to three
    return k + length


cdef Py_ssize_t octet_given(const uint8_t* p, Py_ssize_t n, Py_ssize_t octet, Py_ssize_t removed_from,
                            bint trimmed) noexcept nogil:
    """Return the octet of p[0:n] for this one, as counted by the machine (see positions)."""
    cdef Py_ssize_t end = n, k = removed_from
    if removed_from < 0:
        return min(octet, n)
    while trimmed and end > removed_from and p[end - 1] <= 0x20:  # trimmed before anything was removed
        end -= 1
    while k < end and (octet > 0 or CLASS[p[k]] & TAB_NEWLINE):
        octet -= CLASS[p[k]] & TAB_NEWLINE == 0
        k += 1
    return k


cdef Py_ssize_t place(const uint8_t* p, Py_ssize_t n, Py_ssize_t octet, Py_ssize_t removed_from,
                      bint trimmed) noexcept nogil:
    """positions(given, removed_from, trimmed)[octet], without the list; p[0:n] are the octets of given, a str."""
    cdef Py_ssize_t k, position = 0
    octet = octet_given(p, n, octet, removed_from, trimmed)
    for k in range(1, octet + 1 if octet < n else n):
        position += p[k] & 0xC0 != 0x80
    return position + (octet == n > 0)


def position_of(given, octet: int, removed_from: int = -1) -> int:
    """Return the position in given of one octet that the machine read (see positions), without the list."""
    cdef Py_ssize_t left, written, end, position = 0
    cdef bytes octets
    if type(given) is not str and type(given) is not bytes:
        from urlsm.octets.objects import url_text
        given = url_text(given)
    if removed_from < 0 and given.isascii():
        return min(octet, len(given))
    if isinstance(given, str):
        octets = given.encode("utf-8", "surrogatepass")
        return place(octets, len(octets), octet, removed_from, True)
    octets = given.decode("utf-8", "replace").encode("utf-8")
    left = octet_given(octets, len(octets), octet, removed_from, True)
    octets = given
    while position < len(octets):
        end = written_for(octets, len(octets), position, &written)
        if left < written:
            break
        left -= written
        position = end
    return position


# --- the deciding start of a text ------------------------------------------------------------------

cpdef str deciding(str text):
    """Return the start of a text on which scheme, authority and refusal depend in every dialect: up to and with the
    first "/", "?" or "#" after the slashes that may introduce an authority. "" where every dialect sees a relative
    path, a query or a fragment: no ":" precedes the first of these, and the text does not begin with a slash."""
    cdef Py_ssize_t k = 0, n = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 char = 0, first = 0
    cdef bint colon = False
    while k < n:
        char = PyUnicode_READ(kind, data, k)
        if among(char, SLASH | QUESTION | HASH):
            break
        colon = colon or char == c':'
        if first == 0 and char > 0x20:  # "leading [...] C0 control or space" are removed
            first = char
        k += 1
    if not colon and first != c'\\' and (first or k == n or not among(char, SLASH)):
        return ""
    while k < n and is_slash_or_removed(PyUnicode_READ(kind, data, k)):
        k += 1
    while k < n and not among(PyUnicode_READ(kind, data, k), SLASH | QUESTION | HASH):
        k += 1
    return text if k >= n - 1 else text[:k + 1]


cdef inline bint is_slash_or_removed(Py_UCS4 char) noexcept nogil:
    """Return whether a character is a slash, or a tab or newline, which the URL Standard and urllib.parse remove."""
    return char == c'/' or char == c'\\' or char == c'\t' or char == c'\n' or char == c'\r'


include "percent.pxi"
stay_all(globals())
