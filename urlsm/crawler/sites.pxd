"""Hosts and their sites."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.crawler.suffix_list cimport Suffixes
from urlsm.octets.buffer cimport Buffer

cdef enum:
    NO_SITE = 0xFFFFFFF      # longer than any host that has one

cdef struct Ending:          # what is asked of the end of a host
    bint with_label          # the registrable domain; else the public suffix
    bint private             # rules of the list's private section count
    bint only_listed         # a top-level domain that the list does not know is not a suffix

cdef bint is_name(const uint8_t* p, uint32_t n) noexcept nogil
cdef bint write_host_of(Buffer* b, object url_or_host, bint* unicode) except -1
cdef uint32_t site_start(const uint8_t* p, uint32_t n, Suffixes suffixes, bint private) noexcept nogil
cdef uint32_t end_start(const uint8_t* p, uint32_t n, Suffixes suffixes, const Ending* ending) noexcept nogil
cdef Suffixes suffixes_or_default(object suffixes)
