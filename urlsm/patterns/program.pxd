"""Programs that a text is held to: words of 32 bits, and the octets of their literals in a pool beside them."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer

cdef enum:
    NOWHERE = 0xFFFFFFFF     # no such place; a group that took no part
    GREEDY = 0               # first word of a program: literals, "*" and "$" alone
    FULL = 1                 # everything else
    SHORT_PIECE = 8          # octets of a literal that is searched without a table of where to go on

    # GREEDY: [GREEDY, how many pieces, must it end with the text, for each piece: octets from, how many, table or 0]
    # FULL: [FULL, how many instructions, how many splits, how many depths, how many saved, instructions: op, a, b]

cdef enum Op:
    LITERAL                  # octets from a, b of them
    CLASS_OF                 # one octet that the eight words at a have (relative to the program)
    ANY_OCTET
    SPLIT                    # go on at a, or else at b; the word behind: number << 8 | depth
    JUMP                     # to a
    SAVE                     # the position, in a
    MARK                     # an optional group of depth a begins
    NONEMPTY                 # it must not be empty
    AT_END
    DONE
    SPAN                     # all octets that are there of those that the eight words at a have; b at least

cdef struct Work:            # one for a call: what a run needs, and what it took
    uint64_t steps           # instructions run and octets searched
    Buffer b

cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil

cdef class Block:            # words and literals in the making, each program, table and literal once
    cdef Buffer b            # the words; nothing is at 0
    cdef Buffer literals
    cdef dict places         # of literals, of programs and of what else a key stands for
    cdef uint32_t here(self) except 0
    cdef int word(self, uint32_t value) except -1
    cpdef object place(self, bytes literal)
    cdef uint32_t table(self, bytes literal) except? 0
    cdef uint32_t program(self, tuple program) except 0
    cdef uint32_t* copied(self, const uint8_t** literals) except NULL
