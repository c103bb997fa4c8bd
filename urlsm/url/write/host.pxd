"""Code that the parts of the host parser share (URL Standard, #host-parsing), and the check for hosts that are in
normal form already."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.codes cimport Code
from urlsm.machine.log cimport Log, Step, log_violation
from urlsm.octets.buffer cimport Buffer, buffer_copy
from urlsm.octets.chars cimport CLASS, DIGIT, FORBIDDEN_DOMAIN, HEX, NON_ASCII, UPPER

cdef enum:
    DIGITS = 12              # in octets; enough for any uint32_t in decimal

cdef struct HostInput:
    const uint8_t* p         # the host's text is p[0:n]
    uint32_t n
    uint32_t seen            # class bits of its marks (octets/chars.h), and UPPER if it has an upper-case letter
    uint32_t offset          # where p begins in the whole text, for positions of errors
    bint special             # whether the host is a domain or address; otherwise it is opaque
    Step step                # the step of the machine that a refusal is reported for
    Log* log                 # NULL: nothing is recorded
    Code error               # output: the reason for a refusal
    uint32_t error_at        # output: the position of the error


cdef inline bint ends_in_a_number(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether a host ends in a number (#ends-in-a-number-checker)."""
    cdef size_t start, k
    # "If the last item in parts is the empty string, then remove the last item from parts."
    if n and p[n - 1] == c'.':
        n -= 1
    start = n
    while start and p[start - 1] != c'.':
        start -= 1
    if start == n or not CLASS[p[start]] & DIGIT:
        return False
    # "If last is not the empty string and contains only ASCII digits, then return true."
    k = start
    while k < n and CLASS[p[k]] & DIGIT:
        k += 1
    if k == n:
        return True
    # "equivalent to checking that last is "0X" or "0x", followed by zero or more ASCII hex digits"
    if p[start] != c'0' or p[start + 1] | 0x20 != c'x':
        return False
    k = start + 2
    while k < n and CLASS[p[k]] & HEX:
        k += 1
    return k == n


cdef inline bint is_normal_domain(const uint8_t* p, uint32_t n, uint32_t seen) noexcept nogil:
    """Return whether the host parser would return the host p[0:n] of a special URL unchanged."""
    if n == 0 or seen & (FORBIDDEN_DOMAIN | NON_ASCII | UPPER):
        return False
    # quick check: most domains end in a letter that is neither a hex digit nor "x", so they cannot end in a number
    return not (CLASS[p[n - 1]] & HEX or p[n - 1] == c'x' or p[n - 1] == c'.') or not ends_in_a_number(p, n)


cdef inline bint refuse(HostInput* h, Code code, uint32_t at) noexcept nogil:
    h.error = code
    h.error_at = h.offset + at
    if h.log != NULL:
        log_violation(h.log, h.step, code, True, h.error_at)
    return False


cdef inline void violation(HostInput* h, Code code, uint32_t at) noexcept nogil:
    if h.log != NULL:
        log_violation(h.log, h.step, code, False, h.offset + at)


cdef inline void put_four(uint8_t* out, uint32_t octets) noexcept nogil:
    """Write four octets, the lowest one first. Compilers turn this into one store."""
    out[0] = octets & 0xFF
    out[1] = octets >> 8 & 0xFF
    out[2] = octets >> 16 & 0xFF
    out[3] = octets >> 24


cdef inline uint32_t digits_of(uint8_t* digits, uint32_t value, uint32_t radix) noexcept nogil:
    """Write value at the end of digits[0:DIGITS], with lower-case letters and without leading zeros; return where it
    begins."""
    cdef uint32_t k = DIGITS
    while True:
        k -= 1
        digits[k] = b"0123456789abcdef"[value % radix]
        value //= radix
        if not value:
            return k


cdef inline int write_number(Buffer* b, uint32_t value, uint32_t radix) except -1 nogil:
    """Append value with lower-case letters and without leading zeros."""
    cdef uint8_t[DIGITS] digits
    cdef uint32_t k = digits_of(digits, value, radix)
    return buffer_copy(b, digits + k, DIGITS - k)
