"""Raw components: the text that was split, and where each component lies in it."""
from urlsm.machine cimport Span

cdef class Components:
    cdef object given               # the text as given
    cdef object read                # what the spans are of: an ASCII str, or octets
    cdef bint as_text               # components are str
    cdef bint by_keyword
    cdef Span spans[10]             # by index of Machine.spans
    cdef Span whole                 # what trimming left
    cdef long removed_from
    cdef readonly str dialect

cdef object component(Components c, int which)
