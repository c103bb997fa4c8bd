/* The steps that need a whole label: bringing it into normalisation form C if necessary, and checking the rules of
 * joiners. */
#ifndef URLSM_TOASCII_SETTLED_H
#define URLSM_TOASCII_SETTLED_H
#include "label.h"

static inline uint32_t urlsm_combining_class(uint32_t point)
{
    uint32_t kind = urlsm_kind(point);
    if (kind < URLSM_REORDRANT || kind > URLSM_COMPOSING_SPACING)
        return 0;
    uint32_t run = URLSM_TOASCII_COMBINING[urlsm_place(URLSM_TOASCII_COMBINING, URLSM_COUNT(URLSM_TOASCII_COMBINING),
                                                       point << 15 | 0x7FFF)];
    return point - (run >> 15) <= (run >> 8 & 0x7F) ? run & 0xFF : 0;
}

/* Return the joining type of a code point (UAX 44): 1 for T, 2 for R, 4 for L, 6 for D; 0 for others. */
static inline uint32_t urlsm_joining_type(uint32_t point)
{
    uint32_t run = URLSM_TOASCII_JOINING[urlsm_place(URLSM_TOASCII_JOINING, URLSM_COUNT(URLSM_TOASCII_JOINING),
                                                     point << 11 | 0x7FF)];
    if (point - (run >> 11) <= (run >> 3 & 0xFF))
        return run & 7;
    return URLSM_DIRECTION[urlsm_kind(point)] == URLSM_NSM; /* non-spacing marks have type T */
}

/* Return the code point that two code points compose to; 0 if they do not compose. */
static inline uint32_t urlsm_composed(uint32_t first, uint32_t second)
{
    if (first - 0x1100 < 19 && second - 0x1161 < 21) /* Hangul syllables (the Unicode Standard, section 3.12) */
        return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28;
    if (first - 0xAC00 < 11172 && (first - 0xAC00) % 28 == 0 && second - 0x11A8 < 27)
        return first + second - 0x11A7;
    if (urlsm_kind(second) < URLSM_COMPOSING)
        return 0;
    uint32_t low = 0;
    for (uint32_t high = URLSM_COUNT(URLSM_TOASCII_COMPOSITIONS); high - low > 1;) {
        uint32_t middle = (low + high) / 2;
        const urlsm_composition *pair = URLSM_TOASCII_COMPOSITIONS + middle;
        if (pair->first < first || (pair->first == first && pair->second <= second))
            low = middle;
        else
            high = middle;
    }
    const urlsm_composition *found = URLSM_TOASCII_COMPOSITIONS + low;
    return found->first == first && found->second == second ? found->composed : 0;
}

/* Return the pair that a code point other than Hangul decomposes to; NULL if it does not decompose. */
static inline const urlsm_composition *urlsm_decomposed(uint32_t point)
{
    uint32_t low = 0;
    for (uint32_t high = URLSM_COUNT(URLSM_TOASCII_BY_COMPOSED); high - low > 1;) {
        uint32_t middle = (low + high) / 2;
        if (URLSM_TOASCII_COMPOSITIONS[URLSM_TOASCII_BY_COMPOSED[middle]].composed <= point)
            low = middle;
        else
            high = middle;
    }
    const urlsm_composition *found = URLSM_TOASCII_COMPOSITIONS + URLSM_TOASCII_BY_COMPOSED[low];
    return found->composed == point ? found : NULL;
}

#define URLSM_DECOMPOSED_MAX (4 * URLSM_LABEL_MAX) /* no code point decomposes to more than four (UAX 15) */

/* Bring a label into normalisation form C (UAX 15). Only code points that may compose with the one before them, or that
 * are followed by marks, are decomposed. */
static inline enum urlsm_idna_rule urlsm_label_normalize(urlsm_label *label)
{
    uint32_t points[URLSM_DECOMPOSED_MAX], n = 0;
    uint8_t classes[URLSM_DECOMPOSED_MAX];
    for (uint32_t k = 0; k < label->n; k++) {
        uint32_t stack[8], depth = 1, whole = label->points[k];
        int apart = urlsm_kind(whole) >= URLSM_COMPOSING
                    || (k + 1 < label->n && urlsm_combining_class(label->points[k + 1]));
        for (stack[0] = whole; depth;) {
            uint32_t point = stack[--depth];
            const urlsm_composition *pair;
            while (point >= 0x80 && apart && (pair = urlsm_decomposed(point)) != NULL && depth < 8) {
                stack[depth++] = pair->second;
                point = pair->first;
            }
            uint32_t combining = urlsm_combining_class(point), at = n++;
            for (; combining && at && classes[at - 1] > combining; at--) {
                points[at] = points[at - 1];
                classes[at] = classes[at - 1];
            }
            points[at] = point;
            classes[at] = (uint8_t)combining;
        }
    }
    /* "a starter, and what follows it and is not blocked from it" */
    uint32_t starter = UINT32_MAX, written = 0;
    for (uint32_t k = 0; k < n; k++) {
        int adjacent = written == starter + 1 || (written && classes[written - 1] < classes[k]);
        uint32_t composed = starter != UINT32_MAX && adjacent ? urlsm_composed(points[starter], points[k]) : 0;
        if (composed) {
            points[starter] = composed;
            continue;
        }
        if (classes[k] == 0)
            starter = written;
        points[written] = points[k];
        classes[written++] = classes[k];
    }
    urlsm_label_start(label);
    enum urlsm_idna_rule rule = URLSM_IDNA_VALID;
    for (uint32_t k = 0; k < written && rule == URLSM_IDNA_VALID; k++)
        rule = urlsm_label_takes(label, points[k], urlsm_kind(points[k]));
    return rule;
}

/* Check the joiners by RFC 5892 appendix A.1 and A.2: a joiner is allowed after a virama, and a zero-width non-joiner
 * also between letters that join. */
static inline enum urlsm_idna_rule urlsm_judge_joiners(urlsm_label *label)
{
    for (uint32_t k = 0; k < label->n; k++) {
        uint32_t joiner = label->points[k], before = k, after = k, type = 1;
        if ((joiner | 1) != 0x200D || (k && urlsm_combining_class(label->points[k - 1]) == 9))
            continue;
        while (type == 1 && before)
            type = urlsm_joining_type(label->points[--before]);
        if (joiner == 0x200D || !(type & 4))
            return urlsm_label_blames(label, joiner, URLSM_IDNA_V8);
        for (type = 1; type == 1 && ++after < label->n;)
            type = urlsm_joining_type(label->points[after]);
        if (!(type & 2))
            return urlsm_label_blames(label, joiner, URLSM_IDNA_V8);
    }
    return URLSM_IDNA_VALID;
}

static inline enum urlsm_idna_rule urlsm_label_settle(urlsm_label *label)
{
    enum urlsm_idna_rule rule = label->unsettled ? urlsm_label_normalize(label) : URLSM_IDNA_VALID;
    return rule == URLSM_IDNA_VALID && label->joiners ? urlsm_judge_joiners(label) : rule;
}
#endif
