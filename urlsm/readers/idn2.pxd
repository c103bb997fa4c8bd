"""libidn2's idn2_lookup_u8, for Cython."""

cdef enum:
    LIBIDN2_2_3_3 = 0         # Unicode 14
    LIBIDN2_2_3_8 = 1         # Unicode 15.1; a capital sharp s is mapped to a small one instead of to "ss"
    USE_STD3_ASCII_RULES = 2  # what maps to other ASCII than letters, digits, "-" and "." is dropped

cdef bytes libidn2(bytes host, int flags)
