"""Declares the functions that make keys of texts from Python, and errors for texts that have no key."""
from urlsm.crawler.keys cimport Rulebook
from urlsm.crawler.structs cimport KeyFailure, Scratch
from urlsm.octets.buffer cimport Buffer

cdef Rulebook rulebook_of(object profile)
cdef str key_of(object given, Rulebook rulebook, Buffer* b, Scratch* s, KeyFailure* why)
cdef object error_of(object given, const KeyFailure* why)
