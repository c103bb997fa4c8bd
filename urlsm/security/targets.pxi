"""Included by plain: the fast way of redirects and references, for targets of a plain grammar on an ordinary base.

As in plain.pyx, each acceptance is a proof by grammar; what is declined goes the long way.
"""
from libc.stdint cimport uint8_t
from urlsm.machine.driver cimport LONG_TEXT
from urlsm.machine.special cimport HTTP, HTTPS, listed_port
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.chars cimport C0_OR_SPACE, CLASS, DIGIT, ENC_C0, HASH, QUESTION, SLASH, URL_CODE_POINT, lower
from urlsm.octets.text cimport octet_escaped
from urlsm.url.value cimport URL
from urlsm.components.resolution import resolve

cdef enum:
    LONGEST_PORT = 6  # characters with the ":", without leading zeros: longer ports may make an authority too long

    # what path_end has seen
    CONTROL = 1      # an escaped control character, which some readers drop or take for a line end
    DISGUISE = 2     # a segment that does not begin as a name does, or an escape of "%" or of an octet beyond ASCII
    MORE_SLASHES = 4  # an empty segment, or an escaped slash or backslash, which ends a segment for some readers
    FIRST_EMPTY = 8  # the first segment is empty


cdef str ascii_text_of(object url):
    """Return a URL's text, or the given text, if it is ASCII and not long; otherwise None."""
    if type(url) is URL:
        url = (<URL>url).href
    return url if type(url) is str and is_ascii(url) and len(<str>url) <= LONG_TEXT else None


# --- paths ---------------------------------------------------------------------------------------

cdef Py_ssize_t path_end(const uint8_t* p, Py_ssize_t k, Py_ssize_t n, int* seen) noexcept nogil:
    """Return where the path ends, at "?", "#" or n; -1 if it holds anything but RFC 3986's pchar and "/". Its segments
    begin at p[k], behind the first "/" if it is absolute. seen: the flags above."""
    cdef bint begins = True  # a segment
    cdef int octet
    cdef Py_ssize_t start = k
    seen[0] = 0
    while k < n and not CLASS[p[k]] & (QUESTION | HASH):
        if p[k] == c'/':
            if begins:
                seen[0] |= MORE_SLASHES if k > start else FIRST_EMPTY
            begins = True
            k += 1
            continue
        if p[k] == c'%':
            octet = octet_escaped(p + k, n - k)
            if octet < 0:
                return -1
            if octet < 0x20:
                seen[0] |= CONTROL
            if begins or octet >= 0x7F or octet == c'%':
                seen[0] |= DISGUISE
            k += 3
            begins = octet == c'/' or octet == c'\\'
            if begins:
                seen[0] |= MORE_SLASHES
            continue
        if not CLASS[p[k]] & URL_CODE_POINT:
            return -1
        if begins and (p[k] == c'.' or p[k] == c';' or p[k] == c':'):
            seen[0] |= DISGUISE
        begins = False
        k += 1
    return k


cdef inline bint begins_with_one_slash(int seen) noexcept nogil:
    """Return whether a path of which path_end has seen this begins with one slash for every reader, before and after
    dot segments are removed and escapes are decoded. It stands behind "/", or behind a path without CONTROL,
    MORE_SLASHES and FIRST_EMPTY.

    Its first segment is not empty. If no other segment is empty and no slash is escaped, removing segments does not
    join slashes. Otherwise no segment is removed: behind all that some reader takes for a slash, each begins with a
    written octet that is not a dot, and that stays there when escapes are decoded."""
    return not seen & (CONTROL | FIRST_EMPTY) and not (seen & MORE_SLASHES and seen & DISGUISE)


cdef bint is_below(const uint8_t* base, Py_ssize_t base_n, const uint8_t* ref, Py_ssize_t n) noexcept nogil:
    """Return whether base is an ordinary link, and ref a relative path, perhaps empty, that certainly stays below it.

    No reader sees ".." in a segment of either. Each segment begins with a written octet that is not a dot, a ";", a ":"
    or an escape, so it does not consist of dots. No segment is cut in two, because no escape is of a slash or a
    backslash. Nothing can be decoded twice, because no escape is of "%", and every "%" begins an escape. No escape is
    of an octet beyond ASCII, of which overlong UTF-8 and NFKC make other characters.
    """
    cdef Authority a
    cdef Py_ssize_t k
    cdef int seen
    if not ordinary_authority(base, base_n, &a) or a.end - a.host_end > LONGEST_PORT:
        return False
    k = a.end + 1 if a.end < base_n and base[a.end] == c'/' else a.end
    if path_end(base, k, base_n, &seen) < 0 or seen:
        return False
    if n and ref[0] == c'/' or (n > 2 and ref[1] == c'%' and ref[2] != c'2'):  # "C%3A" is a drive
        return False
    for k in range(n):
        if CLASS[ref[k]] & (SLASH | QUESTION | HASH):
            break
        if ref[k] == c':':  # perhaps behind a scheme
            return False
    return path_end(ref, 0, n, &seen) >= 0 and not seen


def joined_plainly(base, ref):
    """Return join_within if ref certainly stays below base (is_below); None if that takes a closer look."""
    cdef str home = ascii_text_of(base), text = ascii_text_of(ref)
    if home is None or text is None or not is_below(ascii_data(home), len(home), ascii_data(text), len(text)):
        return None
    return resolve(home, text)


# --- redirects -----------------------------------------------------------------------------------

cdef inline int port_of(const Authority* a) noexcept nogil:
    return a.port if a.has_port else <int>listed_port(a.kind)


