"""Does the work of the path state: appends the segments that the machine found to an output buffer, and removes dot
segments there.

The path is kept as the URL path serializer writes it, with "/" before each segment. So a segment is appended by
appending octets, and the path is shortened by cutting it at its last "/". This takes linear time, however many dot
segments there are.
"""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.special cimport is_windows_drive_letter
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_put
from urlsm.octets.chars cimport ALPHA, CLASS, ENC_C0
from urlsm.octets.text cimport decode_text, write_encoded


cdef inline bint is_dot(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether the segment is ".", "%2e" or "%2E"."""
    return (n == 1 and p[0] == c'.') or (n == 3 and p[0] == c'%' and p[1] == c'2' and p[2] | 0x20 == c'e')


cdef inline bint is_double_dot(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether the segment is a #double-dot-path-segment."""
    return (n == 2 and is_dot(p, 1) and is_dot(p + 1, 1)) \
        or (n == 4 and ((is_dot(p, 1) and is_dot(p + 1, 3)) or (is_dot(p, 3) and is_dot(p + 3, 1)))) \
        or (n == 6 and is_dot(p, 3) and is_dot(p + 3, 3))


cdef inline bint begins_with_normalized_drive(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether the first segment of the path p[0:n] is a normalized Windows drive letter."""
    return n >= 3 and p[0] == c'/' and CLASS[p[1]] & ALPHA and p[2] == c':' and (n == 3 or p[3] == c'/')


cdef inline void shorten(Buffer* b, size_t start, bint file) noexcept nogil:
    """Shorten the path that begins at `start` in the buffer (#shorten-a-urls-path)."""
    # "If url's scheme is "file", path's size is 1, and path[0] is a normalized Windows drive letter, then return."
    if file and b.n == start + 3 and begins_with_normalized_drive(b.p + start, 3):
        return
    # "Remove path's last item, if any."
    while b.n > start:
        b.n -= 1
        if b.p[b.n] == c'/':
            return


cdef inline int write_segments(Buffer* b, size_t start, const uint8_t* p, size_t n, bint special, bint file,
                               uint32_t encode_set) except -1 nogil:
    """Append the segments of p[0:n] to the path that begins at `start`. One slash at the beginning of p is skipped.
    encode_set: the path percent-encode set, or 0 if the machine saw nothing to encode."""
    cdef size_t begin = 0, end
    cdef bint last
    if n and (p[0] == c'/' or (special and p[0] == c'\\')):
        begin = 1
    while True:
        end = begin
        while end < n and p[end] != c'/' and not (special and p[end] == c'\\'):
            end += 1
        last = end == n
        # "If buffer is a double-dot URL path segment, then: Shorten url's path. If [it is the last one], append
        # the empty string to url's path."
        if is_double_dot(p + begin, end - begin):
            shorten(b, start, file)
            if last:
                buffer_put(b, c'/')
        # "Otherwise, if buffer is a single-dot URL path segment and [...], append the empty string"
        elif is_dot(p + begin, end - begin):
            if last:
                buffer_put(b, c'/')
        # "if url's scheme is "file", url's path is empty, and buffer is a Windows drive letter, then
        # replace the second code point in buffer with U+003A (:)."
        elif file and b.n == start and is_windows_drive_letter(p + begin, end - begin):
            buffer_put(b, c'/')
            buffer_put(b, p[begin])
            buffer_put(b, c':')
        # "Append buffer to url's path."
        else:
            buffer_put(b, c'/')
            if encode_set:
                write_encoded(b, p + begin, end - begin, encode_set)
            else:
                buffer_copy(b, p + begin, end - begin)
        if last:
            return 0
        begin = end + 1


cdef inline int write_opaque_path(Buffer* b, const uint8_t* p, size_t n, bint followed) except -1 nogil:
    """Append an opaque path (#opaque-path-state). followed: whether "?" or "#" follows it."""
    # "if c is U+0020 SPACE: If remaining starts with U+003F (?) or U+0023 (#), then append "%20""
    if followed and n and p[n - 1] == c' ':
        write_encoded(b, p, n - 1, ENC_C0)
        return buffer_copy(b, <const uint8_t*>b"%20", 3)
    return write_encoded(b, p, n, ENC_C0)


cdef inline tuple decoded_segments(const uint8_t* p, uint32_t start, uint32_t end):
    """Return the segments of the path p[start:end], percent-decoded and without their "/"."""
    cdef uint32_t begin = start + 1, k
    cdef list found = []
    for k in range(begin, end + 1):
        if k == end or p[k] == c'/':
            found.append(decode_text(p + begin, k - begin))
            begin = k + 1
    return tuple(found)
