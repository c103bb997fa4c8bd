"""UTS 46 (toascii.h), for Cython. Only text.pyx holds its table: other modules call write_domain there."""
from libc.stdint cimport uint8_t, uint32_t

cdef extern from "octets/toascii.h" nogil:
    const int VALID "URLSM_IDNA_VALID"
    const int NO_ROOM "URLSM_IDNA_NO_ROOM"
    const char* UNICODE_VERSION "URLSM_TOASCII_UNICODE"
    int process_domain "urlsm_process_domain"(const uint8_t* p, size_t n, uint8_t* out, size_t room, bint in_unicode,
                                              size_t* written, uint32_t* culprit) noexcept
