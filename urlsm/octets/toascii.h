/* Unicode ToASCII (UTS 46) of common domains: those in which each code point can be judged by itself.
 *
 * urlsm_common_domain(p, n, out, room): the ASCII form of the domain p[0..n), UTF-8, as the URL Standard's domain
 * parser would give it, and its length; URLSM_NO_DOMAIN where it is plain that there is none; or 0 where it declines:
 * the domain has to be looked at more closely. urlsm.octets.idna then knows, and tests/octets/test_toascii.py holds the
 * two together. It is linear, and knows
 *   - the code points that map to themselves, to one other (the table has most of them), or to nothing, and those that
 *     are disallowed; each by its class in the table, which tools/toascii_table.py writes,
 *   - normalisation form C, and the rules of joiners (toascii_settled.h), but for rare marks,
 *   - Punycode, so that labels that begin with "xn--" are judged too, and RFC 5893's rule of directions.
 */
#ifndef URLSM_TOASCII_H
#define URLSM_TOASCII_H
#include <stddef.h>
#include <string.h>
#include "chars.h"
#include "toascii_table.h"
#include "utf8.h"

#define URLSM_NO_DOMAIN SIZE_MAX
#define URLSM_COMMON_LABEL 128 /* code points; DNS has 63. Punycode takes quadratic time: this bounds it */

/* RFC 5893 section 2: the directions it tells apart; NEUTRAL are those allowed anywhere but at an end (ES, CS, ET, ON,
 * BN) */
enum urlsm_direction { URLSM_L = 1, URLSM_R = 2, URLSM_EN = 4, URLSM_AN = 8, URLSM_ON = 16, URLSM_NSM = 32 };
static const uint8_t URLSM_DIRECTION[16] = {
    [URLSM_LETTER] = URLSM_L, [URLSM_RIGHT_TO_LEFT] = URLSM_R, [URLSM_NEUTRAL] = URLSM_ON, [URLSM_EUROPEAN] = URLSM_EN,
    [URLSM_ARABIC] = URLSM_AN, [URLSM_SPACING] = URLSM_L, [URLSM_NONSPACING] = URLSM_NSM, [URLSM_REORDRANT] = URLSM_NSM,
    [URLSM_VIRAMA] = URLSM_NSM, [URLSM_COMPOSING] = URLSM_NSM, [URLSM_COMPOSING_SPACING] = URLSM_L,
    [URLSM_COMPOSING_LETTER] = URLSM_L,
};

typedef struct {
    uint32_t points[URLSM_COMMON_LABEL], n, read; /* mapped; how many; how many were read, ignored ones too */
    uint32_t wide;                                /* code points that are not ASCII */
    uint8_t kind;                                 /* class of the last code point */
    uint8_t first, last, seen;                    /* directions: of the first, of the last but for NSM; all of them */
    uint8_t joiners, unsettled;                   /* it has joiners; it may not be in NFC */
} urlsm_label;

enum urlsm_verdict { URLSM_FINE, URLSM_LOOK, URLSM_INVALID }; /* LOOK: a closer look is needed */

static inline uint32_t urlsm_toascii_class(uint32_t point)
{
    if (point >= URLSM_TOASCII_LIMIT) /* but for a few in plane 14 that are ignored */
        return point >> 12 == 0xE0 ? URLSM_OTHER : URLSM_DISALLOWED;
    uint32_t at = URLSM_TOASCII_INDEX[point / URLSM_TOASCII_BLOCK] * URLSM_TOASCII_BLOCK + point % URLSM_TOASCII_BLOCK;
    return URLSM_TOASCII_CLASSES[at / 2] >> 4 * (at % 2) & 15;
}

static inline uint32_t urlsm_kind(uint32_t point)
{
    return point < 0x80 ? URLSM_LETTER : urlsm_toascii_class(point);
}

#define URLSM_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The last place in table[0..count), which is in order, whose value is at most wanted; 0 where there is none. */
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

/* What a code point of kind MAPPED maps to. */
static inline uint32_t urlsm_toascii_mapped(uint32_t point)
{
    uint32_t low = 0, high = sizeof(URLSM_TOASCII_MAPPINGS) / sizeof(URLSM_TOASCII_MAPPINGS[0]);
    while (high - low > 1) { /* the last row that begins at or before point */
        uint32_t middle = (low + high) / 2;
        if (URLSM_TOASCII_MAPPINGS[middle].first <= point)
            low = middle;
        else
            high = middle;
    }
    return point + (uint32_t)URLSM_TOASCII_MAPPINGS[low].distance;
}

