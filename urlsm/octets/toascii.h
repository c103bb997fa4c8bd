/* Unicode ToASCII (UTS 46) of common domains: those in which each code point can be judged by itself.
 *
 * urlsm_common_domain(p, n, out, room): the ASCII form of the domain p[0..n), UTF-8, as the URL Standard's domain
 * parser would give it, and its length; URLSM_NO_DOMAIN where it is plain that there is none; or 0 where it declines:
 * the domain has to be looked at more closely. urlsm.octets.idna then knows, and tests/octets/test_toascii.py holds the
 * two together. It is linear, makes no decision of its own, and accepts only where
 *   - each code point maps to itself, to one other, or to nothing (the table, written by tools/toascii_table.py),
 *   - nothing composes or is reordered: NFC leaves the result as it is,
 *   - no label begins with a combining mark or with "xn--", none has a joiner,
 *   - labels are from right to left throughout, or, beside such, plain ASCII words: RFC 5893's rule holds.
 */
#ifndef URLSM_TOASCII_H
#define URLSM_TOASCII_H
#include <stddef.h>
#include <string.h>
#include "chars.h"
#include "toascii_table.h"

#define URLSM_NO_DOMAIN SIZE_MAX
#define URLSM_COMMON_LABEL 128 /* code points; DNS has 63. Punycode takes quadratic time: this bounds it */

typedef struct {
    uint32_t points[URLSM_COMMON_LABEL], n, read; /* mapped; how many; how many were read */
    uint32_t wide;                                /* code points that are not ASCII */
    uint8_t last;                                 /* class of the last code point */
    uint8_t right_to_left;                        /* it begins so */
    uint8_t one_way;                              /* so far it meets RFC 5893, its end not looked at */
    uint8_t end_allowed;                          /* it may end here */
} urlsm_label;

static inline uint32_t urlsm_toascii_class(uint32_t point)
{
    if (point >= URLSM_TOASCII_LIMIT)
        return URLSM_OTHER;
    uint32_t at = URLSM_TOASCII_INDEX[point / URLSM_TOASCII_BLOCK] * URLSM_TOASCII_BLOCK + point % URLSM_TOASCII_BLOCK;
    return URLSM_TOASCII_CLASSES[at / 2] >> 4 * (at % 2) & 15;
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

/* The code point at p[*k], *k then behind it; UINT32_MAX where that is not UTF-8. */
static inline uint32_t urlsm_code_point(const uint8_t *p, size_t n, size_t *k)
{
    static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
    uint32_t lead = p[*k], more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    uint32_t point = more ? lead & (0x3F >> more) : lead;
    if ((more && lead < 0xC2) || lead > 0xF4 || n - *k <= more)
        return UINT32_MAX;
    for (uint32_t j = 1; j <= more; j++) {
        if ((p[*k + j] & 0xC0) != 0x80)
            return UINT32_MAX;
        point = point << 6 | (p[*k + j] & 0x3F);
    }
    *k += more + 1;
    return point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF) ? UINT32_MAX : point;
}

/* Append a mapped code point to the label; 0 where it cannot stand there, or more than it has to be looked at. */
static inline int urlsm_label_takes(urlsm_label *label, uint32_t point, uint32_t kind)
{
    int mark = kind >= URLSM_SPACING && kind <= URLSM_REORDRANT;
    /* V6: "The label must not begin with a combining mark". Two marks that can be reordered: a longer look. */
    if ((mark && label->n == 0) || (kind == URLSM_REORDRANT && label->last == URLSM_REORDRANT))
        return 0;
    if (point >= 0x80) {
        /* RFC 5893: all letters from right to left, non-spacing marks anywhere after the first */
        if (kind == URLSM_RIGHT_TO_LEFT && label->n == 0)
            label->right_to_left = 1;
        else if (kind == URLSM_RIGHT_TO_LEFT && !label->right_to_left)
            return 0;
        label->one_way &= label->right_to_left && (kind == URLSM_RIGHT_TO_LEFT || kind >= URLSM_NONSPACING);
        label->end_allowed |= kind == URLSM_RIGHT_TO_LEFT; /* "followed by zero or more [...] NSM" */
        label->wide++;
    } else {
        /* a word of ASCII letters, digits and hyphens begins with a letter; from right to left, no letter is in it */
        uint32_t bits = URLSM_CLASS[point];
        label->one_way &= bits & URLSM_ALPHA ? !label->right_to_left
                                             : label->n != 0 && (bits & URLSM_DIGIT || point == '-');
        label->end_allowed = (bits & (URLSM_ALPHA | URLSM_DIGIT)) != 0;
    }
    label->last = (uint8_t)kind;
    label->points[label->n++] = point;
    return 1;
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

/* Append the label as ASCII; the end of what was written, or NULL. */
static inline uint8_t *urlsm_write_label(const urlsm_label *label, uint8_t *out, const uint8_t *end)
{
    if (label->n >= 4 && label->points[0] == 'x' && label->points[1] == 'n' && label->points[2] == '-'
        && label->points[3] == '-')
        return NULL; /* to be decoded */
    if (label->wide)
        return urlsm_write_punycode(label, out, end);
    if ((size_t)(end - out) < label->n)
        return NULL;
    for (uint32_t k = 0; k < label->n; k++)
        *out++ = (uint8_t)label->points[k];
    return out;
}

static inline size_t urlsm_common_domain(const uint8_t *p, size_t n, uint8_t *out, size_t room)
{
    const uint8_t *begin = out, *end = out + room;
    int any_right_to_left = 0, all_one_way = 1;
    size_t k = 0;
    for (;;) {
        urlsm_label label;
        label.n = label.read = label.wide = 0;
        label.last = label.right_to_left = 0;
        label.one_way = label.end_allowed = 1;
        int full_stop = 0;
        while (k < n) {
            uint32_t point = urlsm_code_point(p, n, &k), kind = URLSM_LETTER;
            if (point < 0x80) {
                full_stop = point == '.';
                point |= URLSM_CLASS[point] & URLSM_UPPER ? 0x20 : 0;
                if (URLSM_CLASS[point] & URLSM_FORBIDDEN_DOMAIN) /* "<" and ">" compose with U+0338 */
                    return point == '<' || point == '>' ? 0 : URLSM_NO_DOMAIN;
            } else if (point == 0xFFFD || point == UINT32_MAX) {
                return URLSM_NO_DOMAIN; /* "disallowed", and what stands for octets that are not UTF-8 */
            } else {
                kind = urlsm_toascii_class(point);
                if (kind == URLSM_MAPPED) {
                    point = urlsm_toascii_mapped(point);
                    full_stop = point == '.';
                    kind = point < 0x80 ? URLSM_LETTER : urlsm_toascii_class(point);
                }
            }
            if (full_stop)
                break;
            if (kind == URLSM_OTHER || label.read++ == URLSM_COMMON_LABEL)
                return 0;
            if (kind != URLSM_IGNORED && !urlsm_label_takes(&label, point, kind))
                return 0;
        }
        any_right_to_left |= label.right_to_left;
        all_one_way &= label.one_way && label.end_allowed;
        out = urlsm_write_label(&label, out, end);
        if (out == NULL || (full_stop && out == end))
            return 0;
        if (!full_stop)
            break;
        *out++ = '.';
    }
    if (out == begin)
        return URLSM_NO_DOMAIN;
    return any_right_to_left && !all_one_way ? 0 : (size_t)(out - begin);
}
#endif
