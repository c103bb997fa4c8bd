"""Declares Components: a text, and where each component lies in it."""
from urlsm.machine.machine cimport COMPONENTS, Span
from urlsm.url.structs cimport Failure

cdef class Components:
    cdef object given               # the text as the caller passed it
    cdef object read                # the text to which the spans refer: an ASCII str, or octets
    cdef bint as_text               # whether the components are str, not bytes
    cdef bint by_keyword            # whether the object was made by keyword, not by split()
    cdef Span spans[COMPONENTS]     # in the order of Machine.spans
    cdef Span whole                 # the text without the characters that were trimmed at its ends
    cdef long removed_from          # as in Failure: where removing of tabs and newlines began; -1: none were removed
    cdef str dialect

cdef object component(Components c, int which)
cdef object error_in(object url, const Failure* failure, object dialect)
