/* Where a consume step has to look: bits per octet, made 64 or 32 octets at a time where the CPU can.
 *
 * urlsm_index_octets(p, n, index): for n octets (n <= 512) sets bit k of
 *     marks       where p[k] is a mark (URLSM_MARK in chars.h),
 *     delimiters  where it is a delimiter (URLSM_DELIMITER),
 *     dots        where it is "." or "%" and p[k - 1] is "/" (k > 0): here a dot segment may begin,
 *     upper       where it is an upper-case letter;
 * bits past n in the last word are 0. It reads p[0..n) and nothing else. All paths give the same
 * words; tests/unit/test_marks.py runs each that the CPU has.
 */
#ifndef URLSM_MARKS_H
#define URLSM_MARKS_H
#include <string.h>
#include "chars.h"

#define URLSM_WINDOW 512 /* octets indexed */
#define URLSM_WORDS (URLSM_WINDOW / 64)

typedef struct {
    uint64_t marks[URLSM_WORDS], delimiters[URLSM_WORDS], dots[URLSM_WORDS], upper[URLSM_WORDS];
} urlsm_index;

static void urlsm_index_portable(const uint8_t *p, uint32_t n, urlsm_index *index)
{
    uint64_t slash_before = 0;
    for (uint32_t base = 0; base < n; base += 64) {
        uint32_t count = n - base < 64 ? n - base : 64;
        uint64_t mark = 0, delimiter = 0, slash = 0, dot = 0, upper = 0;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t bits = URLSM_CLASS[p[base + k]];
            mark |= (uint64_t)((bits & URLSM_MARK) != 0) << k;
            delimiter |= (uint64_t)((bits & URLSM_DELIMITER) != 0) << k;
            slash |= (uint64_t)((bits & URLSM_SLASH) != 0) << k;
            dot |= (uint64_t)(p[base + k] == '.' || p[base + k] == '%') << k;
            upper |= (uint64_t)((bits & URLSM_UPPER) != 0) << k;
        }
        index->marks[base >> 6] = mark;
        index->delimiters[base >> 6] = delimiter;
        index->dots[base >> 6] = dot & (slash << 1 | slash_before);
        index->upper[base >> 6] = upper;
        slash_before = slash >> 63;
    }
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(URLSM_NO_VECTORS)
#define URLSM_HAVE_VECTORS 1
#include <immintrin.h>

/* An octet is in a set when LOW[low nibble] has the bit of its high nibble. pshufb gives 0 for an
 * index whose top bit is set, so non-ASCII octets, which are marks, are ORed in. */
#define URLSM_ROWS 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0

/* 64 octets at a time; masked loads need no tail. */
__attribute__((target("avx512bw"))) static void urlsm_index_avx512(const uint8_t *p, uint32_t n, urlsm_index *index)
{
    const __m512i marks = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)URLSM_MARKS_LOW));
    const __m512i delimiters = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)URLSM_DELIMITERS_LOW));
    const __m512i rows = _mm512_broadcast_i32x4(_mm_setr_epi8(URLSM_ROWS));
    uint64_t slash_before = 0;
    for (uint32_t k = 0; k < n; k += 64) {
        uint64_t keep = n - k < 64 ? ((uint64_t)1 << (n - k)) - 1 : ~(uint64_t)0;
        __m512i v = _mm512_maskz_loadu_epi8(keep, p + k);
        __m512i row = _mm512_shuffle_epi8(rows, _mm512_and_si512(_mm512_srli_epi16(v, 4), _mm512_set1_epi8(0x0F)));
        uint64_t mark = _mm512_test_epi8_mask(_mm512_shuffle_epi8(marks, v), row);
        uint64_t slash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('/'));
        uint64_t dot = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('.')) | _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('%'));
        index->marks[k >> 6] = (mark | _mm512_movepi8_mask(v)) & keep;
        index->delimiters[k >> 6] = _mm512_test_epi8_mask(_mm512_shuffle_epi8(delimiters, v), row);
        index->dots[k >> 6] = dot & (slash << 1 | slash_before);
        index->upper[k >> 6] = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8('A')), _mm512_set1_epi8(26));
        slash_before = slash >> 63;
    }
}

typedef struct {
    uint32_t mark, delimiter, slash, dot, upper;
} urlsm_bits_32;

__attribute__((target("avx2"), always_inline)) static inline uint32_t urlsm_equal_32(__m256i v, char octet)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(octet)));
}

