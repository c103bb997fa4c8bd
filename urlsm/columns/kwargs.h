/* Reads the arguments that Polars passes to a function of a plug-in: a pickle of a dict, from which we need one text.
 *
 * A pickle in general is a program. This code reads only pickles of the form that pickle.dumps({"q": text}, protocol=5)
 * writes; protocol 4 writes the same form. tests/columns/test_kwargs.py checks the code with the pickle module of each
 * CPython.
 */
#ifndef URLSM_KWARGS_H
#define URLSM_KWARGS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A request says what a plug-in function has to make. It is a text of these pieces:
 * 1. "+" for a struct; "1" for a single field; "?" for a single field of texts that may be bare hosts;
 * 2. the number of a dialect, or "-" for the URL parser;
 * 3. for each field: its number as a letter (A is 0), its name, and a comma;
 * 4. the name of the query parameter, if the field is F_QUERY_PARAM.
 */
typedef struct urlsm_request {
    const char *p;
    size_t n;
} urlsm_request;

/* Sets the request to the text in the pickle p[0:n]; the text is not copied. Returns 0 if the pickle has another
 * form. */
static int urlsm_read_kwargs(urlsm_request *request, const uint8_t *p, size_t n)
{
    static const uint8_t HEAD[] = {'}', 0x94, 0x8c, 1, 'q', 0x94}; /* EMPTY_DICT MEMOIZE SHORT_BINUNICODE MEMOIZE */
    size_t at = n > 11 && p[2] == 0x95 ? 11 : 2, length = 0;       /* after PROTO, and FRAME if there is one */
    if (n < at + sizeof(HEAD) + 5 || p[0] != 0x80 || memcmp(p + at, HEAD, sizeof(HEAD)) != 0)
        return 0;
    at += sizeof(HEAD);
    if (p[at] == 0x8c) { /* SHORT_BINUNICODE */
        length = p[at + 1];
        at += 2;
    } else if (p[at] == 'X') { /* BINUNICODE */
        length = p[at + 1] | (size_t)p[at + 2] << 8 | (size_t)p[at + 3] << 16 | (size_t)p[at + 4] << 24;
        at += 5;
    }
    request->p = (const char *)p + at;
    request->n = length;
    return length > 4 && length < n - at;
}

#endif
