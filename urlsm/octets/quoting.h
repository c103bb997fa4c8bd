/* Percent-encoding with a set that the caller chooses: which octets are kept, and what the others become.
 *
 * urlsm_outside(p, n, low): bit k of the result is set if p[k] is not kept, for n octets (n <= 64). low[k] has bit r
 * set if octet 16 * r + k is kept; octets beyond ASCII never are. It reads p[0..n) and nothing else. The
 * result does not depend on the width of the vectors: tests/octets/test_percent.py runs each width that the CPU has.
 */
#ifndef URLSM_QUOTING_H
#define URLSM_QUOTING_H
#include <string.h>
#include "chars.h"
#include "block.h"

static uint64_t urlsm_outside_1(const uint8_t *p, size_t n, const uint8_t *low)
{
    uint64_t outside = 0;
    for (size_t k = 0; k < n; k++)
        outside |= (uint64_t)(p[k] > 0x7F || !(low[p[k] & 15] >> (p[k] >> 4) & 1)) << k;
    return outside;
}

#define URLSM_BODY "quoting_body.h"
#include "vectors.h"

typedef uint64_t (*urlsm_outside_fn)(const uint8_t *, size_t, const uint8_t *);

/* Returns the function for the widest vectors of this CPU, which reads at most `width` octets at a time. */
static inline urlsm_outside_fn urlsm_choose_outside(int width)
{
    switch (urlsm_widest(width)) {
#ifdef URLSM_X86
    case 64:
        return urlsm_outside_64;
    case 32:
        return urlsm_outside_32;
#endif
#ifdef URLSM_HAVE_VECTORS
    case 16:
        return urlsm_outside_16;
#endif
    default:
        return urlsm_outside_1;
    }
}

/* Writes p[0..n) to out, each octet as the table says, and returns the end of the result. out needs room for 3 * n + 1
 * octets: each step writes four octets, and the next step overwrites the superfluous ones. No branch depends on the
 * text. */
static inline uint8_t *urlsm_write_quoted(uint8_t *out, const uint8_t *p, size_t n, const urlsm_quoting *quoting)
{
    for (size_t k = 0; k < n; k++) {
        const uint8_t *written = quoting->written[p[k]];
        memcpy(out, written, 4);
        out += written[3];
    }
    return out;
}

/* The value of each hexadecimal digit; 0xFF for all other octets. */
/* clang-format off */
#define V1(c) (uint8_t)((c) >= '0' && (c) <= '9' ? (c) - '0' : (c) >= 'A' && (c) <= 'F' ? (c) - 'A' + 10 \
    : (c) >= 'a' && (c) <= 'f' ? (c) - 'a' + 10 : 0xFF)
#define V4(c) V1(c), V1((c) + 1), V1((c) + 2), V1((c) + 3)
#define V16(c) V4(c), V4((c) + 4), V4((c) + 8), V4((c) + 12)
#define V64(c) V16(c), V16((c) + 16), V16((c) + 32), V16((c) + 48)
static const uint8_t URLSM_HEX_VALUE[256] = {V64(0), V64(64), V64(128), V64(192)};
/* clang-format on */
#undef V1
#undef V4
#undef V16
#undef V64

/* Writes p[0..n) percent-decoded to out, and returns the end of the result. If plus is set, each "+" becomes a space.
 * All decoded octets are ORed into *seen. out needs room for n + 16 octets: octets are copied 16 at a time, and
 * superfluous ones are overwritten. */
static inline uint8_t *urlsm_write_unquoted(uint8_t *out, const uint8_t *p, size_t n, int plus, uint8_t *seen)
{
    const uint8_t *end = p + n;
    while (p < end) {
        if (*p == '%') { /* escapes often follow each other directly */
            uint8_t high = end - p > 2 ? URLSM_HEX_VALUE[p[1]] : 0xFF, low = end - p > 2 ? URLSM_HEX_VALUE[p[2]] : 0xFF;
            if ((high | low) != 0xFF) {
                *out = (uint8_t)(high << 4 | low);
                *seen |= *out++;
                p += 3;
            } else {
                *out++ = *p++;
            }
            continue;
        }
#ifdef URLSM_X86
        uint32_t percent = 0;
        while (end - p >= 16 && !percent) {
            __m128i v = _mm_loadu_si128((const __m128i *)p);
            percent = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('%')));
            if (plus)
                v = _mm_xor_si128(v, _mm_and_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('+')), _mm_set1_epi8('+' ^ ' ')));
            _mm_storeu_si128((__m128i *)out, v);
            p += 16;
            out += 16;
        }
        if (percent) {
            uint32_t behind = 16 - urlsm_ctz(percent);
            p -= behind;
            out -= behind;
        }
        if (p == end || *p == '%')
            continue;
#endif
        *out++ = plus && *p == '+' ? ' ' : *p;
        p++;
    }
    return out;
}
#endif
