/* Which texts are plain, what the lane proves of them, and what the code for one text (one.h) and for a batch (batch.h)
 * shares.
 *
 * The plain lane proves by grammar that there is nothing to decide about a text. The text is "https://" or "http://",
 * then a host of lower-case letters, digits and the like that is not an address (host.h), then a path, query and
 * fragment that hold nothing to encode and no dot segment. Such a text is its own
 * serialisation, and the first "/", "?" and "#" tell where its components lie. Every dialect reads it so (except
 * rfc1738, in which only http has a query). 98 % of links are plain. The lane makes no decision of its own:
 * tests/machine/test_plain.py and tests/columns/test_lane.py compare all that it takes with the machine.
 * An IPv4 address as the serializer writes it is marked as one: parse takes such a text too, but what is proved of
 * names (a registrable domain, the same host in every dialect) is not proved of an address.
 *
 * The sets are in octets/chars.h: an octet of URLSM_NOT_PLAIN_HOST_LOW ends a plain host (upper case, marks,
 * delimiters, and the NUL behind the end of a text), one of URLSM_MARKS_LOW is encoded by some component or begins one.
 */
#ifndef URLSM_PLAIN_H
#define URLSM_PLAIN_H
#include "../../octets/chars.h"
#include "../../octets/vectors.h"
#include "../bounds.h"

/* Return whether a text begins with "https://"; the next function, with "http://". Eight octets are read as one word,
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
 * 255 without leading zeros. The IPv4 parser reads the same numbers, so the text stays as it is. */
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
