/* Odd heads: the text would be plain (plain.h), but its scheme, host or port has to be rewritten. The lane finds where
 * these lie; the host parser reads the host.
 *
 * Why the states of the URL Standard find the same places: "http" and "https" are matched regardless of case (scheme
 * state). The ":" is followed by "//" and an octet that is neither "/" nor "\\" (special authority slashes and ignore
 * slashes states). The authority ends at the first "/", "?", "#" or at the end, and has neither "@" nor "\\" (authority
 * state), so it consists of host and port. It has no mark: it is ASCII and holds no tab or newline, no "%" and nothing
 * that a domain must not hold. The host ends at the first ":" outside of brackets (host state), and brackets enclose
 * all of it or do not occur. That ":" is followed by nothing, or by the digits of a number up to 65535 (port state).
 * All other texts, including those that are refused, are left to the states.
 */
#ifndef URLSM_ODD_H
#define URLSM_ODD_H
#include "plain.h"

/* Return what urlsm_plain_scheme returns, but accept the scheme in upper or lower case. */
static inline uint32_t urlsm_scheme_in_any_case(const uint8_t *p, uint32_t n)
{
    static const uint8_t letters[8] = {0x20, 0x20, 0x20, 0x20, 0x20, 0, 0, 0};
    uint64_t word, bits;
    uint8_t lower[8];
    if (n < 9)
        return 0;
    memcpy(&word, p, 8);
    memcpy(&bits, letters, 8);
    word |= bits;
    memcpy(lower, &word, 8);
    if (urlsm_is_https(lower))
        return 8;
    return urlsm_is_http(lower) && p[4] == ':' ? 7 : 0;
}

/* Return where the authority ends, or 0 to leave the text to the states. The host begins at `start`. Set name_end and
 * port of found. stops: bits of the octets in the first block that end a plain host. */
static inline uint32_t urlsm_odd_authority(const uint8_t *p, uint32_t start, uint32_t n, uint64_t stops,
                                           urlsm_bounds *found)
{
    uint32_t k = 0, opened = 0, closed = 0, colon = 0, number = 0;
    for (stops = stops >> start << start; stops; stops &= stops - 1) {
        k = urlsm_ctz(stops);
        if (k >= n || p[k] == '/' || p[k] == '?' || p[k] == '#')
            break;
        if (p[k] == '[' && k == start)
            opened = 1;
        else if (p[k] == ']' && opened && !closed)
            closed = k;
        else if (p[k] == ':' && opened && !closed)
            continue;
        else if (p[k] == ':' && !colon)
            colon = k;
        else if (!(URLSM_CLASS[p[k]] & URLSM_UPPER) || closed || colon)
            return 0;
    }
    if (!stops || k == start || colon == start || (opened && closed + 1 != (colon ? colon : k)))
        return 0;
    found->name_end = colon ? colon : k;
    found->port = -1;
    if (colon && colon + 1 < k) {
        if (k - colon > 6)
            return 0;
        for (uint32_t digit = colon + 1; digit < k; digit++) {
            if (!(URLSM_CLASS[p[digit]] & URLSM_DIGIT))
                return 0;
            number = 10 * number + (p[digit] - '0');
        }
        if (number > 0xFFFF)
            return 0;
        found->port = (int32_t)number;
    }
    return k;
}
#endif
