"""A growing buffer of octets. It is on the caller's stack at first, and then on the heap."""
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_New
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy
from urlsm.octets.chars cimport lower
from urlsm.octets.words cimport lower_word

cdef enum:
    MAX_LENGTH = 0x3FFFFFFF  # in octets; 32-bit offsets suffice even for a result that is three times as long

cdef extern from *:
    """
    #define URLSM_ASCII_DATA(text) ((uint8_t *)PyUnicode_1BYTE_DATA(text))
    #if PY_VERSION_HEX >= 0x030C0000
    #define URLSM_IS_ASCII(text) PyUnicode_IS_ASCII(text)
    #else
    #define URLSM_IS_ASCII(text) (PyUnicode_READY(text) == 0 && PyUnicode_IS_COMPACT_ASCII(text))
    #endif
    """
    uint8_t* ascii_data "URLSM_ASCII_DATA"(object text) noexcept
    bint is_ascii "URLSM_IS_ASCII"(object text) noexcept

cdef enum:
    BUFFER_STACK = 768

cdef struct Buffer:
    uint8_t* p
    size_t n                 # the number of octets written
    size_t capacity
    uint8_t[BUFFER_STACK] stack


cdef inline void buffer_start(Buffer* b) noexcept nogil:
    b.p = b.stack
    b.n = 0
    b.capacity = BUFFER_STACK


cdef inline void buffer_free(Buffer* b) noexcept nogil:
    if b.p != b.stack:
        free(b.p)
        b.p = b.stack


cdef inline int buffer_reserve(Buffer* b, size_t more) except -1 nogil:
    """Make room for `more` octets after the n that have been written."""
    cdef uint8_t* grown
    cdef size_t capacity
    if b.capacity - b.n >= more:
        return 0
    capacity = 2 * b.capacity + more
    grown = <uint8_t*>malloc(capacity)
    if grown == NULL:
        with gil:
            raise MemoryError()
    memcpy(grown, b.p, b.n)
    if b.p != b.stack:
        free(b.p)
    b.p = grown
    b.capacity = capacity
    return 0


cdef inline int buffer_copy(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    if n:
        buffer_reserve(b, n)
        memcpy(b.p + b.n, p, n)
        b.n += n
    return 0


cdef inline int buffer_copy_lower(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append p[0:n] with ASCII letters in lower case."""
    cdef uint64_t word
    cdef size_t k = 0
    buffer_reserve(b, n)
    while k + 8 <= n:
        memcpy(&word, p + k, 8)
        word = lower_word(word)
        memcpy(b.p + b.n + k, &word, 8)
        k += 8
    if k < n and n >= 8:  # convert the last eight octets, some of them for the second time
        memcpy(&word, p + n - 8, 8)
        word = lower_word(word)
        memcpy(b.p + b.n + n - 8, &word, 8)
        k = n
    while k < n:
        b.p[b.n + k] = lower(p[k])
        k += 1
    b.n += n
    return 0


cdef inline int buffer_put(Buffer* b, uint8_t octet) except -1 nogil:
    buffer_reserve(b, 1)
    b.p[b.n] = octet
    b.n += 1
    return 0


cdef inline str ascii_text(const uint8_t* p, Py_ssize_t n):
    """Return a new str of n ASCII octets."""
    cdef object text = PyUnicode_New(n, 127)
    memcpy(ascii_data(text), p, n)
    return <str>text


cdef inline str utf8_text(const uint8_t* p, Py_ssize_t n):
    """Return the str that n octets of UTF-8 encode. It may have lone surrogates, whose octets are accepted here."""
    return PyUnicode_DecodeUTF8(<const char*>p, n, "surrogatepass")
