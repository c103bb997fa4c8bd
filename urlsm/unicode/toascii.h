/* UTS 46, non-transitional: the ASCII form of a domain, or its Unicode form, as the URL Standard needs them (CheckBidi
 * and CheckJoiners are true, all other parameters are false).
 *
 * urlsm_process_domain does all of this. It takes linear time, except for steps whose input URLSM_LABEL_MAX limits. The
 * steps are:
 *   - the mapping, by the class of each code point in the table, which tools/toascii_table.py writes (label.h),
 *   - normalisation form C, and the rules of joiners (toascii_settled.h),
 *   - Punycode (punycode.h), and RFC 5893's rule of directions.
 * All data of Unicode is in the table, so the versions of libraries and interpreters do not matter.
 * Quotations without a source are from https://www.unicode.org/reports/tr46/.
 */
#ifndef URLSM_TOASCII_H
#define URLSM_TOASCII_H
#include <string.h>
#include "../octets/utf8.h"
#include "label.h"
#include "punycode.h"
#include "toascii_settled.h"

/* Return whether a label of a domain with right-to-left characters meets RFC 5893 section 2. */
static inline int urlsm_meets_bidi_rule(const urlsm_label *label)
{
    if (label->first == URLSM_R) /* first direction R or AL: rules 2, 3 and 4 */
        return !(label->seen & URLSM_L) && label->last & (URLSM_R | URLSM_EN | URLSM_AN)
               && (label->seen & (URLSM_EN | URLSM_AN)) != (URLSM_EN | URLSM_AN);
    /* first direction L: rules 1, 5 and 6 */
    return label->first == URLSM_L && !(label->seen & (URLSM_R | URLSM_AN)) && label->last & (URLSM_L | URLSM_EN);
}

static inline int urlsm_is_coded(const uint32_t *points, uint32_t n)
{
    return n >= 4 && points[0] == 'x' && points[1] == 'n' && points[2] == '-' && points[3] == '-';
}

/* Check the n code points that an "xn--" label decodes to. Mapping them and normalising them into `label` must not
 * change them. */
static inline enum urlsm_idna_rule urlsm_check_decoded(urlsm_label *label, const uint32_t *points, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++) {
        uint32_t kind = urlsm_kind(points[j]);
        if (kind == URLSM_DISALLOWED)
            return urlsm_label_blames(label, points[j], URLSM_IDNA_V7);
        if (kind >= URLSM_IGNORED)
            return URLSM_IDNA_V7_MAPPED;
        enum urlsm_idna_rule rule = urlsm_label_takes(label, points[j], kind);
        if (rule != URLSM_IDNA_VALID)
            return rule;
    }
    if (!label->wide) /* "If the label is empty, or contains only ASCII code points" */
        return URLSM_IDNA_P4_ASCII;
    if (urlsm_is_coded(points, n))
        return URLSM_IDNA_V4;
    enum urlsm_idna_rule rule = urlsm_label_settle(label);
    if (rule != URLSM_IDNA_VALID)
        return rule;
    return label->n == n && memcmp(label->points, points, n * sizeof(points[0])) == 0 ? URLSM_IDNA_VALID
                                                                                      : URLSM_IDNA_V1;
}

/* Decode the text after "xn--", which is ASCII in lower case, and check each code point. */
static inline enum urlsm_idna_rule urlsm_decode_label(urlsm_label *label, const uint8_t *coded, size_t length)
{
    uint32_t points[URLSM_LABEL_MAX], n = 0;
    urlsm_label_start(label);
    enum urlsm_idna_rule rule = urlsm_read_punycode(coded, length, points, &n);
    return rule == URLSM_IDNA_VALID ? urlsm_check_decoded(label, points, n) : rule;
}

/* Return the end of the ASCII label at p[k], or k if the label is not ASCII. */
static inline size_t urlsm_ascii_label(const uint8_t *p, size_t n, size_t k)
{
    size_t end = k;
    while (end < n && p[end] < 0x80 && p[end] != '.')
        end++;
    return end == n || p[end] == '.' ? end : k;
}

/* Append the text to which the label at p[*k] is mapped, if that is ASCII; it may have any length. Move *k past the
 * label and its full stop. */
static inline enum urlsm_idna_rule urlsm_write_mapped_ascii(urlsm_label *label, const uint8_t *p, size_t n, size_t *k,
                                                            int *full_stop, uint8_t **out, const uint8_t *end)
{
    while (*k < n) {
        uint32_t point = urlsm_code_point(p, n, k), kind = point < 0x80 ? URLSM_LETTER : URLSM_DISALLOWED;
        const uint8_t *mapped = NULL;
        size_t count = 0;
        if (point >= 0x80 && point != UINT32_MAX)
            kind = urlsm_toascii_class(point);
        if (kind == URLSM_MAPPED)
            point = urlsm_toascii_mapped(point);
        else if (kind == URLSM_EXPANDED)
            mapped = urlsm_toascii_expanded(point, &count);
        else if (kind == URLSM_IGNORED)
            continue;
        *full_stop = point == '.';
        if (*full_stop)
            break;
        for (size_t j = 0; j < count || (j == 0 && mapped == NULL); j++) {
            if (mapped != NULL)
                point = mapped[j];
            if (point >= 0x80)
                return URLSM_IDNA_LABEL_TOO_LONG;
            if (*out == end)
                return URLSM_IDNA_NO_ROOM;
            point |= URLSM_CLASS[point] & URLSM_UPPER ? 0x20 : 0;
            urlsm_label_goes(label, urlsm_ascii_direction(point));
            *(*out)++ = (uint8_t)point;
        }
    }
    return URLSM_IDNA_VALID;
}

