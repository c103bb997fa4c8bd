/* Octets 64 at a time, at every width of vector there is, from one source.
 *
 * What looks at many octets at once is written once, in a body file, in terms of a block: up to 64 octets, those
 * behind the end of the text 0. Including this file with URLSM_BODY set includes the body once for each width that
 * this compiler has, 64 (AVX-512), 32 (AVX2) and 16 (SSSE3, NEON) octets, with
 *
 *     W(name)                   urlsm_name_64, urlsm_name_32, urlsm_name_16
 *     URLSM_TARGET              what its functions must be declared with
 *     W(block)                  the type
 *     W(load)(p, n, before)     the block at p; reads p[-before..n) at most, and nothing outside it
 *     W(equal)(b, octet)        bit k: is octet k this one?
 *     W(within)(b, low)         bit k: is octet k in the set? Bit r of low[c] is set where octet 16 * r + c is in it
 *     W(non_ascii)(b)           bit k: is octet k above 0x7F? No set has these
 *
 * urlsm_widest(most) tells which of them, up to most octets, this CPU has; 1 where none: then the portable path runs.
 */
#ifndef URLSM_VECTORS_H
#define URLSM_VECTORS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(_MSC_VER) && defined(_WIN64)
#include <intrin.h>
#endif

#if !defined(URLSM_NO_VECTORS) && (defined(__GNUC__) || defined(__clang__))
#if defined(__x86_64__)
#define URLSM_X86 1
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define URLSM_NEON 1
#include <arm_neon.h>
#endif
#endif
#if defined(URLSM_X86) || defined(URLSM_NEON)
#define URLSM_HAVE_VECTORS 1
#endif

#ifdef URLSM_X86
/* The most octets that this CPU, and the system's saved registers, can look at together. Not __builtin_cpu_supports: it
 * asks the CPU for all that there is to know whenever a module is loaded, and each question goes to the hypervisor
 * where there is one; that was a twentieth of the time of import. */
static inline int urlsm_x86_widest(void)
{
    static int known; /* 0: not asked yet. Threads that ask together find the same. */
    unsigned most, a, b, c, d, low = 0, high;
    int widest = 1;
    if (known)
        return known;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, c, d);
    if (c & bit_SSSE3)
        widest = 16;
    if (c & bit_OSXSAVE)
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (widest == 16 && most >= 7 && c & bit_AVX && (low & 0x06) == 0x06) { /* the system saves YMM */
        __cpuid_count(7, 0, a, b, c, d);
        if (b & bit_AVX2 && b & bit_BMI && b & bit_BMI2) /* what has these has LZCNT */
            widest = 32;
        if (widest == 32 && b & bit_AVX512F && b & bit_AVX512BW && (low & 0xE6) == 0xE6) /* and ZMM and masks */
            widest = 64;
    }
    return known = widest;
}
#endif

static inline int urlsm_widest(int most)
{
    int widest = 1;
#ifdef URLSM_X86
    widest = urlsm_x86_widest();
#elif defined(URLSM_NEON)
    widest = 16;
#endif
    return most >= widest ? widest : most >= 32 && widest > 32 ? 32 : most >= 16 && widest >= 16 ? 16 : 1;
}

/* The first n bits, 0 < n. */
static inline uint64_t urlsm_first(size_t n)
{
    return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

static inline uint32_t urlsm_ctz(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return (uint32_t)__builtin_ctzll(word);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long k;
    _BitScanForward64(&k, word);
    return (uint32_t)k;
#else
    uint32_t k = 0;
    while (!(word & 1)) {
        word >>= 1;
        k++;
    }
    return k;
#endif
}

#if defined(__GNUC__) && !defined(__clang__)
#define URLSM_UNROLLED _Pragma("GCC unroll 4") /* -O2 alone leaves the few vectors of a block in memory */
#else
#define URLSM_UNROLLED
#endif

#ifdef URLSM_HAVE_VECTORS
/* An octet is in a set when low[low nibble] has the bit of its high nibble: the row. The look-ups give 0 for an index
 * whose top bit is set. */
static const uint8_t URLSM_ROWS[16] = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
/* The 16 indices from k on move octets down by k, and 0 in behind them. */
static const uint8_t URLSM_DOWN[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};
#endif

#ifdef URLSM_X86
#define URLSM_FOR(isa) __attribute__((target(isa), always_inline)) static inline
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

/* The first n octets at p, n at most 16. */
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

/* A bit for each octet that is 0xFF; the others are 0. */
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
#endif
#define URLSM_PASTE(name, width) urlsm_##name##_##width
#endif

#ifdef URLSM_BODY
#ifdef URLSM_X86
#define W(name) URLSM_PASTE(name, 64)
#define URLSM_TARGET __attribute__((target("avx512bw,bmi,bmi2,lzcnt")))
#include URLSM_BODY
#undef W
#undef URLSM_TARGET
#define W(name) URLSM_PASTE(name, 32)
#define URLSM_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#include URLSM_BODY
#undef W
#undef URLSM_TARGET
#define W(name) URLSM_PASTE(name, 16)
#define URLSM_TARGET __attribute__((target("ssse3")))
#include URLSM_BODY
#undef W
#undef URLSM_TARGET
#elif defined(URLSM_NEON)
#define W(name) URLSM_PASTE(name, 16)
#define URLSM_TARGET
#include URLSM_BODY
#undef W
#undef URLSM_TARGET
#endif
#undef URLSM_BODY
#endif
