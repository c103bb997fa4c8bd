"""The rules of a profile, compiled."""
from urlsm.crawler.rules cimport Rules
from urlsm.url.names cimport NameSet

cdef class Rulebook:
    cdef Rules rules
    cdef dict values         # by rule; the rules point into its octets
    cdef NameSet remove
    cdef NameSet verbatim
    cdef readonly bint standard  # the URL Standard's parser reads the text
    cdef int set_dialect(self, str name, bint fragment_first) except -1
    cdef int set_names(self, tuple verbatim, tuple remove) except -1
    cdef int set_separators(self, str separators) except -1
    cdef int set_codings(self, dict values) except -1
    cdef int set_plain(self) except -1
