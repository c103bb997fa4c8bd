"""The class URL: a serialised text and its offsets (drawn in structs.pxd)."""
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp
from urlsm.machine.log cimport Log
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.octets.buffer cimport ascii_data, ascii_text
from urlsm.octets.text cimport decode_text
from urlsm.octets.text cimport Octets
from urlsm.url.spans cimport end_of_path, end_of_query
from urlsm.url.structs cimport Failure, Offsets

cdef class URL:
    cdef str href            # an exact str, ASCII, in normal form
    cdef Offsets o
    cdef uint32_t n          # the length of href, or 0 if unknown; it lies where there would be padding anyway
    # at first, the handlers that were registered when the URL was made (a dict or None); later, the URL's own handler;
    # in the end, the pair (handler, parts)
    cdef object meaning

# a dict of scheme -> handler, which urlsm.register never changes but replaces as a whole; NULL if it is empty
cdef PyObject* registered

cdef URL empty_url()
cdef URL new_url(str text, const Offsets* o)
cdef URL as_url(object url)
cdef URL url_of_base(object base, str role=*)
cdef object error_of_base(object error, str role=*)
cdef object error_on_base(object given, const Failure* failure)
cdef URL read_url(Octets text, URL base, object encoding, Failure* failure, Log* log)


cdef extern from *:
    """
    /* The octets of an exact ASCII str, without reading the object's header, which may not be in the cache. */
    #define URLSM_TEXT_OF(text) ((const uint8_t *)((PyASCIIObject *)(text) + 1))
    """
    const uint8_t* text_of "URLSM_TEXT_OF"(PyObject* text) noexcept


cdef inline str part(URL url, uint32_t start, uint32_t end):
    if end - start < 2:
        return url.href[start:end]  # the interpreter has shared objects for "" and single characters
    return ascii_text(text_of(<PyObject*>url.href) + start, end - start)


cdef inline str part_at(URL url, Span lies):
    """Return the component with this span, or None if it is absent."""
    return None if lies.start == ABSENT else part(url, lies.start, lies.end)


cdef inline uint32_t query_end(URL url) noexcept:
    return end_of_query(&url.o, len(url.href))


cdef inline uint32_t path_end(URL url) noexcept:
    return end_of_path(&url.o, len(url.href))


cdef inline bint is_same_text(URL url, URL other) noexcept:
    """Return whether both have the same text. Most texts that differ also differ in length, so n is compared first: the
    str objects, even their headers, may not be in the cache."""
    cdef PyObject* a = <PyObject*>url.href
    cdef PyObject* b = <PyObject*>other.href
    if url.n != other.n and url.n and other.n:
        return False
    return a == b or (len(url.href) == len(other.href) and memcmp(text_of(a), text_of(b), len(url.href)) == 0)


cdef inline uint32_t name_start(URL url) noexcept:
    """Return where the last segment of the path begins. If the path has no segments, return its end."""
    cdef const uint8_t* p = ascii_data(url.href)
    cdef uint32_t k = path_end(url)
    while not url.o.opaque_path and k > url.o.path_start and p[k - 1] != c'/':
        k -= 1
    return k


cdef inline str name_of(URL url, uint32_t start):
    """Return the last segment of the path, percent-decoded. start: where it begins."""
    cdef const uint8_t* p = ascii_data(url.href)
    cdef uint32_t end = path_end(url)
    if memchr(p + start, c'%', end - start) == NULL:
        return part(url, start, end)
    return decode_text(p + start, end - start)


cdef inline str suffix_of(URL url):
    """Return the end of the name from its last "." on. Return "" if the name has no ".", or if nothing precedes or
    follows the last "."."""
    cdef uint32_t start = name_start(url), end = path_end(url), k = end
    cdef const uint8_t* p = ascii_data(url.href)
    if memchr(p + start, c'%', end - start) != NULL:
        before, dot, after = name_of(url, start).rpartition(".")
        return dot + after if before and after else ""
    while k > start and p[k - 1] != c'.':
        k -= 1
    return part(url, k - 1, end) if start + 1 < k < end else ""
