/* SHA-1 (RFC 3174) of short texts, for fingerprints in existing databases, not for security. The code uses the CPU's
 * instructions for SHA-1 if there are any; tests/crawler/test_digests.py runs it with and without these. */
#ifndef URLSM_SHA1_H
#define URLSM_SHA1_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "../octets/block.h"

#define URLSM_ROTATED(x, k) ((x) << (k) | (x) >> (32 - (k)))

/* Updates the state with the block whose words are w[0..16). w must have room for 80 words. word: the type of a word;
 * it may also be a vector that holds one word of each of several texts. */
#define URLSM_SHA1_ROUNDS(word, state, w)                                                                              \
    word a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], mixed;                                  \
    int t;                                                                                                             \
    for (t = 16; t < 80; t++) {                                                                                        \
        mixed = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16];                                                           \
        w[t] = URLSM_ROTATED(mixed, 1);                                                                                \
    }                                                                                                                  \
    /* f(t) and K(t) of section 5; each pair serves for twenty rounds */                                               \
    URLSM_SHA1_TWENTY(0, d ^ (b & (c ^ d)), 0x5A827999)                                                                \
    URLSM_SHA1_TWENTY(20, b ^ c ^ d, 0x6ED9EBA1)                                                                       \
    URLSM_SHA1_TWENTY(40, (b & c) | (d & (b | c)), 0x8F1BBCDC)                                                         \
    URLSM_SHA1_TWENTY(60, b ^ c ^ d, 0xCA62C1D6)                                                                       \
    state[0] += a;                                                                                                     \
    state[1] += b;                                                                                                     \
    state[2] += c;                                                                                                     \
    state[3] += d;                                                                                                     \
    state[4] += e;
#define URLSM_SHA1_TWENTY(from, f, k)                                                                                  \
    for (t = from; t < from + 20; t++) {                                                                               \
        mixed = URLSM_ROTATED(a, 5) + (f) + e + w[t] + k;                                                              \
        e = d;                                                                                                         \
        d = c;                                                                                                         \
        c = URLSM_ROTATED(b, 30);                                                                                      \
        b = a;                                                                                                         \
        a = mixed;                                                                                                     \
    }

static const uint32_t URLSM_SHA1_START[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};

static inline uint32_t urlsm_big_endian(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void urlsm_put_big_endian(uint8_t *p, uint32_t word)
{
    p[0] = (uint8_t)(word >> 24);
    p[1] = (uint8_t)(word >> 16);
    p[2] = (uint8_t)(word >> 8);
    p[3] = (uint8_t)word;
}

static void urlsm_sha1_block(uint32_t state[5], const uint8_t *p)
{
    uint32_t w[80];
    for (int k = 0; k < 16; k++)
        w[k] = urlsm_big_endian(p + 4 * k);
    URLSM_SHA1_ROUNDS(uint32_t, state, w)
}

#ifdef URLSM_X86
/* Does the rounds 4 * i to 4 * i + 3. The first sixteen words are read from the block, later words are computed from
 * the sixteen words before them. e is computed from `before`, the state before the last four rounds. */
#define URLSM_FOUR_ROUNDS(i)                                                                                           \
    if (i < 4)                                                                                                         \
        w[i & 3] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)p + (i & 3)), big_endian);                        \
    else                                                                                                               \
        w[i & 3] = _mm_sha1msg2_epu32(                                                                                 \
            _mm_xor_si128(_mm_sha1msg1_epu32(w[i & 3], w[(i + 1) & 3]), w[(i + 2) & 3]), w[(i + 3) & 3]);              \
    e = i ? _mm_sha1nexte_epu32(before, w[i & 3]) : _mm_add_epi32(e, w[0]);                                            \
    before = abcd;                                                                                                     \
    abcd = _mm_sha1rnds4_epu32(abcd, e, i / 5);
#define URLSM_TWENTY_ROUNDS(i)                                                                                         \
    URLSM_FOUR_ROUNDS(i) URLSM_FOUR_ROUNDS((i + 1)) URLSM_FOUR_ROUNDS((i + 2)) URLSM_FOUR_ROUNDS((i + 3))              \
        URLSM_FOUR_ROUNDS((i + 4))

URLSM_ISA("sha,sse4.1") static void urlsm_sha1_block_by_cpu(uint32_t state[5], const uint8_t *p)
{
    const __m128i big_endian = _mm_set_epi64x(0x0001020304050607LL, 0x08090A0B0C0D0E0FLL);
    __m128i first = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0x1B), abcd = first, before = first;
    __m128i first_e = _mm_set_epi32((int)state[4], 0, 0, 0), e = first_e, w[4];
    URLSM_TWENTY_ROUNDS(0)
    URLSM_TWENTY_ROUNDS(5)
    URLSM_TWENTY_ROUNDS(10)
    URLSM_TWENTY_ROUNDS(15)
    state[4] = (uint32_t)_mm_extract_epi32(_mm_sha1nexte_epu32(before, first_e), 3);
    _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(_mm_add_epi32(abcd, first), 0x1B));
}
#undef URLSM_TWENTY_ROUNDS
#undef URLSM_FOUR_ROUNDS
#endif

typedef void (*urlsm_sha1_fn)(uint32_t state[5], const uint8_t *p);

/* Returns the function that hashes a block on this CPU. wanted: whether it may use the CPU's instructions for SHA-1. */
static inline urlsm_sha1_fn urlsm_choose_sha1(int wanted)
{
#ifdef URLSM_X86
    if (wanted && urlsm_x86_has_sha())
        return urlsm_sha1_block_by_cpu;
#endif
    (void)wanted;
    return urlsm_sha1_block;
}

/* Writes the SHA-1 hash of p[0..n). */
static void urlsm_sha1(const uint8_t *p, size_t n, uint8_t digest[20], urlsm_sha1_fn block)
{
    uint32_t state[5];
    uint64_t bits = (uint64_t)n * 8;
    uint8_t last[128] = {0};
    size_t rest = n % 64, padded = rest < 56 ? 64 : 128;
    size_t k;
    memcpy(state, URLSM_SHA1_START, sizeof(state));
    for (; n >= 64; n -= 64, p += 64)
        block(state, p);
    /* the padding of section 4: a one bit, zeros, and the length in 64 bits */
    if (rest)
        memcpy(last, p, rest);
    last[rest] = 0x80;
    for (k = 0; k < 8; k++)
        last[padded - 1 - k] = (uint8_t)(bits >> (8 * k));
    for (k = 0; k < padded; k += 64)
        block(state, last + k);
    for (k = 0; k < 5; k++)
        urlsm_put_big_endian(digest + 4 * k, state[k]);
}
#endif
