"""The room's structs, of all modules that make a key; the rules of a profile are in rules.pxd."""
from libc.stdint cimport uint8_t
from urlsm.machine.codes cimport Code
from urlsm.machine.log cimport Step
from urlsm.machine.special cimport SchemeKind
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.text cimport Quoting
from urlsm.octets.slice cimport Slice

cdef struct Recoding:        # what becomes of each octet of a component, and of each escape: a table for both
    Quoting raw              # octets as they stand
    uint8_t escaped[256][4]  # escapes, by the octet they are of: as Quoting.written
    bint escapes             # "%" begins an escape; else it is an octet like others
    bint repeatedly          # decode until nothing is left to decode, then raw

cdef struct Plainness:       # what a profile leaves of a plain text (machine/lane/plain.h); rulebook.pyx proves it
    bint read                # nothing is to be changed before the split
    bint head_kept           # its scheme and host are written as they are
    bint labels_kept         # its host's labels are written as they are, but for "www"

cdef struct KeyParts:        # the components of a text, as a profile reads them
    Slice scheme
    Slice userinfo
    Slice host
    Slice port
    Slice path
    Slice query
    Slice fragment
    SchemeKind kind
    bint opaque              # the path has no segments
    bint plain               # the plain lane found them: the host is a lower-case name, and no number

cdef struct KeyFailure:      # why a profile refuses a text; url/parser's Failure: why the URL Standard does
    Code code
    Step step
    const uint8_t* where     # in the text as it was then

cdef struct Scratch:
    Buffer text[2]           # the text as cleaned: the one in use, and the next
    int turn
    Buffer host
    Buffer piece


cdef inline bint refuse(KeyFailure* why, Code code, Step step, const uint8_t* where) noexcept nogil:
    """Note why a text is refused; False."""
    why.code = code
    why.step = step
    why.where = where
    return False


cdef inline Buffer* fresh(Scratch* s) noexcept nogil:
    """The buffer that the text is not in, empty."""
    s.turn ^= 1
    s.text[s.turn].n = 0
    return &s.text[s.turn]


cdef inline void take(Slice* text, const Buffer* b) noexcept nogil:
    """The text is what the buffer holds."""
    text.p = b.p
    text.n = b.n