/* What a code point of kind OTHER maps to, as UTF-8, and its length; NULL where the table does not say. */
static inline const uint8_t *urlsm_toascii_expanded(uint32_t point, size_t *n)
{
    if (point > 0xFFFF)
        return NULL;
    uint32_t blocks = URLSM_COUNT(URLSM_TOASCII_EXPANDING) - 1;
    uint32_t block = urlsm_place(URLSM_TOASCII_EXPANDING, blocks, point << 16 | 0xFFFF);
    uint32_t code = URLSM_TOASCII_EXPANDING[block] >> 16, end = URLSM_TOASCII_EXPANDING[block + 1] & 0xFFFF;
    for (uint32_t at = URLSM_TOASCII_EXPANDING[block] & 0xFFFF; at < end; at += *n + 2) {
        code += URLSM_TOASCII_EXPANDED[at];
        *n = URLSM_TOASCII_EXPANDED[at + 1];
        if (code == point)
            return URLSM_TOASCII_EXPANDED + at + 2;
    }
    return NULL;
}

static inline void urlsm_label_start(urlsm_label *label)
{
    memset(&label->n, 0, sizeof(*label) - offsetof(urlsm_label, n));
}

/* Append a mapped code point to the label, if it can stand there. */
static enum urlsm_verdict urlsm_label_takes(urlsm_label *label, uint32_t point, uint32_t kind)
{
    uint32_t direction = URLSM_DIRECTION[kind];
    if (label->n == URLSM_COMMON_LABEL)
        return URLSM_LOOK;
    if (point < 0x80) {
        uint32_t bits = URLSM_CLASS[point];
        direction = bits & URLSM_ALPHA ? URLSM_L : bits & URLSM_DIGIT ? URLSM_EN : URLSM_ON;
    } else {
        label->wide++;
        label->joiners |= (point | 1) == 0x200D;
        if (kind >= URLSM_REORDRANT) /* two marks that can be reordered, one that may compose with what is before it */
            label->unsettled |= kind >= URLSM_COMPOSING || point == 0xDCA || label->kind >= URLSM_REORDRANT;
        if (label->n == 0 && kind >= URLSM_SPACING && kind <= URLSM_COMPOSING_SPACING)
            return URLSM_INVALID; /* V6: "The label must not begin with a combining mark" */
    }
    if (direction != URLSM_NSM)
        label->last = (uint8_t)direction;
    if (label->n == 0)
        label->first = (uint8_t)direction;
    label->seen |= (uint8_t)direction;
    label->kind = (uint8_t)kind;
    label->points[label->n++] = point;
    return URLSM_FINE;
}

/* Append what a code point of kind OTHER maps to. */
static inline enum urlsm_verdict urlsm_label_takes_expanded(urlsm_label *label, uint32_t point)
{
    size_t n = 0;
    const uint8_t *p = urlsm_toascii_expanded(point, &n);
    enum urlsm_verdict verdict = p == NULL ? URLSM_LOOK : URLSM_FINE;
    for (size_t k = 0; k < n && verdict == URLSM_FINE;) {
        point = urlsm_code_point(p, n, &k);
        verdict = urlsm_label_takes(label, point, urlsm_kind(point));
    }
    return verdict;
}

#include "toascii_settled.h"

/* RFC 5893 section 2, of a label in a domain with right-to-left characters. */
static inline int urlsm_meets_bidi_rule(const urlsm_label *label)
{
    if (label->first == URLSM_R) /* rules 2, 3 and 4 */
        return !(label->seen & URLSM_L) && label->last & (URLSM_R | URLSM_EN | URLSM_AN)
               && (label->seen & (URLSM_EN | URLSM_AN)) != (URLSM_EN | URLSM_AN);
    /* rules 1, 5 and 6 */
    return label->first == URLSM_L && !(label->seen & (URLSM_R | URLSM_AN)) && label->last & (URLSM_L | URLSM_EN);
}

/* RFC 3492 section 6.1. */
static inline uint32_t urlsm_punycode_adapt(uint32_t delta, uint32_t count, int first)
{
    uint32_t bias = 0;
    delta = first ? delta / 700 : delta / 2;
    delta += delta / count;
    for (; delta > 455; delta /= 35)
        bias += 36;
    return bias + 36 * delta / (delta + 38);
}

