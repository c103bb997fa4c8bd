/* SHA-1 and BLAKE2b of many texts at once, with vectors. Each text is hashed in a lane of its own: element k of every
 * vector belongs to the text in lane k. */
#ifndef URLSM_LANES_H
#define URLSM_LANES_H
#include "blake2b.h"
#include "sha1.h"

typedef struct {
    const uint8_t *p; /* the text, followed by its padding */
    size_t n;         /* the length of the text without the padding */
    uint8_t *digest;
} urlsm_padded;

/* The number of zero octets that urlsm_pad first writes after the text. No padding is longer: it has at most 72 octets
 * for SHA-1, and 128 for BLAKE2b. */
enum { URLSM_PADDING = 128 };

static inline size_t urlsm_sha1_blocks(size_t n) { return (n + 8) / 64 + 1; }

static inline size_t urlsm_blake2b_blocks(size_t n) { return n ? (n - 1) / 128 + 1 : 1; }

/* Writes the padding after the text p[0..n). Returns the length with the padding. */
static inline size_t urlsm_pad(int sha1, uint8_t *p, size_t n)
{
    size_t all = sha1 ? 64 * urlsm_sha1_blocks(n) : 128 * urlsm_blake2b_blocks(n);
    memset(p + n, 0, URLSM_PADDING);
    if (sha1) { /* a one bit, zeros, and the length in 64 bits (RFC 3174 section 4) */
        p[n] = 0x80;
        urlsm_put_big_endian(p + all - 8, (uint32_t)((uint64_t)n >> 29));
        urlsm_put_big_endian(p + all - 4, (uint32_t)n << 3);
    }
    return all;
}

#define URLSM_BODY "../crawler/lanes_body.h"
#include "../octets/vectors.h"

/* Writes the SHA-1 or BLAKE2b hash of each text. octets: the size of the vectors, 64 or 32; for another size, one text
 * is hashed at a time, without vectors. */
static inline void urlsm_write_digests(int sha1, const urlsm_padded *text, size_t count, int octets)
{
    switch (octets) {
#ifdef URLSM_X86
    case 64: (sha1 ? urlsm_sha1_lanes_64 : urlsm_blake2b_lanes_64)(text, count); return;
    case 32: (sha1 ? urlsm_sha1_lanes_32 : urlsm_blake2b_lanes_32)(text, count); return;
#endif
    default:
        for (; count; count--, text++)
            if (sha1)
                urlsm_sha1(text->p, text->n, text->digest, urlsm_sha1_block);
            else
                urlsm_blake2b_128(text->p, text->n, text->digest);
    }
}
#endif
