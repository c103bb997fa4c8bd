"""Declares what Template needs to match a text."""
from libc.stdint cimport uint8_t

cdef object plan_of(str template, list parts)
cdef object matched(object how, const uint8_t* p, size_t n, bint extra, bint empty, frozenset raw, dict types)
