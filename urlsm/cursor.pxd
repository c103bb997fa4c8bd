"""Checked reading of octets, and finding the marks among them (marks.h). Bounds live here."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.chars cimport CLASS, DELIMITER, END, MARK, UPPER
from urlsm.marks cimport Index, ctz, index_fn

cdef struct Cursor:
    const uint8_t* p         # borrowed: must outlive the cursor
    uint32_t start           # after trimming
    uint32_t end
    uint32_t indexed         # how many octets from start on; those after are looked at one by one
    Index index


cdef inline uint32_t at(const Cursor* t, uint32_t i) noexcept nogil:
    """The class bits of the octet at i; the end of input is just one more input."""
    return CLASS[t.p[i]] if i < t.end else END


cdef inline void index_text(Cursor* t, uint32_t most, index_fn index_octets) noexcept nogil:
    """Index the text's first octets (most: a multiple of 64, up to WINDOW). At the end of input, where
    that is indexed, stands a mark of its own."""
    cdef uint32_t count = t.end - t.start
    t.indexed = most
    if count >= most:
        index_octets(t.p + t.start, most, &t.index)
        return
    index_octets(t.p + t.start, count, &t.index)
    if count & 63 == 0:
        t.index.marks[count >> 6] = t.index.delimiters[count >> 6] = 0
    t.index.marks[count >> 6] |= <uint64_t>1 << (count & 63)


cdef inline uint32_t next_mark(const Cursor* t, uint32_t i) noexcept nogil:
    """The first mark at or after i, or the end."""
    cdef uint32_t k = i - t.start
    cdef uint64_t word
    while k < t.indexed:
        word = t.index.marks[k >> 6] >> (k & 63)
        if word:
            return t.start + k + ctz(word)
        k = (k | 63) + 1
    i = t.start + k
    while i < t.end and not CLASS[t.p[i]] & MARK:
        i += 1
    return i


cdef inline uint32_t next_delimiter(const Cursor* t, uint32_t i) noexcept nogil:
    """The first mark or delimiter at or after i, or the end."""
    cdef uint32_t k = i - t.start
    cdef uint64_t word
    while k < t.indexed:
        word = (t.index.marks[k >> 6] | t.index.delimiters[k >> 6]) >> (k & 63)
        if word:
            return t.start + k + ctz(word)
        k = (k | 63) + 1
    i = t.start + k
    while i < t.end and not CLASS[t.p[i]] & (MARK | DELIMITER):
        i += 1
    return i


cdef inline bint any_bit(const uint64_t* bits, uint32_t k, uint32_t stop) noexcept nogil:
    """Is any of the bits [k, stop) set? stop > k"""
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
    """Is there an upper-case letter in [start, end)?"""
    if in_window(t, start, end):
        return any_bit(t.index.upper, start - t.start, end - t.start)
    while start < end:
        if CLASS[t.p[start]] & UPPER:
            return True
        start += 1
    return False


cdef inline bint dot_segment_between(const Cursor* t, uint32_t start, uint32_t end) noexcept nogil:
    """May a segment of the path in [start, end) begin with a dot: is "." first, or "/." or "%2e" anywhere?"""
    if start == end:
        return False
    if in_window(t, start, end) and t.p[start] != c'.' and t.p[start] != c'%' \
            and not any_bit(t.index.dots, start - t.start, end - t.start):
        return False
    if t.p[start] == c'.':
        return True
    while start + 1 < end:
        if t.p[start] == c'/' and t.p[start + 1] == c'.':
            return True
        if t.p[start] == c'%' and start + 2 < end and t.p[start + 1] == c'2' and t.p[start + 2] | 0x20 == c'e':
            return True
        start += 1
    return False
