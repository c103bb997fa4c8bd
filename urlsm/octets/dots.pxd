"""Removal of dot segments from paths, by RFC 3986 and RFC 2396. The URL Standard's way is in url/write/path."""
from libc.stdint cimport uint8_t
from libc.string cimport memmove
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_put


cdef inline size_t segment_end(const uint8_t* p, size_t begin, size_t n) noexcept nogil:
    while begin < n and p[begin] != c'/':
        begin += 1
    return begin


cdef inline int dots(const uint8_t* p, size_t begin, size_t end) noexcept nogil:
    """Return 1 if the segment is ".", 2 if it is "..", 0 for any other segment."""
    if end - begin > 2 or end == begin or p[begin] != c'.' or p[end - 1] != c'.':
        return 0
    return end - begin


cdef inline size_t without_dots(uint8_t* p, size_t n, size_t kept, bint resolve, bint merge,
                                bint wayback) noexcept nogil:
    """Remove the dot segments of p[kept:n] in place, by RFC 3986 section 5.2.4. Return the new length. p[kept:n] is
    empty or begins with "/". If the path does not begin with "/", p[0:kept] is its first segment, which ".." removes.

    resolve: if False, "." and ".." are treated like any other segment. merge: whether a run of "/" becomes one "/"
    (not with wayback). wayback: as the Wayback Machine does, keep a ".." at the root, and leave no "/" where a path
    ends in "." or "..".
    """
    cdef size_t begin = kept + 1, end, out = kept
    cdef int which
    while begin <= n:
        end = segment_end(p, begin, n)
        which = dots(p, begin, end) if resolve else 0
        if which == 1 or (which == 2 and (out or not wayback)):
            # C. "remove the last segment and its preceding "/" (if any) from the output buffer"
            while which == 2 and out:
                out -= 1
                if p[out] == c'/':
                    break
            # steps B and C: the "/" after "." or ".." stays, before the next segment or at the end
            if end == n and not wayback:
                p[out] = c'/'
                out += 1
        elif not (merge and end == begin and end < n and not wayback):
            # step E: a segment is moved together with the "/" before it
            if out + 1 != begin:
                p[out] = c'/'
                memmove(p + out + 1, p + begin, end - begin)
            out += 1 + end - begin
        begin = end + 1
    return out


cdef inline int write_without_dots(Buffer* out, const uint8_t* p, size_t n) except -1 nogil:
    """Append the path p[0:n] without its dot segments, by remove_dot_segments (RFC 3986 section 5.2.4)."""
    cdef size_t start = out.n, kept = 0
    # A. "If the input buffer begins with a prefix of "../" or "./"", D. "consists only of "." or "..""
    while n and p[0] != c'/':
        kept = segment_end(p, 0, n)
        if not dots(p, 0, kept):
            break
        if n - kept <= 1:
            return 0
        p += kept + 1
        n -= kept + 1
        kept = 0
    buffer_copy(out, p, n)
    out.n = start + without_dots(out.p + start, n, kept, True, False, False)
    return 0


cdef inline int write_without_pairs(Buffer* out, const uint8_t* p, size_t n) except -1:
    """Append the merged path p[0:n] without its dot segments, by RFC 2396 section 5.2, steps 6 c to f. A segment is
    moved together with the "/" after it."""
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
