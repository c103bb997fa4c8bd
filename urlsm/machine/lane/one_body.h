/* The body of one.h: included once for the portable block, and then once for each width. */
#include "host.h"

URLSM_TARGET static uint32_t W(plain_authority)(const uint8_t *p, uint32_t n)
{
    uint32_t start = urlsm_plain_scheme(p, n);
    uint32_t last = n < 64 ? n : 64, end;
    if (!start)
        return 0;
    end = W(plain_host)(W(load)(p + start, last - start, start), p + start, 0, n - start, 0);
    return end ? start + end : 0;
}

URLSM_TARGET static int W(plain_text)(const uint8_t *p, uint32_t n, urlsm_bounds *found)
{
    uint32_t start = urlsm_plain_scheme(p, n), end = 0;
    uint32_t odd = start ? 0 : URLSM_ODD_HEAD, of_ipv4 = 0;
    urlsm_plain_parts at = {UINT32_MAX, UINT32_MAX, n, URLSM_ENC_PATH | URLSM_BACKSLASH};
    uint64_t behind = 0, slash_before = 0, dots = 0; /* behind: bits of the octets after the host */
    if (!start && !(start = urlsm_scheme_in_any_case(p, n)))
        return 0;
    for (uint32_t base = 0; base < n && base < URLSM_WINDOW; base += 64) {
        W(block) b = W(load)(p + base, n - base, base);
        uint64_t non_ascii = W(non_ascii)(b), path, marks;
        if (base == 0) {
            end = W(plain_host)(b, p, start, n, 0);
            if (!end || odd) {
                odd = URLSM_ODD_HEAD;
                end = urlsm_odd_authority(p, start, n, W(within)(b, URLSM_NOT_PLAIN_HOST_LOW) | non_ascii, found);
                if (!end)
                    return W(leave)();
            }
            of_ipv4 = end & URLSM_OF_IPV4;
            end -= of_ipv4;
            behind = ~(uint64_t)0 << end;
        }
        marks = (W(within)(b, URLSM_MARKS_LOW) | non_ascii) & behind & urlsm_first(n - base);
        path = base < at.path_end ? behind : 0;
        behind = ~(uint64_t)0;
        for (; marks; marks &= marks - 1) {
            uint32_t k = base + urlsm_ctz(marks);
            if (!urlsm_plain_mark(p, k, &at))
                return 0;
            if (k == at.path_end)
                path &= marks ^ (marks - 1);
        }
        if (path) {
            uint64_t slashes = W(equal)(b, '/');
            dots |= (W(equal)(b, '.') | W(equal)(b, '%')) & (slashes << 1 | slash_before) & path;
            slash_before = slashes >> 63;
        }
    }
    /* far from the start, marks are rare, and two separate searches are faster than one search for both */
    for (uint32_t k = URLSM_WINDOW; k < n; k++) {
        k += (uint32_t)W(find)(p + k, n - k, k, URLSM_MARKS_LOW);
        if (k < n && !urlsm_plain_mark(p, k, &at))
            return 0;
    }
    /* `dots` also has a bit for each "/%", so check whether there is a dot segment */
    if (dots || at.path_end > URLSM_WINDOW) {
        uint32_t from = dots ? end : URLSM_WINDOW - 1;
        if (W(dot_segment)(p + from, at.path_end - from, from))
            odd |= URLSM_ODD_PATH;
    }
    found->scheme_end = start - 3;
    found->host_start = start;
    found->host_end = end;
    found->query_start = at.query;
    found->fragment_start = at.fragment;
    found->path_end = at.path_end;
    found->root_missing = end == at.path_end;
    found->odd = odd;
    return odd ? URLSM_ODD : of_ipv4 ? URLSM_PLAIN_IPV4 : URLSM_PLAIN_NAME;
}
