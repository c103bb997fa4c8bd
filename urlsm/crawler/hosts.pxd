"""The authority of a key: user information, host and port."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memmove
from urlsm.crawler.recoding cimport write_recoded, write_unescaped
from urlsm.crawler.reversal cimport is_dotted_digits, reverse_labels, write_plain_labels, www_end
from urlsm.crawler.rules cimport (
    DOTS_KEEP, DOTS_PAIRS, DOTS_TRAILING, FORM_SURT, HOST_CASE_LOWER_NAME, HOST_OTHERS_REFUSE, IDNA_NONE, IPV4_ANY,
    IPV4_FOUR, IPV4_INET_ATON, IPV4_KEEP, IPV6_BRACKETED, IPV6_RFC5952, PORTS_AFTER_COLONS, PORTS_ANY, PORT_DROP,
    PORT_DROP_DEFAULT, PORT_DROP_HTTP_DEFAULT_AND_0, PORT_KEEP, Rules, UNESCAPE_NOTHING, UNESCAPE_REPEATEDLY,
    USERINFO_DROP, USERINFO_KEEP, WWW_ALL, WWW_KEEP,
)
from urlsm.crawler.structs cimport KeyFailure, KeyParts, Scratch, refuse, take
from urlsm.machine.codes cimport DOMAIN_TO_ASCII, HOST_INVALID_CODE_POINT, PORT_INVALID, PORT_OUT_OF_RANGE
from urlsm.machine.log cimport HOST_STATE, PORT_STATE
from urlsm.machine.special cimport HTTP, HTTPS, listed_port
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_copy_lower, buffer_put
from urlsm.octets.chars cimport CLASS, DIGIT
from urlsm.octets.find cimport find
from urlsm.octets.text cimport write_unquoted
from urlsm.octets.slice cimport Slice
from urlsm.url.write.host cimport write_number
from urlsm.url.write.ipv4 cimport ipv4_number
from urlsm.url.write.ipv6 cimport ipv6_serializer, read_pieces


# --- user information --------------------------------------------------------------------------

cdef inline bint write_userinfo(Buffer* b, Slice userinfo, const Rules* r) except -1 nogil:
    """Append user information and "@"."""
    cdef const uint8_t* end = userinfo.p + userinfo.n
    cdef const uint8_t* colon
    if userinfo.p == NULL or r.userinfo == USERINFO_DROP:
        return True
    if r.userinfo == USERINFO_KEEP:
        buffer_copy(b, userinfo.p, userinfo.n)
    else:
        colon = find(userinfo.p, end, c':')
        write_recoded(b, userinfo.p, colon - userinfo.p, &r.userinfo_set)
        if colon < end:
            buffer_put(b, c':')
            write_recoded(b, colon + 1, end - colon - 1, &r.userinfo_set)
    buffer_put(b, c'@')
    return True


# --- IPv4 --------------------------------------------------------------------------------------

cdef inline int read_numbers(const uint8_t* p, size_t n, bint only_digits, uint64_t* values) noexcept nogil:
    """Read the one to four numbers of p[0:n], each decimal, or octal after "0", or hexadecimal after "0x" unless
    only_digits. Returns how many, or 0 for any other text."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* stop
    cdef const uint8_t* q
    cdef int count = 0
    cdef bint non_decimal
    while True:
        stop = find(p, end, c'.')
        if count == 4 or stop - p > 64:
            return 0
        q = p
        while only_digits and q < stop:
            if not CLASS[q[0]] & DIGIT:
                return 0
            q += 1
        if not ipv4_number(p, stop - p, &values[count], &non_decimal):
            return 0
        count += 1
        if stop == end:
            return count
        p = stop + 1


cdef inline bint number_modulo(const uint8_t* p, size_t n, uint64_t most, uint64_t* value) noexcept nogil:
    """Return whether all octets are digits; set value to their number modulo 2**32. most: its limit; 0: without
    limit."""
    cdef size_t k
    cdef uint64_t number = 0
    cdef bint exceeded = False
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return False
        if most != 0 and number > (most - (p[k] - c'0')) // 10:
            exceeded = True
        number = number * 10 + (p[k] - c'0')  # modulo 2**64
    value[0] = <uint32_t>number
    return n > 0 and not exceeded


