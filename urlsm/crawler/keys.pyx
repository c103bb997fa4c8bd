"""The canonicaliser: one fixed order of steps, which all follow the rules.

text (texts.pxd) -> parts, by the machine (parting.pxd) -> scheme -> user information, host, port (hosts.pxd) -> path
(paths.pxd) -> query (fields.pxd) -> fragment. A difference of a peer is a field of Rules, never a step.
"""
from libc.string cimport memcpy, memmove, strlen
from urlsm.crawler.fields cimport write_query
from urlsm.crawler.hosts cimport write_host, write_port, write_userinfo
from urlsm.crawler.parting cimport take_parts, take_plain
from urlsm.crawler.paths cimport write_path
from urlsm.crawler.recoding cimport write_recoded
from urlsm.crawler.rules cimport (
    FORM_SURT, FORM_URL, FRAGMENT_DROP, FRAGMENT_ROUTES, HOST_REQUIRED_OR_REST, HOST_REQUIRED_YES,
    NO_AUTHORITY_NOTHING, NO_AUTHORITY_URLLIB, NO_AUTHORITY_WHATWG, SCHEME_DROP, SCHEME_HTTP, SCHEME_LOWER,
)
from urlsm.crawler.structs cimport KeyParts, refuse
from urlsm.crawler.texts cimport clean
from urlsm.machine.codes cimport HOST_MISSING
from urlsm.machine.log cimport HOST_STATE
from urlsm.machine.special cimport HTTPS, NOT_SPECIAL, is_listed
from urlsm.octets.buffer cimport buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve, buffer_start
from urlsm.octets.slice cimport Slice
from urlsm.url.names cimport is_named


cdef void scratch_start(Scratch* s) noexcept nogil:
    s.turn = 0
    buffer_start(&s.text[0])
    buffer_start(&s.text[1])
    buffer_start(&s.host)
    buffer_start(&s.piece)


cdef void scratch_free(Scratch* s) noexcept nogil:
    buffer_free(&s.text[0])
    buffer_free(&s.text[1])
    buffer_free(&s.host)
    buffer_free(&s.piece)


cdef int write_scheme(Buffer* b, const KeyParts* parts, const Rules* r) except -1 nogil:
    """Append the scheme and ":"."""
    cdef const Slice* scheme = &parts.scheme
    if scheme.n == 0:
        return 0
    if r.scheme == SCHEME_HTTP and parts.kind == HTTPS:
        return buffer_copy(b, <const uint8_t*>b"http:", 5)
    if r.scheme == SCHEME_LOWER or r.scheme == SCHEME_HTTP:
        buffer_copy_lower(b, scheme.p, scheme.n)
    else:
        buffer_copy(b, scheme.p, scheme.n)
    return buffer_put(b, c':')


cdef struct Found:           # what was written
    bint host
    bint authority


cdef bint write_host_and_port(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s, KeyFailure* why,
                              Found* found) except -1 nogil:
    """Append host and port, and note whether there is a host. Returns False if one is refused."""
    cdef size_t start = b.n
    if not write_host(b, parts, r, s, why):
        return False
    found.host = b.n > start
    return write_port(b, parts, r, why)


cdef bint write_url_authority(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s, KeyFailure* why,
                              Found* found) except -1 nogil:
    """Append "scheme://" with user information, host and port, if the form has them."""
    cdef size_t start, authority
    if parts.plain and r.plain.head_kept:
        found.host = found.authority = True
        return buffer_copy(b, parts.scheme.p, parts.host.p + parts.host.n - parts.scheme.p) == 0
    if r.form == FORM_URL and r.scheme != SCHEME_DROP:
        write_scheme(b, parts, r)
    start = b.n
    if parts.host.p == NULL:
        return True
    if r.form == FORM_URL:
        buffer_copy(b, <const uint8_t*>b"//", 2)
    authority = b.n
    write_userinfo(b, parts.userinfo, r)
    if not write_host_and_port(b, parts, r, s, why, found):
        return False
    found.authority = b.n > authority or r.no_authority == NO_AUTHORITY_WHATWG
    if not found.authority:
        b.n = start
    return True


