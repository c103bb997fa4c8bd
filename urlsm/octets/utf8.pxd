"""Decoding of short UTF-8 texts. Calling the interpreter's decoder would take longer than the decoding itself."""
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy

cdef extern from "octets/utf8.h" nogil:
    uint32_t read_point "urlsm_code_point"(const uint8_t* p, size_t n, size_t* k) noexcept

cdef enum:
    SHORT = 256              # octets; a text of at most this length is decoded here


cdef inline str short_text(const uint8_t* p, size_t n):
    """Return the str that n octets encode. Return None if they are not UTF-8, if they are too many, or if they are so
    few that they may encode a single character, for which the interpreter has shared objects."""
    cdef uint32_t[SHORT] points
    cdef size_t k = 0, count = 0
    cdef uint32_t seen = 0
    cdef object text
    cdef void* data
    if n <= 2 or n > SHORT:
        return None
    while k < n:
        if p[k] < 0x80:
            points[count] = p[k]
            k += 1
        else:
            points[count] = read_point(p, n, &k)
            if points[count] > 0x10FFFF:
                return None
            seen |= points[count]
        count += 1
    text = PyUnicode_New(count, 0x10FFFF if seen > 0xFFFF else seen | 0x7F)
    data = PyUnicode_DATA(text)
    if seen < 0x100:
        for k in range(count):
            (<uint8_t*>data)[k] = <uint8_t>points[k]
    elif seen < 0x10000:
        for k in range(count):
            (<uint16_t*>data)[k] = <uint16_t>points[k]
    else:
        memcpy(data, points, count * sizeof(points[0]))
    return <str>text
