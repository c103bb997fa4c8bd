/* The state of a label that is being read, and the checks of each code point in it (toascii.h). */
#ifndef URLSM_LABEL_H
#define URLSM_LABEL_H
#include <stddef.h>
#include <string.h>
#include "../octets/chars.h"
#include "../octets/utf8.h"
#include "toascii_table.h"

/* a label that is not ASCII after mapping may have at most this many code points; punycode.h needs ten bits for a place
 * in it */
#define URLSM_LABEL_MAX 1000
/* at most this many characters may follow "xn--"; both limits bound the time of quadratic steps */
#define URLSM_CODED_MAX 2000

/* The rules that a domain can break. urlsm/unicode/idna.py has a message for each, in the same order. */
enum urlsm_idna_rule {
    URLSM_IDNA_VALID,
    URLSM_IDNA_V1, /* an "xn--" label decodes to a text that is not in NFC */
    URLSM_IDNA_V4,
    URLSM_IDNA_V6,
    URLSM_IDNA_V7,        /* a code point is disallowed */
    URLSM_IDNA_V7_MAPPED, /* a code point in a decoded "xn--" label is mapped or ignored */
    URLSM_IDNA_V8,
    URLSM_IDNA_V9,
    URLSM_IDNA_P4,
    URLSM_IDNA_P4_WIDE,
    URLSM_IDNA_P4_ASCII,
    URLSM_IDNA_LABEL_TOO_LONG,
    URLSM_IDNA_CODED_TOO_LONG,
    URLSM_IDNA_NO_ROOM, /* the domain may be valid, but the buffer is too small: call again with more room */
};

/* The groups of directions that RFC 5893 section 2 distinguishes. ON stands for ES, CS, ET, ON and BN, which may occur
 * anywhere but at an end. */
enum urlsm_direction { URLSM_L = 1, URLSM_R = 2, URLSM_EN = 4, URLSM_AN = 8, URLSM_ON = 16, URLSM_NSM = 32 };
static const uint8_t URLSM_DIRECTION[16] = {
    [URLSM_LETTER] = URLSM_L, [URLSM_RIGHT_TO_LEFT] = URLSM_R, [URLSM_NEUTRAL] = URLSM_ON, [URLSM_EUROPEAN] = URLSM_EN,
    [URLSM_ARABIC] = URLSM_AN, [URLSM_SPACING] = URLSM_L, [URLSM_NONSPACING] = URLSM_NSM, [URLSM_REORDRANT] = URLSM_NSM,
    [URLSM_COMPOSING] = URLSM_NSM, [URLSM_COMPOSING_SPACING] = URLSM_L, [URLSM_COMPOSING_LETTER] = URLSM_L,
};

typedef struct {
    uint32_t points[URLSM_LABEL_MAX], n; /* the mapped code points, and their number */
    uint32_t wide;                       /* the number of code points that are not ASCII */
    uint32_t culprit;                    /* the code point that breaks a rule, or 0 */
    uint8_t kind;                        /* the class of the last code point */
    uint8_t first, last, seen;           /* directions of the first, of the last that is not NSM, and of all points */
    uint8_t joiners, unsettled;          /* whether it has joiners; whether it may have to be brought into NFC */
} urlsm_label;

static inline uint32_t urlsm_toascii_class(uint32_t point)
{
    if (point >= URLSM_TOASCII_LIMIT)
        return point - URLSM_TOASCII_SELECTORS < URLSM_TOASCII_SELECTOR_COUNT ? URLSM_IGNORED : URLSM_DISALLOWED;
    uint32_t at = URLSM_TOASCII_INDEX[point / URLSM_TOASCII_BLOCK] * URLSM_TOASCII_BLOCK + point % URLSM_TOASCII_BLOCK;
    return URLSM_TOASCII_CLASSES[at / 2] >> 4 * (at % 2) & 15;
}

static inline uint32_t urlsm_kind(uint32_t point)
{
    return point < 0x80 ? URLSM_LETTER : urlsm_toascii_class(point);
}

#define URLSM_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Return the index of the last value in the sorted table[0..count) that is not greater than `wanted`; 0 if there is
 * none. */
