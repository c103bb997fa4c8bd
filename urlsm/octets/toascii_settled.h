/* What toascii.h asks of a whole label: normalisation form C of one that may not be in it, and the rules of joiners. */
#ifndef URLSM_TOASCII_SETTLED_H
#define URLSM_TOASCII_SETTLED_H

static inline uint32_t urlsm_combining_class(uint32_t point)
{
    uint32_t kind = urlsm_kind(point);
    if (kind < URLSM_REORDRANT || kind > URLSM_COMPOSING_SPACING)
        return 0;
    uint32_t run = URLSM_TOASCII_COMBINING[urlsm_place(URLSM_TOASCII_COMBINING, URLSM_COUNT(URLSM_TOASCII_COMBINING),
                                                       (point & 0xFFFF) << 16 | 0xFFFF)];
    return point - (run >> 16) <= (run >> 8 & 0xFF) ? run & 0xFF : 0;
}

/* Joining types (UAX 44): 1 for T, 2 for R, 4 for L, 6 for D; 0 for others. */
static inline uint32_t urlsm_joining_type(uint32_t point)
{
    uint32_t run = URLSM_TOASCII_JOINING[urlsm_place(URLSM_TOASCII_JOINING, URLSM_COUNT(URLSM_TOASCII_JOINING),
                                                     point << 11 | 0x7FF)];
    if (point - (run >> 11) <= (run >> 3 & 0xFF))
        return run & 7;
    return URLSM_DIRECTION[urlsm_kind(point)] == URLSM_NSM; /* non-spacing marks have type T */
}

/* What two code points compose to; 0 where they do not. */
static inline uint32_t urlsm_composed(uint32_t first, uint32_t second)
{
    if (first - 0x1100 < 19 && second - 0x1161 < 21) /* Hangul: the Unicode Standard, section 3.12 */
        return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28;
    if (first - 0xAC00 < 11172 && (first - 0xAC00) % 28 == 0 && second - 0x11A8 < 27)
        return first + second - 0x11A7;
    if (first > 0xFFFF || (urlsm_kind(second) < URLSM_COMPOSING && second != 0xDCA))
        return 0;
    uint32_t at = urlsm_place(URLSM_TOASCII_PAIRS, URLSM_COUNT(URLSM_TOASCII_PAIRS), first << 16 | second);
    return URLSM_TOASCII_PAIRS[at] == (first << 16 | second) ? URLSM_TOASCII_COMPOSED[at] : 0;
}

/* The pair that point decomposes to, which is not Hangul; 0 where there is none. */
static inline uint32_t urlsm_decomposed(uint32_t point)
{
    uint32_t low = 0;
    for (uint32_t high = URLSM_COUNT(URLSM_TOASCII_BY_COMPOSED); high - low > 1;) {
        uint32_t middle = (low + high) / 2;
        if (URLSM_TOASCII_COMPOSED[URLSM_TOASCII_BY_COMPOSED[middle]] <= point)
            low = middle;
        else
            high = middle;
    }
    low = URLSM_TOASCII_BY_COMPOSED[low];
    return URLSM_TOASCII_COMPOSED[low] == point ? URLSM_TOASCII_PAIRS[low] : 0;
}

/* A label in normalisation form C (UAX 15). Nothing but marks is decomposed, and what marks follow. */
static inline enum urlsm_verdict urlsm_label_normalize(urlsm_label *label)
{
    uint32_t points[URLSM_COMMON_LABEL], n = 0;
    uint8_t classes[URLSM_COMMON_LABEL];
    for (uint32_t k = 0; k < label->n; k++) {
        uint32_t stack[8], depth = 1, marked = k + 1 < label->n && urlsm_combining_class(label->points[k + 1]);
        for (stack[0] = label->points[k]; depth;) {
            uint32_t point = stack[--depth], pair;
            while (point >= 0x80 && marked && (pair = urlsm_decomposed(point)) != 0 && depth < 8) {
                stack[depth++] = pair & 0xFFFF;
                point = pair >> 16;
            }
            if (n == URLSM_COMMON_LABEL || (point > 0xFFFF && urlsm_kind(point) >= URLSM_REORDRANT))
                return URLSM_LOOK;
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
    for (uint32_t k = 0; k < written; k++) {
        uint32_t kind = urlsm_kind(points[k]);
        if (kind == URLSM_OTHER)
            return URLSM_LOOK;
        if (urlsm_label_takes(label, points[k], kind) != URLSM_FINE)
            return URLSM_INVALID;
    }
    return URLSM_FINE;
}

/* RFC 5892 appendix A.1 and A.2: after a virama, joiners are allowed; a non-joiner also between letters that join. */
static inline enum urlsm_verdict urlsm_judge_joiners(const urlsm_label *label)
{
    for (uint32_t k = 0; k < label->n; k++) {
        if ((label->points[k] | 1) != 0x200D)
            continue;
        uint32_t kind = k ? urlsm_kind(label->points[k - 1]) : URLSM_LETTER;
        if (kind == URLSM_VIRAMA)
            continue;
        if (kind == URLSM_COMPOSING_SPACING) /* some are viramas, too */
            return URLSM_LOOK;
        uint32_t before = k, after = k, type = 1;
        while (type == 1 && before)
            type = urlsm_joining_type(label->points[--before]);
        if (label->points[k] == 0x200D || !(type & 4))
            return URLSM_INVALID;
        for (type = 1; type == 1 && ++after < label->n;)
            type = urlsm_joining_type(label->points[after]);
        if (!(type & 2))
            return URLSM_INVALID;
    }
    return URLSM_FINE;
}

static inline enum urlsm_verdict urlsm_label_settle(urlsm_label *label)
{
    enum urlsm_verdict verdict = label->unsettled ? urlsm_label_normalize(label) : URLSM_FINE;
    return verdict == URLSM_FINE && label->joiners ? urlsm_judge_joiners(label) : verdict;
}
#endif
