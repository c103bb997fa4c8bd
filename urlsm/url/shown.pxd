"""A URL as others may see it, where it certainly holds no secrets; otherwise None.

masking.pyx would mask nothing in a text that is_harmless passes. With any_name, any name may be secret, so the answer
holds for every handler. A password at the beginning of a path (sip) needs an "@" after a ":" that is not the scheme's.
"""
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_New
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.errors.harmless cimport is_harmless
from urlsm.machine.machine cimport ABSENT
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_copy, buffer_free, buffer_start, utf8_text
from urlsm.octets.text cimport write_readable
from urlsm.octets.utf8 cimport short_text
from urlsm.url.spans cimport fragment_span, has_credentials, query_span
from urlsm.url.value cimport URL, part, part_at, path_end, text_of


cdef inline str quoted(URL url):
    """repr: "URL('...')"."""
    cdef const uint8_t* p = text_of(<PyObject*>url.href)
    cdef Py_ssize_t n = len(url.href)
    cdef object text
    if memchr(p, c"'", n) != NULL or memchr(p, c'\\', n) != NULL:  # which repr(str) escapes
        return f"URL({url.href!r})"
    text = PyUnicode_New(n + 7, 127)
    memcpy(ascii_data(text), b"URL('", 5)
    memcpy(ascii_data(text) + 5, p, n)
    memcpy(ascii_data(text) + 5 + n, b"')", 2)
    return <str>text


cdef inline bint holds_ace(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether "xn--" is in p[0:end]."""
    while end - p >= 4:
        p = <const uint8_t*>memchr(p, c'x', end - p - 3)
        if p == NULL:
            return False
        if memcmp(p, b"xn--", 4) == 0:
            return True
        p += 1
    return False


cdef inline bint may_be_readable(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether p[0:end], which a zero follows, may hold an escape of an octet beyond ASCII."""
    while True:
        p = <const uint8_t*>memchr(p, c'%', end - p)
        if p == NULL:
            return False
        p += 1
        if p[0] >= c'8':
            return True


cdef inline str displayed(URL url, bint any_name):
    """display, where the host is not shown in Unicode. Without credentials and escapes of visible characters, that is
    href."""
    cdef const uint8_t* p = text_of(<PyObject*>url.href)
    cdef const uint8_t* end = p + len(url.href)
    cdef Buffer b
    cdef str text
    if url.o.has_host and holds_ace(p + url.o.host_start, p + url.o.host_end):
        return None
    if not has_credentials(&url.o) and not may_be_readable(p + url.o.path_start, end):
        return url.href if is_harmless(p, end - p, any_name) else None
    buffer_start(&b)
    try:
        buffer_copy(&b, p, url.o.scheme_end + 1)
        if url.o.has_host:
            buffer_copy(&b, <const uint8_t*>b"//", 2)
        # a port; or the "/." before a path that begins with "//", which would else be read as a host
        buffer_copy(&b, p + url.o.host_start, url.o.path_start - url.o.host_start)
        write_readable(&b, p + url.o.path_start, end - p - url.o.path_start)
        buffer_copy(&b, <const uint8_t*>b"", 1)  # the zero that is_harmless may look at
        b.n -= 1
        if not is_harmless(b.p, b.n, any_name):
            return None
        text = short_text(b.p, b.n)
        return text if text is not None else utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef inline int put_extension(URL url, dict found) except -1:
    """Add url.extension: the suffix without its "."."""
    cdef const uint8_t* start = text_of(<PyObject*>url.href) + url.o.path_start
    cdef const uint8_t* end = text_of(<PyObject*>url.href) + path_end(url)
    cdef const uint8_t* name = end
    cdef const uint8_t* dot = NULL
    while name > start and (name - 1)[0] != c'/':
        name -= 1
        if name[0] == c'.' and dot == NULL:
            dot = name
    if memchr(name, c'%', end - name) != NULL:  # suffix is taken from the decoded name
        suffix = url.suffix
        if suffix:
            found["url.extension"] = suffix[1:]
    elif dot > name and end - dot > 1:
        found["url.extension"] = part(url, path_end(url) - <uint32_t>(end - dot - 1), path_end(url))
    return 0


cdef inline dict told(URL url, bint any_name):
    """telemetry. Without credentials, each attribute is a component as it is in href."""
    cdef const uint8_t* p = text_of(<PyObject*>url.href)
    cdef dict found
    if has_credentials(&url.o):
        return None
    if not is_harmless(p, len(url.href), any_name):
        return None
    found = {"url.full": url.href, "url.scheme": url.scheme}
    if url.o.host_end > url.o.host_start:
        found["url.domain"] = part(url, url.o.host_start, url.o.host_end)
    if url.o.port >= 0:
        found["url.port"] = url.o.port
    if path_end(url) > url.o.path_start:
        found["url.path"] = part(url, url.o.path_start, path_end(url))
    if url.o.query_start != ABSENT:
        found["url.query"] = part_at(url, query_span(&url.o, len(url.href)))
    if url.o.fragment_start != ABSENT:
        found["url.fragment"] = part_at(url, fragment_span(&url.o, len(url.href)))
    if not url.o.opaque_path:
        put_extension(url, found)
    return found
