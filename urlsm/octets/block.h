/* A block of up to 64 octets, held in vectors of each width, and the operations on blocks; vectors.h describes them. */
#ifndef URLSM_BLOCK_H
#define URLSM_BLOCK_H
#ifndef URLSM_VECTORS_H /* vectors.h includes this file when it includes a body */
#include "vectors.h"
#endif
#if defined(URLSM_X86)
#include <immintrin.h>
#elif defined(URLSM_NEON)
#include <arm_neon.h>
#endif

#ifdef URLSM_HAVE_VECTORS
/* An octet is in a set if low[its low nibble] has the bit URLSM_ROWS[its high nibble]. The look-ups give 0 for an index
 * whose top bit is set. */
static const uint8_t URLSM_ROWS[16] = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
/* The 16 indices that begin at DOWN[k] shift a vector down by k octets and fill it up with zeros. */
static const uint8_t URLSM_DOWN[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};
#endif

#ifdef URLSM_X86
#define URLSM_FOR(isa) URLSM_ISA(isa) URLSM_INLINED static inline
typedef struct {
    __m128i v[4];
} urlsm_block_16;
typedef struct {
    __m256i v[2];
} urlsm_block_32;
typedef struct {
    __m512i v;
} urlsm_block_64;

URLSM_FOR("ssse3") __m128i urlsm_row_16(const uint8_t *row)
{
    return _mm_loadu_si128((const __m128i *)row);
}

/* Return the first n octets at p, at most 16, in a vector. */
URLSM_FOR("ssse3") __m128i urlsm_part_16(const uint8_t *p, ptrdiff_t n, size_t before)
{
    if (n >= 16)
        return urlsm_row_16(p);
    if (n <= 0)
        return _mm_setzero_si128();
    if (before + (size_t)n >= 16)
        return _mm_shuffle_epi8(urlsm_row_16(p + n - 16), urlsm_row_16(URLSM_DOWN + 16 - n));
    uint8_t copy[16] = {0};
    memcpy(copy, p, (size_t)n);
    return urlsm_row_16(copy);
}

URLSM_FOR("ssse3") urlsm_block_16 urlsm_load_16(const uint8_t *p, size_t n, size_t before)
{
    urlsm_block_16 b;
    URLSM_UNROLLED
    for (ptrdiff_t k = 0; k < 4; k++)
        b.v[k] = urlsm_part_16(p + 16 * k, (ptrdiff_t)(n < 64 ? n : 64) - 16 * k, before + 16 * (size_t)k);
    return b;
}

URLSM_FOR("ssse3") uint64_t urlsm_word_16(const urlsm_block_16 b)
{
    return (uint64_t)(uint32_t)_mm_movemask_epi8(b.v[0]) | (uint64_t)(uint32_t)_mm_movemask_epi8(b.v[1]) << 16
        | (uint64_t)(uint32_t)_mm_movemask_epi8(b.v[2]) << 32 | (uint64_t)(uint32_t)_mm_movemask_epi8(b.v[3]) << 48;
}

URLSM_FOR("ssse3") uint64_t urlsm_equal_16(urlsm_block_16 b, uint8_t octet)
{
    URLSM_UNROLLED
    for (int k = 0; k < 4; k++)
        b.v[k] = _mm_cmpeq_epi8(b.v[k], _mm_set1_epi8((char)octet));
    return urlsm_word_16(b);
}

URLSM_FOR("ssse3") uint64_t urlsm_within_16(urlsm_block_16 b, const uint8_t *low)
{
    URLSM_UNROLLED
    for (int k = 0; k < 4; k++) {
        __m128i high = _mm_and_si128(_mm_srli_epi16(b.v[k], 4), _mm_set1_epi8(0x0F));
        __m128i hit = _mm_and_si128(_mm_shuffle_epi8(urlsm_row_16(low), b.v[k]),
                                    _mm_shuffle_epi8(urlsm_row_16(URLSM_ROWS), high));
        b.v[k] = _mm_cmpeq_epi8(hit, _mm_setzero_si128());
    }
    return ~urlsm_word_16(b);
}

URLSM_FOR("ssse3") uint64_t urlsm_non_ascii_16(urlsm_block_16 b)
{
    return urlsm_word_16(b);
}

URLSM_FOR("ssse3") int urlsm_leave_16(void)
{
    return 0;
}

URLSM_FOR("avx2") __m256i urlsm_part_32(const uint8_t *p, ptrdiff_t n, size_t before)
{
    if (n >= 32)
        return _mm256_loadu_si256((const __m256i *)p);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(urlsm_part_16(p, n, before)),
                                   urlsm_part_16(p + 16, n - 16, before + 16), 1);
}

URLSM_FOR("avx2") urlsm_block_32 urlsm_load_32(const uint8_t *p, size_t n, size_t before)
{
    urlsm_block_32 b;
    b.v[0] = urlsm_part_32(p, (ptrdiff_t)(n < 64 ? n : 64), before);
    b.v[1] = n <= 32 ? _mm256_setzero_si256() : urlsm_part_32(p + 32, (ptrdiff_t)(n < 64 ? n : 64) - 32, before + 32);
    return b;
}

URLSM_FOR("avx2") uint64_t urlsm_word_32(const urlsm_block_32 b)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(b.v[0]) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b.v[1]) << 32;
}

URLSM_FOR("avx2") uint64_t urlsm_equal_32(urlsm_block_32 b, uint8_t octet)
{
    URLSM_UNROLLED
    for (int k = 0; k < 2; k++)
        b.v[k] = _mm256_cmpeq_epi8(b.v[k], _mm256_set1_epi8((char)octet));
    return urlsm_word_32(b);
}

