"""SipHash-1-3, word by word. Without knowing the key, nobody can make texts collide. CPython uses this hash for str.

Aumasson and Bernstein, SipHash: a fast short-input PRF (2012), section 2.
"""
from libc.stdint cimport uint64_t


cdef inline uint64_t turned(uint64_t word, int bits) noexcept nogil:
    return word << bits | word >> (64 - bits)


cdef inline void sip_start(uint64_t* v, const uint64_t* key) noexcept nogil:
    """Set the four words of a hash's state, from the two words of a key."""
    v[0], v[1] = key[0] ^ <uint64_t>0x736F6D6570736575, key[1] ^ <uint64_t>0x646F72616E646F6D
    v[2], v[3] = key[0] ^ <uint64_t>0x6C7967656E657261, key[1] ^ <uint64_t>0x7465646279746573


cdef inline void sip_round(uint64_t* v) noexcept nogil:
    v[0] += v[1]
    v[2] += v[3]
    v[1] = turned(v[1], 13) ^ v[0]
    v[3] = turned(v[3], 16) ^ v[2]
    v[0] = turned(v[0], 32) + v[3]
    v[2] += v[1]
    v[3] = turned(v[3], 21) ^ v[0]
    v[1] = turned(v[1], 17) ^ v[2]
    v[2] = turned(v[2], 32)


cdef inline void sip_word(uint64_t* v, uint64_t word) noexcept nogil:
    """Add a word to the hash's state."""
    v[3] ^= word
    sip_round(v)
    v[0] ^= word


cdef inline uint64_t sip_end(const uint64_t* words) noexcept nogil:
    """Return the hash of the words that were added. The state does not change, so more words may be added."""
    cdef uint64_t[4] v
    v[0], v[1], v[2], v[3] = words[0], words[1], words[2] ^ 0xFF, words[3]
    sip_round(v)
    sip_round(v)
    sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
