/* The fields of a column as C sees them: the rows of TABLE in columns/names.py.
 * Written by tools/tables.py. */
#ifndef URLSM_FIELDS_H
#define URLSM_FIELDS_H
#include <stddef.h>

enum {
    F_SCHEME,
    F_USERNAME,
    F_PASSWORD,
    F_HOST,
    F_PORT,
    F_PATH,
    F_QUERY,
    F_FRAGMENT,
    F_HREF,
    F_AUTHORITY,
    F_ORIGIN,
    F_VALID,
    F_ERROR,
    F_ERROR_AT,
    F_SITE,
    F_PARAM,
    F_AMBIGUOUS,
    FIELD_COUNT
};

/* Arrow's format of the field's values; NULL: a text, in the layout that is asked for. */
static inline const char *urlsm_field_format(int field)
{
    switch (field) {
    case F_PORT: return "S";
    case F_VALID: return "b";
    case F_ERROR: return "c";
    case F_ERROR_AT: return "i";
    case F_AMBIGUOUS: return "b";
    default: return NULL;
    }
}

/* Whether the field does not depend on the text after the authority. */
static inline int urlsm_is_of_host(int field) { return field == F_HOST || field == F_VALID || field == F_SITE; }

/* Whether the field has a value for a refused text. */
static inline int urlsm_is_of_refused(int field) { return field == F_VALID || field == F_ERROR || field == F_ERROR_AT; }

#endif
