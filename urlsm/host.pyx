"""Hosts: domains, IPv4, IPv6 and opaque hosts, as the URL Standard's host parser reads them.

host_parser appends the serialised host to a buffer, or says why it refuses. Only a domain with
non-ASCII code points needs Python (urlsm.idna, imported on the first such host).
"""
from cpython.unicode cimport PyUnicode_DecodeUTF8
from urlsm.buffer cimport (
    ascii_data, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start,
)
from urlsm.chars cimport (
    CLASS, DIGIT, ENC_C0, FORBIDDEN_HOST, HEX, PERCENT,
)
from urlsm.codes cimport (
    DOMAIN_PERCENT_ENCODED, DOMAIN_TO_ASCII, HOST_INVALID_CODE_POINT, INVALID_URL_UNIT, IPV4_EMPTY_PART,
    IPV4_IN_IPV6_INVALID_CODE_POINT, IPV4_IN_IPV6_OUT_OF_RANGE_PART, IPV4_IN_IPV6_TOO_FEW_PARTS,
    IPV4_IN_IPV6_TOO_MANY_PIECES, IPV4_NON_ASCII_INPUT, IPV4_NON_DECIMAL_PART, IPV4_NON_NUMERIC_PART,
    IPV4_OUT_OF_RANGE_PART, IPV4_TOO_FEW_PARTS, IPV4_TOO_MANY_PARTS, IPV6_INVALID_CODE_POINT,
    IPV6_INVALID_COMPRESSION, IPV6_MULTIPLE_COMPRESSION, IPV6_PIECE_LEADING_ZERO, IPV6_TOO_FEW_PIECES,
    IPV6_TOO_MANY_PIECES, IPV6_UNCLOSED,
)
from urlsm.log cimport log_violation
from urlsm.units cimport is_url_unit
from urlsm.percent cimport octet_escaped, write_decoded, write_encoded


cdef bint refuse(HostInput* h, Code code, uint32_t at) noexcept nogil:
    h.error = code
    h.error_at = h.offset + at
    if h.log != NULL:
        log_violation(h.log, h.step, code, True, h.error_at)
    return False


cdef inline void violation(HostInput* h, Code code, uint32_t at) noexcept nogil:
    if h.log != NULL:
        log_violation(h.log, h.step, code, False, h.offset + at)


# --- #concept-host-parser ----------------------------------------------------------------------

cdef bint host_parser(Buffer* b, HostInput* h) except -1:
    """Append the serialised host, True; or False, with h.error. An empty host is the caller's affair."""
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


cdef bint opaque_host_parser(Buffer* b, HostInput* h) except -1:
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


cdef bint encoded_domain(Buffer* b, HostInput* h) except -1:
    """A domain with escapes or non-ASCII octets."""
    cdef Buffer decoded
    cdef size_t k
    cdef uint32_t seen = 0
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
        for k in range(decoded.n):
            seen |= CLASS[decoded.p[k]]
        if not seen & NON_ASCII:
            return ascii_domain(b, h, decoded.p, decoded.n, False)
        return unicode_domain(b, h, PyUnicode_DecodeUTF8(<const char*>decoded.p, decoded.n, "replace"))
    finally:
        buffer_free(&decoded)


cdef bint unicode_domain(Buffer* b, HostInput* h, str domain) except -1:
    """#concept-domain-to-ascii for a domain that is not ASCII."""
    from urlsm.idna import IDNAError, parse_domain
    cdef str result
    try:
        result = parse_domain(domain)
    except IDNAError:
        return refuse(h, DOMAIN_TO_ASCII, 0)
    # "If strictResult is a failure value, domain-to-ASCII validation error."
    if h.log != NULL and not is_strictly_valid(domain):
        violation(h, DOMAIN_TO_ASCII, 0)
    cdef const uint8_t* p = ascii_data(result)
    cdef size_t n = len(result)
    if ends_in_a_number(p, n):
        violation(h, IPV4_NON_ASCII_INPUT, 0)
        return ipv4_parser(b, h, p, n, False)
    buffer_copy(b, p, n)
    return True


def is_strictly_valid(domain: str) -> bool:
    """Is domain valid with beStrict (#valid-domain, less the address check)?"""
    from urlsm.idna import IDNAError, parse_domain
    try:
        parse_domain(domain, True)
    except IDNAError:
        return False
    return True


