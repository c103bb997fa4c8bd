"""The shortest reference from one URL to another."""
from cpython.unicode cimport PyUnicode_New
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, ascii_text
from urlsm.octets.chars cimport ALPHA, CLASS, SCHEME_CHAR
from urlsm.octets.words cimport first_bit, word_at
from urlsm.url.value cimport URL, path_end, query_end


cdef inline uint32_t common_length(const uint8_t* p, const uint8_t* q, uint32_t k, uint32_t end) noexcept nogil:
    """Return where p and q first differ from k on, or end."""
    cdef uint64_t differing
    while k + 8 <= end:
        differing = word_at(p + k) ^ word_at(q + k)
        if differing:
            return k + first_bit(differing) // 8
        k += 8
    while k < end and p[k] == q[k]:
        k += 1
    return k


cdef inline bint has_scheme(const uint8_t* p, uint32_t k, uint32_t end) noexcept nogil:
    """Return whether the parser would read a scheme at the beginning of p[k:end]."""
    if k < end and not CLASS[p[k]] & ALPHA:
        return False
    while k < end and CLASS[p[k]] & SCHEME_CHAR:
        k += 1
    return k < end and p[k] == c':'


cdef inline str repeated(const char* piece, uint32_t width, uint32_t times, const uint8_t* p, uint32_t n):
    """Return a piece of width octets, repeated, and p[0:n]."""
    cdef object text = PyUnicode_New(<Py_ssize_t>width * times + n, 127)
    cdef uint8_t* out = ascii_data(text)
    cdef uint32_t k
    for k in range(times):
        memcpy(out + width * k, piece, width)
    memcpy(out + width * times, p, n)
    return <str>text


cdef inline str shortest_reference(URL url, URL base):
    """Return the shortest reference that base.join turns into url, or the whole URL; None where forms have to be tried.

    Only for special schemes but file, so that a path begins with "/" and holds no dot segments. A reference to url is
    one of these; of equally long ones, the first:

    1. "#fragment" or "", if path and query are those of base; "?query#fragment", if the path is;
    2. "../" for each segment of base's directory below what both paths have in common, and the rest of url's path.
       Where there is nothing to climb, "./" precedes a rest that is empty, or begins with "/" or like
       a scheme;
    3. the path, after "/." if it begins with "//";
    4. "..", without the last "/", or ".", if url is a directory that 2 climbs to, without query and fragment;
    5. with another authority, "//" and all after it; with another scheme, the whole URL.

    There are no others: a rest or a path that is read as a scheme or an authority leaves less for the path than url
    has.
    """
    cdef const uint8_t* p = ascii_data(url.href)
    cdef const uint8_t* q = ascii_data(base.href)
    cdef uint32_t n = len(url.href), start = url.o.path_start, end = path_end(url), base_end = path_end(base)
    cdef uint32_t same, k, climbs = 0, rest, climb, rooted
    cdef bint here, doubled, directory
    if not NOT_SPECIAL < url.o.kind < FILE or n > MAX_LENGTH:  # join refuses a reference that is longer
        return None
    if url.o.kind != base.o.kind:
        return url.href
    if start != base.o.path_start or memcmp(p, q, start) != 0:
        return ascii_text(p + url.o.scheme_end + 1, n - url.o.scheme_end - 1)
    same = common_length(p, q, start, min(end, base_end))
    if same == end == base_end:
        k = query_end(url)
        if k == query_end(base) and memcmp(p + end, q + end, k - end) == 0:
            return ascii_text(p + k, n - k) if k < n else ""
        if url.o.query_start != ABSENT:
            return ascii_text(p + end, n - end)
    while p[same - 1] != c'/':
        same -= 1
    for k in range(same, base_end):
        climbs += q[k] == c'/'
    rest = end - same
    directory = rest == 0 and end == n
    here = not climbs and (rest == 0 or p[same] == c'/' or has_scheme(p, same, end))
    doubled = end - start > 1 and p[start + 1] == c'/'
    climb = rest + 3 * climbs + 2 * here - directory
    rooted = end - start + 2 * doubled
    if rooted < climb or (rooted == climb and directory):
        return repeated("/.", 2, doubled, p + start, n - start)
    if directory:
        return repeated("../", 3, climbs - 1, <const uint8_t*>b"..", 2) if climbs else "."
    return repeated("./" if here else "../", 2 if here else 3, 1 if here else climbs, p + same, n - same)
