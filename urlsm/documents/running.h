/* A table of the effect of each octet on a URL in running text: a byte of bits for each octet, which the compiler
 * computes.
 *
 * octets/chars.h has the URL Standard's classes. The bits here follow the habits of writers, and RFC 3986 appendix C.
 */
#ifndef URLSM_RUNNING_H
#define URLSM_RUNNING_H
#include "../octets/chars.h"

enum urlsm_effect {
    URLSM_ENDS = 1,    /* ends a URL: white space, controls, and the delimiters of appendix C */
    URLSM_MULTI = 2,   /* belongs to a character beyond ASCII, which may end a URL */
    URLSM_OPENS = 4,   /* an opening bracket; if the URL contains it, the closing bracket belongs to the URL as well */
    URLSM_CLOSES = 8,  /* a closing bracket; ends a URL that does not contain the opening bracket */
    URLSM_TRAILS = 16, /* punctuation that belongs to the sentence if it stands at the end of a URL */
    URLSM_SERVER = 32, /* may be anywhere in an authority; other octets only in the user information */
    URLSM_LOOK = 64,   /* the scan of a URL has to stop here and check the octet */
    URLSM_NAME = 128,  /* may be in a host name: letters, digits, "-" and "." */
};

/* clang-format off */
#define IS_OPENING(c) ((c) == '(' || (c) == '[' || (c) == '{')
#define IS_CLOSING(c) ((c) == ')' || (c) == ']' || (c) == '}')
#define IS_ENDING(c) (((c) < 0x80 && IN_FRAGMENT_SET(c)) || (c) == '\\')
#define IS_TRAILING(c) ((c) == '.' || (c) == ',' || (c) == ';' || (c) == ':' || (c) == '!' || (c) == '?' \
    || (c) == '\'' || (c) == '|' || IS_OPENING(c))
#define IS_SERVER(c) (IS_ALNUM(c) || (c) == '-' || (c) == '.' || (c) == '_' || (c) == '~' || (c) == '%' \
    || (c) == '$' || (c) == '&' || (c) == '+' || (c) == '=' || (c) == ':')

#define E1(c) (uint8_t)((IS_ENDING(c) ? URLSM_ENDS : 0) | ((c) > 0x7F ? URLSM_MULTI : 0) \
    | (IS_OPENING(c) ? URLSM_OPENS : 0) | (IS_CLOSING(c) ? URLSM_CLOSES : 0) | (IS_TRAILING(c) ? URLSM_TRAILS : 0) \
    | (IS_SERVER(c) ? URLSM_SERVER : 0) \
    | (IS_ENDING(c) || (c) > 0x7F || IS_OPENING(c) || IS_CLOSING(c) || (c) == ':' || (c) == '\'' ? URLSM_LOOK : 0) \
    | (IS_ALNUM(c) || (c) == '-' || (c) == '.' ? URLSM_NAME : 0))
#define E4(c) E1((c)), E1((c) + 1), E1((c) + 2), E1((c) + 3)
#define E16(c) E4((c)), E4((c) + 4), E4((c) + 8), E4((c) + 12)
#define E64(c) E16((c)), E16((c) + 16), E16((c) + 32), E16((c) + 48)
static const uint8_t URLSM_EFFECT[256] = {E64(0), E64(64), E64(128), E64(192)};
/* clang-format on */

#undef E1
#undef E4
#undef E16
#undef E64
#endif