cdef bint ascii_domain(Buffer* b, HostInput* h, const uint8_t* p, size_t n, bint as_written) except -1:
    """#concept-domain-to-ascii for ASCII: lowercased, whatever ToASCII thinks of its "xn--" labels."""
    cdef size_t k, start = b.n
    cdef uint8_t* out
    if h.log != NULL and not is_strictly_valid(p[:n].decode("ascii")):
        # "If strictResult is a failure value, domain-to-ASCII validation error."
        for k in range(n):  # the fatal one is reported in its place
            if CLASS[p[k]] & FORBIDDEN_DOMAIN:
                break
        else:
            violation(h, DOMAIN_TO_ASCII, 0)
    # "If result is the empty string, then return failure."
    if n == 0:
        return refuse(h, DOMAIN_TO_ASCII, 0)
    buffer_reserve(b, n)
    out = b.p + start
    for k in range(n):
        # "If result contains a forbidden domain code point, then return failure."
        if CLASS[p[k]] & FORBIDDEN_DOMAIN:
            return refuse(h, DOMAIN_TO_ASCII, k if as_written else 0)
        out[k] = p[k] | 0x20 if CLASS[p[k]] & UPPER else p[k]
    # "If asciiDomain ends in a number: Return the result of IPv4 parsing asciiDomain."
    if ends_in_a_number(out, n):
        return ipv4_parser(b, h, p, n, as_written)
    b.n = start + n
    return True


# --- IPv4 --------------------------------------------------------------------------------------

cdef bint ends_in_a_number(const uint8_t* p, size_t n) noexcept nogil:
    """#ends-in-a-number-checker."""
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


cdef bint ipv4_number(const uint8_t* p, size_t n, uint64_t* value, bint* non_decimal) noexcept nogil:
    """#ipv4-number-parser; the value stops growing past 32 bits."""
    cdef uint32_t radix = 10, digit
    cdef size_t k = 0
    value[0] = 0
    # "If input is the empty string, then return failure."
    if n == 0:
        return False
    if n >= 2 and p[0] == c'0' and p[1] | 0x20 == c'x':
        radix, k = 16, 2
    elif n >= 2 and p[0] == c'0':
        radix, k = 8, 1
    non_decimal[0] |= radix != 10
    while k < n:
        # "If input contains a code point that is not a radix-R digit, then return failure."
        if not CLASS[p[k]] & HEX:
            return False
        digit = p[k] - c'0' if p[k] <= c'9' else (p[k] | 0x20) - c'a' + 10
        if digit >= radix:
            return False
        value[0] = min(value[0] * radix + digit, <uint64_t>1 << 40)
        k += 1
    return True


cdef bint ipv4_parser(Buffer* b, HostInput* h, const uint8_t* p, size_t n, bint as_written) except -1:
    """#concept-ipv4-parser, and the serializer."""
    cdef uint64_t[4] numbers = [0, 0, 0, 0]
    cdef uint64_t ipv4
    cdef size_t k, begin = 0, count = 0, large = 0
    cdef size_t[4] begins
    cdef bint non_decimal
    # "If the last item in parts is the empty string": "IPv4-empty-part validation error"
    if p[n - 1] == c'.':
        violation(h, IPV4_EMPTY_PART, n - 1 if as_written else 0)
        n -= 1
    count = 1
    for k in range(n):
        if p[k] == c'.':
            count += 1
            # "If parts's size is greater than 4, IPv4-too-many-parts validation error, return failure."
            if count > 4:
                return refuse(h, IPV4_TOO_MANY_PARTS, k + 1 if as_written else 0)
    # "If parts's size is less than 4, IPv4-too-few-parts validation error."
    if count < 4:
        violation(h, IPV4_TOO_FEW_PARTS, n if as_written else 0)
    count = 0
    for k in range(n + 1):
        if k == n or p[k] == c'.':
            non_decimal = False
            begins[count] = begin if as_written else 0
            # "If result is failure, IPv4-non-numeric-part validation error, return failure."
            if not ipv4_number(p + begin, k - begin, &numbers[count], &non_decimal):
                return refuse(h, IPV4_NON_NUMERIC_PART, begins[count])
            # "If result[1] is true, IPv4-non-decimal-part validation error."
            if non_decimal:
                violation(h, IPV4_NON_DECIMAL_PART, begins[count])
            count += 1
            begin = k + 1
    for k in range(count):
        # "If any but the last item in numbers is greater than 255, then return failure." "If the last
        # item is greater than or equal to 256^(5 - size), then return failure."
        if numbers[k] > 255 if k + 1 < count else numbers[k] >> 8 * (5 - count):
            return refuse(h, IPV4_OUT_OF_RANGE_PART, begins[k])
        if numbers[k] > 255:
            violation(h, IPV4_OUT_OF_RANGE_PART, begins[k])
    ipv4 = numbers[count - 1]
    for k in range(count - 1):
        ipv4 += numbers[k] << 8 * (3 - k)
    buffer_reserve(b, 16)
    for k in range(4):
        if k:
            buffer_put(b, c'.')
        write_small(b, ipv4 >> 8 * (3 - k) & 0xFF, 10)
    return True


