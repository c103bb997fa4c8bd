"""Percent-coding by table: decode some escapes, encode some octets, change case, in one pass."""
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcpy
from urlsm.crawler.structs cimport Recoding
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_reserve
from urlsm.octets.text cimport all_kept, octet_escaped


cdef inline int write_recoded(Buffer* b, const uint8_t* p, size_t n, const Recoding* coding) except -1 nogil:
    """Append p[0:n], each octet and each escape by the tables."""
    cdef size_t k = 0, start
    cdef int octet
    cdef const uint8_t* written
    cdef uint8_t* out
    if n == 0:
        return 0
    if all_kept(p, n, &coding.raw):
        return buffer_copy(b, p, n)
    buffer_reserve(b, 3 * n + 4)
    if coding.repeatedly and memchr(p, c'%', n) != NULL:
        # encoding takes at most three octets for each decoded one: decode to the end of the room, encode forward
        start = b.capacity - n
        n = unescaped_to(b.p + start, p, n)
        p = b.p + start
    out = b.p + b.n
    while k < n:
        written = coding.raw.written[p[k]]
        if p[k] == c'%' and coding.escapes:
            octet = octet_escaped(p + k, n - k)
            if octet >= 0:
                written = coding.escaped[octet]
                k += 2
        k += 1
        if written[3] == 1:  # a predicted branch costs less than waiting for the length
            out[0] = written[0]
            out += 1
        else:
            memcpy(out, written, 4)
            out += written[3]
    b.n = out - b.p
    return 0


cdef inline size_t unescaped_to(uint8_t* out, const uint8_t* p, size_t n) noexcept nogil:
    """Write p[0:n] to out, decoded until no escape is left. Returns the number of octets.

    A new escape always ends with the octet written last, so looking back after each octet finds all of them, in linear
    time. No two escapes overlap, so the order in which they are decoded makes no difference.
    """
    cdef const uint8_t* first = <const uint8_t*>memchr(p, c'%', n)
    cdef size_t k, written = n if first == NULL else first - p
    cdef int octet
    memcpy(out, p, written)
    for k in range(written, n):
        out[written] = p[k]
        written += 1
        while written >= 3 and out[written - 3] == c'%':
            octet = octet_escaped(out + written - 3, 3)
            if octet < 0:
                break
            written -= 2
            out[written - 1] = <uint8_t>octet
    return written


cdef inline int write_unescaped(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append p[0:n], percent-decoded until no escape is left."""
    buffer_reserve(b, n)
    b.n += unescaped_to(b.p + b.n, p, n)
    return 0
