"""Domains by UTS 46 (toascii.h). This module alone has its table: others call write_domain."""
from urlsm.octets.buffer cimport buffer_free, buffer_reserve, buffer_start
from urlsm.octets.text cimport exact, write_utf8

cdef extern from "unicode/toascii.h" nogil:
    const int VALID "URLSM_IDNA_VALID"
    const int NO_ROOM "URLSM_IDNA_NO_ROOM"
    const char* UNICODE_VERSION "URLSM_TOASCII_UNICODE"
    int process_domain "urlsm_process_domain"(const uint8_t* p, size_t n, uint8_t* out, size_t room, bint in_unicode,
                                              size_t* written, uint32_t* culprit) noexcept


unicode_version = UNICODE_VERSION.decode()  # of all that processed_domain knows


cdef int write_domain(Buffer* b, const uint8_t* p, size_t n, bint in_unicode, uint32_t* culprit) except -1 nogil:
    """Append the domain p[0:n], UTF-8, processed by UTS 46 (toascii.h): the number of the rule that it breaks, with the
    code point at which it does so or 0, and nothing is appended; or 0."""
    cdef size_t room = 4 * n + 16, written = 0
    cdef int rule
    culprit[0] = 0
    while True:
        buffer_reserve(b, room)
        rule = process_domain(p, n, b.p + b.n, b.capacity - b.n, in_unicode, &written, culprit)
        if rule != NO_ROOM:
            break
        room = 2 * (b.capacity - b.n)
    if rule == VALID:
        b.n += written
    return rule


def processed_domain(text: str, in_unicode: bool):
    """text by UTS 46: (rule, code point, result), result "" unless rule is 0 (urlsm.unicode.idna has the words). A lone
    surrogate counts as U+FFFD."""
    cdef Buffer given, b
    cdef uint32_t culprit = 0
    cdef int rule
    buffer_start(&given)
    buffer_start(&b)
    try:
        write_utf8(&given, exact(text))
        rule = write_domain(&b, given.p, given.n, in_unicode, &culprit)
        return rule, culprit, b.p[:b.n].decode("utf-8")
    finally:
        buffer_free(&given)
        buffer_free(&b)
