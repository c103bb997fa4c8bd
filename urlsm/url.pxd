"""The URL value: serialised text plus offsets (drawn in record.pxd), and the parser that makes it."""
from libc.stdint cimport int32_t, uint32_t
from urlsm.buffer cimport Buffer
from urlsm.codes cimport Code
from urlsm.log cimport Log, Step
from urlsm.record cimport Offsets
from urlsm.text cimport Octets

cdef struct Failure:
    Code code
    Step step
    uint32_t at              # in octets of what was read
    int32_t removed_from     # -1, or: tabs and newlines were removed from this octet of the text on

cdef class URL:
    cdef readonly str href   # exact str, ASCII, in normal form
    cdef Offsets o

cdef URL new_url(str text, const Offsets* o)
cdef URL as_url(object base)
cdef URL read_url(Octets text, URL base, object encoding, Failure* failure, Log* log)
cdef object error_of(object given, const Failure* failure)