cdef inline bint same_name(const uint8_t* p, Py_ssize_t n, const uint8_t* q, Py_ssize_t m) noexcept nogil:
    """Return whether two ASCII texts are equal without regard to case."""
    cdef Py_ssize_t k
    if n != m:
        return False
    for k in range(n):
        if lower(p[k]) != lower(q[k]):
            return False
    return True


cdef int names(object entry, const uint8_t* p, const Authority* a) except -2:
    """Return whether an entry of allowed_hosts names this host and port; -1 if that takes a closer look: if the entry
    is more than a name, four decimal numbers and a port, or may be an address that is written in another way."""
    cdef const uint8_t* q
    cdef Py_ssize_t n, k, colon, label = 0, size = a.host_end - a.host
    cdef uint32_t ipv4
    cdef int port = 0
    if type(entry) is not str or not is_ascii(entry):
        return -1
    q, n = ascii_data(entry), len(<str>entry)
    colon = n
    for k in range(n):
        if q[k] == c':':
            if colon < n:  # perhaps an IPv6 address
                return -1
            colon = k
        elif colon < n:
            if not CLASS[q[k]] & DIGIT or k - colon > 5:
                return -1
            port = 10 * port + q[k] - c'0'
        elif q[k] == c'.':
            if k == label:
                return -1
            if k + 1 < n:
                label = k + 1
        elif not is_label(q[k]):
            return -1
    if colon == n - 1 or colon == 0:
        return -1
    if port_of(a) != (port if colon < n else <int>listed_port(a.kind)):
        return False
    if same_name(q, colon - (q[colon - 1] == c'.'), p + a.host, size):
        return True
    return -1 if CLASS[q[label]] & DIGIT and not read_ipv4(q, colon, &ipv4) else False


cdef int are_named(object allowed_hosts, const uint8_t* p, const Authority* a) except -2:
    """Return whether an entry of allowed_hosts names this host and port; -1 if that takes a closer look. No entry
    behind the first that decides is looked at."""
    cdef int found
    if type(allowed_hosts) is str:
        return names(allowed_hosts, p, a)
    # others may be read only once, or run code of their own
    if type(allowed_hosts) not in (tuple, list, set, frozenset):
        return -1
    for entry in allowed_hosts:
        found = names(entry, p, a)
        if found:
            return found
    return False


cdef inline bint ordinary_target(const uint8_t* p, Py_ssize_t n, const Authority* home,
                                 Authority* there) noexcept nogil:
    """Return whether p[0:n] is an ordinary link, or the rest of one from its "//" on, with the scheme of home."""
    if n < 2 or p[0] != c'/' or p[1] != c'/':
        return ordinary_authority(p, n, there)
    there.kind = home.kind
    return ordinary_host(p, n, 2, there)


cdef inline bint holds_colon(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return whether p[0:n] may hold a ":", perhaps as "%3A"."""
    cdef Py_ssize_t k
    for k in range(n):
        if p[k] == c':' or (p[k] == c'%' and k + 1 < n and p[k + 1] == c'3'):
            return True
    return False


def is_plainly_safe(target, base, allowed_hosts):
    """Return is_safe_redirect if the grammar decides it; None if that takes a closer look.

    base and an absolute target are ordinary links, in which every reader sees the same scheme, host and port, in normal
    form; so is a target that begins with "//", with base's scheme before it. A relative target has an empty path, a
    path that begins with "/" and not with "//", or one without a ":" in its first segment (or in any, if there may be a
    dot segment), also after decoding, so no scheme or authority can stand there: all readers give it base's scheme and
    authority. A path that is not empty begins with one slash for
    every reader (begins_with_one_slash; base's too, if target is resolved against it), and holds neither a backslash
    nor a character that some reader drops. The rest of target is visible ASCII.
    """
    cdef Authority home, there
    cdef str text = ascii_text_of(target), base_text = ascii_text_of(base)
    cdef const uint8_t* p
    cdef const uint8_t* q
    cdef Py_ssize_t n, m, k = 0, end = 0
    cdef int seen, named
    cdef bint is_relative = False
    if text is None or base_text is None:
        return None
    p, n, q, m = ascii_data(text), len(text), ascii_data(base_text), len(base_text)
    if not ordinary_authority(q, m, &home) or not HTTP <= home.kind <= HTTPS or home.end - home.host_end > LONGEST_PORT:
        return None
    if n and p[0] == c'/' and not (n > 1 and p[1] == c'/'):
        k = 1
    elif ordinary_target(p, n, &home, &there):
        if not HTTP <= there.kind <= HTTPS or there.end - there.host_end > LONGEST_PORT:
            return None
        if there.kind != home.kind or port_of(&there) != port_of(&home) or not same_name(
                p + there.host, there.host_end - there.host, q + home.host, home.host_end - home.host):
            named = are_named(allowed_hosts, p, &there)
            if named <= 0:  # it leads to another host, whatever follows
                return False if named == 0 else None
        k = there.end + 1 if there.end < n and p[there.end] == c'/' else there.end
    elif n and not CLASS[p[0]] & (QUESTION | HASH):
        while end < n and not CLASS[p[end]] & (SLASH | QUESTION | HASH):
            end += 1
        if holds_colon(p, end):
            return None
        is_relative = True
        end = home.end + 1 if home.end < m and q[home.end] == c'/' else home.end
        if path_end(q, end, m, &seen) < 0 or seen & (CONTROL | MORE_SLASHES | FIRST_EMPTY):
            return None
    end = path_end(p, k, n, &seen)
    if end < 0 or not begins_with_one_slash(seen):
        return None
    if is_relative and seen & DISGUISE and holds_colon(p, end):
        return None
    for k in range(end, n):
        if CLASS[p[k]] & (ENC_C0 | C0_OR_SPACE):
            return None
    return True
