"""Dot segments of paths as written: RFC 3986's and RFC 2396's way to remove them."""
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_put


cdef inline size_t segment_end(const uint8_t* p, size_t begin, size_t n) noexcept nogil:
    while begin < n and p[begin] != c'/':
        begin += 1
    return begin


cdef inline int dots(const uint8_t* p, size_t begin, size_t end) noexcept nogil:
    """1 for the segment ".", 2 for "..", 0 for any other."""
    if end - begin > 2 or end == begin or p[begin] != c'.' or p[end - 1] != c'.':
        return 0
    return end - begin


cdef inline int write_without_dots(Buffer* out, const uint8_t* p, size_t n) except -1 nogil:
    """remove_dot_segments (RFC 3986 section 5.2.4): a segment goes over with the "/" before it."""
    cdef size_t start = out.n, begin = 0, end
    cdef int which
    # A. "If the input buffer begins with a prefix of "../" or "./"", D. "consists only of "." or "..""
    if n and p[0] != c'/':
        while True:
            end = segment_end(p, begin, n)
            if not dots(p, begin, end):
                break
            begin = end + 1
            if end == n or begin == n:
                return 0
        buffer_copy(out, p + begin, end - begin)  # E, without "/"
        begin = end
    while begin < n:
        end = segment_end(p, begin + 1, n)
        which = dots(p, begin + 1, end)
        if which == 0:
            buffer_copy(out, p + begin, end - begin)  # E
        # C. "remove the last segment and its preceding "/" (if any) from the output buffer"
        if which == 2:
            while out.n > start:
                out.n -= 1
                if out.p[out.n] == c'/':
                    break
        # B, C: the "/" after "." or ".." remains: it is the next segment's, or stands for itself
        if which and end == n:
            buffer_put(out, c'/')
        begin = end
    return 0


cdef inline int write_without_pairs(Buffer* out, const uint8_t* p, size_t n) except -1:
    """RFC 2396 section 5.2, step 6 c to f, of a merged path. A segment goes over with the "/" after it."""
    cdef size_t start = out.n, begin = 0, end, last
    cdef int which
    if n and p[0] == c'/':
        buffer_put(out, c'/')
        start, begin = out.n, 1
    while begin < n:
        end = segment_end(p, begin, n)
        which = dots(p, begin, end)
        if which == 2:
            last = out.n - 1 if out.n > start else start
            while last > start and out.p[last - 1] != c'/':
                last -= 1
            # "All occurrences of "<segment>/../", where <segment> is a complete path segment not equal to "..""
            if out.n > start and not dots(out.p, last, out.n - 1) == 2:
                out.n = last
            else:
                which = 0
        if which == 0:
            buffer_copy(out, p + begin, end - begin)
            if end < n:
                buffer_put(out, c'/')
        begin = end + 1
    return 0
