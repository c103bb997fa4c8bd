"""The URL value: serialised text plus offsets (drawn in record.pxd)."""
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp
from urlsm.machine.log cimport Log
from urlsm.machine.machine cimport ABSENT
from urlsm.octets.buffer cimport ascii_text
from urlsm.octets.text cimport Octets
from urlsm.url.structs cimport Failure, Offsets

cdef class URL:
    cdef str href            # exact str, ASCII, in normal form
    cdef Offsets o
    cdef object meaning      # the handlers registered when it was made (or None), its handler, or (handler, parts)

cdef dict registered  # scheme -> handler, as urlsm.register made it: never changed, only replaced; None if empty

cdef URL empty_url()
cdef URL new_url(str text, const Offsets* o)
cdef URL as_url(object base)
cdef URL read_url(Octets text, URL base, object encoding, Failure* failure, Log* log)


cdef extern from *:
    """
    /* The octets of an exact ASCII str, which is compact. Does not read its head, which may not be in the cache. */
    #define URLSM_TEXT_OF(text) ((const uint8_t *)((PyASCIIObject *)(text) + 1))
    """
    const uint8_t* text_of "URLSM_TEXT_OF"(PyObject* text) noexcept


cdef inline str part(URL url, uint32_t start, uint32_t end):
    if end - start < 2:
        return url.href[start:end]  # the interpreter caches these
    return ascii_text(text_of(<PyObject*>url.href) + start, end - start)


cdef inline uint32_t query_end(URL url) noexcept:
    return len(url.href) if url.o.fragment_start == ABSENT else url.o.fragment_start


cdef inline uint32_t path_end(URL url) noexcept:
    return query_end(url) if url.o.query_start == ABSENT else url.o.query_start


cdef inline bint is_same_text(URL url, URL other) noexcept:
    """Return whether both have the same text. The lengths of most unequal texts differ; both are exact ASCII str."""
    cdef PyObject* a = <PyObject*>url.href
    cdef PyObject* b = <PyObject*>other.href
    return a == b or (len(url.href) == len(other.href) and memcmp(text_of(a), text_of(b), len(url.href)) == 0)