/* RFC 3492 section 6.3: append the label, with its prefix; the end of what was written, NULL where end comes first. */
static inline uint8_t *urlsm_write_punycode(const urlsm_label *label, uint8_t *out, const uint8_t *end)
{
    uint32_t handled = 0, delta = 0, bias = 72, code = 0x80;
    if ((size_t)(end - out) < label->n + 5)
        return NULL;
    memcpy(out, "xn--", 4);
    out += 4;
    for (uint32_t k = 0; k < label->n; k++)
        if (label->points[k] < 0x80)
            *out++ = (uint8_t)label->points[k], handled++;
    if (handled)
        *out++ = '-';
    for (uint32_t basic = handled; handled < label->n; delta++, code++) {
        uint32_t next = UINT32_MAX; /* "the minimum {non-basic} code point >= n in the input" */
        for (uint32_t k = 0; k < label->n; k++)
            if (label->points[k] >= code && label->points[k] < next)
                next = label->points[k];
        delta += (next - code) * (handled + 1); /* at most 0x110000 * (URLSM_COMMON_LABEL + 1) in all */
        code = next;
        for (uint32_t k = 0; k < label->n; k++) {
            if (label->points[k] < code)
                delta++;
            if (label->points[k] != code)
                continue;
            uint32_t rest = delta;
            for (uint32_t weight = 36;; weight += 36) {
                uint32_t threshold = weight <= bias ? 1 : weight >= bias + 26 ? 26 : weight - bias;
                uint32_t digit = rest < threshold ? rest : threshold + (rest - threshold) % (36 - threshold);
                if (out == end)
                    return NULL;
                *out++ = (uint8_t)(digit < 26 ? 'a' + digit : '0' + digit - 26);
                if (rest < threshold)
                    break;
                rest = (rest - threshold) / (36 - threshold);
            }
            bias = urlsm_punycode_adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled++;
        }
    }
    return out;
}

/* RFC 3492 section 6.2: the label that stands behind "xn--" in coded, whose code points are looked at one by one.
 * current: as for urlsm_common_domain. */
static inline enum urlsm_verdict urlsm_decode_label(urlsm_label *label, const urlsm_label *coded, int current)
{
    uint32_t points[URLSM_COMMON_LABEL], n = 0, k = 4, code = 0x80, at = 0, bias = 72;
    for (uint32_t j = coded->n; j-- > 5;)
        if (coded->points[j] == '-') { /* "consume all code points before the last delimiter (if there is one)" */
            for (; k < j; k++)
                points[n++] = coded->points[k];
            k++;
            break;
        }
    for (uint32_t basic = n; k < coded->n; at++) {
        uint64_t old = at, weight = 1, sum = at;
        for (uint32_t step = 36;; step += 36) {
            if (k == coded->n || coded->points[k] >= 0x80 || sum > UINT32_MAX || weight > UINT32_MAX)
                return URLSM_INVALID;
            uint32_t octet = coded->points[k++], bits = URLSM_CLASS[octet];
            if (!(bits & (URLSM_ALPHA | URLSM_DIGIT)))
                return URLSM_INVALID;
            uint32_t digit = bits & URLSM_DIGIT ? octet - '0' + 26 : octet - 'a';
            uint32_t threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias;
            sum += digit * weight;
            if (digit < threshold)
                break;
            weight *= 36 - threshold;
        }
        if (sum - old > UINT32_MAX || sum / (n + 1) > 0x10FFFF - code)
            return URLSM_INVALID;
        bias = urlsm_punycode_adapt((uint32_t)(sum - old), n + 1, n == basic);
        code += (uint32_t)(sum / (n + 1));
        at = (uint32_t)(sum % (n + 1));
        memmove(points + at + 1, points + at, (n - at) * sizeof(points[0]));
        points[at] = code;
        n++;
    }
    urlsm_label_start(label);
    for (k = 0; k < n; k++) {
        uint32_t kind = urlsm_kind(points[k]);
        size_t length;
        if (kind == URLSM_OTHER ? !urlsm_toascii_expanded(points[k], &length) : kind == URLSM_DISALLOWED && !current)
            return URLSM_LOOK;
        if (kind == URLSM_OTHER || kind >= URLSM_IGNORED || urlsm_label_takes(label, points[k], kind) != URLSM_FINE)
            return URLSM_INVALID; /* V7, V6 */
    }
    enum urlsm_verdict verdict = urlsm_label_settle(label);
    if (verdict != URLSM_FINE)
        return verdict;
    /* V1: it is in NFC already; "empty, or contains only ASCII code points" */
    return label->n == n && label->wide && memcmp(label->points, points, n * sizeof(points[0])) == 0 ? URLSM_FINE
                                                                                                     : URLSM_INVALID;
}

