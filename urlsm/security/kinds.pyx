"""Finds the row of addresses.py that applies to a host. If several do, the smallest network or the longest name counts.

Networks are kept as IPv6 networks, those of IPv4 in the mapped form (::ffff:0:0/96), sorted by their first address.
Each knows the smallest one around it. So the answer is the last network that starts at or before the address, or one
around it.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr
from urlsm.machine.special cimport same_letters
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, lower
from urlsm.octets.once cimport stay_all
from urlsm.url.write.ipv6 cimport read_pieces
from urlsm.security.addresses import ROWS, AddressKind
from urlsm.url.value import URL, try_parse

cdef enum:
    MOST = 128         # networks; names
    ADDRESS = 64       # octets: longer than an address
    LONGEST = 4096     # characters: longer than a name with all its octets escaped

cdef struct Address:
    uint64_t high, low

cdef struct Network:
    Address first, mask
    int around         # the smallest network that contains this one
    int row
    bint public
    int ipv4_at        # the first bit of the IPv4 address in its addresses, or NONE

cdef struct Name:
    const uint8_t* p
    Py_ssize_t n
    int row
    int next           # the next shorter name with the same last octet

cdef list KINDS = [AddressKind(row.name, row.network, row.document, row.public) for row in ROWS]
cdef list CODES = [() if row.public or row.hazard is None else (row.hazard,) for row in ROWS]
cdef bint[2 * MOST] HAZARDOUS  # whether CODES has one for the row
cdef list TEXTS = []   # keeps the octets of NAMES alive
cdef Network[MOST] NETWORKS
cdef Name[MOST] NAMES
cdef int[128] LAST     # the longest name that ends in this octet
cdef int network_count = 0, mapped = -1
cdef object DELIMITERS = frozenset("/\\?#@:[]")


# --- addresses -----------------------------------------------------------------------------------

cdef inline bint contains(const Network* network, Address a) noexcept nogil:
    return a.high & network.mask.high == network.first.high and a.low & network.mask.low == network.first.low


cdef int network_of(Address a) noexcept nogil:
    """Return the smallest network that contains an address, or NONE."""
    cdef int k = 0, end = network_count, middle
    while k < end:
        middle = (k + end) // 2
        if NETWORKS[middle].first.high < a.high or \
                (NETWORKS[middle].first.high == a.high and NETWORKS[middle].first.low <= a.low):
            k = middle + 1
        else:
            end = middle
    k -= 1
    while k >= 0 and not contains(&NETWORKS[k], a):
        k = NETWORKS[k].around
    return k


cdef inline Address mapped_address(uint32_t ipv4) noexcept nogil:
    cdef Address a
    a.high, a.low = 0, <uint64_t>0xFFFF << 32 | ipv4
    return a


cdef int ipv4_network(uint32_t ipv4) noexcept nogil:
    cdef int k = network_of(mapped_address(ipv4))
    return NONE if k == mapped else k


cdef inline bint is_isatap(Address a) noexcept nogil:
    """Return whether an address ends in 0000:5efe, or 0200:5efe for a public address, and an IPv4 address (RFC 5214
    section 6.1). Only the bits "u" and "g" may differ."""
    return <uint32_t>(a.low >> 32) & ~<uint32_t>0x03000000 == 0x5EFE


cdef int ipv6_network(Address a) noexcept nogil:
    """Return the network that decides on an IPv6 address: its own, or that of the IPv4 address in it."""
    cdef int k = network_of(a), inner, at = -1
    if k >= 0:
        if not NETWORKS[k].public:
            return k
        at = NETWORKS[k].ipv4_at
    if at >= 0:
        inner = ipv4_network(<uint32_t>(a.high >> 16 if at == 16 else a.low))
        if inner >= 0:
            k = inner
    if is_isatap(a) and (k < 0 or NETWORKS[k].public):
        inner = ipv4_network(<uint32_t>a.low)
        if inner >= 0 and not NETWORKS[inner].public:
            return inner
    return k


cdef bint read_ipv6(const uint8_t* p, Py_ssize_t n, Address* a) noexcept nogil:
    """Read n octets as an IPv6 address, with or without brackets. A zone (RFC 6874, RFC 9844) is ignored."""
    cdef uint16_t[8] pieces
    cdef const void* zone
    if n and p[0] == c'[':
        if p[n - 1] != c']':
            return False
        p += 1
        n -= 2
    zone = memchr(p, c'%', min(n, ADDRESS))
    if zone != NULL:
        n = <const uint8_t*>zone - p
    if not 2 <= n < ADDRESS:
        return False
    if not read_pieces(p - 1, n + 1, pieces):
        return False
    a.high = <uint64_t>pieces[0] << 48 | <uint64_t>pieces[1] << 32 | <uint64_t>pieces[2] << 16 | pieces[3]
    a.low = <uint64_t>pieces[4] << 48 | <uint64_t>pieces[5] << 32 | <uint64_t>pieces[6] << 16 | pieces[7]
    return True


cdef bint read_ipv4(const uint8_t* p, Py_ssize_t n, uint32_t* ipv4) noexcept nogil:
    """Read an IPv4 address of four decimal numbers, the form that the URL Standard writes."""
    cdef Py_ssize_t k = 0, start
    cdef uint32_t number
    cdef int count
    ipv4[0] = 0
    for count in range(4):
        start, number = k, 0
        while k < n and k < start + 3 and CLASS[p[k]] & DIGIT:
            number = 10 * number + p[k] - c'0'
            k += 1
        if k == start or number > 255 or (p[start] == c'0' and k > start + 1):
            return False
        ipv4[0] = ipv4[0] << 8 | number
        if count < 3:
            if k == n or p[k] != c'.':
                return False
            k += 1
    return k == n


cdef int address_row(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return the row that decides on an address: four decimal numbers, or an IPv6 address without a zone. NONE if there
    is none, UNALLOCATED if IANA has not allocated it to anybody, UNREAD if it is not such an address."""
    cdef Address a
    cdef uint32_t ipv4
    cdef uint64_t start
    cdef int k
    if memchr(p, c':', n) == NULL:
        if not read_ipv4(p, n, &ipv4):
            return UNREAD
        k = ipv4_network(ipv4)
        return NETWORKS[k].row if k >= 0 else NONE
    if n >= ADDRESS or p[0] == c'[' or memchr(p, c'%', n) != NULL or not read_ipv6(p, n, &a):
        return UNREAD
    k = ipv6_network(a)
    if k >= 0 and not NETWORKS[k].public:
        return NETWORKS[k].row
    start = a.low >> 32  # of the 96 bits before an IPv4 address: compatible, mapped, translated; 64:ff9b::/96
    if a.high >> 61 != 1 and not (a.high == <uint64_t>0x64FF9B << 32 and start == 0) and \
            not (a.high == 0 and (start == 0 or start == 0xFFFF or start == <uint64_t>0xFFFF << 16)):
        return UNALLOCATED
    return NETWORKS[k].row if k >= 0 else NONE