cdef inline bint four_numbers(const uint8_t* p, size_t n, uint64_t* value) noexcept nogil:
    """Read four numbers up to 255: all octal if the first begins with "0", else all decimal."""
    cdef uint32_t radix = 8 if p[0] == c'0' else 10
    cdef uint32_t number = 0
    cdef size_t k, digits = 0, dots = 0
    value[0] = 0
    for k in range(n + 1):
        if k == n or p[k] == c'.':
            if not digits or number > 255:
                return False
            value[0] = value[0] << 8 | number
            dots += k < n
            number = digits = 0
        else:
            if not CLASS[p[k]] & DIGIT or <uint32_t>(p[k] - c'0') >= radix:
                return False
            number = min(number * radix + p[k] - c'0', 256)
            digits += 1
    return dots == 3


cdef inline bint read_ipv4(const uint8_t* p, size_t n, const Rules* r, uint64_t* address) noexcept nogil:
    """Read the address that the rules find in the host p[0:n]."""
    cdef uint64_t[4] values
    cdef int k, count
    if n == 0 or not CLASS[p[0]] & DIGIT:
        return False
    if r.ipv4 == IPV4_FOUR:
        return number_modulo(p, n, (<uint64_t>1 << 63) - 1, address) or four_numbers(p, n, address)
    if r.ipv4 == IPV4_INET_ATON and number_modulo(p, n, 0, address):
        return True
    if r.ipv4 == IPV4_INET_ATON and p[0] == c'0':  # surt's OCTAL_IP: then every number is octal
        for k in range(<int>n):
            if p[k] == c'8' or p[k] == c'9':
                return False
    count = read_numbers(p, n, r.ipv4 == IPV4_INET_ATON, values)
    address[0] = 0
    for k in range(count):
        if r.ipv4 == IPV4_ANY:
            if values[k] >> 32:
                return False
            values[k] &= (<uint64_t>1 << (8 if k + 1 < count else 8 * (5 - count))) - 1
        elif (k + 1 < count and values[k] > 255) or values[k] >> 8 * (5 - count) != 0:
            return False
        address[0] += values[k] << 8 * (3 - k) if k + 1 < count else values[k]
    return count > 0


cdef inline int write_ipv4(Buffer* b, uint64_t address) except -1 nogil:
    cdef int k
    for k in range(4):
        if k:
            buffer_put(b, c'.')
        write_number(b, address >> 8 * (3 - k) & 0xFF, 10)
    return 0


# --- IPv6 --------------------------------------------------------------------------------------

cdef inline bint write_ipv6(Buffer* b, Slice host, const Rules* r, bint* done) except -1 nogil:
    """Append a literal in brackets, in the form of RFC 5952 or as it is; one without ":" (RFC 3986's IPvFuture) is left
    to the caller."""
    cdef uint16_t[8] pieces
    cdef const uint8_t* end = find(host.p, host.p + host.n, c']')
    cdef const uint8_t* zone = find(host.p, end, c'%')
    done[0] = find(host.p, end, c':') < end
    if not done[0]:
        return True
    if r.ipv6 == IPV6_BRACKETED:
        write_recoded(b, host.p, zone - host.p, &r.host_set)
        buffer_copy(b, zone, end - zone)
        return buffer_put(b, c']') == 0
    if read_pieces(host.p, zone - host.p, pieces):
        ipv6_serializer(b, pieces)
        b.n -= 1
    else:
        buffer_copy(b, host.p, zone - host.p)
    buffer_copy_lower(b, zone, end - zone)
    buffer_put(b, c']')
    return True


