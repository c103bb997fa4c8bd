"""Percent-coding: a percent-encode set is a class bit of chars.h, or a Quoting. Everything here takes linear time."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memchr, memcpy, memset
from urlsm.octets.buffer cimport (
    ascii_data, buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii, utf8_text,
)
from urlsm.octets.chars cimport CLASS, ENC_FORM, HEX
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.octets.utf8 cimport read_point

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

cdef PyObject* category = NULL  # unicodedata's, looked up on first use
cdef const char* HEX_DIGITS = b"0123456789ABCDEF"
cdef outside_fn outside = choose_outside(64)


def use_vectors(int width):
    """For tests: limit the vector width to 64, 32, 16 or 1 octets. Returns the width in effect on this CPU."""
    global outside
    outside = choose_outside(width)
    return widest(width)


# --- sets of the caller ------------------------------------------------------------------------

cdef Quoting[6] _quotings
cdef Quoting[8] _encode_sets  # the URL Standard's sets, each at the number of its class bit


cdef const Quoting* quoting_at(Safe safe) noexcept nogil:
    return &_quotings[<int>safe]


cdef void keep_octets(Quoting* quoting, const uint8_t* p, size_t n) noexcept nogil:
    """Make a quoting keep these octets; those beyond ASCII are ignored."""
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
    """Return a word whose bit k says that p[k] is not kept. 0 < n <= 64."""
    return outside(p, n, quoting.low)


cdef bint all_kept(const uint8_t* p, size_t n, const Quoting* quoting) noexcept nogil:
    while n > 64:
        if outside(p, 64, quoting.low):
            return False
        p += 64
        n -= 64
    return outside(p, n, quoting.low) == 0


cdef int write_quoted(Buffer* b, const uint8_t* p, size_t n, const Quoting* quoting) except -1 nogil:
    """Append p[0:n], each octet as the quoting writes it."""
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
    """Append p[0:n] percent-decoded; with plus, each "+" becomes a space. True if a decoded octet is not ASCII."""
    cdef uint8_t seen = 0
    buffer_reserve(b, n + 16)
    b.n = write_decoded_each(b.p + b.n, p, n, plus, &seen) - b.p
    return seen > 0x7F


# --- percent-encode sets of the URL Standard ---------------------------------------------------

cdef int write_encoded(Buffer* b, const uint8_t* p, size_t n, uint32_t encode_set) except -1 nogil:
    """Append p[0:n], each octet of the set, which is one class, as "%" and two upper hex digits
    (#string-percent-encode)."""
    return write_quoted(b, p, n, &_encode_sets[ctz(encode_set)])


cdef int octet_escaped(const uint8_t* p, size_t n) noexcept nogil:
    """Return the octet of the escape at the beginning of p[0:n], or -1."""
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
    # letters and symbols that are not drawn: default ignorable (UAX 44), an empty notehead, a blank of Braille
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
    UTF-8 stay escaped, each by itself: the next octet may begin a character."""
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
    """Return p[0:n] percent-decoded, as UTF-8; octets that are not UTF-8 become lone surrogates."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_decoded(&b, p, n)
        return PyUnicode_DecodeUTF8(<const char*>b.p, b.n, "surrogateescape")
    finally:
        buffer_free(&b)


cdef int write_text(Buffer* b, str text, uint32_t encode_sets) except -1:
    """Append text, UTF-8 percent-encoded with these sets and classes; a lone surrogate stands for the octet that
    decode_text made it from, or for U+FFFD."""
    cdef bytes octets = text.encode("utf-8") if is_ascii(text) else utf8(text)
    cdef Quoting quoting = _quotings[<int>NOTHING]
    keep_all_but(&quoting, encode_sets)
    return write_quoted(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), &quoting)


def utf8(text: str) -> bytes:
    """Return text as UTF-8. U+DC80 to U+DCFF (octets that did not decode) become those octets again, other
    lone surrogates U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        pass
    from re import sub
    return sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", text).encode("utf-8", "surrogateescape")