cdef bint write_surt_authority(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s, KeyFailure* why,
                               Found* found) except -1 nogil:
    """Append the host's labels from the last to the first, the port and ")"; without a host, the scheme."""
    cdef size_t start = b.n
    if r.scheme != SCHEME_DROP:
        write_scheme(b, parts, r)
        buffer_copy(b, <const uint8_t*>b"//(", 3)
    if not write_host_and_port(b, parts, r, s, why, found):
        return False
    if not found.host:
        b.n = start
        write_scheme(b, parts, r)
        return True
    if r.trailing_comma:
        buffer_put(b, c',')
    buffer_put(b, c')')
    return True


cdef int insert(Buffer* b, size_t at, const char* octets, size_t n) except -1 nogil:
    """Insert octets at a place."""
    buffer_reserve(b, n)
    memmove(b.p + at + n, b.p + at, b.n - at)
    memcpy(b.p + at, octets, n)
    b.n += n
    return 0


cdef int mark_no_authority(Buffer* b, size_t path, const KeyParts* parts, const Rules* r) except -1 nogil:
    """Write what replaces an authority before the path."""
    cdef bint rooted = b.n > path and b.p[path] == c'/'
    cdef bint double_slash = rooted and b.n - path >= 2 and b.p[path + 1] == c'/'
    cdef bint listed
    if r.no_authority == NO_AUTHORITY_NOTHING:
        return 0
    if r.no_authority == NO_AUTHORITY_WHATWG:
        return insert(b, path, b"/.", 2) if double_slash and parts.host.p == NULL and not parts.opaque else 0
    listed = is_listed(r.netloc_schemes, parts.scheme.p, parts.scheme.n)
    if r.no_authority == NO_AUTHORITY_URLLIB:
        return insert(b, path, b"//", 2) if double_slash or (listed and (rooted or b.n == path)) else 0
    return insert(b, path, b"///", 2 if rooted else 3) if listed and not double_slash else 0


cdef int write_fragment(Buffer* b, Slice fragment, const Rules* r) except -1 nogil:
    if r.fragment == FRAGMENT_DROP or fragment.n == 0:
        return 0
    if r.fragment == FRAGMENT_ROUTES and fragment.p[0] != c'/' and fragment.p[0] != c'!':
        return 0
    buffer_put(b, c'#')
    return write_recoded(b, fragment.p, fragment.n, &r.fragment_set)


cdef bint write_key(Buffer* b, const uint8_t* p, size_t n, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil:
    """Append the key of the text p[0:n], n < MAX_LENGTH. Returns False if it is refused, fills in why, and may leave
    octets in b."""
    cdef Slice text
    cdef KeyParts parts
    cdef size_t path
    cdef Found found
    found.host = found.authority = False
    if n == 0 and r.empty != NULL:
        return buffer_copy(b, <const uint8_t*>r.empty, strlen(r.empty)) == 0
    if r.verbatim != NULL and n and is_named(r.verbatim, p, n):
        return buffer_copy(b, p, n) == 0
    text.p, text.n = p, n
    if r.plain.read and take_plain(&parts, p, n, r):
        pass
    elif not clean(&text, r, s, why) or not take_parts(&parts, text, r, s, why):
        return False
    if r.form == FORM_SURT:
        if not write_surt_authority(b, &parts, r, s, why, &found):
            return False
    elif not write_url_authority(b, &parts, r, s, why, &found):
        return False
    if not found.host and (r.host_required == HOST_REQUIRED_YES or (
            r.host_required == HOST_REQUIRED_OR_REST and parts.host.p != NULL
            and parts.port.p == NULL and not parts.path.n and parts.query.p == NULL)):
        return refuse(why, HOST_MISSING, HOST_STATE, parts.host.p)
    path = b.n
    write_path(b, &parts, found.host, r)
    if r.form == FORM_URL and not found.authority:
        mark_no_authority(b, path, &parts, r)
    write_query(b, parts.query, r.split_fields and (
        not r.sorted_schemes[0] or is_listed(r.sorted_schemes, parts.scheme.p, parts.scheme.n)),
        parts.kind != NOT_SPECIAL, r, &s.piece)
    write_fragment(b, parts.fragment, r)
    return True


include "rulebook.pxi"
