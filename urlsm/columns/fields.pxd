"""The fields of a column as C sees them: the rows of TABLE in columns/names.py.

Written by tools/tables.py, like fields.h.
"""

cdef extern from "columns/fields.h" nogil:
    enum:
        F_SCHEME
        F_USERNAME
        F_PASSWORD
        F_HOST
        F_PORT
        F_PATH
        F_QUERY
        F_FRAGMENT
        F_HREF
        F_AUTHORITY
        F_ORIGIN
        F_CAN_PARSE
        F_ERROR_CODE
        F_ERROR_POSITION
        F_REGISTRABLE_DOMAIN
        F_PUBLIC_SUFFIX
        F_ICANN_REGISTRABLE_DOMAIN
        F_ICANN_PUBLIC_SUFFIX
        F_QUERY_PARAM
        F_IS_AMBIGUOUS
        F_HAZARDS
        F_TRAPS
        F_XXH64
        F_SHA1
        F_BLAKE2B_128
        F_NAME
        F_LABEL1
        F_LABEL2
        F_LABEL3
        F_LABEL4
        F_LABEL5
        F_REVERSED

    const char* field_format "urlsm_field_format"(int field) noexcept
    bint is_of_host "urlsm_is_of_host"(int field) noexcept
    bint is_of_list "urlsm_is_of_list"(int field) noexcept
