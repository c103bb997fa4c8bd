/* Where a consume step has to look: one bit per octet, made 32 octets at a time where the CPU can.
 *
 * urlsm_marks(p, n, marks, upper): for n octets (n <= 512) sets bit k of marks where p[k] is a mark
 * (URLSM_MARK in chars.h) and bit k of upper where it is an upper-case letter; bits past n in the
 * last word are 0. It reads p[0..n) and nothing else. The vector path and the portable path give
 * the same words; tests/unit/test_marks.py runs both.
 */
#ifndef URLSM_MARKS_H
#define URLSM_MARKS_H
#include <string.h>
#include "chars.h"

#define URLSM_WINDOW 512 /* octets indexed at a time */

static void urlsm_marks_portable(const uint8_t *p, uint32_t n, uint64_t *marks, uint64_t *upper)
{
    for (uint32_t base = 0; base < n; base += 64) {
        uint32_t count = n - base < 64 ? n - base : 64;
        uint64_t mark = 0, up = 0;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t bits = URLSM_CLASS[p[base + k]];
            mark |= (uint64_t)((bits & URLSM_MARK) != 0) << k;
            up |= (uint64_t)((bits & URLSM_UPPER) != 0) << k;
        }
        marks[base >> 6] = mark;
        upper[base >> 6] = up;
    }
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(URLSM_NO_VECTORS)
#define URLSM_HAVE_VECTORS 1
#include <immintrin.h>

/* 32 octets: an octet is a mark when MARKS_LOW[low nibble] has the bit of its high nibble, or when
 * its top bit is set (pshufb gives 0 for such an index, so that case is ORed in). */
__attribute__((target("avx2"))) static inline void urlsm_marks_32(__m256i v, uint32_t *mark, uint32_t *up)
{
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)URLSM_MARKS_LOW));
    const __m256i row = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
                                         1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
    __m256i hit = _mm256_and_si256(_mm256_shuffle_epi8(low, v), _mm256_shuffle_epi8(row, high));
    __m256i plain = _mm256_cmpeq_epi8(hit, _mm256_setzero_si256());
    *mark = ~(uint32_t)_mm256_movemask_epi8(plain) | (uint32_t)_mm256_movemask_epi8(v);
    /* "Z" + 0x25 is the largest signed byte, "A" + 0x25 is 0x66 */
    __m256i shifted = _mm256_add_epi8(v, _mm256_set1_epi8(0x7F - 'Z'));
    *up = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(shifted, _mm256_set1_epi8('A' + 0x7F - 'Z' - 1)));
}

__attribute__((target("avx2"))) static void urlsm_marks_avx2(const uint8_t *p, uint32_t n, uint64_t *marks,
                                                             uint64_t *upper)
{
    uint32_t mark, up, k = 0;
    if (n < 32) {
        uint8_t copy[32] = {0};
        uint32_t keep = ((uint32_t)1 << n) - 1;
        memcpy(copy, p, n);
        urlsm_marks_32(_mm256_loadu_si256((const __m256i *)copy), &mark, &up);
        marks[0] = mark & keep;
        upper[0] = up & keep;
        return;
    }
    uint32_t *marks32 = (uint32_t *)(void *)marks, *upper32 = (uint32_t *)(void *)upper;
    for (; k + 32 <= n; k += 32) {
        urlsm_marks_32(_mm256_loadu_si256((const __m256i *)(p + k)), &mark, &up);
        memcpy(marks32 + (k >> 5), &mark, 4);
        memcpy(upper32 + (k >> 5), &up, 4);
    }
    if (k < n) { /* the last window slides back, so that nothing past the end is read */
        urlsm_marks_32(_mm256_loadu_si256((const __m256i *)(p + n - 32)), &mark, &up);
        uint32_t drop = 32 - (n - k);
        mark >>= drop;
        up >>= drop;
        memcpy(marks32 + (k >> 5), &mark, 4);
        memcpy(upper32 + (k >> 5), &up, 4);
        k += 32;
    }
    if (k & 63) {
        memset(marks32 + (k >> 5), 0, 4);
        memset(upper32 + (k >> 5), 0, 4);
    }
}
#endif

typedef void (*urlsm_marks_fn)(const uint8_t *, uint32_t, uint64_t *, uint64_t *);

/* The best path this CPU has; the portable one if asked for. */
static urlsm_marks_fn urlsm_choose_marks(int vectors)
{
#ifdef URLSM_HAVE_VECTORS
    if (vectors && __builtin_cpu_supports("avx2"))
        return urlsm_marks_avx2;
#endif
    (void)vectors;
    return urlsm_marks_portable;
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
