"""The canonicaliser makes a key of a text, both as octets. It runs without the interpreter's lock, and takes the lock
only for a host that needs IDNA.

    from urlsm.crawler.canonical cimport rulebook_of
    cdef Rulebook rulebook = rulebook_of("w3lib")   # a name or a Profile; call it with the lock, and keep the result
    cdef Buffer b; cdef Scratch s; cdef KeyFailure why
    buffer_start(&b); scratch_start(&s)             # once for any number of texts
    with nogil:
        b.n = 0
        done = write_key(&b, p, n, &rulebook.rules, &s, &why)   # n <= MAX_KEY_TEXT; the key is b.p[0:b.n], UTF-8
    scratch_free(&s); buffer_free(&b)

If the text is refused, write_key returns False, and why.code holds the reason. If memory runs out, it returns -1 with
an exception. p[0:n] is UTF-8, which must be valid if rulebook.standard is true.
"""
from libc.stdint cimport uint8_t
from urlsm.crawler.rules cimport Rules
from urlsm.crawler.structs cimport KeyFailure, Scratch
from urlsm.octets.buffer cimport Buffer, MAX_LENGTH
from urlsm.url.params cimport NameSet

cdef enum:
    MAX_KEY_TEXT = MAX_LENGTH - 16  # the maximal length of a text in octets; 16 leave room for a scheme in front

cdef void scratch_start(Scratch* s) noexcept nogil
cdef void scratch_free(Scratch* s) noexcept nogil
cdef bint write_key(Buffer* b, const uint8_t* p, size_t n, const Rules* r, Scratch* s, KeyFailure* why) except -1 nogil


cdef class Rulebook:
    cdef Rules rules
    cdef dict values         # the value of each rule, by its name; `rules` points into the octets of these values
    cdef NameSet remove
    cdef NameSet verbatim
    cdef readonly bint standard  # whether the URL Standard's parser splits the text
    cdef int set_dialect(self, str name, bint fragment_first) except -1
    cdef int set_names(self, tuple verbatim, tuple remove) except -1
    cdef int set_separators(self, str separators) except -1
    cdef int set_codings(self, dict values) except -1
    cdef int set_plain(self) except -1
