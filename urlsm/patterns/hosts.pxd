"""A flat table of hosts, domains and networks: which of them a host is, or lies in. It is read without the lock."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    NO_ENTRY = 0xFFFFFFFF

cdef struct Hosts:           # the table; a pointer into it lives as long as its HostTable
    uint32_t* slots          # of entries, plus 1; 0 is empty
    uint32_t* entries        # three words each: hash, start of the key in octets, its length
    const uint8_t* octets
    uint32_t mask
    uint32_t longest         # octets of the longest name
    uint64_t sizes           # bit k: there is a name of k octets, or of 64 more, or of 128 more ...
    uint64_t[3] lengths      # bit k: there is a network of IPv6 (of IPv4: 132 + k) with k bits
    uint64_t[2] key          # of the hashes: another one in each table, so that no list makes its names collide

cdef struct Walk:            # over the entries that a host is or lies in, the shortest suffix first
    const uint8_t* p         # the name, in lower case, without a dot at its end
    uint32_t n
    uint32_t end             # where the suffix begins that was looked at last
    uint64_t dots
    uint64_t[4] hash         # of the labels behind end, as octets/sip goes on with it
    uint8_t[18] address      # the key of a network: 4 or 6, bits, octets
    int bits                 # to be asked for next; below 0: a name, or nothing more
    bint rooted              # the name ended in a dot

cdef class HostTable:
    cdef Hosts hosts
    cdef readonly list keys
    cdef readonly uint32_t count

cdef bytes plain_name(const uint8_t* p, size_t size)
cdef void begin_walk(Walk* walk, const Hosts* hosts, const uint8_t* p, uint32_t n) noexcept nogil
cdef uint32_t next_entry(const Hosts* hosts, Walk* walk, bint* whole) noexcept nogil
cdef bint read_ipv6(const uint8_t* p, uint32_t n, uint8_t* address) noexcept nogil
