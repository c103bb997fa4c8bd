"""Programs that match texts: words of 32 bits, and the octets of their literals in a pool beside them."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer

cdef enum:
    NOWHERE = 0xFFFFFFFF     # no such position; a group that took no part
    SHORT_PIECE = 8          # the most octets of a literal that is searched without a table of where to go on

cdef struct Work:            # one for a call: the memory of a run, and its steps
    uint64_t steps           # instructions run and octets searched
    Buffer b

cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil

cdef class Block:            # words and literals, while they are written: each program, table and literal once
    cdef Buffer b            # the words; nothing is at 0
    cdef Buffer literals
    cdef dict places         # of literals, of programs and of whatever else has a key
    cdef Py_ssize_t left     # instructions that programs may still have
    cdef uint32_t here(self) except 0
    cdef int word(self, uint32_t value) except -1
    cdef object place(self, bytes literal)
    cdef uint32_t table(self, bytes literal) except? 0
    cdef uint32_t program(self, tuple program) except 0
    cdef list full_words(self, instructions)
    cdef uint32_t* copied(self, const uint8_t** literals) except NULL
