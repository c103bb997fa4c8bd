"""The host parser and serializer (URL Standard, #host-parsing, #host-serializing)."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from urlsm.buffer cimport Buffer
from urlsm.chars cimport CLASS, FORBIDDEN_DOMAIN, HEX, NON_ASCII, UPPER
from urlsm.codes cimport Code
from urlsm.log cimport Log, Step

cdef struct HostInput:
    const uint8_t* p         # the host's text, n octets
    uint32_t n
    uint32_t seen            # class bits of its marks, and UPPER
    uint32_t offset          # of p in the whole text, for error positions
    bint special             # a domain or address; otherwise an opaque host
    Step step                # whose error a refusal is
    Log* log                 # NULL: nothing is recorded
    Code error               # out: why it was refused
    uint32_t error_at        # out

cdef bint ends_in_a_number(const uint8_t* p, size_t n) noexcept nogil
cdef bint host_parser(Buffer* b, HostInput* h) except -1


cdef inline bint is_normal_domain(const uint8_t* p, uint32_t n, uint32_t seen) noexcept nogil:
    """Would the host parser give a special URL's host p[0:n] back as it is?"""
    if n == 0 or seen & (FORBIDDEN_DOMAIN | NON_ASCII | UPPER):
        return False
    # most domains: a last octet that no number ends in ("0x" alone is one), nor the dot after one
    return not (CLASS[p[n - 1]] & HEX or p[n - 1] == c'x' or p[n - 1] == c'.') or not ends_in_a_number(p, n)
