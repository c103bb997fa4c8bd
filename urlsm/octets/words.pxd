"""Words of 64 bits. A word holds eight octets, or one bit for each of 64 octets."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from "octets/vectors.h" nogil:
    # the index of the lowest bit that is set; word must not be 0
    uint32_t first_bit "urlsm_ctz"(uint64_t word) noexcept

cdef extern from *:
    """
    /* Returns the number of bits of word up to the highest one that is set. */
    static inline uint32_t urlsm_bit_length(uint64_t word)
    {
        return word ? 64 - urlsm_clz(word) : 0;
    }

    /* Returns eight octets as a little-endian number. Compilers turn this into one load. */
    static inline uint64_t urlsm_word(const uint8_t *p)
    {
        return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24
            | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
    }

    /* Returns eight octets as a big-endian number. Such numbers compare like their octets. */
    static inline uint64_t urlsm_word_in_order(const uint8_t *p)
    {
        return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32
            | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | (uint64_t)p[7];
    }
    """
    uint32_t bit_length "urlsm_bit_length"(uint64_t word) noexcept nogil
    uint64_t word_at "urlsm_word"(const uint8_t* p) noexcept nogil
    uint64_t word_in_order "urlsm_word_in_order"(const uint8_t* p) noexcept nogil


cdef inline uint64_t first_bits(uint32_t n) noexcept nogil:
    return (<uint64_t>1 << n) - 1 if n < 64 else ~<uint64_t>0


cdef inline uint64_t octets_equal(uint64_t word, uint8_t octet) noexcept nogil:
    """Return a word that has 0x80 for each octet of `word` that equals `octet`, and 0 for the others. word: from
    word_at."""
    cdef uint64_t sevens = <uint64_t>0x7F7F7F7F7F7F7F7F
    word ^= octet * <uint64_t>0x0101010101010101
    return ~((word & sevens) + sevens | word | sevens)


cdef inline uint64_t bits_of(uint64_t octets) noexcept nogil:
    """Return a word's octets, each of which is 0x80 or 0, as eight bits: bit k is set if octet k is 0x80."""
    return (octets >> 7) * <uint64_t>0x0102040810204080 >> 56


cdef inline uint64_t lower_word(uint64_t word) noexcept nogil:
    """Return the word with its ASCII letters in lower case."""
    cdef uint64_t ones = <uint64_t>0x0101010101010101, sevens = word & 0x7F * ones
    cdef uint64_t from_a = sevens + (0x80 - c'A') * ones, beyond_z = sevens + (0x7F - c'Z') * ones
    return word | (from_a & ~(beyond_z | word) & 0x80 * ones) >> 2


cdef inline bint is_all_ascii(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n] is ASCII. Eight octets are checked at a time."""
    cdef uint64_t word, seen = 0
    cdef size_t k = 0
    while k + 8 <= n:
        memcpy(&word, p + k, 8)
        seen |= word
        k += 8
    if k < n and n >= 8:  # check the last eight octets, some of them for the second time
        memcpy(&word, p + n - 8, 8)
        seen |= word
        k = n
    while k < n:
        seen |= p[k]
        k += 1
    return seen & <uint64_t>0x8080808080808080 == 0
