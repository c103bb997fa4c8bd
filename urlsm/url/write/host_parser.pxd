"""The URL Standard's host parser: host_parser appends the serialised host to a buffer, or says why it refuses it."""
from libc.stdint cimport uint16_t, uint32_t
from urlsm.machine.codes cimport HOST_INVALID_CODE_POINT, INVALID_URL_UNIT, IPV6_UNCLOSED
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.chars cimport CLASS, ENC_C0, FORBIDDEN_HOST, NON_ASCII, PERCENT
from urlsm.octets.text cimport write_encoded
from urlsm.octets.units cimport is_url_unit
from urlsm.url.write.domain cimport ascii_domain, encoded_domain
from urlsm.url.write.host cimport HostInput, refuse, violation
from urlsm.url.write.ipv6 cimport ipv6_parser, ipv6_serializer


cdef inline bint opaque_host_parser(Buffer* b, HostInput* h) except -1 nogil:
    cdef uint32_t k, size
    # "If input contains a forbidden host code point, host-invalid-code-point validation error"
    if h.seen & FORBIDDEN_HOST:
        for k in range(h.n):
            if CLASS[h.p[k]] & FORBIDDEN_HOST:
                return refuse(h, HOST_INVALID_CODE_POINT, k)
    # "a code point that is not a URL code point and not U+0025 (%)", "(%) [not followed by] two ASCII hex digits"
    if h.log != NULL:
        k = 0
        while k < h.n:
            if not is_url_unit(h.p + k, h.n - k, &size):
                violation(h, INVALID_URL_UNIT, k)
            k += size
    # "UTF-8 percent-encode on input using the C0 control percent-encode set"
    write_encoded(b, h.p, h.n, ENC_C0)
    return True


cdef inline bint host_parser(Buffer* b, HostInput* h) except -1 nogil:
    """Append the serialised host; return False if it is refused, see h.error. The caller handles an empty host."""
    cdef uint16_t[8] pieces
    # "If input starts with U+005B ([)": "If input does not end with U+005D (]), IPv6-unclosed"
    if h.n and h.p[0] == c'[':
        if h.p[h.n - 1] != c']':
            return refuse(h, IPV6_UNCLOSED, h.n)
        if not ipv6_parser(h, pieces):
            return False
        return ipv6_serializer(b, pieces) == 0
    if not h.special:
        return opaque_host_parser(b, h)
    if not h.seen & (PERCENT | NON_ASCII):
        # "If domain is an ASCII string, then set result to domain, lowercased."
        return ascii_domain(b, h, h.p, h.n, True)
    return encoded_domain(b, h)
