/* The body of marks.h: included by vectors.h, once for each width. */

URLSM_TARGET static void W(index)(const uint8_t *p, uint32_t n, urlsm_index *index)
{
    uint64_t slash_before = 0;
    for (uint32_t k = 0; k < n; k += 64) {
        W(block) b = W(load)(p + k, n - k, k);
        uint64_t slash = W(equal)(b, '/'), dot = W(equal)(b, '.') | W(equal)(b, '%');
        index->marks[k >> 6] = (W(within)(b, URLSM_MARKS_LOW) | W(non_ascii)(b)) & urlsm_first(n - k);
        index->delimiters[k >> 6] = W(within)(b, URLSM_DELIMITERS_LOW);
        index->dots[k >> 6] = dot & (slash << 1 | slash_before);
        index->upper[k >> 6] = W(within)(b, URLSM_UPPER_LOW);
        slash_before = slash >> 63;
    }
}

URLSM_TARGET static size_t W(find)(const uint8_t *p, size_t n, size_t before, const uint8_t *low)
{
    for (size_t k = 0; k < n; k += 64) {
        W(block) b = W(load)(p + k, n - k, before + k);
        uint64_t found = W(within)(b, low) | W(non_ascii)(b);
        if (found) {
            k += urlsm_ctz(found);
            return k < n ? k : n; /* the NUL after the end may be in the set, so k may exceed n */
        }
    }
    return n;
}

URLSM_TARGET static int W(dot_segment)(const uint8_t *p, size_t n, size_t before)
{
    /* blocks overlap by three octets, so that each "/%2e" lies completely in one of them */
    for (size_t k = 0; k < n; k += 61) {
        W(block) b = W(load)(p + k, n - k, before + k);
        uint64_t dot = W(equal)(b, '.'), escape = W(equal)(b, '%'), slash;
        if (!(dot | escape))
            continue;
        slash = W(equal)(b, '/') << 1;
        if (slash & (dot | (escape & W(equal)(b, '2') >> 1 & (W(equal)(b, 'e') | W(equal)(b, 'E')) >> 2)))
            return 1;
    }
    return 0;
}
