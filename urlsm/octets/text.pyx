"""Converts text to bytes, and positions in these bytes to positions in the text; encodes and decodes percent-escapes.

The machine counts octets of the text that it read; users count characters of the str, or bytes of the bytes, that they
gave. A percent-encode set is a class bit of chars.h, or a Quoting. Everything here takes linear time.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport (
    PyUnicode_AsUTF8String, PyUnicode_DATA, PyUnicode_DecodeUTF8, PyUnicode_FromObject, PyUnicode_KIND, PyUnicode_READ,
)
from libc.string cimport memchr, memcpy, memset
from urlsm.octets.buffer cimport (
    MAX_LENGTH, ascii_data, buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii, utf8_text,
)
from urlsm.octets.chars cimport CLASS, ENC_FORM, HASH, HEX, QUESTION, SLASH, TAB_NEWLINE
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.octets.utf8 cimport read_point
from urlsm.octets.words cimport is_all_ascii

cdef extern from "octets/utf8.h" nogil:
    size_t utf8_unit "urlsm_utf8_unit"(const uint8_t* p, size_t n, bint* whole) noexcept

cdef extern from "octets/quoting.h" nogil:
    ctypedef uint64_t (*outside_fn "urlsm_outside_fn")(const uint8_t*, size_t, const uint8_t*) noexcept nogil
    outside_fn choose_outside "urlsm_choose_outside"(int width) noexcept
    int widest "urlsm_widest"(int most) noexcept
    uint32_t ctz "urlsm_ctz"(uint64_t word) noexcept
    uint8_t* write_decoded_each "urlsm_write_unquoted"(uint8_t* out, const uint8_t* p, size_t n, bint plus,
                                                       uint8_t* seen) noexcept
    uint8_t* write_encoded_each "urlsm_write_quoted"(uint8_t* out, const uint8_t* p, size_t n,
                                                     const Quoting* quoting) noexcept

cdef extern from "Python.h":
    bint is_alpha "Py_UNICODE_ISALPHA"(uint32_t point) noexcept
    bint is_printable "Py_UNICODE_ISPRINTABLE"(uint32_t point) noexcept

cdef PyObject* category = NULL  # unicodedata.category, looked up on first use
cdef const char* HEX_DIGITS = b"0123456789ABCDEF"
cdef outside_fn outside = choose_outside(64)


# --- text as octets ------------------------------------------------------------------------------

cdef str exact(object text):
    """Return a str itself, or an exact copy if its class is a subclass of str. Anything else raises TypeError."""
    if type(text) is str:
        return text
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    return PyUnicode_FromObject(text)


cdef bytes scalar_values(str text):
    """Return text as UTF-8, with U+FFFD in place of each lone surrogate (Infra, scalar value string). A lone surrogate
    and U+FFFD both occupy three bytes."""
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
    """Append the octets of scalar_values(text), without making a bytes object. Return 1 if a surrogate was replaced."""
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
    """Return the octets of a str, of bytes, of an object with a str `href` (a URL), or of another library's URL.
    TypeError for anything else. raw: whether bytes are used as they are; otherwise, octets in them that are not UTF-8
    become U+FFFD."""
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
    """Copy p[start:end] without the octets that have one of the class bits `removed` ("remove all ASCII tab or
    newline"). Return the new length."""
    cdef size_t n = 0
    while start < end:
        if not CLASS[p[start]] & removed:
            out[n] = p[start]
            n += 1
        start += 1
    return n


cdef bytes without(const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed):
    """Return p[start:end] without the octets that have one of the class bits `removed`, as bytes."""
    cdef bytes kept = p[start:end]
    return kept[:copy_without(<uint8_t*>PyBytes_AS_STRING(kept), p, start, end, removed)]


# --- positions in the text as given ---------------------------------------------------------------

def positions(given, removed_from: int = -1, trimmed: bool = True):
    """Return the position in `given`, in characters or bytes, of each octet that the machine read, and of the end.

    removed_from: the first octet from which on tabs and newlines were removed; -1 if none were removed. trimmed:
    whether C0 controls and spaces were trimmed off the end.
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
    # the parser trims the end before it removes tabs and newlines
    while trimmed and end > removed_from and octets[end - 1] <= 0x20:
        end -= 1
    return [found[k] for k in range(removed_from, end) if octets[k] not in b"\t\n\r"] + [found[end]]


cdef Py_ssize_t written_for(const uint8_t* p, Py_ssize_t n, Py_ssize_t k, Py_ssize_t* written) noexcept nogil:
    """Return where the character at p[k] ends. written: set to the number of octets that it has after decoding and
    encoding."""
    cdef bint whole
    cdef size_t length = utf8_unit(p + k, n - k, &whole)
    written[0] = length if whole else 3  # one U+FFFD may replace one to three octets
    return k + length


cdef Py_ssize_t octet_given(const uint8_t* p, Py_ssize_t n, Py_ssize_t octet, Py_ssize_t removed_from,
                            bint trimmed) noexcept nogil:
    """Return the index in p[0:n] of the octet that the machine counts as number `octet` (see positions)."""
    cdef Py_ssize_t end = n, k = removed_from
    if removed_from < 0:
        return min(octet, n)
    # the parser trims the end before it removes tabs and newlines
    while trimmed and end > removed_from and p[end - 1] <= 0x20:
        end -= 1
    while k < end and (octet > 0 or CLASS[p[k]] & TAB_NEWLINE):
        octet -= CLASS[p[k]] & TAB_NEWLINE == 0
        k += 1
    return k


cdef Py_ssize_t place(const uint8_t* p, Py_ssize_t n, Py_ssize_t octet, Py_ssize_t removed_from,
                      bint trimmed) noexcept nogil:
    """Return positions(given, removed_from, trimmed)[octet], without making the list. p[0:n]: the octets of `given`,
    which is a str."""
    cdef Py_ssize_t k, position = 0
    octet = octet_given(p, n, octet, removed_from, trimmed)
    for k in range(1, octet + 1 if octet < n else n):
        position += p[k] & 0xC0 != 0x80
    return position + (octet == n > 0)


def position_of(given, octet: int, removed_from: int = -1) -> int:
    """Return the position in `given` of one octet that the machine read (see `positions`), without making a list."""
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
    """Return the beginning of a text that decides, in every dialect, on the scheme, on the authority, and on whether
    the text is refused. It ends with the first "/", "?" or "#" after the slashes that may introduce an authority. It is
    "" if every dialect reads the text as a relative path, a query or a fragment: then the text does not begin with a
    slash, and has no ":" before the first "/", "?" or "#"."""
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
    """Return whether a character is a slash or backslash, or is a tab or newline, which the URL Standard and
    urllib.parse remove."""
    return char == c'/' or char == c'\\' or char == c'\t' or char == c'\n' or char == c'\r'


# --- percent-coding: sets of the caller --------------------------------------------------------

def use_vectors(int width):
    """For tests: limit the vector width to 64, 32, 16 or 1 octets. Return the width that is used on this CPU."""
    global outside
    outside = choose_outside(width)
    return widest(width)


cdef Quoting[6] _quotings
# quotings for the URL Standard's percent-encode sets, indexed by the number of their class bit
cdef Quoting[8] _encode_sets


cdef const Quoting* quoting_at(Safe safe) noexcept nogil:
    return &_quotings[<int>safe]


cdef void keep_octets(Quoting* quoting, const uint8_t* p, size_t n) noexcept nogil:
    """Add p[0:n] to the octets that a quoting keeps, except for octets beyond ASCII."""
    cdef size_t k
    for k in range(n):
        if p[k] < 0x80:
            quoting.low[p[k] & 15] |= 1 << (p[k] >> 4)
            quoting.written[p[k]][0] = p[k]
            quoting.written[p[k]][3] = 1


cdef void keep_all_but(Quoting* quoting, uint32_t classes) noexcept nogil:
    cdef uint8_t octet
    for octet in range(0x80):
        if not CLASS[octet] & classes:
            keep_octets(quoting, &octet, 1)


cdef void write_space_as_plus(Quoting* quoting) noexcept nogil:
    quoting.low[0] &= ~(1 << 2)
    quoting.written[c' '][0] = c'+'
    quoting.written[c' '][3] = 1


cdef void _make_quotings() noexcept:
    cdef int k
    cdef Quoting* q = &_quotings[<int>NOTHING]
    memset(q, 0, sizeof(Quoting))
    for k in range(256):
        q.written[k][0] = c'%'
        q.written[k][1] = HEX_DIGITS[k >> 4]
        q.written[k][2] = HEX_DIGITS[k & 15]
        q.written[k][3] = 3
    for k in range(8):
        _encode_sets[k] = q[0]
        keep_all_but(&_encode_sets[k], 1 << k)
    _quotings[<int>FORM] = _encode_sets[ctz(ENC_FORM)]
    q = &_quotings[<int>UNRESERVED]
    q[0] = _quotings[<int>NOTHING]
    keep_octets(q, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", 66)
    _quotings[<int>UNRESERVED_OR_SLASH] = _quotings[<int>UNRESERVED_OR_PLUS] = q[0]
    _quotings[<int>UNRESERVED_OR_FIELDS] = q[0]
    keep_octets(&_quotings[<int>UNRESERVED_OR_SLASH], b"/", 1)
    keep_octets(&_quotings[<int>UNRESERVED_OR_FIELDS], b"=&", 2)
    write_space_as_plus(&_quotings[<int>UNRESERVED_OR_PLUS])
    write_space_as_plus(&_quotings[<int>FORM])


_make_quotings()


cdef uint64_t bits_outside(const uint8_t* p, size_t n, const Quoting* quoting) noexcept nogil:
    """Return a word in which bit k is set if p[k] is not kept. 0 < n <= 64."""
    return outside(p, n, quoting.low)


cdef bint all_kept(const uint8_t* p, size_t n, const Quoting* quoting) noexcept nogil:
    while n > 64:
        if outside(p, 64, quoting.low):
            return False
        p += 64
        n -= 64
    return outside(p, n, quoting.low) == 0


cdef int write_quoted(Buffer* b, const uint8_t* p, size_t n, const Quoting* quoting) except -1 nogil:
    """Append p[0:n], with each octet written as the quoting says."""
    cdef uint8_t* out
    buffer_reserve(b, 3 * n + 1)
    out = b.p + b.n
    while n > 64:
        if outside(p, 64, quoting.low):
            out = write_encoded_each(out, p, 64, quoting)
        else:
            memcpy(out, p, 64)
            out += 64
        p += 64
        n -= 64
    b.n = write_encoded_each(out, p, n, quoting) - b.p
    return 0


cdef bint write_unquoted(Buffer* b, const uint8_t* p, size_t n, bint plus) except? -1 nogil:
    """Append p[0:n] percent-decoded. If plus is true, each "+" becomes a space. Return whether a decoded octet is not
    ASCII."""
    cdef uint8_t seen = 0
    buffer_reserve(b, n + 16)
    b.n = write_decoded_each(b.p + b.n, p, n, plus, &seen) - b.p
    return seen > 0x7F


# --- percent-coding: sets of the URL Standard --------------------------------------------------

cdef int write_encoded(Buffer* b, const uint8_t* p, size_t n, uint32_t encode_set) except -1 nogil:
    """Append p[0:n] with each octet of the set escaped (#string-percent-encode). encode_set: one class bit."""
    return write_quoted(b, p, n, &_encode_sets[ctz(encode_set)])


cdef int octet_escaped(const uint8_t* p, size_t n) noexcept nogil:
    """Return the octet that the escape at the beginning of p[0:n] stands for; -1 if p[0:n] does not begin with an
    escape."""
    if n >= 3 and p[0] == c'%' and CLASS[p[1]] & HEX and CLASS[p[2]] & HEX:
        return hex_value(p[1]) << 4 | hex_value(p[2])
    return -1


cdef int write_decoded(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append p[0:n] percent-decoded; everything else stays (#percent-decode)."""
    write_unquoted(b, p, n, False)
    return 0


cdef bint is_visible(uint32_t point) except -1:
    """Return whether a character beyond ASCII is a letter, a number, punctuation or a symbol. The other printable
    characters are marks, which join the character before them."""
    # letters and symbols that are not drawn: default ignorables (UAX 44), an empty notehead, and the blank of Braille
    if point in (0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x1D159):
        return False
    if is_alpha(point):
        return True
    if not is_printable(point):
        return False
    if published(&category) == NULL:
        from unicodedata import category as function
        publish(&category, function)
    return (<object>published(&category))(chr(point))[0] != "M"


cdef int write_readable(Buffer* b, const uint8_t* p, size_t n) except -1:
    """Append p[0:n], which is ASCII, with the escapes of visible characters beyond ASCII decoded. Octets that are not
    UTF-8 stay escaped. They are skipped one by one, as the next octet may begin a character."""
    cdef uint8_t[4] octets
    cdef const uint8_t* seen = p
    cdef const uint8_t* end = p + n
    cdef uint32_t point
    cdef int octet
    cdef size_t count, size
    while seen < end:
        seen = <const uint8_t*>memchr(seen, c'%', end - seen)
        if seen == NULL:
            break
        count = size = 0
        while count < 4:
            octet = octet_escaped(seen + 3 * count, end - seen - 3 * count)
            if octet < 0x80:
                break
            octets[count] = <uint8_t>octet
            count += 1
        if count == 0:
            seen += 1
            continue
        point = read_point(octets, count, &size)
        if point > 0x10FFFF:
            seen += 3
            continue
        if is_visible(point):
            buffer_copy(b, p, seen - p)
            buffer_copy(b, octets, size)
            p = seen + 3 * size
        seen += 3 * size
    return buffer_copy(b, p, end - p)


def readable(str text not None):
    """Return an ASCII text with the escapes of visible characters beyond ASCII decoded."""
    cdef Buffer b
    if "%" not in text:
        return text
    buffer_start(&b)
    try:
        write_readable(&b, ascii_data(text), len(text))
        return utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef str decode_text(const uint8_t* p, Py_ssize_t n):
    """Return p[0:n] percent-decoded and decoded as UTF-8. Bytes that are not UTF-8 become lone surrogates."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_decoded(&b, p, n)
        return PyUnicode_DecodeUTF8(<const char*>b.p, b.n, "surrogateescape")
    finally:
        buffer_free(&b)


cdef int write_text(Buffer* b, str text, uint32_t encode_sets) except -1:
    """Append text as UTF-8, with the octets that have one of the class bits `encode_sets` percent-encoded. A lone
    surrogate from U+DC80 to U+DCFF stands for the octet from which decode_text made it; any other becomes U+FFFD."""
    cdef bytes octets = text.encode("utf-8") if is_ascii(text) else utf8(text)
    cdef Quoting quoting = _quotings[<int>NOTHING]
    keep_all_but(&quoting, encode_sets)
    return write_quoted(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), &quoting)


def utf8(text: str) -> bytes:
    """Return text as UTF-8. Each of U+DC80 to U+DCFF represents a byte that was not UTF-8, and becomes that byte again;
    other lone surrogates become U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        pass
    from re import sub
    return sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", text).encode("utf-8", "surrogateescape")


stay_all(globals())
