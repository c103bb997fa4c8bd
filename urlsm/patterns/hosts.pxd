"""The table of hosts. It is read without the interpreter's lock."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    NO_ENTRY = 0xFFFFFFFF
    MOST_PLAIN = 255         # length of the longest name that plain_key takes, in octets

cdef struct Hosts:           # a table of hosts; valid as long as its HostTable lives
    uint32_t* slots          # a hash table: the number of an entry plus 1, or 0 for an empty slot
    uint32_t* entries        # three words for each entry: the hash, and the start and length of the key in octets
    const uint8_t* octets
    uint32_t mask
    uint32_t longest         # length of the longest name, in octets
    uint64_t sizes           # bit k is set if some name has k octets, or k + 64, k + 128 ...
    uint64_t[3] lengths      # bit k is set if an IPv6 network has k bits, and bit 132 + k if an IPv4 network has k bits
    uint64_t[2] key          # the key of the hashes, which is random, so that no list can make its names collide

cdef struct Walk:            # a walk over the entries that a host is or lies in; the shortest suffix comes first
    const uint8_t* p         # the name, in lower case, without a dot at its end
    uint32_t n
    uint32_t end             # start of the suffix that was looked up last
    uint64_t dots
    uint64_t[4] hash         # the state of the hash (octets/sip) after the labels from `end` on
    uint8_t[18] address      # the key of a network: 4 or 6, the number of bits, the octets
    int bits                 # the number of bits to look up next; below 0: the host is a name, or the walk is over
    bint rooted              # whether the name ended in a dot

cdef class HostTable:
    cdef Hosts hosts
    cdef readonly list keys
    cdef readonly uint32_t count

cdef bytes plain_name(const uint8_t* p, size_t size)
cdef void begin_walk(Walk* walk, const Hosts* hosts, const uint8_t* p, uint32_t n) noexcept nogil
cdef uint32_t next_entry(const Hosts* hosts, Walk* walk, bint* whole) noexcept nogil
cdef bint read_brackets(const uint8_t* p, uint32_t n, uint8_t* address) noexcept nogil
