/* The words that names of secrets contain, as C sees them: WORDS of errors/secret_names.py.
 * Written by tools/tables.py. */
#ifndef URLSM_SECRET_WORDS_H
#define URLSM_SECRET_WORDS_H
#include <stddef.h>
#include <stdint.h>

/* Returns whether p[0:n], in upper or lower case, begins with a word. The word is in lower case. */
static inline int urlsm_begins(const uint8_t *p, size_t n, const char *word, size_t size)
{
    if (n < size)
        return 0;
    for (size_t k = 0; k < size; k++)
        if ((p[k] | 0x20) != ((uint8_t)word[k] | 0x20))
            return 0;
    return 1;
}

static inline int urlsm_begins_secret_word(const uint8_t *p, size_t n)
{
    switch (p[0] | 0x20) {
    case 'a':
        return urlsm_begins(p, n, "access", 6) ||
            urlsm_begins(p, n, "amz", 3) ||
            urlsm_begins(p, n, "assertion", 9) ||
            urlsm_begins(p, n, "authmech", 8) ||
            urlsm_begins(p, n, "authori", 7);
    case 'c':
        return urlsm_begins(p, n, "code", 4) ||
            urlsm_begins(p, n, "credential", 10);
    case 'h':
        return urlsm_begins(p, n, "hdn", 3) ||
            urlsm_begins(p, n, "hmac", 4);
    case 'j':
        return urlsm_begins(p, n, "jwt", 3);
    case 'k':
        return urlsm_begins(p, n, "key", 3);
    case 'o':
        return urlsm_begins(p, n, "otp", 3);
    case 'p':
        return urlsm_begins(p, n, "pass", 4) ||
            urlsm_begins(p, n, "pin-", 4) ||
            urlsm_begins(p, n, "pin_", 4) ||
            urlsm_begins(p, n, "pins", 4) ||
            urlsm_begins(p, n, "pinv", 4) ||
            urlsm_begins(p, n, "pwd", 3);
    case 's':
        return urlsm_begins(p, n, "saml", 4) ||
            urlsm_begins(p, n, "secret", 6) ||
            urlsm_begins(p, n, "sig", 3);
    case 't':
        return urlsm_begins(p, n, "token", 5);
    case 'u':
        return urlsm_begins(p, n, "urlauth", 7);
    case 'v':
        return urlsm_begins(p, n, "verifier", 8);
    default:
        return 0;
    }
}

#endif
