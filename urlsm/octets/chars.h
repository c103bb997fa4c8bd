/* Character classes of octets. Each set is built from others, in the URL Standard's order.
 *
 * A class is one bit, and one table has a word for each of the 256 octets. The compiler computes the table from the
 * predicates below, so there is no other definition. tests/octets/test_chars.py checks every octet.
 * https://url.spec.whatwg.org/#percent-encoded-bytes #host-miscellaneous #url-code-points
 */
#ifndef URLSM_CHARS_H
#define URLSM_CHARS_H
#include <stdint.h>

enum urlsm_class {
    /* percent-encode sets */
    URLSM_ENC_C0 = 1 << 0,
    URLSM_ENC_FRAGMENT = 1 << 1,
    URLSM_ENC_QUERY = 1 << 2,
    URLSM_ENC_SPECIAL_QUERY = 1 << 3,
    URLSM_ENC_PATH = 1 << 4,
    URLSM_ENC_USERINFO = 1 << 5,
    URLSM_ENC_COMPONENT = 1 << 6,
    URLSM_ENC_FORM = 1 << 7,
    /* hosts and URL units */
    URLSM_FORBIDDEN_HOST = 1 << 8,
    URLSM_FORBIDDEN_DOMAIN = 1 << 9,
    URLSM_URL_CODE_POINT = 1 << 10, /* the ASCII ones among the URL code points */
    /* ASCII groups */
    URLSM_ALPHA = 1 << 11,
    URLSM_UPPER = 1 << 12,
    URLSM_DIGIT = 1 << 13,
    URLSM_HEX = 1 << 14,
    URLSM_SCHEME = 1 << 15, /* ALPHA, DIGIT, "+", "-" and "." */
    URLSM_TAB_NEWLINE = 1 << 16,
    URLSM_C0_OR_SPACE = 1 << 17,
    URLSM_NON_ASCII = 1 << 18,
    /* delimiters */
    URLSM_SLASH = 1 << 19,
    URLSM_BACKSLASH = 1 << 20,
    URLSM_QUESTION = 1 << 21,
    URLSM_HASH = 1 << 22,
    URLSM_COLON = 1 << 23,
    URLSM_AT = 1 << 24,
    URLSM_BRACKET = 1 << 25, /* "[" and "]" */
    URLSM_PERCENT = 1 << 26,
    URLSM_SEMICOLON = 1 << 27,
    URLSM_MARK = 1 << 28,      /* every step has to check this octet */
    URLSM_DELIMITER = 1 << 30, /* only the steps within an authority have to check this octet */
    /* DOT_SEGMENT is not a class of octets, but a fact that the machine ORs into the same word */
    URLSM_DOT_SEGMENT = 1 << 29, /* a path segment may begin with a dot */
};
#define URLSM_END (1u << 31) /* the end of the input counts as an octet with a class of its own */

/* clang-format off */
#define IS_UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define IS_ALPHA(c) (IS_UPPER(c) || ((c) >= 'a' && (c) <= 'z'))
#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')
#define IS_ALNUM(c) (IS_ALPHA(c) || IS_DIGIT(c))
#define IS_HEX(c)   (IS_DIGIT(c) || ((c) >= 'a' && (c) <= 'f') || ((c) >= 'A' && (c) <= 'F'))
#define IS_SCHEME(c) (IS_ALNUM(c) || (c) == '+' || (c) == '-' || (c) == '.')
#define IS_C0(c) ((c) <= 0x1F)

#define IN_C0_SET(c) (IS_C0(c) || (c) > 0x7E)
#define FRAGMENT_ADDS(c) ((c) == ' ' || (c) == '"' || (c) == '<' || (c) == '>' || (c) == '`')
#define IN_FRAGMENT_SET(c) (IN_C0_SET(c) || FRAGMENT_ADDS(c))
#define QUERY_ADDS(c) ((c) == ' ' || (c) == '"' || (c) == '#' || (c) == '<' || (c) == '>')
#define PATH_ADDS(c) ((c) == '?' || (c) == '^' || (c) == '`' || (c) == '{' || (c) == '}')
#define USERINFO_ADDS(c) ((c) == '/' || (c) == ':' || (c) == ';' || (c) == '=' || (c) == '@' \
    || ((c) >= '[' && (c) <= ']') || (c) == '|')
