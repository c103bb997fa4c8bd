/* BLAKE2b (RFC 7693) of texts in memory. There is no key, and the hash has 16 octets. */
#ifndef URLSM_BLAKE2B_H
#define URLSM_BLAKE2B_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "../octets/compiler.h"

static const uint64_t URLSM_BLAKE2B_IV[8] = {
    0x6A09E667F3BCC908ULL, 0xBB67AE8584CAA73BULL, 0x3C6EF372FE94F82BULL, 0xA54FF53A5F1D36F1ULL,
    0x510E527FADE682D1ULL, 0x9B05688C2B3E6C1FULL, 0x1F83D9ABFB41BD6BULL, 0x5BE0CD19137E2179ULL,
};

static const uint8_t URLSM_BLAKE2B_SIGMA[10][16] = { /* section 2.7 */
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

#define URLSM_ROTATED_RIGHT(word, bits) ((word) >> (bits) | (word) << (64 - (bits)))

/* Function G of section 3.1 */
#define URLSM_MIX(a, b, c, d, x, y)                                                                                    \
    v[a] += v[b] + (x);                                                                                                \
    v[d] = URLSM_ROTATED_RIGHT(v[d] ^ v[a], 32);                                                                       \
    v[c] += v[d];                                                                                                      \
    v[b] = URLSM_ROTATED_RIGHT(v[b] ^ v[c], 24);                                                                       \
    v[a] += v[b] + (y);                                                                                                \
    v[d] = URLSM_ROTATED_RIGHT(v[d] ^ v[a], 16);                                                                       \
    v[c] += v[d];                                                                                                      \
    v[b] = URLSM_ROTATED_RIGHT(v[b] ^ v[c], 63)

/* Function F of section 3.2: updates the state h with a block, whose words are m. end: the number of octets of the text
 * up to the end of the block. last: all ones for the last block, otherwise 0. word: the type of a word; it may also be
 * a vector that holds one word of each of several texts. */
#define URLSM_BLAKE2B_ROUNDS(word, h, m, end, last)                                                                    \
    word v[16];                                                                                                        \
    int k;                                                                                                             \
    for (k = 0; k < 8; k++) {                                                                                          \
        v[k] = h[k];                                                                                                   \
        v[k + 8] = h[k] - h[k] + URLSM_BLAKE2B_IV[k];                                                                  \
    }                                                                                                                  \
    v[12] ^= end;                                                                                                      \
    v[14] ^= last;                                                                                                     \
    for (k = 0; k < 12; k++) {                                                                                         \
        const uint8_t *s = URLSM_BLAKE2B_SIGMA[k % 10];                                                                \
        URLSM_MIX(0, 4, 8, 12, m[s[0]], m[s[1]]);                                                                      \
        URLSM_MIX(1, 5, 9, 13, m[s[2]], m[s[3]]);                                                                      \
        URLSM_MIX(2, 6, 10, 14, m[s[4]], m[s[5]]);                                                                     \
        URLSM_MIX(3, 7, 11, 15, m[s[6]], m[s[7]]);                                                                     \
        URLSM_MIX(0, 5, 10, 15, m[s[8]], m[s[9]]);                                                                     \
        URLSM_MIX(1, 6, 11, 12, m[s[10]], m[s[11]]);                                                                   \
        URLSM_MIX(2, 7, 8, 13, m[s[12]], m[s[13]]);                                                                    \
        URLSM_MIX(3, 4, 9, 14, m[s[14]], m[s[15]]);                                                                    \
    }                                                                                                                  \
    for (k = 0; k < 8; k++)                                                                                            \
        h[k] ^= v[k] ^ v[k + 8];

static inline uint64_t urlsm_little_endian(const uint8_t *p)
{
    return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static inline void urlsm_put_little_endian(uint8_t *p, uint64_t word)
{
    word = urlsm_little(word);
    memcpy(p, &word, 8);
}

static void urlsm_blake2b_block(uint64_t h[8], const uint8_t *p, uint64_t end, uint64_t last)
{
    uint64_t m[16];
    for (int word = 0; word < 16; word++)
        m[word] = urlsm_little_endian(p + 8 * word);
    URLSM_BLAKE2B_ROUNDS(uint64_t, h, m, end, last)
}

/* Returns word k of the initial state for a hash of 16 octets. */
static inline uint64_t urlsm_blake2b_start(int k) { return URLSM_BLAKE2B_IV[k] ^ (k ? 0 : 0x01010000 ^ 16); }

/* Writes the hash of p[0..n), 16 octets, to digest. */
static void urlsm_blake2b_128(const uint8_t *p, size_t n, uint8_t *digest)
{
    uint64_t h[8];
    uint8_t rest[128];
    size_t done = 0;
    int k;
    for (k = 0; k < 8; k++)
        h[k] = urlsm_blake2b_start(k);
    while (n - done > 128) { /* the last block, even if it is whole, is hashed after the loop */
        urlsm_blake2b_block(h, p + done, done + 128, 0);
        done += 128;
    }
    memset(rest, 0, sizeof(rest));
    if (n > done)
        memcpy(rest, p + done, n - done);
    urlsm_blake2b_block(h, rest, n, ~(uint64_t)0);
    for (k = 0; k < 2; k++)
        urlsm_put_little_endian(digest + 8 * k, h[k]);
}

#endif
