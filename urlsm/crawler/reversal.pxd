"""The labels of a host from the last to the first, for SURT, and the removal of "www"."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from urlsm.crawler.labels cimport dots_of, label_start
from urlsm.crawler.rules cimport Rules, WWW_ALL, WWW_KEEP
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_put, buffer_reserve
from urlsm.octets.chars cimport CLASS, DIGIT
from urlsm.octets.slice cimport Slice


cdef inline size_t www_end(const uint8_t* p, size_t n) noexcept nogil:
    """Return the end of "www", digits and "." at the beginning of the host, or 0."""
    cdef size_t k = 3
    if n < 4 or p[0] != c'w' or p[1] != c'w' or p[2] != c'w':
        return 0
    while k < n and CLASS[p[k]] & DIGIT:
        k += 1
    return k + 1 if k < n and p[k] == c'.' else 0


cdef inline bint is_dotted_digits(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n] is four groups of one to three digits."""
    cdef size_t k, digits = 0, dots = 0
    for k in range(n):
        if p[k] == c'.' and digits:
            dots += 1
            digits = 0
        elif CLASS[p[k]] & DIGIT and digits < 3:
            digits += 1
        else:
            return False
    return dots == 3 and digits > 0


cdef inline int reverse_labels(Buffer* b, size_t start, Buffer* scratch) except -1 nogil:
    """Reverse the labels at the end of b, with "," between them."""
    cdef const uint8_t* p
    cdef size_t end, begin
    scratch.n = 0
    buffer_copy(scratch, b.p + start, b.n - start)
    p = scratch.p
    end = scratch.n
    b.n = start
    while True:
        begin = end
        while begin and p[begin - 1] != c'.':
            begin -= 1
        buffer_copy(b, p + begin, end - begin)
        if not begin:
            return 0
        buffer_put(b, c',')
        end = begin - 1


cdef inline bint write_plain_labels(Buffer* b, Slice host, const Rules* r) except -1 nogil:
    """Append the labels of a host that the plain lane found, without "www" if the rules say so, from the last to the
    first, as write_host does step by step. Returns False if it needs those steps."""
    cdef uint64_t dots = dots_of(host.p, <uint32_t>host.n)
    cdef uint32_t first = 0, start, size, end = <uint32_t>host.n
    cdef uint8_t* out
    if host.n > 64 or dots & 1 or dots & dots >> 1:
        return False
    while r.www != WWW_KEEP:
        size = <uint32_t>www_end(host.p + first, host.n - first)
        if not size or (r.www_needs_dot and not dots >> (first + size)):
            break
        first += size
        if r.www != WWW_ALL:
            break
    buffer_reserve(b, host.n)
    out = b.p + b.n
    while True:
        start = label_start(host.p, end, dots)
        memcpy(out, host.p + start, end - start)
        out += end - start
        if start <= first:
            break
        out[0] = c','
        out += 1
        end = start - 1
    b.n = out - b.p
    return True
