"""Declares what Template needs to match a text."""
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport Buffer

cdef const uint8_t* octets_to_match(str text, Buffer* b, size_t* n) except NULL
cdef bint are_fields(list query) except -1
cdef tuple cut_parts(list parts)
cdef object plan_of(str template, list parts)
cdef object matched(object how, const uint8_t* p, size_t n, bint extra, bint empty, frozenset raw, dict types)