# --- names ---------------------------------------------------------------------------------------

cdef int name_row(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return the row of the longest name that equals p[0:n] or lies above it, or NONE. Case and dots at the end do not
    matter."""
    cdef const Name* name
    cdef int k
    while n and p[n - 1] == c'.':
        n -= 1
    if n == 0:
        return NONE
    k = LAST[lower(p[n - 1]) & 0x7F]
    while k >= 0:
        name = &NAMES[k]
        if name.n <= n and (name.n == n or p[n - name.n - 1] == c'.') and \
                same_letters(p + n - name.n, <const char*>name.p, name.n):
            return name.row
        k = name.next
    return NONE


# --- hosts ---------------------------------------------------------------------------------------

cdef int canonical_row(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return the row of a host in canonical form: an IPv6 address, four decimal numbers, or a name of letters, digits,
    "-" and "_" whose last label does not begin with a digit. UNREAD if it is not one of these."""
    cdef Address a
    cdef uint32_t ipv4
    cdef Py_ssize_t k, last = 0
    cdef int network
    for k in range(n):
        if p[k] == c'.':
            last = k + 1 if k + 1 < n else last
        elif not (CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c'-' or p[k] == c'_'):
            if not read_ipv6(p, n, &a):
                return UNREAD
            network = ipv6_network(a)
            return NETWORKS[network].row if network >= 0 else NONE
    if n == 0 or not CLASS[p[last]] & DIGIT:
        return name_row(p, n)
    if not read_ipv4(p, n, &ipv4):
        return UNREAD
    network = ipv4_network(ipv4)
    return NETWORKS[network].row if network >= 0 else NONE


cdef bint is_hazard(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return whether an ASCII host is a hazard by its row, or is not in canonical form."""
    cdef int row = canonical_row(p, n)
    return row == UNREAD or (row != NONE and HAZARDOUS[row])


cdef bint is_hazard_name(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """is_hazard of a host that is a name in canonical form."""
    cdef int row = name_row(p, n)
    return row != NONE and HAZARDOUS[row]


cdef int row_of(str host) except -3:
    cdef int row = canonical_row(ascii_data(host), len(host)) if is_ascii(host) else UNREAD
    if row == UNREAD:
        host = as_special(host)
        if host is None:
            return NONE
        row = canonical_row(ascii_data(host), len(host))
        if row == UNREAD:
            row = name_row(ascii_data(host), len(host))
    return row


cdef str as_special(str host):
    """Return the host as the URL Standard's host parser writes it in http, or None if it refuses it."""
    if len(host) > LONGEST or not DELIMITERS.isdisjoint(host):
        return None
    url = try_parse(f"http://{host}/")
    return None if url is None else url.host


def canonical_host(str host not None):
    """Return a host as the URL Standard writes it in http, an IPv6 address as given; None if http cannot have it."""
    cdef Address a
    if is_ascii(host) and read_ipv6(ascii_data(host), len(host), &a):
        return host
    return as_special(host)


def hazards_of(str host not None) -> tuple:
    """Return the codes of audit's hazards that a host has by its row."""
    cdef int row = row_of(host)
    return () if row == NONE else CODES[row]


def stands_for_ipv4(str host not None) -> bool:
    """Return whether the host is an IPv6 address that stands for an IPv4 address."""
    cdef Address a
    cdef int k
    if not is_ascii(host) or not read_ipv6(ascii_data(host), len(host), &a):
        return False
    k = network_of(a)
    return a.high == 0 and a.low >> 32 == 0xFFFF or k >= 0 and NETWORKS[k].ipv4_at >= 0 or is_isatap(a)


def address_kind(host):
    """Return what a special address or name is for, by a dated table: IANA's special-purpose registries, multicast, the
    names that the public DNS does not serve, and the hosts where clouds hand out credentials. There is no DNS look-up.

    An IPv6 address that stands for an IPv4 address (mapped, compatible, translated, 64:ff9b::/96, 6to4, ISATAP) has the
    kind of the IPv4 address, if that has one.

    Args:
        host: str or bytes as in URL.host, or in any other form that a URL's host may have ("127.1", "0x7f.0.0.1",
            "LOCALHOST."); an IPv6 address with or without brackets, with or without a zone; a URL, for its host; an
            IPv4Address or IPv6Address of ipaddress.

    Returns:
        the row of the smallest network or the longest name; None if there is none, or if host is not a host at all. So
        None does not mean that the host is on the public Internet: ask has_public_host, which says so as far as a name
        can.

    Raises:
        TypeError: host is of another type.

    https://www.iana.org/assignments/iana-ipv4-special-registry/, as of urlsm.security.addresses.REGISTRIES; RFC 6761
    """
    cdef int row
    if type(host) is not str:
        host = text_of_host(host)
    row = row_of(host)
    return None if row == NONE else KINDS[row]


cdef str text_of_host(object host):
    if isinstance(host, str):
        return str.__str__(host)
    if isinstance(host, URL):
        return host.host or ""
    if isinstance(host, bytes):
        return host.decode("utf-8", "replace")
    from ipaddress import IPv4Address, IPv6Address
    if isinstance(host, (IPv4Address, IPv6Address)):
        return str(host)
    raise TypeError(f"a host is str, bytes, URL or an address of ipaddress, not {type(host).__name__}")


# --- the tables ----------------------------------------------------------------------------------

cdef int add_network(bytes first, int length, int row) except -1:
    """Add a network. Those around it have been added before."""
    global network_count, mapped
    cdef Network* network = &NETWORKS[network_count]
    cdef const uint8_t* p = first
    if network_count == MOST or not read_ipv6(p, len(first), &network.first):
        raise ValueError("a network cannot be added")
    network.mask.high = ~<uint64_t>0 << (64 - length) if length < 64 else ~<uint64_t>0
    network.mask.low = ~<uint64_t>0 << (128 - length) if 64 < length else 0
    network.around = network_of(network.first)
    network.row, network.public = row, ROWS[row].public
    network.ipv4_at = NONE if ROWS[row].ipv4_at is None else ROWS[row].ipv4_at
    if ROWS[row].network == "::ffff:0:0/96":
        mapped = network_count
    if CODES[row] == ("metadata-address",) and network.around >= 0:
        CODES[row] += CODES[NETWORKS[network.around].row]  # it is also of the kind of its neighbours
    network_count += 1
    return 0


cdef int add_name(bytes text, int index, int row) except -1:
    """Add a name. Shorter ones have been added before."""
    cdef Name* name = &NAMES[index]
    cdef const uint8_t* p = text
    if index >= MOST:
        raise ValueError("a name cannot be added")
    TEXTS.append(text)
    name.p, name.n, name.row = p, len(text), row
    name.next = LAST[p[name.n - 1]]
    LAST[p[name.n - 1]] = index
    return 0


cdef tuple order_of(tuple network):
    """Return the key that sorts networks by their first address, a smaller one behind those around it."""
    cdef Address a
    cdef bytes first = network[0]
    if not read_ipv6(first, len(first), &a):
        raise ValueError("a network does not begin with an address")
    return (a.high, a.low, network[1])


cdef int fill() except -1:
    cdef list networks = [], names = []
    cdef int k, row
    for k in range(128):
        LAST[k] = NONE
    for row in range(len(ROWS)):
        first, slash, length = ROWS[row].network.partition("/")
        if not slash:
            names.append((len(first), first.encode(), row))
        elif "." in first:
            networks.append((f"::ffff:{first}".encode(), 96 + int(length), row))
        else:
            networks.append((first.encode(), int(length), row))
    for first, length, row in sorted(networks, key=order_of):
        add_network(first, length, row)
    names.sort()
    for k in range(len(names)):
        add_name(names[k][1], k, names[k][2])
    for row in range(len(ROWS)):
        HAZARDOUS[row] = len(<tuple>CODES[row]) > 0
    return 0


fill()
stay_all(globals())
