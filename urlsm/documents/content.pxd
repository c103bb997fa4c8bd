"""Does a URL follow "scheme:" in running text, or prose ("news: today", "data:x")?

An authority tells, and without one the form that the scheme's handler gives (in_text, schemes/contract.py).
"""
from urlsm.documents.extent cimport EFFECT, MULTI, class_at, octet
from urlsm.octets.chars cimport ALPHA, DIGIT
from urlsm.octets.slice cimport Slice

cdef enum:
    LOOK_AT = 600  # octets; no form of ours looks at more


cdef inline bint goes_on(const Slice* t, size_t i) noexcept nogil:
    """Return whether a character of content is at i: a letter, a digit, or the like."""
    return class_at(t, i) & (ALPHA | DIGIT) or EFFECT[octet(t, i)] & MULTI or octet(t, i) == c'%' or octet(t, i) == c'_'


cdef inline bint has_slashes(const Slice* t, size_t i) noexcept nogil:
    return octet(t, i) == c'/' and octet(t, i + 1) == c'/'


cdef inline bint has_authority(const Slice* t, size_t i, bint special) noexcept nogil:
    """"//", and the beginning of an authority; or an empty one and a path, where the scheme is not special: that of a
    file may have a second slash (sqlite:////a)."""
    if not has_slashes(t, i):
        return False
    i += 2
    if octet(t, i) == c'/' and not special:
        i += 2 if octet(t, i + 1) == c'/' else 1
    return goes_on(t, i) or octet(t, i) == c'[' or octet(t, i) == c'-' or octet(t, i) == c'~' or octet(t, i) == c':'
