"""Character classes (chars.h), for Cython."""
from libc.stdint cimport uint8_t, uint32_t

cdef extern from "octets/chars.h" nogil:
    const uint32_t CLASS "URLSM_CLASS"[256]
    const uint32_t ENC_C0 "URLSM_ENC_C0"
    const uint32_t ENC_FRAGMENT "URLSM_ENC_FRAGMENT"
    const uint32_t ENC_QUERY "URLSM_ENC_QUERY"
    const uint32_t ENC_SPECIAL_QUERY "URLSM_ENC_SPECIAL_QUERY"
    const uint32_t ENC_PATH "URLSM_ENC_PATH"
    const uint32_t ENC_USERINFO "URLSM_ENC_USERINFO"
    const uint32_t ENC_COMPONENT "URLSM_ENC_COMPONENT"
    const uint32_t ENC_FORM "URLSM_ENC_FORM"
    const uint32_t FORBIDDEN_HOST "URLSM_FORBIDDEN_HOST"
    const uint32_t FORBIDDEN_DOMAIN "URLSM_FORBIDDEN_DOMAIN"
    const uint32_t URL_CODE_POINT "URLSM_URL_CODE_POINT"
    const uint32_t ALPHA "URLSM_ALPHA"
    const uint32_t UPPER "URLSM_UPPER"
    const uint32_t DIGIT "URLSM_DIGIT"
    const uint32_t HEX "URLSM_HEX"
    const uint32_t SCHEME_CHAR "URLSM_SCHEME"
    const uint32_t TAB_NEWLINE "URLSM_TAB_NEWLINE"
    const uint32_t C0_OR_SPACE "URLSM_C0_OR_SPACE"
    const uint32_t NON_ASCII "URLSM_NON_ASCII"
    const uint32_t SLASH "URLSM_SLASH"
    const uint32_t BACKSLASH "URLSM_BACKSLASH"
    const uint32_t QUESTION "URLSM_QUESTION"
    const uint32_t HASH "URLSM_HASH"
    const uint32_t COLON "URLSM_COLON"
    const uint32_t AT "URLSM_AT"
    const uint32_t BRACKET "URLSM_BRACKET"
    const uint32_t PERCENT "URLSM_PERCENT"
    const uint32_t SEMICOLON "URLSM_SEMICOLON"
    const uint32_t MARK "URLSM_MARK"
    const uint32_t DELIMITER "URLSM_DELIMITER"
    const uint32_t DOT_SEGMENT "URLSM_DOT_SEGMENT"
    const uint32_t END "URLSM_END"


cdef inline uint8_t lower(uint8_t octet) noexcept nogil:
    """Return the octet, or the lower-case letter if it is an upper-case ASCII letter."""
    return octet | 0x20 if CLASS[octet] & UPPER else octet


cdef inline uint32_t classes_of(const uint8_t* p, size_t n) noexcept nogil:
    """Return the class bits of all octets of p[0:n]."""
    cdef size_t k
    cdef uint32_t seen = 0
    for k in range(n):
        seen |= CLASS[p[k]]
    return seen
