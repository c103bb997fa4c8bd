"""Percent-coding: a percent-encode set is a class bit of chars.h; everything here is linear."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from urlsm.buffer cimport buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii
from urlsm.chars cimport CLASS, HEX

cdef const char* HEX_DIGITS = b"0123456789ABCDEF"


cdef int write_encoded(Buffer* b, const uint8_t* p, size_t n, uint32_t encode_set) except -1 nogil:
    """Append p[0:n], each octet of the set as "%" and two upper hex digits (#string-percent-encode)."""
    cdef size_t k
    cdef uint8_t* out
    buffer_reserve(b, 3 * n)
    out = b.p + b.n
    for k in range(n):
        if CLASS[p[k]] & encode_set:
            out[0] = c'%'
            out[1] = HEX_DIGITS[p[k] >> 4]
            out[2] = HEX_DIGITS[p[k] & 15]
            out += 3
        else:
            out[0] = p[k]
            out += 1
    b.n = out - b.p
    return 0


cdef inline int hex_value(uint8_t digit) noexcept nogil:
    return digit - c'0' if digit <= c'9' else (digit | 0x20) - c'a' + 10


cdef int octet_escaped(const uint8_t* p, size_t n) noexcept nogil:
    """The octet that p[0:n] begins with an escape of, or -1."""
    if n >= 3 and p[0] == c'%' and CLASS[p[1]] & HEX and CLASS[p[2]] & HEX:
        return hex_value(p[1]) << 4 | hex_value(p[2])
    return -1


cdef int write_decoded(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append p[0:n] percent-decoded; what is not an escape stays (#percent-decode)."""
    cdef size_t k = 0
    cdef int octet
    buffer_reserve(b, n)
    while k < n:
        octet = octet_escaped(p + k, n - k)
        if octet < 0:
            b.p[b.n] = p[k]
            k += 1
        else:
            b.p[b.n] = octet
            k += 3
        b.n += 1
    return 0


cdef str decode_text(const uint8_t* p, Py_ssize_t n):
    """p[0:n] percent-decoded, as UTF-8; octets that are not UTF-8 become lone surrogates."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_decoded(&b, p, n)
        return PyUnicode_DecodeUTF8(<const char*>b.p, b.n, "surrogateescape")
    finally:
        buffer_free(&b)


cdef int write_text(Buffer* b, str text, uint32_t encode_set, bint keep_escapes) except -1:
    """Append text, UTF-8 percent-encoded with the set; a lone surrogate stands for the octet that
    decode_text made it from, or for U+FFFD. keep_escapes: a "%" that begins an escape stays as it is,
    any other is encoded (as "%25")."""
    cdef bytes octets
    cdef const uint8_t* p
    cdef Py_ssize_t n, k, begin = 0
    octets = text.encode("utf-8") if is_ascii(text) else utf8(text)
    p = <const uint8_t*>PyBytes_AS_STRING(octets)
    n = PyBytes_GET_SIZE(octets)
    for k in range(n):
        if p[k] == c'%' and not (keep_escapes and octet_escaped(p + k, n - k) >= 0):
            write_encoded(b, p + begin, k - begin, encode_set)
            buffer_copy(b, <const uint8_t*>b"%25", 3)
            begin = k + 1
    return write_encoded(b, p + begin, n - begin, encode_set)


def utf8(text: str) -> bytes:
    """text as UTF-8. U+DC80 to U+DCFF (octets that did not decode) become those octets again, other
    lone surrogates U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "".join([c if not "\ud800" <= c <= "\udfff" or "\udc80" <= c <= "\udcff" else "\ufffd"
                        for c in text]).encode("utf-8", "surrogateescape")