cdef int write_small(Buffer* b, uint32_t value, uint32_t radix) except -1:
    """Append value in lower-case digits, no leading zeros."""
    cdef uint8_t[12] digits
    cdef uint32_t k = 12
    while True:
        k -= 1
        digits[k] = b"0123456789abcdef"[value % radix]
        value //= radix
        if not value:
            return buffer_copy(b, digits + k, 12 - k)


# --- IPv6 --------------------------------------------------------------------------------------

cdef inline uint32_t bits_at(const uint8_t* p, size_t k, size_t n) noexcept nogil:
    return CLASS[p[k]] if k < n else 0


cdef bint ipv6_parser(HostInput* h, uint16_t* address) noexcept nogil:
    """#concept-ipv6-parser of the text between the brackets; positions count from the "["."""
    cdef const uint8_t* p = h.p
    cdef uint32_t n = h.n - 1, pointer = 1, begin, value, length, swaps
    cdef int piece = 0, compress = -1, numbers_seen, ipv4_piece
    for begin in range(8):
        address[begin] = 0
    if pointer < n and p[pointer] == c':':
        # "If remaining does not start with U+003A (:), IPv6-invalid-compression"
        if pointer + 1 >= n or p[pointer + 1] != c':':
            return refuse(h, IPV6_INVALID_COMPRESSION, pointer)
        pointer += 2
        piece += 1
        compress = piece
    while pointer < n:
        if piece == 8:
            return refuse(h, IPV6_TOO_MANY_PIECES, pointer)
        if p[pointer] == c':':
            if compress >= 0:
                return refuse(h, IPV6_MULTIPLE_COMPRESSION, pointer)
            pointer += 1
            piece += 1
            compress = piece
            continue
        begin = pointer
        value = length = 0
        while length < 4 and bits_at(p, pointer, n) & HEX:
            value = value << 4 | (p[pointer] - c'0' if p[pointer] <= c'9' else (p[pointer] | 0x20) - c'a' + 10)
            pointer += 1
            length += 1
        if pointer < n and p[pointer] == c'.':
            if length == 0:
                return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
            pointer -= length
            if piece > 6:
                return refuse(h, IPV4_IN_IPV6_TOO_MANY_PIECES, pointer)
            numbers_seen = 0
            while pointer < n:
                ipv4_piece = -1
                if numbers_seen > 0:
                    # "If c is a U+002E (.) and numbersSeen is less than 4, then increase pointer by 1."
                    if p[pointer] == c'.' and numbers_seen < 4:
                        pointer += 1
                    else:
                        return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
                if not bits_at(p, pointer, n) & DIGIT:
                    return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
                while bits_at(p, pointer, n) & DIGIT:
                    if ipv4_piece == 0:  # a leading zero
                        return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
                    ipv4_piece = p[pointer] - c'0' + (0 if ipv4_piece < 0 else ipv4_piece * 10)
                    if ipv4_piece > 255:
                        return refuse(h, IPV4_IN_IPV6_OUT_OF_RANGE_PART, pointer)
                    pointer += 1
                address[piece] = address[piece] * 0x100 + ipv4_piece
                numbers_seen += 1
                if numbers_seen == 2 or numbers_seen == 4:
                    piece += 1
            if numbers_seen != 4:
                return refuse(h, IPV4_IN_IPV6_TOO_FEW_PARTS, pointer)
            break
        elif pointer < n and p[pointer] == c':':
            pointer += 1
            if pointer == n:
                return refuse(h, IPV6_INVALID_CODE_POINT, pointer)
        elif pointer < n:
            return refuse(h, IPV6_INVALID_CODE_POINT, pointer)
        # "If length is greater than 1 and value is less than 0x10^(length - 1)"
        if length > 1 and value < <uint32_t>1 << 4 * (length - 1):
            violation(h, IPV6_PIECE_LEADING_ZERO, begin)
        address[piece] = value
        piece += 1
    if compress >= 0:
        swaps = piece - compress
        piece = 7
        while piece != 0 and swaps > 0:
            address[piece], address[compress + swaps - 1] = address[compress + swaps - 1], address[piece]
            piece -= 1
            swaps -= 1
    elif piece != 8:
        return refuse(h, IPV6_TOO_FEW_PIECES, n)
    return True


cdef int ipv6_serializer(Buffer* b, const uint16_t* address) except -1:
    """#concept-ipv6-serializer, brackets included."""
    cdef int k, run = 0, longest = 1, compress = -1
    # "find the IPv6 address compressed piece index": the first longest run of more than one zero piece
    for k in range(8):
        run = 0 if address[k] else run + 1
        if run > longest:
            longest = run
            compress = k + 1 - run
    buffer_put(b, c'[')
    k = 0
    while k < 8:
        if k == compress:
            buffer_copy(b, <const uint8_t*>b"::", 2 if k == 0 else 1)
            k += longest
            continue
        write_small(b, address[k], 16)
        if k != 7:
            buffer_put(b, c':')
        k += 1
    return buffer_put(b, c']')
