"""Raw components: a text, and where each component lies in it."""
from urlsm.machine.machine cimport COMPONENTS, Span
from urlsm.url.structs cimport Failure

cdef class Components:
    cdef object given               # the text as given
    cdef object read                # the text that the spans refer to: an ASCII str, or octets
    cdef bint as_text               # whether the components are str
    cdef bint by_keyword
    cdef Span spans[COMPONENTS]     # in the order of Machine.spans
    cdef Span whole                 # the text without trimmed characters
    cdef long removed_from
    cdef readonly str dialect

cdef object component(Components c, int which)
cdef object error_in(object url, const Failure* failure, object dialect)