#define COMPONENT_ADDS(c) (((c) >= '$' && (c) <= '&') || (c) == '+' || (c) == ',')
#define FORM_ADDS(c) ((c) == '!' || ((c) >= '\'' && (c) <= ')') || (c) == '~')

/* Sets are built from other sets, so an octet has the bits of all sets that contain it. */
#define COMPONENT_BITS (URLSM_ENC_COMPONENT | URLSM_ENC_FORM)
#define USERINFO_BITS (URLSM_ENC_USERINFO | COMPONENT_BITS)
#define PATH_BITS (URLSM_ENC_PATH | USERINFO_BITS)
#define QUERY_BITS (URLSM_ENC_QUERY | URLSM_ENC_SPECIAL_QUERY | PATH_BITS)
#define C0_BITS (URLSM_ENC_C0 | URLSM_ENC_FRAGMENT | QUERY_BITS)
#define HOST_BITS (URLSM_FORBIDDEN_HOST | URLSM_FORBIDDEN_DOMAIN)

#define IS_FORBIDDEN_HOST(c) ((c) == 0 || (c) == '\t' || (c) == '\n' || (c) == '\r' || (c) == ' ' || (c) == '#' \
    || (c) == '/' || (c) == ':' || (c) == '<' || (c) == '>' || (c) == '?' || (c) == '@' \
    || ((c) >= '[' && (c) <= '^') || (c) == '|')
#define FORBIDDEN_DOMAIN_ADDS(c) (IS_C0(c) || (c) == '%' || (c) == 0x7F)

#define IS_URL_CODE_POINT(c) (IS_ALNUM(c) || (c) == '!' || (c) == '$' || ((c) >= '&' && (c) <= '/') \
    || (c) == ':' || (c) == ';' || (c) == '=' || (c) == '?' || (c) == '@' || (c) == '_' || (c) == '~')

/* The delimiters, which the steps within an authority have to check as well as the marks. */
#define IS_DELIMITER(c) ((c) == '/' || (c) == ':' || (c) == '@' || (c) == '[' || (c) == ']' || (c) == ';' || (c) == '%')

/* The marks, which every step has to check: "?" and "#", and all octets that a component may have to encode or refuse.
 * Letters, digits, delimiters and "!$&()*+,-.=_~" are not marks. */
#define IS_MARK(c) (!(IS_ALNUM(c) || IS_DELIMITER(c) || (c) == '!' || (c) == '$' || (c) == '&' \
    || ((c) >= '(' && (c) <= '.') || (c) == '=' || (c) == '_' || (c) == '~'))

#define O1(c) ((uint32_t)( \
      (IN_C0_SET(c) ? C0_BITS : 0) | (FRAGMENT_ADDS(c) ? URLSM_ENC_FRAGMENT : 0) \
    | (QUERY_ADDS(c) ? QUERY_BITS : 0) | ((c) == '\'' ? URLSM_ENC_SPECIAL_QUERY : 0) \
    | (PATH_ADDS(c) ? PATH_BITS : 0) | (USERINFO_ADDS(c) ? USERINFO_BITS : 0) \
    | (COMPONENT_ADDS(c) ? COMPONENT_BITS : 0) | (FORM_ADDS(c) ? URLSM_ENC_FORM : 0) \
    | (IS_FORBIDDEN_HOST(c) ? HOST_BITS : 0) | (FORBIDDEN_DOMAIN_ADDS(c) ? URLSM_FORBIDDEN_DOMAIN : 0) \
    | (IS_URL_CODE_POINT(c) ? URLSM_URL_CODE_POINT : 0) \
    | (IS_ALPHA(c) ? URLSM_ALPHA : 0) | (IS_UPPER(c) ? URLSM_UPPER : 0) | (IS_DIGIT(c) ? URLSM_DIGIT : 0) \
    | (IS_HEX(c) ? URLSM_HEX : 0) | (IS_SCHEME(c) ? URLSM_SCHEME : 0) \
    | ((c) == '\t' || (c) == '\n' || (c) == '\r' ? URLSM_TAB_NEWLINE : 0) \
    | (IS_C0(c) || (c) == ' ' ? URLSM_C0_OR_SPACE : 0) | ((c) > 0x7F ? URLSM_NON_ASCII : 0) \
    | ((c) == '/' ? URLSM_SLASH : 0) | ((c) == '\\' ? URLSM_BACKSLASH : 0) | ((c) == '?' ? URLSM_QUESTION : 0) \
    | ((c) == '#' ? URLSM_HASH : 0) | ((c) == ':' ? URLSM_COLON : 0) | ((c) == '@' ? URLSM_AT : 0) \
    | ((c) == '[' || (c) == ']' ? URLSM_BRACKET : 0) | ((c) == '%' ? URLSM_PERCENT : 0) \
    | ((c) == ';' ? URLSM_SEMICOLON : 0) | (IS_MARK(c) ? URLSM_MARK : 0) \
    | (IS_DELIMITER(c) ? URLSM_DELIMITER : 0)))