/* Read the label at p[*k] and move *k past it and its full stop. */
static inline enum urlsm_idna_rule urlsm_read_label(urlsm_label *label, const uint8_t *p, size_t n, size_t *k,
                                                    int *full_stop)
{
    while (*k < n) {
        uint32_t point = urlsm_code_point(p, n, k), kind = URLSM_LETTER;
        if (point < 0x80) {
            point |= URLSM_CLASS[point] & URLSM_UPPER ? 0x20 : 0;
        } else if (point == UINT32_MAX) {
            /* the octets are not UTF-8, which counts as U+FFFD */
            return urlsm_label_blames(label, 0xFFFD, URLSM_IDNA_V7);
        } else {
            kind = urlsm_toascii_class(point);
            if (kind == URLSM_DISALLOWED)
                return urlsm_label_blames(label, point, URLSM_IDNA_V7);
            if (kind == URLSM_MAPPED) {
                point = urlsm_toascii_mapped(point);
                kind = urlsm_kind(point);
            }
        }
        *full_stop = point == '.';
        if (*full_stop)
            break;
        enum urlsm_idna_rule rule = kind == URLSM_EXPANDED  ? urlsm_label_takes_expanded(label, point)
                                    : kind == URLSM_IGNORED ? URLSM_IDNA_VALID
                                                            : urlsm_label_takes(label, point, kind);
        if (rule != URLSM_IDNA_VALID)
            return rule;
    }
    return urlsm_label_settle(label);
}

/* Append the label as UTF-8. Return the end of the text, or NULL if there is no room. */
static inline uint8_t *urlsm_write_unicode(const urlsm_label *label, uint8_t *out, const uint8_t *end)
{
    if ((size_t)(end - out) < 4 * (size_t)label->n)
        return NULL;
    for (uint32_t k = 0; k < label->n; k++)
        out += urlsm_write_code_point(label->points[k], out);
    return out;
}

/* Process the domain p[0..n), which is UTF-8, and write the result to out, as ASCII or with its labels in Unicode. Set
 * written to its length. If the domain breaks a rule, return the rule, and set culprit to the code point at fault, or
 * 0. */
static inline enum urlsm_idna_rule urlsm_process_domain(const uint8_t *p, size_t n, uint8_t *out, size_t room,
                                                        int in_unicode, size_t *written, uint32_t *culprit)
{
    const uint8_t *begin = out, *end = out + room;
    int any_right_to_left = 0, all_meet_bidi_rule = 1;
    for (size_t k = 0, more = 1; more;) {
        urlsm_label label;
        enum urlsm_idna_rule rule = URLSM_IDNA_VALID;
        uint8_t *start = out;
        size_t begun = k, ascii = urlsm_ascii_label(p, n, k);
        int full_stop = ascii < n && p[ascii] == '.';
        urlsm_label_start(&label);
        if (ascii > k || full_stop || k == n) { /* an ASCII label, which may be empty and may have any length */
            if ((size_t)(end - out) < ascii - k)
                return URLSM_IDNA_NO_ROOM;
            for (; k < ascii; k++) {
                urlsm_label_goes(&label, urlsm_ascii_direction(p[k]));
                *out++ = p[k] | (URLSM_CLASS[p[k]] & URLSM_UPPER ? 0x20 : 0);
            }
            k += (size_t)full_stop;
        } else {
            rule = urlsm_read_label(&label, p, n, &k, &full_stop);
            if (rule == URLSM_IDNA_LABEL_TOO_LONG && !label.wide) {
                k = begun;
                urlsm_label_start(&label);
                rule = urlsm_write_mapped_ascii(&label, p, n, &k, &full_stop, &out, end);
            }
            if (rule == URLSM_IDNA_NO_ROOM)
                return rule;
            if (rule == URLSM_IDNA_VALID && label.wide && urlsm_is_coded(label.points, label.n))
                rule = URLSM_IDNA_P4_WIDE; /* "contains any non-ASCII code point" */
            if (rule == URLSM_IDNA_VALID) {
                out = label.wide && !in_unicode ? urlsm_write_punycode(&label, out, end)
                                                : urlsm_write_unicode(&label, out, end);
                if (out == NULL)
                    return URLSM_IDNA_NO_ROOM;
            }
        }
        more = (size_t)full_stop;
        if (rule == URLSM_IDNA_VALID && !label.wide && out - start >= 4 && memcmp(start, "xn--", 4) == 0) {
            rule = urlsm_decode_label(&label, start + 4, (size_t)(out - start) - 4);
            if (rule == URLSM_IDNA_VALID && in_unicode && (out = urlsm_write_unicode(&label, start, end)) == NULL)
                return URLSM_IDNA_NO_ROOM;
        }
        if (rule != URLSM_IDNA_VALID) {
            *culprit = label.culprit;
            return rule;
        }
        any_right_to_left |= label.seen & (URLSM_R | URLSM_AN);
        all_meet_bidi_rule &= !label.seen || urlsm_meets_bidi_rule(&label);
        if (more && out == end)
            return URLSM_IDNA_NO_ROOM;
        if (more)
            *out++ = '.';
    }
    /* "If CheckBidi, and if the domain name is a Bidi domain name, then the label must satisfy all six of the numbered
     * conditions in RFC 5893, Section 2." */
    if (any_right_to_left && !all_meet_bidi_rule)
        return URLSM_IDNA_V9;
    *written = (size_t)(out - begin);
    return URLSM_IDNA_VALID;
}
#endif
