/* The plain lane: a proof by grammar that nothing is to be decided about a text.
 *
 * "https://" or "http://", a host of lower-case letters, digits and the like that ends in "/" and is not an address,
 * then nothing that its component would encode and no dot segment: such a text is its own serialisation, every
 * dialect reads it alike, and where its components lie follows from the first "/", "?" and "#". 98 % of links are such.
 * The lane reads the index of marks, which the machine needs as well, so that what it declines costs next to nothing;
 * and it makes no decision of its own: tests/machine/test_plain.py holds all that it takes to the machine.
 */
#ifndef URLSM_PLAIN_H
#define URLSM_PLAIN_H
#include "../octets/chars.h"
#include "marks.h"

typedef struct { /* volatile: read one by one as they were written. The CPU waits where one load spans two stores */
    volatile uint32_t scheme_end;                            /* of ":" */
    volatile uint32_t host_start, host_end;                  /* where the path starts */
    volatile uint32_t query_start, fragment_start, path_end; /* of "?" and of "#", UINT32_MAX where there is none */
    volatile uint32_t root_missing;                          /* 1: the path is empty; the serialisation has "/" there */
} urlsm_plain;

/* Where the host of p[0..n) starts; 0: there is no plain scheme. */
static inline uint32_t urlsm_plain_scheme(const uint8_t *p, uint32_t n)
{
    if (n < 10)
        return 0;
    if (memcmp(p, "https://", 8) == 0)
        return 8;
    return memcmp(p, "http://", 7) == 0 ? 7 : 0;
}

/* Is p[start..end), where no octet is upper case, a mark or a delimiter, a plain host? */
static inline int urlsm_plain_host(const uint8_t *p, uint32_t start, uint32_t end, urlsm_plain *found)
{
    uint32_t label = end;
    if (end == start || p[end - 1] == '.')
        return 0;
    /* "ends in a number": only what begins with a digit and ends in "x" or a hexadecimal digit */
    if (URLSM_CLASS[p[end - 1]] & URLSM_HEX || p[end - 1] == 'x') {
        while (label > start && p[label - 1] != '.')
            label--;
        if (URLSM_CLASS[p[label]] & URLSM_DIGIT)
            return 0;
    }
    found->scheme_end = start - 3;
    found->host_start = start;
    found->host_end = end;
    return 1;
}

/* Are scheme and host plain, up to the path, the query, the fragment or the end of p[0..n)? Nothing behind is read. */
static inline int urlsm_plain_authority(const uint8_t *p, uint32_t n, const urlsm_looks *looks, urlsm_plain *found)
{
    uint32_t start = urlsm_plain_scheme(p, n), last = n < 64 ? n : 64, end;
    if (!start)
        return 0;
    end = start + (uint32_t)looks->find(p + start, last - start, start, URLSM_NOT_PLAIN_HOST_LOW);
    if (end < n && !(URLSM_CLASS[p[end]] & (URLSM_SLASH | URLSM_QUESTION | URLSM_HASH)))
        return 0;
    return urlsm_plain_host(p, start, end, found);
}

/* The next mark at or after k of p[0..n), indexed as far as the window goes; n where there is none. */
static inline uint32_t urlsm_plain_mark(const uint8_t *p, uint32_t n, uint32_t k, const urlsm_index *index,
                                        const urlsm_looks *looks)
{
    for (; k < n && k < URLSM_WINDOW; k = (k | 63) + 1) {
        uint64_t word = index->marks[k >> 6] >> (k & 63);
        if (word) {
            k += urlsm_ctz(word);
            return k < n ? k : n;
        }
    }
    return k < n ? k + (uint32_t)looks->find(p + k, n - k, k, URLSM_MARKS_LOW) : n;
}

/* Is "/." or "/%" in the path p[start..end)? "/%" is looked at more closely. */
static inline int urlsm_plain_dots(const uint8_t *p, uint32_t start, uint32_t end, const urlsm_index *index,
                                   const urlsm_looks *looks)
{
    uint32_t last = (end - 1) >> 6;
    uint64_t dots = index->dots[start >> 6] & ~(uint64_t)0 << (start & 63);
    if (end <= URLSM_WINDOW) {
        for (uint32_t k = start >> 6; k < last; dots = index->dots[++k])
            if (dots)
                return looks->dot_segment(p + start, end - start, start);
        if (!(dots << (63 - ((end - 1) & 63))))
            return 0;
    }
    return looks->dot_segment(p + start, end - start, start);
}

/* Is p[0..n), whose first octets are indexed, plain, but perhaps for the "/" of an empty path? If so, tell where its
 * components lie. */
static inline int urlsm_plain_text(const uint8_t *p, uint32_t n, const urlsm_index *index, const urlsm_looks *looks,
                                   urlsm_plain *found)
{
    uint32_t refused = URLSM_ENC_PATH | URLSM_BACKSLASH, start = urlsm_plain_scheme(p, n), k;
    uint64_t stops;
    if (!start)
        return 0;
    stops = (index->marks[0] | index->delimiters[0] | index->upper[0]) >> start;
    if (!stops)
        return 0;
    k = start + urlsm_ctz(stops);
    if (k > n)
        return 0;
    found->root_missing = k == n || p[k] != '/';
    if (found->root_missing && k < n && p[k] != '?' && p[k] != '#')
        return 0;
    if (!urlsm_plain_host(p, start, k, found))
        return 0;
    found->query_start = found->fragment_start = UINT32_MAX;
    found->path_end = n;
    for (k = found->host_end; (k = urlsm_plain_mark(p, n, k, index, looks)) < n; k++) {
        if (p[k] == '#' && found->fragment_start == UINT32_MAX) {
            found->fragment_start = k;
            refused = URLSM_ENC_FRAGMENT;
        } else if (p[k] == '?' && found->fragment_start == UINT32_MAX && found->query_start == UINT32_MAX) {
            found->query_start = k;
            refused = URLSM_ENC_SPECIAL_QUERY;
        } else if (URLSM_CLASS[p[k]] & refused) {
            return 0;
        } else {
            continue;
        }
        if (k < found->path_end)
            found->path_end = k;
    }
    return found->root_missing || !urlsm_plain_dots(p, found->host_end, found->path_end, index, looks);
}
#endif
