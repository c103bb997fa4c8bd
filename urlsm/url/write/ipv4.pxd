"""IPv4 addresses: the URL Standard's parser and serializer."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.machine.codes cimport (
    IPV4_EMPTY_PART, IPV4_NON_DECIMAL_PART, IPV4_NON_NUMERIC_PART, IPV4_OUT_OF_RANGE_PART, IPV4_TOO_FEW_PARTS,
    IPV4_TOO_MANY_PARTS,
)
from urlsm.octets.buffer cimport Buffer, buffer_reserve
from urlsm.octets.chars cimport CLASS, HEX
from urlsm.octets.text cimport hex_value
from urlsm.url.write.host cimport HostInput, put_four, refuse, violation


cdef inline bint ipv4_number(const uint8_t* p, size_t n, uint64_t* value, bint* non_decimal) noexcept nogil:
    """Read a number by #ipv4-number-parser. Return False if p[0:n] is not a number. A value that is too large is
    reduced to 2^40."""
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
        digit = hex_value(p[k])
        if digit >= radix:
            return False
        value[0] = min(value[0] * radix + digit, <uint64_t>1 << 40)
        k += 1
    return True


cdef inline int ipv4_serializer(Buffer* b, uint32_t address) except -1 nogil:
    """Append an address in decimal, by #concept-ipv4-serializer."""
    cdef size_t end
    cdef int k
    cdef uint32_t number, tens, digits
    buffer_reserve(b, 16)
    end = b.n
    for k in range(4):
        # make a word of three digits and a ".", with the first digit in the lowest octet. There is no branch on the
        # number of digits, which the CPU could not predict
        number = address >> 24 - 8 * k & 0xFF
        tens = number // 10
        digits = 1 + (number > 9) + (number > 99)
        number = tens // 10 | tens % 10 << 8 | number % 10 << 16 | <uint32_t>0x2E303030
        put_four(b.p + end, number >> 8 * (3 - digits))
        end += digits + 1
    b.n = end - 1
    return 0


cdef inline bint ipv4_parser(Buffer* b, HostInput* h, const uint8_t* p, size_t n, bint as_written) except -1 nogil:
    """Append the address that #concept-ipv4-parser reads in p[0:n]. Return False if it is refused. as_written: as for
    ascii_domain."""
    cdef uint64_t[4] numbers = [0, 0, 0, 0]
    cdef uint64_t ipv4
    cdef size_t k, begin = 0, count = 0
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
        if numbers[k] >> (8 if k + 1 < count else 8 * (5 - count)):
            return refuse(h, IPV4_OUT_OF_RANGE_PART, begins[k])
        if numbers[k] > 255:
            violation(h, IPV4_OUT_OF_RANGE_PART, begins[k])
    ipv4 = numbers[count - 1]
    for k in range(count - 1):
        ipv4 += numbers[k] << 8 * (3 - k)
    return ipv4_serializer(b, ipv4) == 0