static inline int urlsm_label_is_coded(const urlsm_label *label)
{
    return label->n >= 4 && label->points[0] == 'x' && label->points[1] == 'n' && label->points[2] == '-'
           && label->points[3] == '-';
}

/* Append the label as ASCII; the end of what was written, or NULL. */
static inline uint8_t *urlsm_write_label(const urlsm_label *label, uint8_t *out, const uint8_t *end)
{
    if (label->wide)
        return urlsm_write_punycode(label, out, end);
    if ((size_t)(end - out) < label->n)
        return NULL;
    for (uint32_t k = 0; k < label->n; k++)
        *out++ = (uint8_t)label->points[k];
    return out;
}

/* The next label of p[*k..n), *k then behind it and its full stop, if there is one. */
static inline enum urlsm_verdict urlsm_read_label(urlsm_label *label, const uint8_t *p, size_t n, size_t *k,
                                                  int current, int *full_stop)
{
    urlsm_label_start(label);
    for (*full_stop = 0; *k < n;) {
        uint32_t point = urlsm_code_point(p, n, k), kind = URLSM_LETTER;
        if (point < 0x80) {
            *full_stop = point == '.';
            point |= URLSM_CLASS[point] & URLSM_UPPER ? 0x20 : 0;
            if (URLSM_CLASS[point] & URLSM_FORBIDDEN_DOMAIN) /* "<" and ">" compose with U+0338 */
                return (point == '<' || point == '>') && *k < n && p[*k] >= 0x80 ? URLSM_LOOK : URLSM_INVALID;
        } else if (point == 0xFFFD || point == UINT32_MAX) {
            return URLSM_INVALID; /* "disallowed", and what stands for octets that are not UTF-8 */
        } else {
            kind = urlsm_toascii_class(point);
            if (kind == URLSM_MAPPED) {
                point = urlsm_toascii_mapped(point);
                *full_stop = point == '.';
                kind = urlsm_kind(point);
            }
        }
        if (*full_stop)
            break;
        if (kind == URLSM_DISALLOWED && current)
            return URLSM_INVALID;
        if (kind == URLSM_DISALLOWED || label->read++ == URLSM_COMMON_LABEL)
            return URLSM_LOOK;
        enum urlsm_verdict verdict = kind == URLSM_OTHER     ? urlsm_label_takes_expanded(label, point)
                                     : kind == URLSM_IGNORED ? URLSM_FINE
                                                             : urlsm_label_takes(label, point, kind);
        if (verdict != URLSM_FINE)
            return verdict;
    }
    return urlsm_label_settle(label);
}

/* current: the installed `idna` has the table's Unicode version, and what is DISALLOWED here is so there. */
static inline size_t urlsm_common_domain(const uint8_t *p, size_t n, uint8_t *out, size_t room, int current)
{
    const uint8_t *begin = out, *end = out + room;
    int any_right_to_left = 0, all_meet_bidi_rule = 1, full_stop = 1;
    for (size_t k = 0; full_stop;) {
        urlsm_label label, decoded;
        const urlsm_label *meant = &label;
        enum urlsm_verdict verdict = urlsm_read_label(&label, p, n, &k, current, &full_stop);
        if (verdict == URLSM_FINE && urlsm_label_is_coded(&label)) {
            verdict = label.wide ? URLSM_INVALID : urlsm_decode_label(&decoded, &label, current);
            if (verdict == URLSM_FINE && urlsm_label_is_coded(&decoded)) /* V4 */
                verdict = URLSM_INVALID;
            meant = &decoded;
        }
        if (verdict != URLSM_FINE)
            return verdict == URLSM_INVALID ? URLSM_NO_DOMAIN : 0;
        any_right_to_left |= meant->seen & (URLSM_R | URLSM_AN);
        all_meet_bidi_rule &= meant->n == 0 || urlsm_meets_bidi_rule(meant);
        out = urlsm_write_label(&label, out, end);
        if (out == NULL || (full_stop && out == end))
            return 0;
        if (full_stop)
            *out++ = '.';
    }
    return out == begin || (any_right_to_left && !all_meet_bidi_rule) ? URLSM_NO_DOMAIN : (size_t)(out - begin);
}
#endif
