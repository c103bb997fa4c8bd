/* The body of plain.h: included by vectors.h, once for each width, and before that for the portable one. */

URLSM_TARGET static uint32_t W(plain_authority)(const uint8_t *p, uint32_t n)
{
    uint32_t start = urlsm_plain_scheme(p, n), last = n < 64 ? n : 64, end;
    if (!start)
        return 0;
    end = start + (uint32_t)W(find)(p + start, last - start, start, URLSM_NOT_PLAIN_HOST_LOW);
    return urlsm_plain_host(p, start, end, n) ? end : 0;
}

URLSM_TARGET static int W(plain_text)(const uint8_t *p, uint32_t n, urlsm_plain *found)
{
    uint32_t refused = URLSM_ENC_PATH | URLSM_BACKSLASH, start = urlsm_plain_scheme(p, n), end = 0;
    uint32_t query = UINT32_MAX, fragment = UINT32_MAX, path_end = n;
    uint64_t behind = 0, slash_before = 0, dots = 0; /* behind: bits of the octets behind the host */
    if (!start)
        return 0;
    for (uint32_t base = 0; base < n; base += 64) {
        W(block) b = W(load)(p + base, n - base, base);
        uint64_t non_ascii = W(non_ascii)(b), marks, slash, dot;
        if (base == 0) {
            uint64_t stops = (W(within)(b, URLSM_NOT_PLAIN_HOST_LOW) | non_ascii) >> start;
            end = stops ? start + urlsm_ctz(stops) : n;
            if (end > n) /* the NUL behind the end is in the set */
                end = n;
            if ((end >= 64 && n != 64) || !urlsm_plain_host(p, start, end, n))
                return 0;
            behind = end < 64 ? ~(uint64_t)0 << end : 0;
        }
        marks = (W(within)(b, URLSM_MARKS_LOW) | non_ascii) & behind & urlsm_first(n - base);
        slash = W(equal)(b, '/');
        dot = (W(equal)(b, '.') | W(equal)(b, '%')) & (slash << 1 | slash_before) & behind;
        slash_before = slash >> 63;
        behind = ~(uint64_t)0;
        for (; marks; marks &= marks - 1) {
            uint32_t k = base + urlsm_ctz(marks);
            if (p[k] == '?' && (query & fragment) == UINT32_MAX) {
                query = k;
                refused = URLSM_ENC_SPECIAL_QUERY;
            } else if (p[k] == '#' && fragment == UINT32_MAX) {
                fragment = k;
                refused = URLSM_ENC_FRAGMENT;
            } else if (URLSM_CLASS[p[k]] & refused) {
                return 0;
            } else {
                continue;
            }
            if (k < path_end) {
                path_end = k;
                dot &= marks ^ (marks - 1);
            }
        }
        if (base < path_end)
            dots |= dot;
    }
    if (dots && W(dot_segment)(p + end, path_end - end, end)) /* "/%" is looked at more closely */
        return 0;
    found->scheme_end = start - 3;
    found->host_start = start;
    found->host_end = end;
    found->query_start = query;
    found->fragment_start = fragment;
    found->path_end = path_end;
    found->root_missing = end == path_end;
    return 1;
}
