"""IPv6 addresses: the URL Standard's parser and serializer."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from urlsm.machine.codes cimport (
    IPV4_IN_IPV6_INVALID_CODE_POINT, IPV4_IN_IPV6_OUT_OF_RANGE_PART, IPV4_IN_IPV6_TOO_FEW_PARTS,
    IPV4_IN_IPV6_TOO_MANY_PIECES, IPV6_INVALID_CODE_POINT, IPV6_INVALID_COMPRESSION, IPV6_MULTIPLE_COMPRESSION,
    IPV6_PIECE_LEADING_ZERO, IPV6_TOO_FEW_PIECES, IPV6_TOO_MANY_PIECES,
)
from urlsm.octets.buffer cimport Buffer, buffer_reserve
from urlsm.octets.chars cimport CLASS, DIGIT, HEX
from urlsm.octets.words cimport first_bit
from urlsm.url.write.host cimport HostInput, put_four, refuse, violation


cdef inline uint32_t digits_at(const uint8_t* p, size_t k, size_t n, uint32_t kind, uint32_t* four) noexcept nogil:
    """Return the number of digits at the start of p[k:n], at most four. kind: HEX or DIGIT. four: set to the four
    octets there, the first one lowest, with NUL past the end. There is no branch on the number, which is hard to
    predict, unless p[0:n] is very short."""
    cdef size_t at = k if k + 4 <= n else n - 4, j
    cdef uint32_t length, bits, octets = 0
    if n >= 4 and k < n:
        octets = (p[at] | p[at + 1] << 8 | p[at + 2] << 16 | <uint32_t>p[at + 3] << 24) >> 8 * (k - at)
    else:
        for j in range(k, n):
            octets |= <uint32_t>p[j] << 8 * (j - k)
    four[0] = octets
    bits = CLASS[octets & 0xFF] & kind
    length = bits != 0
    bits &= CLASS[octets >> 8 & 0xFF]
    length += bits != 0
    bits &= CLASS[octets >> 16 & 0xFF]
    length += bits != 0
    bits &= CLASS[octets >> 24]
    length += bits != 0
    return length


cdef inline uint32_t hex_number(uint32_t four, uint32_t length) noexcept nogil:
    """Return the value of a hex number. four: four octets of which the first `length` are its digits."""
    four = (four & 0x0F0F0F0F) + 9 * (four >> 6 & 0x01010101)  # the value of each digit; bit 6 is set in letters
    return ((four & 0xF) << 12 | four & 0xF00 | four >> 12 & 0xF0 | four >> 24 & 0xF) >> 4 * (4 - length)


cdef inline uint32_t decimal_number(uint32_t four, uint32_t length) noexcept nogil:
    """Return the value of a decimal number. four: four octets of which the first `length`, but at most three, are its
    digits."""
    four = (four & 0x0F0F0F) << 8 * (3 - min(length, 3))
    return 100 * (four & 0xF) + 10 * (four >> 8 & 0xF) + (four >> 16 & 0xF)


cdef inline bint ipv6_parser(HostInput* h, uint16_t* address) noexcept nogil:
    """Read the text between the brackets by #concept-ipv6-parser. Positions of errors count from the "["."""
    cdef const uint8_t* p = h.p
    cdef uint32_t n = h.n - 1, pointer = 1, begin, value, length, swaps, four
    cdef int piece = 0, compress = -1, numbers_seen
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
        length = digits_at(p, pointer, n, HEX, &four)
        value = hex_number(four, length)
        pointer += length
        if pointer < n and p[pointer] == c'.':
            if length == 0:
                return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
            pointer -= length
            if piece > 6:
                return refuse(h, IPV4_IN_IPV6_TOO_MANY_PIECES, pointer)
            numbers_seen = 0
            while pointer < n:
                if numbers_seen > 0:
                    # "If c is a U+002E (.) and numbersSeen is less than 4, then increase pointer by 1."
                    if p[pointer] == c'.' and numbers_seen < 4:
                        pointer += 1
                    else:
                        return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
                length = digits_at(p, pointer, n, DIGIT, &four)
                if length == 0:
                    return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
                if length > 1 and p[pointer] == c'0':  # a number must not have a leading zero
                    return refuse(h, IPV4_IN_IPV6_INVALID_CODE_POINT, pointer + 1)
                value = decimal_number(four, length)
                if value > 255 or length > 3:  # report the first digit that makes the number too large
                    return refuse(h, IPV4_IN_IPV6_OUT_OF_RANGE_PART, pointer + (2 if value > 255 else 3))
                pointer += length
                address[piece] = address[piece] * 0x100 + value
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


cdef inline bint read_pieces(const uint8_t* p, size_t n, uint16_t* address) noexcept nogil:
    """Read p[1:n], the text between the brackets, as an IPv6 address. Return False if it is not one. Other modules call
    this."""
    cdef HostInput h
    h.p, h.n, h.log, h.offset = p, <uint32_t>n + 1, NULL, 0  # the parser counts both brackets but does not read them
    return ipv6_parser(&h, address)


cdef inline int ipv6_serializer(Buffer* b, const uint16_t* address) except -1 nogil:
    """Append an address in brackets by #concept-ipv6-serializer."""
    cdef uint32_t zeros = 0, runs, length = 1, digits, nibbles
    cdef int k, compress = -1
    cdef uint8_t* out
    # "find the IPv6 address compressed piece index": the first longest run of more than one zero piece
    for k in range(7, -1, -1):
        zeros = zeros << 1 | (address[k] == 0)
    runs = zeros  # bit k is set if the `length` pieces from k on are all zero
    while runs & zeros >> length:
        runs &= zeros >> length
        length += 1
    if length > 1:
        compress = first_bit(runs)
    buffer_reserve(b, 44)
    out = b.p + b.n
    out[0] = c'['
    out += 1
    k = 0
    while k < 8:
        if k == compress:
            out[0] = out[1] = c':'
            out += 2 if k == 0 else 1
            k += length
            continue
        # four digits, the first one in the lowest octet; leading zeros are shifted out
        nibbles = address[k] >> 12 | address[k] & 0xF00 | (address[k] & 0xF0) << 12 | (address[k] & 0xFU) << 24
        nibbles += 0x30303030U + (nibbles + 0x06060606U >> 4 & 0x01010101U) * (c'a' - c'9' - 1)
        digits = 1 + (address[k] > 0xF) + (address[k] > 0xFF) + (address[k] > 0xFFF)
        put_four(out, nibbles >> 8 * (4 - digits))
        out[digits] = c':'
        out += digits + (k != 7)
        k += 1
    out[0] = c']'
    b.n = out + 1 - b.p
    return 0