static inline uint32_t urlsm_place(const uint32_t *table, uint32_t count, uint32_t wanted)
{
    uint32_t low = 0;
    for (uint32_t high = count; high - low > 1;) {
        uint32_t middle = (low + high) / 2;
        if (table[middle] <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Return the code point to which `point`, which is of kind MAPPED, is mapped. */
static inline uint32_t urlsm_toascii_mapped(uint32_t point)
{
    uint32_t low = 0, high = URLSM_COUNT(URLSM_TOASCII_MAPPINGS);
    while (high - low > 1) { /* search for the last row that begins at or before point */
        uint32_t middle = (low + high) / 2;
        if (URLSM_TOASCII_MAPPINGS[middle].first <= point)
            low = middle;
        else
            high = middle;
    }
    return point + (uint32_t)URLSM_TOASCII_MAPPINGS[low].distance;
}

/* Return the UTF-8 text to which a code point of kind EXPANDED is mapped, and set n to its length. */
static inline const uint8_t *urlsm_toascii_expanded(uint32_t point, size_t *n)
{
    uint32_t block = urlsm_place(URLSM_TOASCII_EXPANDING, URLSM_COUNT(URLSM_TOASCII_EXPANDING), point);
    uint32_t code = URLSM_TOASCII_EXPANDING[block], end = URLSM_TOASCII_EXPANDING_AT[block + 1];
    for (uint32_t at = URLSM_TOASCII_EXPANDING_AT[block]; at < end; at += (uint32_t)*n + 2) {
        code += URLSM_TOASCII_EXPANDED[at];
        *n = URLSM_TOASCII_EXPANDED[at + 1];
        if (code == point)
            return URLSM_TOASCII_EXPANDED + at + 2;
    }
    *n = 0; /* unreachable, as every such code point has an entry */
    return URLSM_TOASCII_EXPANDED;
}

static inline void urlsm_label_start(urlsm_label *label)
{
    memset(&label->n, 0, sizeof(*label) - offsetof(urlsm_label, n));
}

static inline void urlsm_label_goes(urlsm_label *label, uint32_t direction)
{
    if (direction != URLSM_NSM)
        label->last = (uint8_t)direction;
    if (!label->seen)
        label->first = (uint8_t)direction;
    label->seen |= (uint8_t)direction;
}

static inline uint32_t urlsm_ascii_direction(uint32_t point)
{
    uint32_t bits = URLSM_CLASS[point];
    return bits & URLSM_ALPHA ? URLSM_L : bits & URLSM_DIGIT ? URLSM_EN : URLSM_ON;
}

static inline enum urlsm_idna_rule urlsm_label_blames(urlsm_label *label, uint32_t point, enum urlsm_idna_rule rule)
{
    label->culprit = point;
    return rule;
}

/* Append a mapped code point to the label, or return the rule that does not allow it there. */
static enum urlsm_idna_rule urlsm_label_takes(urlsm_label *label, uint32_t point, uint32_t kind)
{
    uint32_t direction = URLSM_DIRECTION[kind];
    if (label->n == URLSM_LABEL_MAX)
        return URLSM_IDNA_LABEL_TOO_LONG;
    if (point < 0x80) {
        direction = urlsm_ascii_direction(point);
    } else {
        label->wide++;
        label->joiners |= (point | 1) == 0x200D;
        if (kind >= URLSM_REORDRANT) /* it may be reordered, or may compose with the code point before it */
            label->unsettled |= kind >= URLSM_COMPOSING || label->kind >= URLSM_REORDRANT;
        if (label->n == 0 && kind >= URLSM_SPACING && kind <= URLSM_COMPOSING_SPACING)
            return URLSM_IDNA_V6; /* "The label must not begin with a combining mark" */
    }
    urlsm_label_goes(label, direction);
    label->kind = (uint8_t)kind;
    label->points[label->n++] = point;
    return URLSM_IDNA_VALID;
}

/* Append the code points to which a code point of kind EXPANDED is mapped. */
static inline enum urlsm_idna_rule urlsm_label_takes_expanded(urlsm_label *label, uint32_t point)
{
    size_t n, k = 0;
    const uint8_t *p = urlsm_toascii_expanded(point, &n);
    enum urlsm_idna_rule rule = URLSM_IDNA_VALID;
    while (k < n && rule == URLSM_IDNA_VALID) {
        point = urlsm_code_point(p, n, &k);
        rule = urlsm_label_takes(label, point, urlsm_kind(point));
    }
    return rule;
}
#endif
