/* Finding the octets that a step has to check: by an index, which is made 64 octets at a time if the CPU can do that,
 * and by searches.
 *
 * index(p, n, index): for n octets (n <= 512) sets bit k of
 *     marks       where p[k] is a mark (URLSM_MARK in octets/chars.h),
 *     delimiters  where it is a delimiter (URLSM_DELIMITER),
 *     dots        where it is "." or "%" and p[k - 1] is "/" (k > 0): here a dot segment may begin,
 *     upper       where it is an upper-case letter;
 * Bits past n in the last word are 0. It reads p[0..n) and nothing else.
 * find(p, n, before, low): the first k < n where p[k] is not ASCII or in the set low (octets/vectors.h), or n.
 * dot_segment(p, n, before): whether "/." or "/%2e" is in p[0..n). find and dot_segment read p[-before..n) at most.
 *
 * All widths give the same answers; tests/machine/test_marks.py runs each that the CPU has.
 */
#ifndef URLSM_MARKS_H
#define URLSM_MARKS_H
#include "../octets/chars.h"
#include "../octets/vectors.h"
#include "structs.h"

static void urlsm_index_1(const uint8_t *p, uint32_t n, urlsm_index *index)
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

static size_t urlsm_find_1(const uint8_t *p, size_t n, size_t before, const uint8_t *low)
{
    size_t k = 0;
    (void)before;
    while (k < n && p[k] < 0x80 && !(low[p[k] & 15] >> (p[k] >> 4) & 1))
        k++;
    return k;
}

static int urlsm_dot_segment_1(const uint8_t *p, size_t n, size_t before)
{
    (void)before;
    for (size_t k = 0; k + 1 < n; k++) {
        if (p[k] == '/'
            && (p[k + 1] == '.' || (k + 3 < n && p[k + 1] == '%' && p[k + 2] == '2' && (p[k + 3] | 0x20) == 'e')))
            return 1;
    }
    return 0;
}

#define URLSM_BODY "../machine/marks_body.h"
#include "../octets/vectors.h"

static const urlsm_looks URLSM_LOOKS[] = {
    {1, urlsm_index_1, urlsm_find_1, urlsm_dot_segment_1},
#ifdef URLSM_HAVE_VECTORS
    {16, urlsm_index_16, urlsm_find_16, urlsm_dot_segment_16},
#endif
#ifdef URLSM_X86
    {32, urlsm_index_32, urlsm_find_32, urlsm_dot_segment_32},
    {64, urlsm_index_64, urlsm_find_64, urlsm_dot_segment_64},
#endif
};

/* Return the row of URLSM_LOOKS for this CPU that takes the most octets at a time, but no more than width. */
static inline uint32_t urlsm_choose_looks(int width)
{
    uint32_t row = sizeof(URLSM_LOOKS) / sizeof(URLSM_LOOKS[0]);
    while (URLSM_LOOKS[--row].octets > urlsm_widest(width))
        ;
    return row;
}
#endif
