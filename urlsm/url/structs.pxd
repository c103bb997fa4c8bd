"""The structs of this room, by themselves, so that modules which need only these are not rebuilt after other
changes."""
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.machine.codes cimport Code
from urlsm.machine.log cimport Log, Step
from urlsm.machine.special cimport SchemeKind

cdef struct Offsets:         # spans.pxd reads it
    # Where the components of a serialised URL lie; ABSENT where "?" or "#" is.
    #
    # https://user:pass@example.com:1234/foo/bar?baz#quux
    #      |      |    |          |     |       |   |
    #      |      |    |          |     |       |   `- fragment_start, of "#"
    #      |      |    |          |     |       `----- query_start, of "?"
    #      |      |    |          |     `------------- path_start
    #      |      |    |          `------------------- host_end
    #      |      |    `------------------------------ host_start, after "@" (no "@": as username_end)
    #      |      `----------------------------------- username_end
    #      `------------------------------------------ scheme_end, of ":"
    # Without a host, username_end = host_start = host_end = scheme_end + 1; and "/." goes before a path that begins
    # with "//", and belongs to no component.
    uint32_t scheme_end
    uint32_t username_end
    uint32_t host_start
    uint32_t host_end
    uint32_t path_start
    uint32_t query_start
    uint32_t fragment_start
    int32_t port             # -1: null
    SchemeKind kind
    bint has_host
    bint opaque_path

cdef struct Href:            # a serialised URL
    const uint8_t* p
    uint32_t n
    const Offsets* o
    PyObject* text           # the str that p lies in: only for read_octets, which may return it

cdef struct Piece:
    const uint8_t* p         # NULL if the component is absent
    uint32_t n
    uint32_t seen            # class bits of its marks (and UPPER, of a host)
    bint normal              # it is in normal form: copy it

cdef struct Record:
    SchemeKind kind
    bint opaque_path
    int32_t port             # -1: null
    Piece scheme
    Piece username
    Piece password
    Piece host
    Piece path
    Piece query
    Piece fragment
    Piece base_path          # in normal form: the segments to which path is appended
    # set by a refusal
    Log* log
    Step host_step
    uint32_t host_offset     # where the host begins in the text as given
    Code error
    uint32_t error_at

cdef struct Failure:
    Code code
    Step step
    uint32_t at              # in octets of the text that was read
    int32_t removed_from     # the octet from which on tabs and newlines were removed; -1: none were

cdef enum Outcome:
    REFUSED                  # Failure says why
    WRITTEN                  # the URL was appended to the buffer
    GIVEN                    # the text as given is the URL; nothing was written
    BASE                     # the base is the URL; nothing was written
