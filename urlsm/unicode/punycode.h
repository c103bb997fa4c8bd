/* Punycode (RFC 3492). */
#ifndef URLSM_PUNYCODE_H
#define URLSM_PUNYCODE_H
#include "label.h"

/* Adapt the bias (RFC 3492 section 6.1). */
static inline uint32_t urlsm_punycode_adapt(uint32_t delta, uint32_t count, int first)
{
    uint32_t bias = 0;
    delta = first ? delta / 700 : delta / 2;
    delta += delta / count;
    for (; delta > 455; delta /= 35)
        bias += 36;
    return bias + 36 * delta / (delta + 38);
}

/* Encode the label and append it with its prefix (RFC 3492 section 6.3). Return the end of the text, or NULL if there
 * is no room. */
static inline uint8_t *urlsm_write_punycode(const urlsm_label *label, uint8_t *out, const uint8_t *end)
{
    /* the non-ASCII code points, sorted; the lowest ten bits are the place in the label */
    uint32_t points[URLSM_LABEL_MAX], wide = 0;
    uint32_t handled = 0, code = 0x80, index = 0, bias = 72;
    if ((size_t)(end - out) < label->n + 5)
        return NULL;
    memcpy(out, "xn--", 4);
    out += 4;
    for (uint32_t k = 0; k < label->n; k++) {
        if (label->points[k] < 0x80) {
            *out++ = (uint8_t)label->points[k];
            handled++;
            continue;
        }
        uint32_t point = label->points[k] << 10 | k, at = wide++;
        for (; at && points[at - 1] > point; at--)
            points[at] = points[at - 1];
        points[at] = point;
    }
    if (handled)
        *out++ = '-';
    for (uint32_t k = 0, basic = handled; k < wide; k++) {
        /* for each code point, the decoder counts from (code, index) through every place in the label */
        uint32_t point = points[k] >> 10, at = points[k] & 0x3FF, place = 0;
        for (uint32_t j = 0; j < at; j++)
            place += label->points[j] <= point;
        uint32_t delta = (point - code) * (handled++ + 1) + place - index, rest = delta;
        code = point;
        index = place + 1;
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
        bias = urlsm_punycode_adapt(delta, handled, handled == basic + 1);
    }
    return out;
}

/* Decode the text after "xn--", which is ASCII in lower case, and set points and count (RFC 3492 section 6.2). points
 * has room for URLSM_LABEL_MAX code points. */
static inline enum urlsm_idna_rule urlsm_read_punycode(const uint8_t *coded, size_t length, uint32_t *points,
                                                       uint32_t *count)
{
    uint32_t n = 0, code = 0x80, at = 0, bias = 72;
    size_t k = 0;
    if (length > URLSM_CODED_MAX)
        return URLSM_IDNA_CODED_TOO_LONG;
    for (size_t j = length; j-- > 1;)
        if (coded[j] == '-') { /* "consume all code points before the last delimiter (if there is one)" */
            if (j > URLSM_LABEL_MAX)
                return URLSM_IDNA_LABEL_TOO_LONG;
            for (; k < j; k++)
                points[n++] = coded[k];
            k++;
            break;
        }
    for (uint32_t basic = n; k < length; at++) {
        uint64_t old = at, weight = 1, sum = at;
        for (uint32_t step = 36;; step += 36) {
            if (k == length || sum > UINT32_MAX || weight > UINT32_MAX)
                return URLSM_IDNA_P4;
            uint32_t octet = coded[k++], bits = URLSM_CLASS[octet];
            if (!(bits & (URLSM_ALPHA | URLSM_DIGIT)))
                return URLSM_IDNA_P4;
            uint32_t digit = bits & URLSM_DIGIT ? octet - '0' + 26 : octet - 'a';
            uint32_t threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias;
            sum += digit * weight;
            if (digit < threshold)
                break;
            weight *= 36 - threshold;
        }
        if (sum - old > UINT32_MAX || sum / (n + 1) > 0x10FFFF - code)
            return URLSM_IDNA_P4;
        if (n == URLSM_LABEL_MAX)
            return URLSM_IDNA_LABEL_TOO_LONG;
        bias = urlsm_punycode_adapt((uint32_t)(sum - old), n + 1, n == basic);
        code += (uint32_t)(sum / (n + 1));
        at = (uint32_t)(sum % (n + 1));
        memmove(points + at + 1, points + at, (n - at) * sizeof(points[0]));
        points[at] = code;
        n++;
    }
    *count = n;
    return URLSM_IDNA_VALID;
}
#endif
