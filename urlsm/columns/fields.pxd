"""The fields of a column as C sees them: the rows of TABLE in columns/names.py.

Written by tools/tables.py, as fields.h.
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
        F_VALID
        F_ERROR
        F_ERROR_AT
        F_SITE
        F_PARAM
        F_AMBIGUOUS

    const char* field_format "urlsm_field_format"(int field) noexcept
    bint is_of_host "urlsm_is_of_host"(int field) noexcept
    bint is_of_refused "urlsm_is_of_refused"(int field) noexcept
