/* The plain lane for one text, or for its authority only. It reads 64 octets at a time, and each octet once. */
#ifndef URLSM_ONE_H
#define URLSM_ONE_H
#include "../bounds.h"
#include "../marks.h"
#include "odd.h"
#include "plain.h"

/* Return where the host of p[0..n) starts, or 0 if the scheme is not plain. */
static inline uint32_t urlsm_plain_scheme(const uint8_t *p, uint32_t n)
{
    if (n < 9)
        return 0;
    if (urlsm_is_https(p))
        return 8;
    return urlsm_is_http(p) ? 7 : 0;
}

/* The state of the lane: where "?" and "#" are (UINT32_MAX: not found yet), where the path ends, and which class bits
 * the current component refuses. */
typedef struct {
    uint32_t query, fragment, path_end, refused;
} urlsm_plain_parts;

/* Return whether the mark p[k] stays as it is in its component. "?" and "#" begin the next component. */
static inline int urlsm_plain_mark(const uint8_t *p, uint32_t k, urlsm_plain_parts *at)
{
    if (p[k] == '?' && (at->query & at->fragment) == UINT32_MAX) {
        at->query = k;
        at->refused = URLSM_ENC_SPECIAL_QUERY;
    } else if (p[k] == '#' && at->fragment == UINT32_MAX) {
        at->fragment = k;
        at->refused = URLSM_ENC_FRAGMENT;
    } else {
        return !(URLSM_CLASS[p[k]] & at->refused);
    }
    if (k < at->path_end)
        at->path_end = k;
    return 1;
}

/* The portable block. One pass computes everything that one_body.h asks for. */
typedef struct {
    uint64_t not_host, marks, slashes, dots;
} urlsm_block_1;

static inline urlsm_block_1 urlsm_load_1(const uint8_t *p, size_t n, size_t before)
{
    urlsm_block_1 b = {n < 64 ? ~(uint64_t)0 << n : 0, 0, 0, 0}; /* past the text: NUL, which ends a host */
    (void)before;
    for (uint32_t k = 0; k < 64 && k < n; k++) {
        uint32_t bits = URLSM_CLASS[p[k]];
        b.not_host |= (uint64_t)((bits & (URLSM_MARK | URLSM_DELIMITER | URLSM_UPPER)) != 0) << k;
        b.marks |= (uint64_t)((bits & URLSM_MARK) != 0) << k;
        b.slashes |= (uint64_t)((bits & URLSM_SLASH) != 0) << k;
        b.dots |= (uint64_t)(p[k] == '.' || p[k] == '%') << k;
    }
    return b;
}

static inline uint64_t urlsm_equal_1(urlsm_block_1 b, uint8_t octet)
{
    return octet == '/' ? b.slashes : b.dots;
}

static inline uint64_t urlsm_within_1(urlsm_block_1 b, const uint8_t *low)
{
    return low == URLSM_MARKS_LOW ? b.marks : b.not_host;
}

static inline uint64_t urlsm_non_ascii_1(urlsm_block_1 b)
{
    (void)b;
    return 0; /* octets beyond ASCII are among the marks already */
}

static inline int urlsm_leave_1(void)
{
    return 0;
}

#define W(name) urlsm_##name##_1
#define URLSM_TARGET
#include "one_body.h"
#undef W
#undef URLSM_TARGET
#define URLSM_BODY "machine/lane/one_body.h"
#include "../../octets/vectors.h"

/* The lane for each row of URLSM_LOOKS, and a lane that declines every text. */
static const urlsm_lane URLSM_LANES[] = {
    {urlsm_plain_text_1, urlsm_plain_authority_1},
#ifdef URLSM_HAVE_VECTORS
    {urlsm_plain_text_16, urlsm_plain_authority_16},
#endif
#ifdef URLSM_X86
    {urlsm_plain_text_32, urlsm_plain_authority_32},
    {urlsm_plain_text_64, urlsm_plain_authority_64},
#endif
};
static int urlsm_no_plain_text(const uint8_t *p, uint32_t n, urlsm_bounds *found)
{
    (void)p, (void)n, (void)found;
    return 0;
}
static uint32_t urlsm_no_plain_authority(const uint8_t *p, uint32_t n)
{
    (void)p, (void)n;
    return 0;
}
static const urlsm_lane URLSM_NO_LANE = {urlsm_no_plain_text, urlsm_no_plain_authority};
#endif
