"""The path of a key. It is coded into the buffer first; then parts are removed in place."""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memchr
from urlsm.crawler.recoding cimport write_recoded
from urlsm.crawler.rules cimport (
    EMPTY_PATH_SLASH, EMPTY_PATH_SLASH_AFTER_HOST_OR_BEFORE_QUERY, EMPTY_PATH_SLASH_BEFORE_SPECIAL_QUERY,
    RESOLVE_NOTHING, RESOLVE_WAYBACK, Rules, TRAILING_SLASH_KEEP, TRAILING_SLASH_STRIP,
)
from urlsm.crawler.structs cimport KeyParts
from urlsm.crawler.sessions cimport without_path_sessions
from urlsm.machine.special cimport NOT_SPECIAL, is_listed
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_put
from urlsm.octets.dots cimport without_dots
from urlsm.octets.words cimport octets_equal, word_at


cdef inline bint has_dots_or_slashes(const uint8_t* p, size_t n, bint slashes) noexcept nogil:
    """Return whether p[0:n] holds "/.", or, if slashes is true, "//"."""
    cdef uint8_t other = c'/' if slashes else c'.'
    cdef uint64_t second
    cdef size_t k = 0
    while n >= 9 and k + 1 < n:
        k = min(k, n - 9)  # the last nine octets, some of them once more
        second = word_at(p + k + 1)
        if octets_equal(word_at(p + k), c'/') & (octets_equal(second, c'.') | octets_equal(second, other)):
            return True
        k += 8
    while k + 1 < n:
        if p[k] == c'/' and (p[k + 1] == c'.' or p[k + 1] == other):
            return True
        k += 1
    return False


cdef inline size_t resolved(uint8_t* p, size_t n, const Rules* r) noexcept nogil:
    """Resolve the dot segments of p[0:n], which begins with "/", and merge its slashes, in place, as the rules say;
    returns the new length. The escapes of dots are decoded by now."""
    cdef bint wayback = r.resolve == RESOLVE_WAYBACK
    cdef size_t out = without_dots(p, n, 0, r.resolve != RESOLVE_NOTHING, r.merge_slashes, wayback)
    if wayback:
        out = merged(p, out)
    if out == 0:
        p[0] = c'/'
        out = 1
    return out


cdef inline size_t merged(uint8_t* p, size_t n) noexcept nogil:
    """Merge each run of slashes of p[0:n] into one; return the new length."""
    cdef size_t k, out = 0
    for k in range(n):
        if not (p[k] == c'/' and out and p[out - 1] == c'/'):
            p[out] = p[k]
            out += 1
    return out


cdef inline size_t param_start(const KeyParts* parts, const Rules* r) noexcept nogil:
    """Return where the ";" of the last segment is, if the scheme has parameters or is absent; else the path's
    length."""
    cdef const uint8_t* p = parts.path.p
    cdef size_t n = parts.path.n, k = n, found = n
    if n == 0 or memchr(p, c';', n) == NULL:
        return n
    if parts.scheme.n and not is_listed(r.params, parts.scheme.p, parts.scheme.n):
        return n
    while k and p[k - 1] != c'/':
        k -= 1
        if p[k] == c';':
            found = k
    return found


cdef inline bint takes_slash(const KeyParts* parts, bint has_host, const Rules* r) noexcept nogil:
    """Return whether an empty path becomes "/"."""
    if r.empty_path == EMPTY_PATH_SLASH:
        return True
    if r.empty_path == EMPTY_PATH_SLASH_BEFORE_SPECIAL_QUERY:
        return parts.query.n and parts.kind != NOT_SPECIAL
    return r.empty_path == EMPTY_PATH_SLASH_AFTER_HOST_OR_BEFORE_QUERY and (has_host or parts.query.n)


cdef inline int write_path(Buffer* b, const KeyParts* parts, bint has_host, const Rules* r) except -1 nogil:
    """Append the path."""
    cdef size_t start = b.n, n = parts.path.n, params = n
    cdef bint rooted
    if parts.opaque:
        return buffer_copy(b, parts.path.p, n)
    if r.params[0]:
        params = param_start(parts, r)
    write_recoded(b, parts.path.p, params, &r.path_set)
    if b.n == start and takes_slash(parts, has_host, r):
        buffer_put(b, c'/')
    rooted = b.n > start and b.p[start] == c'/' and (r.resolve != RESOLVE_WAYBACK or has_host)
    if rooted and (r.resolve != RESOLVE_NOTHING or r.merge_slashes) \
            and has_dots_or_slashes(b.p + start, b.n - start, r.merge_slashes):
        b.n = start + resolved(b.p + start, b.n - start, r)
    if r.path_sessions:
        b.n = start + without_path_sessions(b.p + start, b.n - start)
    if r.trailing_slash != TRAILING_SLASH_KEEP and b.n > start and b.p[b.n - 1] == c'/' \
            and (b.n > start + 1 or r.trailing_slash == TRAILING_SLASH_STRIP):
        b.n -= 1
    if n > params + 1:
        buffer_put(b, c';')
        write_recoded(b, parts.path.p + params + 1, n - params - 1, &r.params_set)
    return 0