__attribute__((target("avx2"), always_inline)) static inline urlsm_bits_32 urlsm_classify_32(__m256i v)
{
    const __m256i marks = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)URLSM_MARKS_LOW));
    const __m256i delimiters = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)URLSM_DELIMITERS_LOW));
    const __m256i rows = _mm256_setr_epi8(URLSM_ROWS, URLSM_ROWS);
    urlsm_bits_32 bits;
    __m256i row = _mm256_shuffle_epi8(rows, _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F)));
    bits.mark = ~urlsm_equal_32(_mm256_and_si256(_mm256_shuffle_epi8(marks, v), row), 0)
        | (uint32_t)_mm256_movemask_epi8(v);
    bits.delimiter = ~urlsm_equal_32(_mm256_and_si256(_mm256_shuffle_epi8(delimiters, v), row), 0);
    bits.slash = urlsm_equal_32(v, '/');
    bits.dot = urlsm_equal_32(v, '.') | urlsm_equal_32(v, '%');
    /* "Z" + 0x25 is the largest signed byte, "A" + 0x25 is 0x66 */
    __m256i shifted = _mm256_add_epi8(v, _mm256_set1_epi8(0x7F - 'Z'));
    bits.upper = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(shifted, _mm256_set1_epi8('A' + 0x7F - 'Z' - 1)));
    return bits;
}

/* The 1 to 32 octets at p[k]: the window of 32 slides back where p[0..n) is long enough, so that
 * nothing outside it is read. */
__attribute__((target("avx2"), always_inline)) static inline urlsm_bits_32 urlsm_classify_tail(const uint8_t *p,
                                                                                          uint32_t k, uint32_t n)
{
    urlsm_bits_32 bits;
    uint32_t drop = 32 - (n - k), keep = 0xFFFFFFFFu >> drop;
    if (n >= 32) {
        bits = urlsm_classify_32(_mm256_loadu_si256((const __m256i *)(p + n - 32)));
    } else {
        uint8_t copy[32] = {0};
        memcpy(copy, p, n);
        bits = urlsm_classify_32(_mm256_loadu_si256((const __m256i *)copy));
        drop = 0;
    }
    bits.mark = bits.mark >> drop & keep;
    bits.delimiter = bits.delimiter >> drop & keep;
    bits.slash >>= drop;
    bits.dot >>= drop;
    bits.upper >>= drop;
    return bits;
}

/* 32 octets at a time. */
__attribute__((target("avx2"))) static void urlsm_index_avx2(const uint8_t *p, uint32_t n, urlsm_index *index)
{
    const urlsm_bits_32 none = {0, 0, 0, 0, 0};
    uint64_t slash_before = 0;
    for (uint32_t k = 0; k < n; k += 64) {
        urlsm_bits_32 a, b = none;
        if (k + 32 <= n) {
            a = urlsm_classify_32(_mm256_loadu_si256((const __m256i *)(p + k)));
            if (k + 64 <= n)
                b = urlsm_classify_32(_mm256_loadu_si256((const __m256i *)(p + k + 32)));
            else if (k + 32 < n)
                b = urlsm_classify_tail(p, k + 32, n);
        } else {
            a = urlsm_classify_tail(p, k, n);
        }
        uint64_t slash = (uint64_t)b.slash << 32 | a.slash;
        index->marks[k >> 6] = (uint64_t)b.mark << 32 | a.mark;
        index->delimiters[k >> 6] = (uint64_t)b.delimiter << 32 | a.delimiter;
        index->dots[k >> 6] = ((uint64_t)b.dot << 32 | a.dot) & (slash << 1 | slash_before);
        index->upper[k >> 6] = (uint64_t)b.upper << 32 | a.upper;
        slash_before = slash >> 63;
    }
}
#endif

typedef void (*urlsm_index_fn)(const uint8_t *, uint32_t, urlsm_index *);

/* The path that reads the most octets at a time, up to width, and that this CPU has. */
static inline urlsm_index_fn urlsm_choose_index(int width)
{
#ifdef URLSM_HAVE_VECTORS
    if (width >= 64 && __builtin_cpu_supports("avx512bw"))
        return urlsm_index_avx512;
    if (width >= 32 && __builtin_cpu_supports("avx2"))
        return urlsm_index_avx2;
#endif
    (void)width;
    return urlsm_index_portable;
}

static inline uint32_t urlsm_ctz(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return (uint32_t)__builtin_ctzll(word);
#else
    uint32_t k = 0;
    while (!(word & 1)) {
        word >>= 1;
        k++;
    }
    return k;
#endif
}
#endif
