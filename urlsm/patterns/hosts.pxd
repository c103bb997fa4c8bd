"""Which of many hosts, domains and networks a host is, or lies in: one table for all, flat, read without the lock."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    NO_ENTRY = 0xFFFFFFFF

cdef struct Hosts:           # the table; a pointer into it lives as long as its HostTable
    uint32_t* slots          # of entries, plus 1; 0 is empty
    uint32_t* entries        # three words each: hash, where the key begins in octets, its length
    const uint8_t* octets
    uint32_t mask
    uint32_t longest         # octets of the longest name
    uint64_t[3] lengths      # bit k: is there a network of IPv6 (of IPv4: 132 + k) with k bits?

cdef struct Walk:            # over the entries that a host has to do with, the shortest suffix first
    const uint8_t* p         # the name; in lower case, without a dot at its end
    uint32_t n
    uint32_t end             # where what was looked at begins
    uint64_t dots
    uint64_t hash
    uint8_t[18] address      # the key of a network: 4 or 6, bits, octets
    int bits                 # to be asked for next; below 0: a name, or nothing more
    bint rooted              # it ended in a dot

cdef class HostTable:
    cdef Hosts hosts
    cdef readonly list keys
    cdef readonly uint32_t count

cdef void begin_walk(Walk* walk, const uint8_t* p, uint32_t n) noexcept nogil
cdef uint32_t next_entry(const Hosts* hosts, Walk* walk, bint* whole) noexcept nogil
