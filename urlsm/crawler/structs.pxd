"""The structs of all modules that make a key; the rules of a profile are in rules.pxd."""
from libc.stdint cimport uint8_t
from urlsm.machine.codes cimport Code
from urlsm.machine.log cimport Step
from urlsm.machine.special cimport SchemeKind
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.text cimport Quoting
from urlsm.octets.slice cimport Slice

cdef struct Recoding:        # a table of what each octet and each escape of a component becomes
    Quoting raw              # of literal octets
    uint8_t escaped[256][4]  # of escapes, by their octet: as Quoting.written
    bint escapes             # "%" begins an escape; otherwise it is an octet like others
    bint repeatedly          # decode until no escape is left, then use raw

cdef struct Plainness:       # what a profile keeps of a plain text (machine/lane/plain.h); rulebook.pyx proves it
    bint read                # the text is not changed before the split
    bint head_kept           # its scheme and host are written as they are
    bint labels_kept         # its host's labels are written as they are, but for "www"

cdef struct KeyParts:        # the components of a text, by a profile
    Slice scheme
    Slice userinfo
    Slice host
    Slice port
    Slice path
    Slice query
    Slice fragment
    SchemeKind kind
    bint opaque              # the path is opaque (it has no segments)
    bint plain               # the plain lane found them: the host is a lower-case name, not an address

cdef struct KeyFailure:      # why a profile refuses a text (the URL Standard's reason is a Failure of url/structs)
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


cdef inline Buffer* fresh(Scratch* s) noexcept nogil:
    """Return the buffer that the text is not in, emptied."""
    s.turn ^= 1
    s.text[s.turn].n = 0
    return &s.text[s.turn]


cdef inline void take(Slice* text, const Buffer* b) noexcept nogil:
    """Make the buffer's octets the text."""
    text.p = b.p
    text.n = b.n
