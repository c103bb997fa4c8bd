"""Domains, as the URL Standard's host parser reads them (#concept-domain-to-ascii). UTS 46 is in unicode/toascii.h.

Python code is only called if there is a log, to find out whether a domain is strictly valid.
"""
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.codes cimport DOMAIN_PERCENT_ENCODED, DOMAIN_TO_ASCII, IPV4_NON_ASCII_INPUT
from urlsm.octets.buffer cimport Buffer, buffer_copy_lower, buffer_free, buffer_start
from urlsm.octets.chars cimport CLASS, FORBIDDEN_DOMAIN, NON_ASCII, classes_of
from urlsm.octets.text cimport octet_escaped, write_decoded
from urlsm.unicode.domains cimport write_domain
from urlsm.url.write.host cimport HostInput, ends_in_a_number, refuse, violation
from urlsm.url.write.ipv4 cimport ipv4_parser


cdef inline bint is_strictly_valid(const uint8_t* p, size_t n) except -1 with gil:
    """Return whether the domain p[0:n] passes domain to ASCII with beStrict. (That is #valid-domain, except for
    addresses.)"""
    from urlsm.unicode.idna import IDNAError, parse_domain
    valid = True
    try:
        parse_domain(PyUnicode_DecodeUTF8(<const char*>p, n, "replace"), True)
    except IDNAError:
        valid = False
    return valid


cdef inline bint write_domain_to_ascii(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append the ASCII form of the domain p[0:n], by ToASCII. If there is none, append nothing and return False."""
    cdef uint32_t culprit
    cdef size_t start = b.n
    # "If result is a failure value", "the empty string" or "contains a forbidden domain code point"
    if write_domain(b, p, n, False, &culprit) != 0 or b.n == start:
        return False
    if classes_of(b.p + start, b.n - start) & FORBIDDEN_DOMAIN:
        b.n = start
        return False
    return True


cdef inline bint domain_or_address(Buffer* b, HostInput* h, size_t start) except -1 nogil:
    """Accept or refuse the ASCII form of a domain that was not ASCII. The form is in b from start on; if it is an
    address, replace it by the serialised address."""
    cdef size_t n = b.n - start
    if not ends_in_a_number(b.p + start, n):
        return True
    violation(h, IPV4_NON_ASCII_INPUT, 0)
    b.n = start  # the parser may overwrite its input, as it reads all of it before it writes
    return ipv4_parser(b, h, b.p + start, n, False)


cdef inline bint ascii_domain(Buffer* b, HostInput* h, const uint8_t* p, size_t n, bint as_written) except -1 nogil:
    """Append an ASCII domain in lower case (#concept-domain-to-ascii). Labels that begin with "xn--" need not be valid
    Punycode. as_written: whether p[0:n] is a part of the text, so that positions of errors can be given."""
    cdef size_t k
    if h.log != NULL and not is_strictly_valid(p, n):
        # "If strictResult is a failure value, domain-to-ASCII validation error."
        for k in range(n):  # if there is a forbidden code point, only that is reported, below
            if CLASS[p[k]] & FORBIDDEN_DOMAIN:
                break
        else:
            violation(h, DOMAIN_TO_ASCII, 0)
    # "If result is the empty string, then return failure."
    if n == 0:
        return refuse(h, DOMAIN_TO_ASCII, 0)
    # "If result contains a forbidden domain code point, then return failure."
    if not as_written or h.seen & FORBIDDEN_DOMAIN:
        for k in range(n):
            if CLASS[p[k]] & FORBIDDEN_DOMAIN:
                return refuse(h, DOMAIN_TO_ASCII, k if as_written else 0)
    # "If asciiDomain ends in a number: Return the result of IPv4 parsing asciiDomain."
    if ends_in_a_number(p, n):
        return ipv4_parser(b, h, p, n, as_written)
    return buffer_copy_lower(b, p, n) == 0


cdef inline bint encoded_domain(Buffer* b, HostInput* h) except -1 nogil:
    """Append the ASCII form of a domain that has escapes or octets beyond ASCII."""
    cdef Buffer decoded
    cdef size_t k
    cdef size_t start = b.n
    buffer_start(&decoded)
    try:
        if h.log != NULL:
            for k in range(h.n):
                # "If input contains a percent-encoded byte, domain-percent-encoded validation error."
                if octet_escaped(h.p + k, h.n - k) >= 0:
                    violation(h, DOMAIN_PERCENT_ENCODED, k)
                    break
        # "Let domain be the result of running UTF-8 decode without BOM on the percent-decoding of input."
        write_decoded(&decoded, h.p, h.n)
        if not classes_of(decoded.p, decoded.n) & NON_ASCII:
            return ascii_domain(b, h, decoded.p, decoded.n, False)
        if not write_domain_to_ascii(b, decoded.p, decoded.n):
            return refuse(h, DOMAIN_TO_ASCII, 0)
        # "If strictResult is a failure value, domain-to-ASCII validation error."
        if h.log != NULL and not is_strictly_valid(decoded.p, decoded.n):
            violation(h, DOMAIN_TO_ASCII, 0)
        return domain_or_address(b, h, start)
    finally:
        buffer_free(&decoded)
