"""Programs, compiled into a block."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer

cdef enum:
    NOWHERE = 0xFFFFFFFF     # the piece was not found, or the group took no part
    MOST_B = 0x0FFFFFFF      # the greatest value of an instruction's b
    SHORT_PIECE = 8          # longer literals are searched for with a table of Knuth, Morris and Pratt

cdef enum:
    FEW_GROUPS = 32          # Program.groups_of keeps at most this many on the stack

cdef struct Work:            # the memory of runs, and the steps taken so far, in one call
    uint64_t steps           # instructions run and octets searched
    Buffer b

cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil

cdef class Block:            # the block of a matcher while it is written; it stores equal programs only once
    cdef Buffer b            # the words; a place is never 0
    cdef Buffer literals
    cdef dict places         # a literal, a program or the key of a table -> its place
    cdef dict sets           # octets -> the place of the set of them
    cdef dict runs           # a tuple of words -> its place
    cdef Py_ssize_t left     # how many instructions may still be added
    cdef uint32_t here(self) except 0
    cdef int word(self, uint32_t value) except -1
    cdef uint32_t run(self, tuple words) except 0
    cdef object place(self, bytes literal)
    cdef uint32_t table(self, bytes literal) except? 0
    cdef uint32_t program(self, tuple program) except 0
    cdef uint32_t set_of(self, bytes octets) except 0
    cdef bint grouped
    # the FULL program that is being compiled
    cdef Buffer code         # its instructions
    cdef uint32_t splits, depth, deepest, saved
    cdef uint32_t full_program(self, tuple program) except 0
    cdef uint32_t instructions(self) noexcept
    cdef int instruction(self, uint32_t op, uint32_t a, uint32_t b) except -1
    cdef void lead(self, uint32_t instruction, uint32_t a, uint32_t b) noexcept
    cdef uint32_t split(self) except? 0
    cdef int sequence(self, tuple program, Py_ssize_t n) except -1
    cdef int piece(self, object piece) except -1
    cdef int choice(self, tuple programs) except -1
    cdef int optional(self, tuple program, bint greedy) except -1
    cdef int times(self, tuple program, Py_ssize_t fewest, object most, bint greedy) except -1
    cdef uint32_t* copy_words(self, const uint8_t** literals) except NULL

cdef class Program:
    cdef uint32_t* w         # the words, followed by the literals
    cdef uint32_t at, plain  # where the program begins, and where the one without groups begins
    cdef const uint8_t* octets
    cdef bint is_any         # whether it is the program of the pattern "*"
    cdef readonly uint32_t groups
    cdef dict groups_of(self, const uint8_t* p, uint32_t n, tuple names, Work* work)
