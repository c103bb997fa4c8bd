/* Character classes of octets, built set from set in the URL Standard's order.
 *
 * One bit per class, one table of 256 words. The compiler evaluates the predicates below, so there is
 * only the readable definition. tests/octets/test_chars.py sweeps every octet.
 * https://url.spec.whatwg.org/#percent-encoded-bytes  #host-miscellaneous  #url-code-points
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
    URLSM_URL_CODE_POINT = 1 << 10, /* the ASCII ones */
    /* ASCII groups */
    URLSM_ALPHA = 1 << 11,
    URLSM_UPPER = 1 << 12,
    URLSM_DIGIT = 1 << 13,
    URLSM_HEX = 1 << 14,
    URLSM_SCHEME = 1 << 15, /* alphanumeric, "+", "-", "." */
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
    URLSM_MARK = 1 << 28,      /* every consume step has to look at it */
    URLSM_DELIMITER = 1 << 30, /* the steps within an authority look at it as well */
    /* not classes of octets, but facts the machine ORs into the same word */
    URLSM_DOT_SEGMENT = 1 << 29, /* a path segment may begin with a dot */
};
#define URLSM_END (1u << 31) /* the end of input: one more input */

/* clang-format off */
#define IS_UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define IS_ALPHA(c) (IS_UPPER(c) || ((c) >= 'a' && (c) <= 'z'))
#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')
#define IS_ALNUM(c) (IS_ALPHA(c) || IS_DIGIT(c))
#define IS_HEX(c)   (IS_DIGIT(c) || ((c) >= 'a' && (c) <= 'f') || ((c) >= 'A' && (c) <= 'F'))
#define IS_SCHEME(c) (IS_ALNUM(c) || (c) == '+' || (c) == '-' || (c) == '.')
#define IS_C0(c) ((c) <= 0x1F)

#define IN_C0_SET(c) (IS_C0(c) || (c) > 0x7E)
#define IN_FRAGMENT_SET(c) (IN_C0_SET(c) || (c) == ' ' || (c) == '"' || (c) == '<' || (c) == '>' || (c) == '`')
#define IN_QUERY_SET(c) (IN_C0_SET(c) || (c) == ' ' || (c) == '"' || (c) == '#' || (c) == '<' || (c) == '>')
#define IN_SPECIAL_QUERY_SET(c) (IN_QUERY_SET(c) || (c) == '\'')
#define IN_PATH_SET(c) (IN_QUERY_SET(c) || (c) == '?' || (c) == '^' || (c) == '`' || (c) == '{' || (c) == '}')
#define IN_USERINFO_SET(c) (IN_PATH_SET(c) || (c) == '/' || (c) == ':' || (c) == ';' || (c) == '=' \
                            || (c) == '@' || ((c) >= '[' && (c) <= ']') || (c) == '|')
#define IN_COMPONENT_SET(c) (IN_USERINFO_SET(c) || ((c) >= '$' && (c) <= '&') || (c) == '+' || (c) == ',')
#define IN_FORM_SET(c) (IN_COMPONENT_SET(c) || (c) == '!' || ((c) >= '\'' && (c) <= ')') || (c) == '~')

#define IS_FORBIDDEN_HOST(c) ((c) == 0 || (c) == '\t' || (c) == '\n' || (c) == '\r' || (c) == ' ' || (c) == '#' \
    || (c) == '/' || (c) == ':' || (c) == '<' || (c) == '>' || (c) == '?' || (c) == '@' \
    || ((c) >= '[' && (c) <= '^') || (c) == '|')
#define IS_FORBIDDEN_DOMAIN(c) (IS_FORBIDDEN_HOST(c) || IS_C0(c) || (c) == '%' || (c) == 0x7F)

#define IS_URL_CODE_POINT(c) (IS_ALNUM(c) || (c) == '!' || (c) == '$' || ((c) >= '&' && (c) <= '/') \
    || (c) == ':' || (c) == ';' || (c) == '=' || (c) == '?' || (c) == '@' || (c) == '_' || (c) == '~')

/* Delimiters: the steps within an authority have to look at these as well. */
#define IS_DELIMITER(c) ((c) == '/' || (c) == ':' || (c) == '@' || (c) == '[' || (c) == ']' || (c) == ';' || (c) == '%')

/* Marks: every step has to look at these: "?" and "#", and all that some component may have to encode or
 * refuse. Letters, digits, delimiters and "!$&()*+,-.=_~" are not marks. */
#define IS_MARK(c) (!(IS_ALNUM(c) || IS_DELIMITER(c) || (c) == '!' || (c) == '$' || (c) == '&' \
    || ((c) >= '(' && (c) <= '.') || (c) == '=' || (c) == '_' || (c) == '~'))

#define O1(c) ((uint32_t)( \
      (IN_C0_SET(c) ? URLSM_ENC_C0 : 0) | (IN_FRAGMENT_SET(c) ? URLSM_ENC_FRAGMENT : 0) \
    | (IN_QUERY_SET(c) ? URLSM_ENC_QUERY : 0) | (IN_SPECIAL_QUERY_SET(c) ? URLSM_ENC_SPECIAL_QUERY : 0) \
    | (IN_PATH_SET(c) ? URLSM_ENC_PATH : 0) | (IN_USERINFO_SET(c) ? URLSM_ENC_USERINFO : 0) \
    | (IN_COMPONENT_SET(c) ? URLSM_ENC_COMPONENT : 0) | (IN_FORM_SET(c) ? URLSM_ENC_FORM : 0) \
    | (IS_FORBIDDEN_HOST(c) ? URLSM_FORBIDDEN_HOST : 0) | (IS_FORBIDDEN_DOMAIN(c) ? URLSM_FORBIDDEN_DOMAIN : 0) \
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
#define O4(c) O1((c)), O1((c) + 1), O1((c) + 2), O1((c) + 3)
#define O16(c) O4((c)), O4((c) + 4), O4((c) + 8), O4((c) + 12)
#define O64(c) O16((c)), O16((c) + 16), O16((c) + 32), O16((c) + 48)
static const uint32_t URLSM_CLASS[256] = {O64(0), O64(64), O64(128), O64(192)};

/* For vectors.h: bit r of LOW[k] is set where octet 16 * r + k is in the set (r < 8). */
#define R1(is, r, k) (is(16 * (r) + (k)) ? 1 << (r) : 0)
#define L1(is, k) (uint8_t)(R1(is, 0, k) | R1(is, 1, k) | R1(is, 2, k) | R1(is, 3, k) | R1(is, 4, k) | R1(is, 5, k) \
    | R1(is, 6, k) | R1(is, 7, k))
#define L4(is, k) L1(is, k), L1(is, (k) + 1), L1(is, (k) + 2), L1(is, (k) + 3)
#define LOW(is) {L4(is, 0), L4(is, 4), L4(is, 8), L4(is, 12)}
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
#undef O64
#undef R1
#undef L1
#undef L4
#undef LOW
#endif
