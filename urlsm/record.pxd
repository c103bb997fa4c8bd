"""A URL record in pieces, and its serialisation (URL Standard, #url-representation, #url-serializing)."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.buffer cimport Buffer
from urlsm.codes cimport Code
from urlsm.log cimport Log, Step
from urlsm.machine cimport Base, Machine
from urlsm.special cimport SchemeKind

cdef struct Offsets:
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
    # No host: username_end = host_start = host_end = scheme_end + 1. A path that begins with "//"
    # and has no host is preceded by "/.", which belongs to neither.
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

cdef struct Piece:
    const uint8_t* p         # NULL: the component is absent
    uint32_t n
    uint32_t seen            # class bits of its marks (host: and UPPER)
    bint normal              # in normal form: copy it

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
    Piece base_path          # the list of segments that path goes on from; normal
    # of a refusal
    Log* log
    Step host_step
    uint32_t host_offset     # of the host in the text as given
    Code error
    uint32_t error_at


# Pieces are set field by field: a struct written so and then copied whole stalls the store buffer.

cdef inline void set_piece(Piece* piece, const uint8_t* p, uint32_t n, uint32_t seen) noexcept nogil:
    """Octets as given."""
    piece.p = p
    piece.n = n
    piece.seen = seen
    piece.normal = False


cdef inline void set_normal(Piece* piece, const uint8_t* p, uint32_t start, uint32_t end) noexcept nogil:
    """Octets of a serialised URL."""
    piece.p = p + start
    piece.n = end - start
    piece.seen = 0
    piece.normal = True


cdef inline void set_absent(Piece* piece) noexcept nogil:
    piece.p = NULL
    piece.n = 0
    piece.seen = 0
    piece.normal = True


cdef void base_of(Base* base, const uint8_t* text, const Offsets* o) noexcept nogil
cdef void record_of_text(Record* r, const uint8_t* text, uint32_t n, const Offsets* o) noexcept nogil
cdef void take_reference(Record* r, const Machine* m) noexcept nogil
cdef void take_host(Record* r, const Machine* m) noexcept nogil
cdef bint host_is_accepted(Record* r, const Machine* m) except -1
cdef bint serialize(Buffer* b, Offsets* o, Record* r) except -1
