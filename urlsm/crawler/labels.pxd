"""Functions that find where the labels of a host begin, and that hash labels, without reading octet by octet.

The places of the dots are bits of a word, from which the start of a label follows. A label is hashed eight octets at a
time. For hosts of any length, tests/crawler/test_sites.py compares the starts and hashes with those of code that reads
octet by octet.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.words cimport bit_length, bits_of, first_bits, octets_equal, word_at

cdef enum:
    FIRST_HASH = 0x11C9DC5   # the hash of an empty suffix


cdef inline uint64_t dots_of(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return a word whose bit k is set if p[k] is a dot, for the first 64 octets of p[0:n]."""
    cdef uint64_t dots = 0
    cdef uint32_t k = 0, end = min(n, 64)
    while k + 8 <= end:
        dots |= bits_of(octets_equal(word_at(p + k), c'.')) << k
        k += 8
    if k < end and end >= 8:  # read the last eight octets, some of them a second time
        return dots | bits_of(octets_equal(word_at(p + end - 8), c'.')) << (end - 8)
    while k < end:
        dots |= <uint64_t>(p[k] == c'.') << k
        k += 1
    return dots


cdef inline uint32_t label_start(const uint8_t* p, uint32_t end, uint64_t dots) noexcept nogil:
    """Return where the last label of p[0:end] begins. dots: the result of dots_of."""
    while end > 64 and p[end - 1] != c'.':
        end -= 1
    return end if end > 64 else bit_length(dots & first_bits(end))


cdef inline bint has_empty_label(const uint8_t* p, uint32_t n, uint64_t dots) noexcept nogil:
    """Return whether p[0:n] is empty or has an empty label. dots: the result of dots_of."""
    cdef uint32_t k
    if n == 0 or p[0] == c'.' or p[n - 1] == c'.' or dots & dots >> 1:
        return True
    for k in range(64, n):
        if p[k] == c'.' and p[k - 1] == c'.':
            return True
    return False


cdef inline uint64_t hash_with(uint64_t hash, const uint8_t* p, uint32_t start, uint32_t end,
                               uint32_t n) noexcept nogil:
    """Return the hash of a suffix that begins with the label p[start:end]. hash: the hash of the suffix without this
    label. The function may read all of p[0:n]."""
    cdef uint64_t word
    cdef uint32_t k
    while end - start > 8:
        hash = mix(hash, word_at(p + start))
        start += 8
    if start + 8 <= n:
        word = word_at(p + start) & first_bits(8 * (end - start))
    elif end >= 8 and start < end:
        word = word_at(p + end - 8) >> (64 - 8 * (end - start))
    else:
        word = 0
        for k in range(end - start):
            word |= <uint64_t>p[start + k] << 8 * k
    return mix(hash, word)


cdef inline uint64_t mix(uint64_t hash, uint64_t word) noexcept nogil:
    hash = (hash ^ word) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ hash >> 32
