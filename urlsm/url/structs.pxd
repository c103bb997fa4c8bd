"""The structs of urlsm.url, in a file of their own: modules that need only the structs are not rebuilt when other
declarations change."""
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.machine.codes cimport Code
from urlsm.machine.log cimport Log, Step
from urlsm.machine.special cimport SchemeKind

cdef struct Offsets:         # the offsets of a URL; spans.pxd computes spans from them
    # Where the components of a serialised URL lie. query_start and fragment_start are ABSENT without "?" or "#".
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
    int32_t port             # -1: the port is null
    SchemeKind kind
    bint has_host
    bint opaque_path

cdef struct Href:            # a serialised URL
    const uint8_t* p
    uint32_t n
    const Offsets* o
    PyObject* text           # the str that p lies in; only set for read_octets, which may return it

cdef struct Piece:
    const uint8_t* p         # NULL if the component is absent
    uint32_t n
    # the class bits of the marks (octets/chars.h) among its octets; for a host, also UPPER if it has an upper-case
    # letter
    uint32_t seen
    bint normal              # the component is in normal form already, so it can be copied

cdef struct Record:
    SchemeKind kind
    bint opaque_path
    int32_t port             # -1: the port is null
    Piece scheme
    Piece username
    Piece password
    Piece host
    Piece path
    Piece query
    Piece fragment
    # the beginning of the path, taken from the base and in normal form; the segments of `path` are appended to it
    Piece base_path
    # the log, and what is needed to report that the host is refused
    Log* log
    Step host_step
    uint32_t host_offset     # where the host begins in the text that was read
    Code error
    uint32_t error_at

cdef struct Failure:
    Code code
    Step step
    uint32_t at              # the position, counted in octets of the text that was read
    int32_t removed_from     # tabs and newlines were removed from this octet on; -1: none were removed

cdef enum Outcome:
    REFUSED                  # the text was refused; Failure has the reason
    WRITTEN                  # the URL was appended to the buffer
    GIVEN                    # the text that was read is the URL already; nothing was written
    BASE                     # the URL is the base; nothing was written
