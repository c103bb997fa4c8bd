"""The functions that hash keys: XXH64, SHA-1 and BLAKE2b. They are in C, and run without the interpreter's lock."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.words cimport word_at

cdef extern from "crawler/sha1.h" nogil:
    ctypedef void (*sha1_fn "urlsm_sha1_fn")(uint32_t* state, const uint8_t* p) noexcept nogil
    sha1_fn choose_sha1 "urlsm_choose_sha1"(bint wanted) noexcept
    void write_sha1 "urlsm_sha1"(const uint8_t* p, size_t n, uint8_t* digest, sha1_fn block) noexcept

cdef extern from "crawler/blake2b.h" nogil:
    void write_blake2b_128 "urlsm_blake2b_128"(const uint8_t* p, size_t n, uint8_t* digest) noexcept

cdef extern from "crawler/lanes.h" nogil:
    ctypedef struct Padded "urlsm_padded":
        const uint8_t* p
        size_t n
        uint8_t* digest
    const size_t PADDING "URLSM_PADDING"
    size_t pad "urlsm_pad"(bint sha1, uint8_t* p, size_t n) noexcept
    void write_digests "urlsm_write_digests"(bint sha1, const Padded* texts, size_t count, int octets) noexcept


# --- XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md), seed 0 -------------

cdef extern from *:
    """
    #define URLSM_PRIME_1 0x9E3779B185EBCA87ULL
    #define URLSM_PRIME_2 0xC2B2AE3D27D4EB4FULL
    #define URLSM_PRIME_3 0x165667B19E3779F9ULL
    #define URLSM_PRIME_4 0x85EBCA77C2B2AE63ULL
    #define URLSM_PRIME_5 0x27D4EB2F165667C5ULL
    """
    const uint64_t PRIME_1 "URLSM_PRIME_1"
    const uint64_t PRIME_2 "URLSM_PRIME_2"
    const uint64_t PRIME_3 "URLSM_PRIME_3"
    const uint64_t PRIME_4 "URLSM_PRIME_4"
    const uint64_t PRIME_5 "URLSM_PRIME_5"


cdef inline uint64_t rotate(uint64_t word, int bits) noexcept nogil:
    return word << bits | word >> (64 - bits)


cdef inline uint64_t round_lane(uint64_t accumulator, uint64_t lane) noexcept nogil:
    return rotate(accumulator + lane * PRIME_2, 31) * PRIME_1


cdef inline uint64_t merge_lane(uint64_t accumulator, uint64_t lane) noexcept nogil:
    return (accumulator ^ round_lane(0, lane)) * PRIME_1 + PRIME_4


cdef inline uint64_t xxh64(const uint8_t* p, size_t n) noexcept nogil:
    """Return XXH64 of p[0:n], with seed 0."""
    cdef const uint8_t* end = p + n
    cdef uint64_t[4] lanes
    cdef uint64_t hash = PRIME_5
    cdef int k
    if n >= 32:
        lanes[0], lanes[1], lanes[2], lanes[3] = PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1
        while end - p >= 32:
            for k in range(4):
                lanes[k] = round_lane(lanes[k], word_at(p + 8 * k))
            p += 32
        hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18)
        for k in range(4):
            hash = merge_lane(hash, lanes[k])
    hash += n
    while end - p >= 8:
        hash = rotate(hash ^ round_lane(0, word_at(p)), 27) * PRIME_1 + PRIME_4
        p += 8
    if end - p >= 4:
        hash = rotate(hash ^ (p[0] | p[1] << 8 | p[2] << 16 | <uint64_t>p[3] << 24) * PRIME_1, 23) * PRIME_2 + PRIME_3
        p += 4
    while p < end:
        hash = rotate(hash ^ p[0] * PRIME_5, 11) * PRIME_1
        p += 1
    hash = (hash ^ hash >> 33) * PRIME_2
    hash = (hash ^ hash >> 29) * PRIME_3
    return hash ^ hash >> 32
