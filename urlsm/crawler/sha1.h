/* SHA-1 (RFC 3174) of short texts, for fingerprints that others have stored. It protects nothing. */
#ifndef URLSM_SHA1_H
#define URLSM_SHA1_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define URLSM_ROTATED(x, k) ((x) << (k) | (x) >> (32 - (k)))

static inline void urlsm_sha1_block(uint32_t state[5], const uint8_t *p)
{
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], mixed;
    int t;
    for (t = 0; t < 16; t++, p += 4)
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (; t < 80; t++) {
        mixed = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16];
        w[t] = URLSM_ROTATED(mixed, 1);
    }
    /* section 5: f(t) and K(t) of each twenty rounds */
#define URLSM_ROUNDS(from, f, k)                                                                                       \
    for (t = from; t < from + 20; t++) {                                                                               \
        mixed = URLSM_ROTATED(a, 5) + (f) + e + w[t] + k;                                                              \
        e = d;                                                                                                         \
        d = c;                                                                                                         \
        c = URLSM_ROTATED(b, 30);                                                                                      \
        b = a;                                                                                                         \
        a = mixed;                                                                                                     \
    }
    URLSM_ROUNDS(0, d ^ (b & (c ^ d)), 0x5A827999)
    URLSM_ROUNDS(20, b ^ c ^ d, 0x6ED9EBA1)
    URLSM_ROUNDS(40, (b & c) | (d & (b | c)), 0x8F1BBCDC)
    URLSM_ROUNDS(60, b ^ c ^ d, 0xCA62C1D6)
#undef URLSM_ROUNDS
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

/* The digest of p[0..n). */
static void urlsm_sha1(const uint8_t *p, size_t n, uint8_t digest[20])
{
    uint32_t state[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    uint64_t bits = (uint64_t)n * 8;
    uint8_t last[128] = {0};
    size_t rest = n % 64, padded = rest < 56 ? 64 : 128;
    int k;
    for (; n >= 64; n -= 64, p += 64)
        urlsm_sha1_block(state, p);
    /* section 4: "1", zeros, and the length in 64 bits */
    if (rest)
        memcpy(last, p, rest);
    last[rest] = 0x80;
    for (k = 0; k < 8; k++)
        last[padded - 1 - k] = (uint8_t)(bits >> (8 * k));
    for (k = 0; k < (int)padded; k += 64)
        urlsm_sha1_block(state, last + k);
    for (k = 0; k < 20; k++)
        digest[k] = (uint8_t)(state[k / 4] >> (24 - 8 * (k % 4)));
}
#undef URLSM_ROTATED
#endif
