"""Conversion of a caller's text to the octets that the machine reads; and percent-coding."""
cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX
from urlsm.octets.find cimport find


@cython.final
@cython.no_gc  # an instance is short-lived, and never in a reference cycle
@cython.freelist(8)
cdef class Octets:
    cdef object given        # the object that the caller gave
    cdef object owner        # the object whose memory p points to
    cdef const uint8_t* p    # UTF-8 if a str was given; the octets themselves if raw bytes were given
    cdef uint32_t n
    cdef bint is_text        # whether owner is an exact ASCII str, which may become a URL's text
    cdef bint too_long       # whether the text is longer than MAX_LENGTH; then n is 0

cdef str exact(object text)
cdef bytes scalar_values(str text)
cdef int write_utf8(Buffer* b, str text) except -1
cdef Octets octets_of(object given, bint raw)
cdef size_t copy_without(uint8_t* out, const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed) noexcept nogil
cdef bytes without(const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed)
cdef bint contains(const uint8_t* p, uint32_t start, uint32_t end, uint32_t bits) noexcept nogil
cdef Py_ssize_t place(const uint8_t* p, Py_ssize_t n, Py_ssize_t octet, Py_ssize_t removed_from,
                      bint trimmed) noexcept nogil
cpdef str deciding(str text)


cdef inline bint among(Py_UCS4 char, uint32_t classes) noexcept nogil:
    return char < 0x80 and CLASS[char] & classes != 0


# --- percent-coding (URL Standard, #percent-encoded-bytes) ---

cdef extern from "octets/chars.h" nogil:
    ctypedef struct Quoting "urlsm_quoting":
        uint8_t* low         # 16 octets: the set of octets that are kept, for vectors.h
        uint8_t (*written)[4]  # for each of 256 octets: the octets that replace it, and their number

cdef enum Safe:              # ready-made quotings, named after the octets that they keep
    NOTHING
    UNRESERVED               # keeps the unreserved characters (RFC 3986, 2.3)
    UNRESERVED_OR_SLASH
    UNRESERVED_OR_PLUS       # keeps the same as UNRESERVED, and a space becomes "+"
    UNRESERVED_OR_FIELDS     # also keeps "=" and "&", the delimiters of fields in a query
    FORM                     # keeps the octets that are not in the URL Standard's form set, and a space becomes "+"

cdef const Quoting* quoting_at(Safe safe) noexcept nogil
cdef void keep_octets(Quoting* quoting, const uint8_t* p, size_t n) noexcept nogil
cdef void write_space_as_plus(Quoting* quoting) noexcept nogil
cdef uint64_t bits_outside(const uint8_t* p, size_t n, const Quoting* quoting) noexcept nogil
cdef bint all_kept(const uint8_t* p, size_t n, const Quoting* quoting) noexcept nogil
cdef int write_quoted(Buffer* b, const uint8_t* p, size_t n, const Quoting* quoting) except -1 nogil
cdef bint write_unquoted(Buffer* b, const uint8_t* p, size_t n, bint plus) except? -1 nogil
cdef int write_encoded(Buffer* b, const uint8_t* p, size_t n, uint32_t encode_set) except -1 nogil
cdef int write_decoded(Buffer* b, const uint8_t* p, size_t n) except -1 nogil
cdef int octet_escaped(const uint8_t* p, size_t n) noexcept nogil
cdef int write_readable(Buffer* b, const uint8_t* p, size_t n) except -1
cdef str decode_text(const uint8_t* p, Py_ssize_t n)
cdef int write_text(Buffer* b, str text, uint32_t encode_sets) except -1


cdef inline int hex_value(uint8_t digit) noexcept nogil:
    """Return the value of an ASCII hex digit."""
    return digit - c'0' if digit <= c'9' else (digit | 0x20) - c'a' + 10


cdef inline bint is_unreserved(uint8_t octet) noexcept nogil:
    """Return whether an octet is unreserved: ALPHA / DIGIT / "-" / "." / "_" / "~" (RFC 3986 section 2.3)."""
    return CLASS[octet] & (ALPHA | DIGIT) != 0 or octet == c'-' or octet == c'.' or octet == c'_' or octet == c'~'


cdef inline bint escapes_are_normal(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether each "%" of p[0:n] begins an escape in normal form: two upper-case digits that stand for an octet
    that is not unreserved.

    If so, RFC 3986's normalisation of escapes (sections 6.2.2.1 and 6.2.2.2) changes nothing. This does not show that
    the text is harmless: "%2F", "%5C", "%00" and "%0D" are in normal form.
    """
    cdef const uint8_t* end = p + n
    while True:
        p = find(p, end, c'%')
        while p < end and p[0] == c'%':  # escapes often follow each other directly
            if end - p < 3 or not (CLASS[p[1]] & CLASS[p[2]] & HEX) or p[1] >= c'a' or p[2] >= c'a':
                return False
            if is_unreserved(hex_value(p[1]) << 4 | hex_value(p[2])):
                return False
            p += 3
        if p == end:
            return True