#define O4(h, a, b, c, d) O1(0x##h##a), O1(0x##h##b), O1(0x##h##c), O1(0x##h##d)
#define O16(h) O4(h, 0, 1, 2, 3), O4(h, 4, 5, 6, 7), O4(h, 8, 9, A, B), O4(h, C, D, E, F)
/* O4 makes an octet of two hexadecimal digits. O1 repeats its argument many times, so a short argument keeps the
 * expanded text small. */
static const uint32_t URLSM_CLASS[256] = {
    O16(0), O16(1), O16(2), O16(3), O16(4), O16(5), O16(6), O16(7),
    O16(8), O16(9), O16(A), O16(B), O16(C), O16(D), O16(E), O16(F),
};

/* Sets for vectors.h: bit r of LOW[k] is set if octet 16 * r + k is in the set (r < 8). */
#define R1(is, r, k) (is(0x##r##k) ? 1 << r : 0)
#define L1(is, k) (uint8_t)(R1(is, 0, k) | R1(is, 1, k) | R1(is, 2, k) | R1(is, 3, k) | R1(is, 4, k) | R1(is, 5, k) \
    | R1(is, 6, k) | R1(is, 7, k))
#define L4(is, a, b, c, d) L1(is, a), L1(is, b), L1(is, c), L1(is, d)
#define LOW(is) {L4(is, 0, 1, 2, 3), L4(is, 4, 5, 6, 7), L4(is, 8, 9, A, B), L4(is, C, D, E, F)}
#define IS_MARK_OR_DELIMITER(c) (IS_MARK(c) || IS_DELIMITER(c))
#define IS_NOT_PLAIN_HOST(c) (IS_MARK_OR_DELIMITER(c) || IS_UPPER(c))
static const uint8_t URLSM_MARKS_LOW[16] = LOW(IS_MARK);
static const uint8_t URLSM_DELIMITERS_LOW[16] = LOW(IS_DELIMITER);
static const uint8_t URLSM_BOTH_LOW[16] = LOW(IS_MARK_OR_DELIMITER);
static const uint8_t URLSM_UPPER_LOW[16] = LOW(IS_UPPER);
static const uint8_t URLSM_NOT_PLAIN_HOST_LOW[16] = LOW(IS_NOT_PLAIN_HOST);
#define IS_MARK_BUT_QUESTION(c) (IS_MARK(c) && (c) != '?')
static const uint8_t URLSM_MARKS_BUT_QUESTION_LOW[16] = LOW(IS_MARK_BUT_QUESTION);
/* clang-format on */

#undef O1
#undef O4
#undef O16
#undef R1
#undef L1
#undef L4
#undef LOW

/* A set of octets that the caller wants to keep, and the escapes of all others (quoting.h). */
typedef struct {
    uint8_t low[16];         /* the octets that are kept, as a set for vectors.h */
    uint8_t written[256][4]; /* for each octet: the octets to write, and their number in [3] */
} urlsm_quoting;
#endif
