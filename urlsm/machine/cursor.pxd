"""Reading octets within bounds, and finding the marks among them (marks.h)."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from urlsm.machine.marks cimport Cursor, Looks
from urlsm.octets.chars cimport CLASS, DELIMITER, END, MARK, NON_ASCII, UPPER

cdef extern from "machine/marks.h" nogil:
    const Looks* LOOKS "URLSM_LOOKS"
    const uint8_t* MARKS_LOW "URLSM_MARKS_LOW"
    const uint8_t* BOTH_LOW "URLSM_BOTH_LOW"
    uint32_t choose_looks "urlsm_choose_looks"(int width) noexcept
    uint32_t ctz "urlsm_ctz"(uint64_t word) noexcept


cdef inline uint32_t at(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the class bits of the octet at i; the end of input has a bit of its own."""
    return CLASS[t.p[i]] if i < t.end else END


cdef inline void index_text(Cursor* t, uint32_t most, uint32_t looks) noexcept nogil:
    """Index the first octets of the text (most: a multiple of 64, up to WINDOW). The end of input, if indexed, has its
    own mark."""
    cdef uint32_t count = t.end - t.start
    t.indexed = most
    t.looks = looks
    if count >= most:
        LOOKS[looks].index(t.p + t.start, most, &t.index)
        return
    LOOKS[looks].index(t.p + t.start, count, &t.index)
    if count & 63 == 0:
        t.index.marks[count >> 6] = t.index.delimiters[count >> 6] = 0
    t.index.marks[count >> 6] |= <uint64_t>1 << (count & 63)


cdef inline uint32_t search(const Cursor* t, uint32_t i, uint32_t bits, const uint8_t* low) noexcept nogil:
    """Return the first octet of these classes (low: the same set) at or after i, or the end; i may be beyond it. The
    next few octets are checked one by one, so that a text full of such octets is not slower."""
    cdef uint32_t near = i + 8 if i + 8 < t.end else t.end
    while i < near:
        if CLASS[t.p[i]] & bits:
            return i
        i += 1
    return i + <uint32_t>LOOKS[t.looks].find(t.p + i, t.end - i, i - t.start, low) if i < t.end else i


cdef inline uint32_t next_mark(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the first mark at or after i, or the end."""
    cdef uint32_t k = i - t.start
    cdef uint64_t word
    while k < t.indexed:
        word = t.index.marks[k >> 6] >> (k & 63)
        if word:
            return t.start + k + ctz(word)
        k = (k | 63) + 1
    return search(t, t.start + k, MARK, MARKS_LOW)


cdef inline uint32_t past_non_ascii(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the first ASCII octet at or after i, or the end."""
    cdef uint64_t octets
    while i + 8 <= t.end:
        memcpy(&octets, t.p + i, 8)
        if ~octets & <uint64_t>0x8080808080808080U:
            break
        i += 8
    while i < t.end and t.p[i] > 0x7F:
        i += 1
    return i


cdef inline uint32_t mark_to_stop_at(const Cursor* t, uint32_t i, uint32_t stop, uint32_t* seen) noexcept nogil:
    """Return the first mark of the classes stop, which may be the END, at or after i; add the classes of the marks
    before it to seen. Octets beyond ASCII, which never stop, come in runs."""
    cdef uint32_t c
    while True:
        i = next_mark(t, i)
        c = at(t, i)
        if c & stop:
            return i
        seen[0] |= c
        i = past_non_ascii(t, i + 1) if c & NON_ASCII else i + 1


cdef inline uint32_t next_delimiter(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the first mark or delimiter at or after i, or the end."""
    cdef uint32_t k = i - t.start
    cdef uint64_t word
    while k < t.indexed:
        word = (t.index.marks[k >> 6] | t.index.delimiters[k >> 6]) >> (k & 63)
        if word:
            return t.start + k + ctz(word)
        k = (k | 63) + 1
    return search(t, t.start + k, MARK | DELIMITER, BOTH_LOW)


cdef inline uint32_t delimiter_after(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the first mark or delimiter after i, or the end: in names beyond ASCII it is the next octet."""
    return i + 1 if at(t, i + 1) & (MARK | DELIMITER | END) else next_delimiter(t, i + 1)


cdef inline bint any_bit(const uint64_t* bits, uint32_t k, uint32_t stop) noexcept nogil:
    """Return whether any of the bits [k, stop) is set. stop > k"""
    cdef uint32_t w = k >> 6, last = (stop - 1) >> 6
    cdef uint64_t word = bits[w] & ~<uint64_t>0 << (k & 63)
    while w < last:
        if word:
            return True
        w += 1
        word = bits[w]
    return word << (63 - ((stop - 1) & 63)) != 0


cdef inline bint in_window(const Cursor* t, uint32_t start, uint32_t end) noexcept nogil:
    return start < end and end - t.start <= t.indexed


cdef inline bint upper_between(const Cursor* t, uint32_t start, uint32_t end) noexcept nogil:
    """Return whether [start, end) holds an upper-case letter."""
    if in_window(t, start, end):
        return any_bit(t.index.upper, start - t.start, end - t.start)
    while start < end:
        if CLASS[t.p[start]] & UPPER:
            return True
        start += 1
    return False


cdef inline bint dot_segment_between(const Cursor* t, uint32_t start, uint32_t end) noexcept nogil:
    """Return whether a segment of the path in [start, end) may begin with a dot: "." or "%2e", first or after a "/"."""
    if start == end:
        return False
    if t.p[start] == c'.' or t.p[start] == c'%':
        return True
    if in_window(t, start, end) and not any_bit(t.index.dots, start - t.start, end - t.start):
        return False
    return LOOKS[t.looks].dot_segment(t.p + start, end - start, start - t.start)
