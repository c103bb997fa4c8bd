/* SHA-1 and BLAKE2b of many texts at once: each lane of the vectors holds one text. */
#ifndef URLSM_LANES_H
#define URLSM_LANES_H
#include "blake2b.h"
#include "sha1.h"

typedef struct {
    const uint8_t *p; /* the text, padded */
    size_t n;         /* the number of its octets, without the padding */
    uint8_t *digest;
} urlsm_padded;

enum { URLSM_PADDING = 128 }; /* the number of octets that urlsm_pad writes; a padding is at most a block */

static inline size_t urlsm_sha1_blocks(size_t n) { return (n + 8) / 64 + 1; }

static inline size_t urlsm_blake2b_blocks(size_t n) { return n ? (n - 1) / 128 + 1 : 1; }

/* Pads p[0..n) in place. Returns the number of octets including the padding. */
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

/* Writes the SHA-1 or BLAKE2b hash of each text, with vectors of 64 or 32 octets, or else one text at a time. */
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
