"""The rules of a profile, compiled."""
from urlsm.crawler.rules cimport Rules
from urlsm.url.names cimport NameSet

cdef class Rulebook:
    cdef Rules rules
    cdef list owned          # the memory that the rules point into
    cdef NameSet remove
    cdef NameSet verbatim
    cdef bint host_kept      # every octet of a host is
    cdef readonly bint standard  # the URL Standard's parser reads the text
    cdef const char* owned_text(self, text) except NULL
    cdef const char* listed(self, names) except NULL
    cdef int set_text(self, dict fields, number) except -1
    cdef int set_authority(self, dict fields, number) except -1
    cdef int set_plain(self) except -1
    cdef int set_rest(self, dict fields, number) except -1
