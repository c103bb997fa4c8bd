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
    F_CAN_PARSE,
    F_ERROR_CODE,
    F_ERROR_POSITION,
    F_REGISTRABLE_DOMAIN,
    F_PUBLIC_SUFFIX,
    F_ICANN_REGISTRABLE_DOMAIN,
    F_ICANN_PUBLIC_SUFFIX,
    F_QUERY_PARAM,
    F_IS_AMBIGUOUS,
    F_HAZARDS,
    F_TRAPS,
    F_XXH64,
    F_SHA1,
    F_BLAKE2B_128,
    F_NAME,
    F_LABEL1,
    F_LABEL2,
    F_LABEL3,
    F_LABEL4,
    F_LABEL5,
    F_REVERSED,
    FIELD_COUNT
};

/* Returns Arrow's format of the field's values; NULL for a text, whose layout the caller chooses. */
static inline const char *urlsm_field_format(int field)
{
    switch (field) {
    case F_PORT: return "S";
    case F_CAN_PARSE: return "b";
    case F_ERROR_CODE: return "c";
    case F_ERROR_POSITION: return "i";
    case F_IS_AMBIGUOUS: return "b";
    case F_HAZARDS: return "L";
    case F_TRAPS: return "L";
    case F_XXH64: return "L";
    case F_SHA1: return "w:20";
    case F_BLAKE2B_128: return "w:16";
    default: return NULL;
    }
}

/* Returns whether the text after the authority has no effect on the field. */
static inline int urlsm_is_of_host(int field)
{
    switch (field) {
    case F_HOST:
    case F_CAN_PARSE:
    case F_REGISTRABLE_DOMAIN:
    case F_PUBLIC_SUFFIX:
    case F_ICANN_REGISTRABLE_DOMAIN:
    case F_ICANN_PUBLIC_SUFFIX:
    case F_NAME:
    case F_LABEL1:
    case F_LABEL2:
    case F_LABEL3:
    case F_LABEL4:
    case F_LABEL5:
    case F_REVERSED:
        return 1;
    default:
        return 0;
    }
}

/* Returns whether the field needs a list of public suffixes. */
static inline int urlsm_is_of_list(int field)
{
    switch (field) {
    case F_REGISTRABLE_DOMAIN:
    case F_PUBLIC_SUFFIX:
    case F_ICANN_REGISTRABLE_DOMAIN:
    case F_ICANN_PUBLIC_SUFFIX:
        return 1;
    default:
        return 0;
    }
}

#endif
