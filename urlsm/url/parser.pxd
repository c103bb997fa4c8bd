"""The URL parser: from octets to octets and offsets without the interpreter's lock, or to a str with it.

    cdef Buffer b; cdef Offsets o; cdef Failure failure
    buffer_start(&b)
    outcome = write_url(&b, &o, &failure, p, n, NULL, NULL, NULL)   # n <= MAX_LENGTH
    # GIVEN: the URL is p[0:n]; WRITTEN: it is b.p[0:b.n]; REFUSED: failure says why. o has the offsets of its
    # components
    buffer_free(&b)
"""
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.bounds cimport Bounds
from urlsm.machine.codes cimport Code
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.log cimport Log, Step
from urlsm.machine.machine cimport Machine
from urlsm.octets.buffer cimport Buffer, ascii_data
from urlsm.url.structs cimport Failure, Href, Offsets, Record

cdef const Dialect* WHATWG

cdef object error_of(object given, const Failure* failure)
cdef PyObject* set_error(object error) noexcept
cdef bint tell_refusal(Machine* m, Failure* failure) except -1 nogil
cdef object output_encoding(object label)
cdef bint is_longer(object url, object limit, Failure* failure) except -1
cdef int validity(const uint8_t* p, uint32_t n) except -2 nogil
cdef void refuse(Failure* failure, Code code, Step step, uint32_t at) noexcept nogil
cdef int write_url(Buffer* b, Offsets* o, Failure* failure, const uint8_t* p, uint32_t n, const Href* base,
                   PyObject* encoding, Log* log) except -1 nogil
cdef int write_found(Buffer* b, Offsets* o, Failure* failure, const Machine* m, const uint8_t* head, const Href* base,
                     PyObject* encoding) except -1 nogil
cdef int write_record(Buffer* b, Offsets* o, Failure* failure, Record* r, const uint8_t* head,
                      uint32_t end) except -1 nogil
cdef str read_octets(const uint8_t* p, uint32_t n, str owner, const Href* base, object encoding, Offsets* o,
                     Failure* failure, Log* log)
cdef str read_odd(const uint8_t* p, uint32_t n, const Bounds* at, str owner, Offsets* o)
cdef str read_found(Machine* m, const uint8_t* head, str owner, object encoding, Offsets* o, Failure* failure)
cpdef bytes domain_to_ascii(bytes octets)


cdef inline const Href* base_at(Href* base, str text, const Offsets* o) noexcept:
    """Point base at a URL's text and offsets."""
    base.p, base.n, base.o, base.text = ascii_data(text), len(text), o, <PyObject*>text
    return base
