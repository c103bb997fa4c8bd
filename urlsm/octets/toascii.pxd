"""Unicode ToASCII of common domains (toascii.h), for Cython."""
from libc.stdint cimport uint8_t

cdef extern from "octets/toascii.h" nogil:
    const size_t NO_DOMAIN "URLSM_NO_DOMAIN"
    const char* TABLE_VERSION "URLSM_TOASCII_UNICODE"
    size_t common_domain "urlsm_common_domain"(const uint8_t* p, size_t n, uint8_t* out, size_t room,
                                               bint current) noexcept
