/* Reading and writing UTF-8, one code point at a time. */
#ifndef URLSM_UTF8_H
#define URLSM_UTF8_H
#include <stddef.h>
#include <stdint.h>

/* Returns the code point at p[*k], and moves *k past it. Returns UINT32_MAX if the octets there are not UTF-8; then *k
 * has no meaning. */
static inline uint32_t urlsm_code_point(const uint8_t *p, size_t n, size_t *k)
{
    static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
    uint32_t lead = p[*k], more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3, point = lead & (0x3F >> more);
    if (lead < 0x80) {
        ++*k;
        return lead;
    }
    if (lead < 0xC2 || lead > 0xF4 || n - *k <= more)
        return UINT32_MAX;
    for (uint32_t j = 1; j <= more; j++) {
        if ((p[*k + j] & 0xC0) != 0x80)
            return UINT32_MAX;
        point = point << 6 | (p[*k + j] & 0x3F);
    }
    *k += more + 1;
    return point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF) ? UINT32_MAX : point;
}

/* Writes a code point, which must not be a surrogate, in UTF-8. Returns the number of octets. */
static inline size_t urlsm_write_code_point(uint32_t point, uint8_t *out)
{
    if (point < 0x80) {
        out[0] = (uint8_t)point;
        return 1;
    }
    size_t n = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t k = n; --k; point >>= 6)
        out[k] = (uint8_t)(0x80 | (point & 0x3F));
    out[0] = (uint8_t)(0xF00 >> n | point);
    return n;
}

/* Returns the number of octets of the character at p, n > 0, and sets *whole to 1. If there is no complete character,
 * sets *whole to 0 and returns the number of octets that a decoder replaces by one U+FFFD (the Unicode Standard, 3.9,
 * "Substitution of Maximal Subparts"). */
static inline size_t urlsm_utf8_unit(const uint8_t *p, size_t n, int *whole)
{
    uint8_t lead = p[0], low = 0x80, high = 0xBF;
    size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4, k = 1;
    if (lead == 0xE0 || lead == 0xF0)
        low = lead == 0xE0 ? 0xA0 : 0x90;
    if (lead == 0xED || lead == 0xF4)
        high = lead == 0xED ? 0x9F : 0x8F;
    if (lead >= 0x80 && (lead < 0xC2 || lead > 0xF4))
        n = 1;
    while (k < length && k < n && p[k] >= low && p[k] <= high) {
        low = 0x80;
        high = 0xBF;
        k++;
    }
    *whole = k == length;
    return k;
}
#endif
