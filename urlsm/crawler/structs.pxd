"""Structs that the modules which make keys share. The rules of a profile are in rules.pxd."""
from libc.stdint cimport uint8_t
from urlsm.machine.codes cimport Code
from urlsm.machine.log cimport Step
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.text cimport Quoting

cdef struct Recoding:        # tables with the replacement of each octet and each escape of a component
    Quoting raw              # the replacements of literal octets
    uint8_t escaped[256][4]  # the replacement of each escape, by the octet it stands for, stored like Quoting.written
    bint escapes             # whether "%" begins an escape; otherwise it is an octet like others
    bint repeatedly          # whether escapes are decoded until none is left, before `raw` is applied

cdef struct Plainness:       # what a profile leaves unchanged in a plain text (machine/lane/plain.h); set by set_plain
    bint read                # the text is not changed before it is split
    bint head_kept           # the scheme and host are written unchanged
    bint labels_kept         # the host's labels are written unchanged, except "www"

cdef struct KeyFailure:      # why a profile refuses a text (the parser has Failure, in url/structs)
    Code code
    Step step
    const uint8_t* where     # a place in the text, as the text is at that step

cdef struct Scratch:
    Buffer text[2]           # two buffers for the cleaned text: one holds it, the other is free
    int turn
    Buffer host
    Buffer piece


cdef inline bint refuse(KeyFailure* why, Code code, Step step, const uint8_t* where) noexcept nogil:
    """Set `why` to the reason for which a text is refused, and return False."""
    why.code = code
    why.step = step
    why.where = where
    return False
