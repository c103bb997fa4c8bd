/* The body of quoting.h: included by vectors.h, once for each width. */

URLSM_TARGET static uint64_t W(outside)(const uint8_t *p, size_t n, const uint8_t *low)
{
    return ~W(within)(W(load)(p, n, 0), low) & urlsm_first(n);
}