cdef inline Slice inside_brackets(Slice host) noexcept nogil:
    """Return the text between the first "[" and the "]" after it."""
    cdef const uint8_t* end = host.p + host.n
    cdef Slice inside
    inside.p = find(host.p, end, c'[') + 1
    inside.n = find(inside.p, end, c']') - inside.p
    return inside


# --- names -------------------------------------------------------------------------------------

cdef inline bint is_ascii(const uint8_t* p, size_t n) noexcept nogil:
    cdef size_t k
    cdef uint8_t seen = 0
    for k in range(n):
        seen |= p[k]
    return seen < 0x80


cdef inline bint take_ascii(Slice* host, Buffer* b, const Rules* r) except -1 with gil:
    """Set the host to its ASCII form, kept in b, or as the rules say where that fails. Returns False if it is
    refused."""
    from urlsm.crawler.idn import host_to_ascii, lower_case
    cdef bytes octets = host.p[:host.n]
    cdef object found = host_to_ascii(octets, <int>r.idna, r.host_case == HOST_CASE_LOWER_NAME)
    if found is None:
        if r.idna_required:
            return False
        found = lower_case(octets, <int>r.idna)
    octets = found
    b.n = 0
    buffer_copy(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
    take(host, b)
    return True


cdef inline int take_dots(Slice* host, Buffer* b, const Rules* r) except -1 nogil:
    """Remove the dots that the rules leave out."""
    cdef const uint8_t* p = host.p
    cdef size_t n = host.n, k = 0, out = 0
    cdef bint doubled = False
    if r.dots == DOTS_TRAILING:
        host.n -= n > 0 and p[n - 1] == c'.'
        return 0
    while k + 1 < n and not doubled:
        doubled = p[k] == c'.' and p[k + 1] == c'.'
        k += 1
    if doubled:
        if p != b.p:
            b.n = 0
            buffer_copy(b, p, n)
        k = 0
        while k < n:
            b.p[out] = b.p[k]
            if b.p[k] == c'.':
                while k + 1 < n and b.p[k + 1] == c'.':
                    k += 1
                    if r.dots == DOTS_PAIRS:
                        break
            out += 1
            k += 1
        p = b.p
        n = out
    while n and p[n - 1] == c'.':
        n -= 1
    while n and p[0] == c'.':
        p += 1
        n -= 1
    host.p, host.n = p, n
    return 0


cdef inline int drop_www(Buffer* b, size_t start, const Rules* r) except -1 nogil:
    cdef size_t begin = start, size
    while True:
        size = www_end(b.p + begin, b.n - begin)
        if not size or (r.www_needs_dot and memchr(b.p + begin + size, c'.', b.n - begin - size) == NULL):
            break
        begin += size
        if r.www != WWW_ALL:
            break
    memmove(b.p + start, b.p + begin, b.n - begin)
    b.n -= begin - start
    return 0


cdef inline int unescape_host(Slice* host, const Rules* r, Scratch* s) except -1 nogil:
    """Decode the host's escapes, if the rules do. Returns False if there are no escapes."""
    if r.host_unescape == UNESCAPE_NOTHING or memchr(host.p, c'%', host.n) == NULL:
        return False
    if r.host_unescape == UNESCAPE_REPEATEDLY:
        write_unescaped(&s.host, host.p, host.n)
    else:
        write_unquoted(&s.host, host.p, host.n, False)
    take(host, &s.host)
    return True


cdef inline bint write_host(Buffer* b, const KeyParts* parts, const Rules* r, Scratch* s,
                            KeyFailure* why) except -1 nogil:
    """Append the host. Returns False if it is refused."""
    cdef Slice host = parts.host
    cdef const uint8_t* where = host.p
    cdef size_t start = b.n, name
    cdef uint64_t address
    cdef bint done = False, decoded = False
    s.host.n = 0
    if parts.plain and r.form == FORM_SURT and r.plain.labels_kept and write_plain_labels(b, host, r):
        return True
    if not parts.plain:
        if (r.ipv6 == IPV6_RFC5952 or r.ipv6 == IPV6_BRACKETED) and memchr(host.p, c'[', host.n) != NULL:
            write_ipv6(b, host, r, &done)
            if done:
                return True
            host = inside_brackets(host)
        decoded = unescape_host(&host, r, s)
        if r.idna != IDNA_NONE and not is_ascii(host.p, host.n) and not take_ascii(&host, &s.host, r):
            return refuse(why, DOMAIN_TO_ASCII, HOST_STATE, where)
    if r.dots != DOTS_KEEP:
        take_dots(&host, &s.host, r)
    if r.ipv4 != IPV4_KEEP and not parts.plain and read_ipv4(host.p, host.n, r, &address):
        write_ipv4(b, address)
    else:
        if r.host_others == HOST_OTHERS_REFUSE and not (
            is_within(host.p, host.n, r) and (not decoded or is_host_again(host.p, host.n, parts.port.n > 0))
        ):
            return refuse(why, HOST_INVALID_CODE_POINT, HOST_STATE, where)
        name = find(host.p, host.p + host.n, c'%') - host.p if r.host_case == HOST_CASE_LOWER_NAME else host.n
        write_recoded(b, host.p, name, &r.host_set)
        buffer_copy(b, host.p + name, host.n - name)
        if r.www != WWW_KEEP:
            drop_www(b, start, r)
    if r.form == FORM_SURT and (r.reverse_addresses or not is_dotted_digits(b.p + start, b.n - start)):
        reverse_labels(b, start, &s.host)
    return True


cdef inline bint is_within(const uint8_t* p, size_t n, const Rules* r) noexcept nogil:
    """Return whether all octets of the host are in the set."""
    cdef size_t k
    for k in range(n):
        if r.host_set.raw.written[p[k]][3] != 1:
            return False
    return True


cdef inline bint is_host_again(const uint8_t* p, size_t n, bint port) noexcept nogil:
    """Return whether a host with decoded escapes is still read as one. Brackets have to hold an address, and a port has
    to follow a ":", if no other port follows; the text before an "@" does not count."""
    cdef uint16_t[8] pieces
    cdef const uint8_t* end = p + n
    cdef const uint8_t* k = p
    cdef uint64_t number = 0
    while k < end:
        if k[0] == c'@':
            p = k + 1
        k += 1
    if p < end and p[0] == c'[':
        k = find(p, end, c']')
        if k == end or not read_pieces(p, k - p, pieces):
            return False
        p = k + 1
        if p < end and p[0] != c':':
            return False
    if find(p, end, c'[') < end or find(p, end, c']') < end:
        return False
    k = find(p, end, c':') + 1
    if k > end:
        return True
    if port:
        return False
    while k < end:
        number = number * 10 + k[0] - c'0'
        if not CLASS[k[0]] & DIGIT or number >> 31:
            return False
        k += 1
    return True


# --- the port ----------------------------------------------------------------------------------

cdef inline bint write_port(Buffer* b, const KeyParts* parts, const Rules* r, KeyFailure* why) except -1 nogil:
    """Append ":" and the port, or nothing. Returns False if it is refused."""
    cdef const uint8_t* p = parts.port.p
    cdef size_t n = parts.port.n, k
    cdef uint64_t port = 0
    if r.ports == PORTS_AFTER_COLONS:
        while n and p[n - 1] == c':':
            n -= 1
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return refuse(why, PORT_INVALID, PORT_STATE, p + k)
        port = min(port * 10 + p[k] - c'0', <uint64_t>1 << 31)
    if port >> (31 if r.ports == PORTS_ANY else 16):
        return refuse(why, PORT_OUT_OF_RANGE, PORT_STATE, p)
    if not n or r.port == PORT_DROP or (port == 0 and r.port == PORT_DROP_HTTP_DEFAULT_AND_0):
        return True
    if r.port != PORT_KEEP and port == listed_port(parts.kind) and port \
            and (r.port == PORT_DROP_DEFAULT or parts.kind == HTTP or parts.kind == HTTPS):
        return True
    buffer_put(b, c':')
    write_number(b, port, 10)
    return True
