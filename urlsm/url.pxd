"""The URL value: serialised text plus offsets (drawn in record.pxd)."""
from urlsm.log cimport Log
from urlsm.reader cimport Failure
from urlsm.record cimport Offsets
from urlsm.text cimport Octets

cdef class URL:
    cdef readonly str href   # exact str, ASCII, in normal form
    cdef Offsets o
    cdef object meaning      # the handlers registered when it was made (None: none), its handler, or (handler, parts)

cdef URL new_url(str text, const Offsets* o)
cdef URL as_url(object base)
cdef URL read_url(Octets text, URL base, object encoding, Failure* failure, Log* log)
