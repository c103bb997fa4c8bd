/* Which texts are plain, what the lane proves about them, and the code that is shared by the lane for one text (one.h)
 * and the lane for a batch (batch.h).
 *
 * The plain lane recognises texts for which the parser has nothing to decide. Such a text is "https://" or "http://",
 * then a host of lower-case letters, digits and the like that is not an address (host.h), then a path, query and
 * fragment that hold nothing to encode and no dot segment. It is its own serialisation, and the first "/", "?" and "#"
 * delimit its components. Every dialect reads it in this way (except rfc1738, in which only http has a query). 98 % of
 * links are plain. The lane makes no decision of its own: tests/machine/test_plain.py and tests/columns/test_lane.py
 * compare its results with the machine's. A host that is an IPv4 address, written as the serializer writes it, is
 * marked as an address: `parse` accepts such a text as well, but properties of names (a registrable domain, the same
 * host in every dialect) are not proved for it.
 *
 * The sets are in octets/chars.h: an octet of URLSM_NOT_PLAIN_HOST_LOW ends a plain host (upper case, marks,
 * delimiters, and the NUL after the end of a text); an octet of URLSM_MARKS_LOW is encoded in some component or begins
 * a component.
 */
#ifndef URLSM_PLAIN_H
#define URLSM_PLAIN_H
#include "../../octets/chars.h"
#include "../../octets/vectors.h"
#include "../bounds.h"

/* Return whether a text begins with "https://" (the next function: "http://"). Eight octets are read as one word,
 * because a batch must not branch. */
static inline uint32_t urlsm_is_https(const uint8_t *p)
{
    uint64_t word, https;
    memcpy(&word, p, 8);
    memcpy(&https, "https://", 8);
    return word == https;
}

static inline uint32_t urlsm_is_http(const uint8_t *p)
{
    uint64_t word, http, eighth;
    memcpy(&word, p, 8);
    memcpy(&http, "http://", 8);
    memcpy(&eighth, "\0\0\0\0\0\0\0\xff", 8);
    return ((word ^ http) & ~eighth) == 0;
}

/* Return whether p[start..end) is an IPv4 address as the URL Standard's IPv4 serializer writes it: four numbers up to
 * 255 without leading zeros. The IPv4 parser would read the same numbers, so the text stays as it is. */
static inline int urlsm_is_ipv4(const uint8_t *p, uint32_t start, uint32_t end)
{
    uint32_t number = 0, digits = 0, dots = 0;
    for (uint32_t k = start; k < end; k++) {
        if (p[k] == '.' ? !digits : !(URLSM_CLASS[p[k]] & URLSM_DIGIT) || (digits && !number))
            return 0;
        dots += p[k] == '.';
        digits = p[k] == '.' ? 0 : digits + 1;
        number = p[k] == '.' ? 0 : 10 * number + (p[k] - '0');
        if (number > 255)
            return 0;
    }
    return dots == 3 && digits;
}
#endif
