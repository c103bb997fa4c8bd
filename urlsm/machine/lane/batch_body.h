/* The body of batch.h: included by vectors.h, once for each width. */
#include "host.h"

/* Return where the host of the text p[0..n) ends, if scheme and host are plain and a path follows; else 0. *start is
 * set to the start of the host. b: the text's first 64 octets. */
URLSM_INLINED URLSM_TARGET static inline uint32_t W(lane_host)(const W(block) b, const uint8_t *p, uint32_t n,
                                                                  uint32_t *start)
{
    uint32_t https = urlsm_is_https(p), http = urlsm_is_http(p);
    *start = 7 + https;
    return W(plain_host)(b, p, *start, n, 1) & (0 - (https | http));
}

URLSM_UNUSED URLSM_TARGET static void W(hosts)(const urlsm_cell *texts, uint32_t count, urlsm_found *found)
{
    for (uint32_t row = 0; row < count; row += 64) {
        uint64_t plain = 0;
        for (uint32_t k = row; k < count && k < row + 64; k++) {
            const uint8_t *p = texts[k].p;
            urlsm_prefetch(p + 1024);
            if (texts[k].room < 64)
                continue;
            uint32_t start, end = W(lane_host)(W(load)(p, 64, 0), p, texts[k].n, &start);
            found->host.at[k] = (urlsm_cut){start, end - start};
            plain |= (uint64_t)(end != 0) << (k & 63);
        }
        found->plain[row >> 6] = found->host.there[row >> 6] = plain;
    }
}

/* Return whether a text is plain from octet k on. *fragment is set to where the fragment starts, or URLSM_NULL. *query
 * is set likewise, unless the caller has already set it because the query began before k. The fragment must not begin
 * before k. */
URLSM_TARGET static uint32_t W(lane_rest)(const urlsm_cell *text, uint32_t k, uint32_t *query, uint32_t *fragment)
{
    uint32_t n = text->n, dot_at = URLSM_NULL, path;
    uint64_t before = text->p[k - 1] == '/';
    *fragment = URLSM_NULL;
    if ((uint64_t)n + 63 > text->room)
        return 0;
    for (; k < n; k += 64) {
        W(block) b = W(load)(text->p + k, 64, 0);
        uint64_t slash = W(equal)(b, '/'), question = W(equal)(b, '?'), hash = W(equal)(b, '#');
        uint64_t dots = (W(equal)(b, '.') | W(equal)(b, '%')) & (slash << 1 | before);
        uint64_t odd = (W(within)(b, URLSM_MARKS_LOW) | W(non_ascii)(b)) & ~(question | hash);
        if (odd & W(below)(n - k < 64 ? n - k : 64))
            return 0;
        if (*query == URLSM_NULL && question)
            *query = k + urlsm_ctz(question);
        if (*fragment == URLSM_NULL && hash)
            *fragment = k + urlsm_ctz(hash);
        if (dot_at == URLSM_NULL && dots)
            dot_at = k + urlsm_ctz(dots);
        before = slash >> 63;
    }
    path = *query < n ? *query : n;
    return dot_at >= (*fragment < path ? *fragment : path);
}

/* Return a word with a bit for each mark except "?", for each octet beyond ASCII, and for each "/" after which a
 * dot segment may begin. */
URLSM_INLINED URLSM_TARGET static inline uint64_t W(lane_odd)(const W(block) b, const W(block) next)
{
    return W(within)(b, URLSM_MARKS_BUT_QUESTION_LOW) | W(non_ascii)(b)
        | (W(equal)(b, '/') & (W(equal)(next, '.') | W(equal)(next, '%')));
}

URLSM_UNUSED URLSM_TARGET static void W(lane)(const urlsm_cell *texts, uint32_t count, urlsm_found *found)
{
    for (uint32_t row = 0; row < count; row += 64) {
        uint64_t all = 0, queries = 0, fragments = 0;
        for (uint32_t k = row; k < count && k < row + 64; k++) {
            const uint8_t *p = texts[k].p;
            uint32_t n = texts[k].n, start, two = n < 128 ? n : 128;
            urlsm_prefetch(p + 1024);
            if (texts[k].room < 64 + 64 + 1)
                continue;
            W(block) b = W(load)(p, 64, 0), c = W(load)(p + 64, 64, 0);
            uint64_t odd = (W(lane_odd)(b, W(load)(p + 1, 64, 0)) & W(below)(two))
                | (W(lane_odd)(c, W(load)(p + 65, 64, 0)) & W(below)((two < 64 ? 64 : two) - 64));
            uint32_t query = urlsm_first_of(W(equal)(b, '?'), W(equal)(c, '?')), query_end = n;
            uint32_t end = W(lane_host)(b, p, n, &start), plain = end != 0;
            found->fragment.at[k] = (urlsm_cut){0, 0};
            if (odd || n > 128) {
                uint32_t fragment;
                query = odd ? URLSM_NULL : query;
                plain &= W(lane_rest)(texts + k, odd ? end + 1 : 128, &query, &fragment);
                if (fragment < n) {
                    query_end = fragment;
                    found->fragment.at[k] = (urlsm_cut){fragment + 1, n - fragment - 1};
                    fragments |= (uint64_t)1 << (k & 63);
                }
            }
            uint64_t asks = query < query_end;
            found->host.at[k] = (urlsm_cut){start, end - start};
            found->path.at[k] = (urlsm_cut){end, (asks ? query : query_end) - end};
            found->query.at[k] = urlsm_cut_if(asks, query + 1, query_end);
            queries |= asks << (k & 63);
            all |= (uint64_t)plain << (k & 63);
        }
        found->plain[row >> 6] = found->host.there[row >> 6] = found->path.there[row >> 6] = all;
        found->query.there[row >> 6] = queries & all;
        found->fragment.there[row >> 6] = fragments & all;
    }
}