URLSM_FOR("avx2") uint64_t urlsm_within_32(urlsm_block_32 b, const uint8_t *low)
{
    const __m256i lows = _mm256_broadcastsi128_si256(urlsm_row_16(low));
    const __m256i rows = _mm256_broadcastsi128_si256(urlsm_row_16(URLSM_ROWS));
    URLSM_UNROLLED
    for (int k = 0; k < 2; k++) {
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(b.v[k], 4), _mm256_set1_epi8(0x0F));
        __m256i hit = _mm256_and_si256(_mm256_shuffle_epi8(lows, b.v[k]), _mm256_shuffle_epi8(rows, high));
        b.v[k] = _mm256_cmpeq_epi8(hit, _mm256_setzero_si256());
    }
    return ~urlsm_word_32(b);
}

URLSM_FOR("avx2") uint64_t urlsm_non_ascii_32(urlsm_block_32 b)
{
    return urlsm_word_32(b);
}

URLSM_FOR("avx2") int urlsm_leave_32(void)
{
    _mm256_zeroupper();
    return 0;
}

URLSM_FOR("avx512bw") urlsm_block_64 urlsm_load_64(const uint8_t *p, size_t n, size_t before)
{
    urlsm_block_64 b;
    (void)before;
    b.v = _mm512_maskz_loadu_epi8(n ? urlsm_first(n) : 0, p);
    return b;
}

URLSM_FOR("avx512bw") uint64_t urlsm_equal_64(urlsm_block_64 b, uint8_t octet)
{
    return _mm512_cmpeq_epi8_mask(b.v, _mm512_set1_epi8((char)octet));
}

URLSM_FOR("avx512bw") uint64_t urlsm_within_64(urlsm_block_64 b, const uint8_t *low)
{
    const __m512i lows = _mm512_broadcast_i32x4(urlsm_row_16(low));
    const __m512i rows = _mm512_broadcast_i32x4(urlsm_row_16(URLSM_ROWS));
    __m512i high = _mm512_and_si512(_mm512_srli_epi16(b.v, 4), _mm512_set1_epi8(0x0F));
    return _mm512_test_epi8_mask(_mm512_shuffle_epi8(lows, b.v), _mm512_shuffle_epi8(rows, high));
}

URLSM_FOR("avx512bw") uint64_t urlsm_non_ascii_64(urlsm_block_64 b)
{
    return _mm512_movepi8_mask(b.v);
}

URLSM_FOR("avx512bw") int urlsm_leave_64(void)
{
    _mm256_zeroupper();
    return 0;
}
#endif

#ifdef URLSM_NEON
typedef struct {
    uint8x16_t v[4];
} urlsm_block_16;

static inline uint8x16_t urlsm_part_16(const uint8_t *p, ptrdiff_t n, size_t before)
{
    if (n >= 16)
        return vld1q_u8(p);
    if (n <= 0)
        return vdupq_n_u8(0);
    if (before + (size_t)n >= 16)
        return vqtbl1q_u8(vld1q_u8(p + n - 16), vld1q_u8(URLSM_DOWN + 16 - n));
    uint8_t copy[16] = {0};
    memcpy(copy, p, (size_t)n);
    return vld1q_u8(copy);
}

static inline urlsm_block_16 urlsm_load_16(const uint8_t *p, size_t n, size_t before)
{
    urlsm_block_16 b;
    URLSM_UNROLLED
    for (ptrdiff_t k = 0; k < 4; k++)
        b.v[k] = urlsm_part_16(p + 16 * k, (ptrdiff_t)(n < 64 ? n : 64) - 16 * k, before + 16 * (size_t)k);
    return b;
}

/* Return a word with one bit for each octet of b. Each octet is 0xFF or 0. */
static inline uint64_t urlsm_word_16(urlsm_block_16 b)
{
    const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    URLSM_UNROLLED
    for (int k = 0; k < 4; k++)
        b.v[k] = vandq_u8(b.v[k], bit);
    uint8x16_t sum = vpaddq_u8(vpaddq_u8(b.v[0], b.v[1]), vpaddq_u8(b.v[2], b.v[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
}

static inline uint64_t urlsm_equal_16(urlsm_block_16 b, uint8_t octet)
{
    URLSM_UNROLLED
    for (int k = 0; k < 4; k++)
        b.v[k] = vceqq_u8(b.v[k], vdupq_n_u8(octet));
    return urlsm_word_16(b);
}

static inline uint64_t urlsm_within_16(urlsm_block_16 b, const uint8_t *low)
{
    const uint8x16_t lows = vld1q_u8(low), rows = vld1q_u8(URLSM_ROWS);
    URLSM_UNROLLED
    for (int k = 0; k < 4; k++)
        b.v[k] = vtstq_u8(vqtbl1q_u8(lows, vandq_u8(b.v[k], vdupq_n_u8(0x8F))),
                          vqtbl1q_u8(rows, vshrq_n_u8(b.v[k], 4)));
    return urlsm_word_16(b);
}

static inline uint64_t urlsm_non_ascii_16(urlsm_block_16 b)
{
    URLSM_UNROLLED
    for (int k = 0; k < 4; k++)
        b.v[k] = vcgeq_u8(b.v[k], vdupq_n_u8(0x80));
    return urlsm_word_16(b);
}

static inline int urlsm_leave_16(void)
{
    return 0;
}
#endif
#endif
