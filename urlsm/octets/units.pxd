"""URL units: the characters that may be written in a URL (URL Standard, #url-units)."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.chars cimport CLASS, HEX, NON_ASCII, PERCENT, URL_CODE_POINT


cdef inline bint is_url_unit(const uint8_t* p, uint32_t n, uint32_t* size) noexcept nogil:
    """Return whether the UTF-8 text p[0:n] begins with a URL unit (#url-code-points). size: set to the number of octets
    to skip."""
    cdef uint32_t point
    size[0] = 1
    if CLASS[p[0]] & PERCENT:
        return n >= 3 and CLASS[p[1]] & HEX and CLASS[p[2]] & HEX
    if not CLASS[p[0]] & NON_ASCII:
        return CLASS[p[0]] & URL_CODE_POINT != 0
    size[0] = min(n, 2 if p[0] < 0xE0 else 3 if p[0] < 0xF0 else 4)
    if size[0] == 2:
        return p[0] != 0xC2 or p[1] >= 0xA0  # U+0080 to U+009F are not URL code points
    # "excluding surrogates and noncharacters"
    point = p[size[0] - 2] << 6 & 0xFC0 | p[size[0] - 1] & 0x3F  # the low 12 bits of the code point
    if size[0] == 3:
        return not (p[0] == 0xEF and (point >= 0xFFE or 0xDD0 <= point <= 0xDEF))
    return not (point >= 0xFFE and p[1] & 0x0F == 0x0F)
