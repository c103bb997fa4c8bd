"""What the modules that make keys share; the rules of a profile are in rules.pxd."""
from libc.stdint cimport uint8_t
from urlsm.machine.codes cimport Code
from urlsm.machine.log cimport Step
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.text cimport Quoting

cdef struct Recoding:        # a table of what each octet and each escape of a component becomes
    Quoting raw              # of literal octets
    uint8_t escaped[256][4]  # of escapes, by their octet: as Quoting.written
    bint escapes             # "%" begins an escape; otherwise it is an octet like others
    bint repeatedly          # decode until no escape is left, then use raw

cdef struct Plainness:       # what a profile keeps of a plain text (machine/lane/plain.h), as set_plain finds
    bint read                # the text is not changed before the split
    bint head_kept           # its scheme and host are written as they are
    bint labels_kept         # its host's labels are written as they are, but for "www"

cdef struct KeyFailure:      # why a profile refuses a text (the parser's own reasons are a Failure of url/structs)
    Code code
    Step step
    const uint8_t* where     # in the text at that step

cdef struct Scratch:
    Buffer text[2]           # the cleaned text: the one in use, and the next
    int turn
    Buffer host
    Buffer piece


cdef inline bint refuse(KeyFailure* why, Code code, Step step, const uint8_t* where) noexcept nogil:
    """Note why a text is refused; return False."""
    why.code = code
    why.step = step
    why.where = where
    return False
