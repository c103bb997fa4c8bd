"""Fast paths for the functions that check a URL: special addresses and names, ordinary links, redirects, and Gate.

Ordinary links are links in which every parser sees the same scheme, host and port. They are recognised by a grammar.
All other texts are checked by slower code in other modules, which asks each parser. This is called the long way.

This is one unit, of more than 1,000 lines, because each part calls the ones before it for every link.
"""
import re
cimport cython
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_New
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND, PyUnicode_New, PyUnicode_READ, PyUnicode_WRITE,
)
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp
from urlsm.machine.driver cimport LONG_TEXT, default_port, plain_lane
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL, listed_port, same_letters, scheme_kind
from urlsm.octets.buffer cimport MAX_LENGTH, Buffer, ascii_data, buffer_copy, buffer_free, buffer_start, is_ascii
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, C0_OR_SPACE, CLASS, DIGIT, ENC_C0, HASH, NON_ASCII, PERCENT, QUESTION, SLASH, URL_CODE_POINT,
    classes_of, lower,
)
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.octets.text cimport among, octet_escaped
from urlsm.unicode.domains cimport is_shown, write_domain
from urlsm.url.value cimport URL
from urlsm.url.write.ipv6 cimport read_pieces
from urlsm.components.value import resolve
from urlsm.security.addresses import ROWS, AddressKind
from urlsm.url.value import try_parse

# --- special addresses and names -----------------------------------------------------------------
#
# A host has the row of addresses.py with the smallest network that holds it, or with the longest name that is equal to
# it or above it. Networks are kept as IPv6 networks (those of IPv4 in the mapped form, ::ffff:0:0/96), sorted by their
# first address. Each has the index of the smallest network around it. So the answer is the last network that starts at
# or before the address, or a network around that one.

cdef enum:
    NONE = -1          # there is no row
    UNREAD = -2        # the host is not in canonical form
    UNALLOCATED = -3   # the host is an IPv6 address outside of 2000::/3, from which IANA allocates
    MOST = 128         # there may be at most this many networks, and as many names
    ADDRESS = 64       # octets; no address is longer than this
    LONGEST = 4096     # characters; no name is longer than this, even if all its octets are escaped

cdef struct Address:
    uint64_t high, low

cdef struct Network:
    Address first, mask
    int around         # the index of the smallest network that contains this one
    int row
    bint public
    int ipv4_at        # the bit at which an IPv4 address begins in the addresses of this network, or NONE

cdef struct Name:
    const uint8_t* p
    Py_ssize_t n
    int row
    int next           # the index of the next shorter name with the same last octet

cdef list KINDS = [AddressKind(row.name, row.network, row.reference, row.public) for row in ROWS]
cdef list CODES = [() if row.public or row.hazard is None else (row.hazard,) for row in ROWS]
cdef bint[2 * MOST] HAZARDOUS  # for each row, whether CODES has a code for it
cdef list TEXTS = []   # names as bytes; they keep the octets of NAMES alive
cdef Network[MOST] NETWORKS
cdef Name[MOST] NAMES
cdef int[128] LAST     # for each octet, the index of the longest name that ends in it
cdef int network_count = 0, mapped = -1
cdef object DELIMITERS = frozenset("/\\?#@:[]")


# --- addresses -----------------------------------------------------------------------------------

cdef inline bint contains(const Network* network, Address a) noexcept nogil:
    return a.high & network.mask.high == network.first.high and a.low & network.mask.low == network.first.low


cdef int network_of(Address a) noexcept nogil:
    """Return the index of the smallest network that contains an address, or NONE."""
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
    """Return whether the last 64 bits are 0000:5efe (or 0200:5efe, for a public address) and an IPv4 address (RFC 5214
    section 6.1). The first 32 of these bits may only differ from 0000:5efe in the bits "u" and "g"."""
    return <uint32_t>(a.low >> 32) & ~<uint32_t>0x03000000 == 0x5EFE


cdef int ipv6_network(Address a) noexcept nogil:
    """Return the index of the network that decides on an IPv6 address: its own, or the one of the IPv4 address in it.
    Return a negative number if there is none."""
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


cdef bint read_address(const uint8_t* p, Py_ssize_t n, Address* a) noexcept nogil:
    """Read p[0:n] as an IPv6 address, with or without brackets, into `a`. Return whether it is one. A zone (RFC 6874,
    RFC 9844) is ignored."""
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
    """Read an IPv4 address of four decimal numbers, as the URL Standard writes it. Return whether p[0:n] is one."""
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
    """Return the row that decides on an address, which has to be four decimal numbers or an IPv6 address without a
    zone. NONE: there is no row. UNALLOCATED: IANA has not allocated the address. UNREAD: the text is not an address in
    this form."""
    cdef Address a
    cdef uint32_t ipv4
    cdef uint64_t start
    cdef int k
    if memchr(p, c':', n) == NULL:
        if not read_ipv4(p, n, &ipv4):
            return UNREAD
        k = ipv4_network(ipv4)
        return NETWORKS[k].row if k >= 0 else NONE
    if n >= ADDRESS or p[0] == c'[' or memchr(p, c'%', n) != NULL or not read_address(p, n, &a):
        return UNREAD
    k = ipv6_network(a)
    if k >= 0 and not NETWORKS[k].public:
        return NETWORKS[k].row
    # bits 64 to 95, which precede the IPv4 address in compatible, mapped and translated addresses, and in 64:ff9b::/96
    start = a.low >> 32
    if a.high >> 61 != 1 and not (a.high == <uint64_t>0x64FF9B << 32 and start == 0) and \
            not (a.high == 0 and (start == 0 or start == 0xFFFF or start == <uint64_t>0xFFFF << 16)):
        return UNALLOCATED
    return NETWORKS[k].row if k >= 0 else NONE


# --- names ---------------------------------------------------------------------------------------

cdef int name_row(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return the row of the longest name that is equal to p[0:n] or above it, or NONE. Case and dots at the end are
    ignored."""
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
    "-" and "_" whose last label does not begin with a digit. Return NONE if it has no row, and UNREAD for any other
    text."""
    cdef Address a
    cdef uint32_t ipv4
    cdef Py_ssize_t k, last = 0
    cdef int network
    for k in range(n):
        if p[k] == c'.':
            last = k + 1 if k + 1 < n else last
        elif not (CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c'-' or p[k] == c'_'):
            if not read_address(p, n, &a):
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
    """Return whether an ASCII host is a hazard according to its row, or is not in canonical form."""
    cdef int row = canonical_row(p, n)
    return row == UNREAD or (row != NONE and HAZARDOUS[row])


cdef bint is_hazard_name(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Do the same as is_hazard, but only for a name in canonical form."""
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
    """Return the host as the URL Standard writes it in an http URL; None if the host parser rejects it."""
    if len(host) > LONGEST or not DELIMITERS.isdisjoint(host):
        return None
    url = try_parse(f"http://{host}/")
    return None if url is None else url.host


def canonical_host(str host not None):
    """Return a host as the URL Standard writes it in an http URL. An IPv6 address is returned unchanged. Return None if
    the host parser rejects the host."""
    cdef Address a
    if is_ascii(host) and read_address(ascii_data(host), len(host), &a):
        return host
    return as_special(host)


def hazards_of(str host not None) -> tuple:
    """Return the codes of the hazards that audit reports for a host's row."""
    cdef int row = row_of(host)
    return () if row == NONE else CODES[row]


def stands_for_ipv4(str host not None) -> bool:
    """Return whether the host is an IPv6 address that stands for an IPv4 address."""
    cdef Address a
    cdef int k
    if not is_ascii(host) or not read_address(ascii_data(host), len(host), &a):
        return False
    k = network_of(a)
    return a.high == 0 and a.low >> 32 == 0xFFFF or k >= 0 and NETWORKS[k].ipv4_at >= 0 or is_isatap(a)


def address_kind(host):
    """Return the purpose of a special address or name: private, loopback, link-local, cloud metadata and others.

    The table contains IANA's special-purpose registries, multicast, names that are not in public DNS, and hosts of
    cloud metadata services. No name is resolved. An IPv6 address that represents an IPv4 address has the kind of that
    IPv4 address.

    Args:
        host: a host in any form that is allowed in a URL ("127.1", "0x7f.0.0.1", "LOCALHOST."), an IPv6 address with or
            without brackets and zone, a URL (as a str, bytes or URL), or an address from the module ipaddress.

    Returns:
        The AddressKind for the smallest matching network or the longest matching name; None if nothing matches, or if
        `host` is not a valid host. None does not mean that the host is public: see `has_public_host`.

    Raises:
        TypeError: `host` has the wrong type.

    Example:
        >>> kind = address_kind("169.254.169.254")
        >>> kind and kind.public, address_kind("93.184.216.34")
        (False, None)

    https://www.iana.org/assignments/iana-ipv4-special-registry/; RFC 6761
    """
    cdef int row
    if type(host) is not str:
        host = text_of_host(host)
    row = row_of(host)
    if row == NONE and ":" in <str>host:  # it may be a URL, which needs no "//" after "http:"
        url = try_parse(host)
        row = NONE if url is None else row_of(url.host or "")
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
    raise TypeError(f"host must be str, bytes, URL, IPv4Address or IPv6Address, not {type(host).__name__}")


# --- the tables of networks and names ------------------------------------------------------------

cdef int add_network(bytes first, int length, int row) except -1:
    """Add a network. The networks around it have been added before."""
    global network_count, mapped
    cdef Network* network = &NETWORKS[network_count]
    cdef const uint8_t* p = first
    if network_count == MOST or not read_address(p, len(first), &network.first):
        raise ValueError("a network cannot be added")
    network.mask.high = ~<uint64_t>0 << (64 - length) if length < 64 else ~<uint64_t>0
    network.mask.low = ~<uint64_t>0 << (128 - length) if 64 < length else 0
    network.around = network_of(network.first)
    network.row, network.public = row, ROWS[row].public
    network.ipv4_at = NONE if ROWS[row].ipv4_at is None else ROWS[row].ipv4_at
    if ROWS[row].network == "::ffff:0:0/96":
        mapped = network_count
    if CODES[row] == ("metadata-address",) and network.around >= 0:
        CODES[row] += CODES[NETWORKS[network.around].row]  # this network also has the hazards of the network around it
    network_count += 1
    return 0


cdef int add_name(bytes text, int index, int row) except -1:
    """Add a name. The shorter names have been added before."""
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
    """Return the key by which networks are sorted: by their first address, and each network after those around it."""
    cdef Address a
    cdef bytes first = network[0]
    if not read_address(first, len(first), &a):
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


# --- ordinary links ------------------------------------------------------------------------------

cdef extern from *:
    Py_UCS4 char_at "PyUnicode_READ"(int kind, const void* data, Py_ssize_t k) noexcept nogil

cdef enum:
    HEAD = 512  # characters; a scheme, a name and a port are shorter than this together
    MOST_LISTS = 256
    MOST_READABLE = 1024


cdef inline bint is_label(uint8_t octet) noexcept nogil:
    return CLASS[octet] & (ALPHA | DIGIT) != 0 or octet == c'-' or octet == c'_'


cdef bint ordinary_authority(const uint8_t* p, Py_ssize_t n, Authority* a) noexcept nogil:
    """Return whether p[0:n] begins as an ordinary link: with a special scheme, "://", and a host that ordinary_host
    accepts."""
    cdef Py_ssize_t k = 2
    while k < n and k < 6 and p[k] != c':':
        k += 1
    if k + 3 >= n or p[k] != c':' or p[k + 1] != c'/' or p[k + 2] != c'/':
        return False
    a.kind = scheme_kind(p, k)
    if not NOT_SPECIAL < a.kind < FILE:
        return False
    return ordinary_host(p, n, k + 3, a)


cdef bint ordinary_host(const uint8_t* p, Py_ssize_t n, Py_ssize_t k, Authority* a) noexcept nogil:
    """Return whether an ordinary host begins at p[k], after "//". Such a host consists of labels, the last of which
    does not begin with a digit, or of four decimal numbers as the URL Standard writes an IPv4 address. It may be
    followed by a port, then by the end, "/", "?" or "#". Every reader sees the same host and port: they meet the
    grammar of every dialect, and no dialect changes them."""
    cdef Py_ssize_t label
    cdef uint32_t ipv4
    if not plain_lane:  # the tests have switched the fast paths off
        return False
    a.host = k
    while True:
        label = k
        while k < n and is_label(p[k]):
            k += 1
        if k == label or p[label] == c'-' or p[k - 1] == c'-':
            return False  # the label is empty, or RFC 2396 does not allow it
        if k + 1 >= n or p[k] != c'.' or not is_label(p[k + 1]):
            break
        k += 1
    if CLASS[p[label]] & DIGIT:
        if not read_ipv4(p + a.host, k - a.host, &ipv4):
            return False
    elif k - a.host > LONGEST_NAME:
        return False
    elif k < n and p[k] == c'.':  # the dot of the root, which may end the name
        k += 1
    a.host_end, a.port = k, 0
    if k < n and p[k] == c':':
        k += 1
        while k < n and CLASS[p[k]] & DIGIT and a.port <= 0xFFFF:
            a.port = 10 * a.port + p[k] - c'0'
            k += 1
    a.has_port = k > a.host_end + 1
    a.end = k
    return a.port <= 0xFFFF and (k == n or CLASS[p[k]] & (SLASH | QUESTION | HASH) != 0)


cdef bint begins_ordinary(str text, Authority* a) except -1:
    """Return what ordinary_authority returns for a text. Up to the end of the authority, octets and characters have the
    same positions."""
    cdef bytes octets
    if is_ascii(text):
        return ordinary_authority(ascii_data(text), len(text), a)
    octets = begin_of(text)
    return ordinary_authority(octets, len(octets), a)


cdef bytes begin_of(str text):
    """Return the beginning of a text as UTF-8: HEAD characters and a NUL, or the whole text if it is not longer. HEAD
    characters hold any ordinary authority, except one whose port has many zeros. Such a port is cut, and the NUL after
    it keeps the authority from counting as ordinary."""
    return scalars(text[:HEAD] + "\0" if len(text) > HEAD else text).encode()


cpdef bint is_ordinary(str text) except -1:
    """Return whether the text begins as an ordinary link."""
    cdef Authority a
    return begins_ordinary(text, &a)


cpdef Py_ssize_t unremarkable(str text) except -1:
    """Return the number of characters, from the start, that certainly contain no hazard reported by
    urlsm.security.audit.

    This is the length of the text, the length of the text before its path, or 0. It is not 0 for a link with no port
    other than the scheme's default, whose host is not a hazard by addresses.py, and is either ordinary, with only such
    "xn--" labels as may be shown to people, or a domain in Unicode that begins_with_domain accepts. Such a host does
    not hide another one; and all readers see the same host and scheme, and no user information.
    """
    cdef Authority a
    cdef Py_ssize_t n = len(text)
    cdef bytes octets
    if is_ascii(text):
        if not ordinary_authority(ascii_data(text), n, &a) or not holds_no_hazard(ascii_data(text), &a):
            return 0
        return n if is_free(ascii_data(text) + a.end, n - a.end, PERCENT | BACKSLASH | ENC_C0) \
            or is_harmless(PyUnicode_1BYTE_KIND, ascii_data(text), a.end, n) else a.end
    octets = begin_of(text)
    if ordinary_authority(octets, len(octets), &a):
        if not holds_no_hazard(octets, &a):
            return 0
    elif not begins_with_domain(octets, len(octets), &a):
        return 0
    return n if is_harmless(PyUnicode_KIND(text), PyUnicode_DATA(text), a.end, n) else a.end


cdef bint reads_alike(const uint8_t* p, size_t n) except -1 nogil:
    """Return whether is_ambiguous is certainly False for p[0:n], which need not be UTF-8: the octets after an ordinary
    authority do not matter, as in is_ordinary."""
    cdef Authority a
    return ordinary_authority(p, n, &a) and a.end < HEAD


cdef bint is_clear(const uint8_t* p, size_t n) except -1 nogil:
    """Return whether audit certainly finds nothing in p[0:n]: the text is ASCII, and `unremarkable` would return its
    length."""
    cdef Authority a
    if not ordinary_authority(p, n, &a) or not holds_no_hazard(p, &a):
        return False
    if is_free(p + a.end, n - a.end, PERCENT | BACKSLASH | ENC_C0 | NON_ASCII):
        return True
    return not classes_of(p + a.end, n - a.end) & NON_ASCII and is_harmless(PyUnicode_1BYTE_KIND, p, a.end, n)


cdef inline bint is_free(const uint8_t* p, size_t n, uint32_t classes) noexcept nogil:
    """Return whether p[0:n] holds no octet of these classes, no ";", which may end a segment of dots, and no two
    slashes in a row."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* slash = p - 1
    if classes_of(p, n) & classes or memchr(p, c';', n) != NULL:
        return False
    while True:
        slash = <const uint8_t*>memchr(slash + 1, c'/', end - slash - 1)
        if slash == NULL:
            return True
        if end - slash > 1 and slash[1] == c'/':
            return False


READS_ALIKE = PyCapsule_New(<void*>reads_alike, NULL, NULL)  # urlsm/columns calls these two functions by the capsules
IS_CLEAR = PyCapsule_New(<void*>is_clear, NULL, NULL)


cdef bint holds_no_hazard(const uint8_t* p, const Authority* a) except -1 nogil:
    """Return whether the host and the port of an ordinary authority in p are no hazard. A host with "xn--" labels is no
    hazard if they all decode, to labels that may be shown to people."""
    cdef uint32_t culprit
    cdef Buffer shown
    if a.has_port and a.port != <int>default_port(a.kind):
        return False
    if is_hazard(p + a.host, a.host_end - a.host) if CLASS[p[a.host_end - 1]] & DIGIT \
            else is_hazard_name(p + a.host, a.host_end - a.host):  # an address ends in a digit
        return False
    if not has_a_label(p + a.host, a.host_end - a.host):
        return True
    buffer_start(&shown)
    try:
        return write_domain(&shown, p + a.host, a.host_end - a.host, True, &culprit) == 0 \
            and is_shown(shown.p, shown.n) and not has_a_label(shown.p, shown.n)
    finally:
        buffer_free(&shown)


cdef bint begins_with_domain(const uint8_t* p, Py_ssize_t n, Authority* a) except -1:
    """Return whether p[0:n], which is UTF-8, begins like an ordinary link without a port, but with a domain in Unicode
    that is not a hazard. If so, a.end counts characters.

    Such a domain has only letters, marks, digits and "-", so every reader takes it as it is. It is its own ToUnicode
    form, and has no code points on which versions of IDNA differ, so every reader finds the same ASCII form for it
    (folded_host of comparison.pyx). So all readers see what they see in the link with the ASCII form, which must be
    ordinary.
    """
    cdef Py_ssize_t k = 2, start, end
    cdef uint32_t culprit
    cdef Buffer b, back
    while k < n and k < 6 and p[k] != c':':
        k += 1
    start = end = k + 3
    if start > n or p[k] != c':':
        return False
    while end < n and (is_label(p[end]) or p[end] == c'.' or p[end] >= 0x80):
        end += 1
    if end - start > LONGEST_NAME or (end < n and not CLASS[p[end]] & (SLASH | QUESTION | HASH)):
        return False
    buffer_start(&b)
    buffer_start(&back)
    try:
        buffer_copy(&b, p, start)
        if not is_shown(p + start, end - start) or write_domain(&b, p + start, end - start, False, &culprit) != 0:
            return False
        if not ordinary_authority(b.p, b.n, a) or is_hazard(b.p + a.host, a.host_end - a.host):
            return False
        write_domain(&back, b.p + start, b.n - start, True, &culprit)
        if back.n != <size_t>(end - start) or memcmp(back.p, p + start, back.n) != 0:
            return False
    finally:
        buffer_free(&b)
        buffer_free(&back)
    a.end = start
    for k in range(start, end):
        a.end += p[k] & 0xC0 != 0x80  # count the first octet of each character
    return True


cdef bint has_a_label(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return whether a host has "xn--", so that it matters what IDNA says."""
    cdef Py_ssize_t k
    if memchr(p, c'-', n) == NULL:
        return False
    for k in range(n - 3):
        if p[k] | 0x20 == c'x' and same_letters(p + k, b"xn--", 4):
            return True
    return False


cdef inline bint is_harmless(int kind, const void* data, Py_ssize_t k, Py_ssize_t n) noexcept nogil:
    """Return whether the path, query and fragment, which begin at k, certainly hold no hazard. The only hazards that
    they can have are a backslash, a control character and an escape of one; in a path also an escaped slash or
    backslash, two slashes in a row, and a segment of dots in which a dot is escaped, or which a ";" or its escape
    follows. Escapes are decoded as in first_suspects."""
    cdef Py_UCS4 char
    cdef bint in_path = True
    cdef int octet
    while k < n:
        char = char_at(kind, data, k)
        if char == c';' and in_path and k > 0 and char_at(kind, data, k - 1) == c'.':
            return False
        if char == c'/' and in_path and k > 0 and char_at(kind, data, k - 1) == c'/':
            return False
        if among(char, PERCENT | BACKSLASH | ENC_C0 | QUESTION | HASH):
            if char == c'%':
                octet = decoded_at(kind, data, &k, n)
                if octet < 0x20 or octet == 0x7F:
                    return False
                if in_path and (octet == c'/' or octet == c'\\' or octet == c'.' or octet == c';'):
                    return False
                continue
            if not among(char, QUESTION | HASH):
                return False
            in_path = False
        k += 1
    return True


cdef int decoded_at(int kind, const void* data, Py_ssize_t* at, Py_ssize_t end) noexcept nogil:
    """Return the octet that the escape at `at` stands for after repeated decoding, and move `at` after the escape. A
    "%" without two hex digits stands for itself."""
    cdef Py_ssize_t k = at[0] + 1
    cdef Py_UCS4 high, low
    cdef int octet
    while k + 1 < end:
        high, low = char_at(kind, data, k), char_at(kind, data, k + 1)
        octet = hexes(high, low) if high <= 0x7F and low <= 0x7F else -1
        if octet < 0:
            break
        k += 2
        if octet != c'%':
            at[0] = k
            return octet
    at[0] = k
    return c'%'


cdef int hexes(uint8_t high, uint8_t low) noexcept nogil:
    """Return the octet that two hex digits stand for, or -1 if they are not hex digits."""
    cdef uint8_t[3] escape
    escape[0], escape[1], escape[2] = c'%', high, low
    return octet_escaped(escape, 3)


cpdef str scalars(str text):
    """Return the text with each lone surrogate replaced by U+FFFD. This is a scalar value string, which the URL
    Standard works on."""
    cdef Py_ssize_t k, n = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 char
    cdef str made
    for k in range(n if kind > 1 else 0):
        if 0xD800 <= PyUnicode_READ(kind, data, k) <= 0xDFFF:
            break
    else:
        return text
    made = PyUnicode_New(n, 0xFFFF if kind == 2 else 0x10FFFF)
    for k in range(n):
        char = PyUnicode_READ(kind, data, k)
        PyUnicode_WRITE(kind, PyUnicode_DATA(made), k, 0xFFFD if 0xD800 <= char <= 0xDFFF else char)
    return made


# matches texts in which urllib3 (parse_url of 1.26 to 2.x) reads a host where others read a scheme, because it accepts
# no "." in a scheme
cdef object NAME_OF_SCHEME = re.compile(
    r"[\0- ]*[A-Za-z][A-Za-z0-9+-]*\.[A-Za-z0-9+.-]*:(?:[0-9]*(?:[/\\?#]|$)|[^/\\?#]*@)"
)


cpdef bint names_in_scheme(str text) except -1:
    """Return whether the text begins with a scheme that has a "." and that urllib3 reads as a host."""
    return not is_ordinary(text) and NAME_OF_SCHEME.match(text) is not None


# --- lists of hosts ------------------------------------------------------------------------------

cpdef tuple texts_of(entries, str name):
    """Return an iterable of hosts, the argument `name`, as a tuple of exact str. TypeError: it is a str or bytes, or
    one of them is not a str."""
    if isinstance(entries, (str, bytes)) or not hasattr(entries, "__iter__"):
        raise TypeError(f"{name} must be an iterable of str, such as ['example.com'], not {type(entries).__name__}")
    cdef tuple listed = tuple(entries)
    cdef bint are_exact = True
    for entry in listed:
        if type(entry) is not str:
            if not isinstance(entry, str):
                raise TypeError(f"{name} must be an iterable of str, not of {type(entry).__name__}")
            are_exact = False
    return listed if are_exact else tuple([str.__str__(entry) for entry in listed])


cdef dict broad_lists = {}, narrow_lists = {}  # texts -> their HostList; callers repeat the same few lists


cpdef object host_list(tuple texts, bint broad):
    """Return the HostList for a result of texts_of. Recent lists are cached. broad: whether a bare name includes all
    its subdomains, and an entry without a port allows any port."""
    cdef dict known = broad_lists if broad else narrow_lists
    found = known.get(texts)
    if found is None:
        from urlsm.security.host_lists import HostList
        found = HostList(texts, below=broad, any_port=broad)
        if len(known) >= MOST_LISTS:
            known.clear()
        known[texts] = found
    return found


cdef set readable = set()  # entries that checked_hosts has read lately
cdef PyObject* url_set = NULL  # the class UrlSet, which few callers need


cdef inline bint are_readable(object allowed_hosts) except -1:
    """Return whether this is a list or a tuple, all of whose entries have been read before."""
    if type(allowed_hosts) is not list and type(allowed_hosts) is not tuple:
        return False
    for entry in allowed_hosts:
        if type(entry) is not str or entry not in readable:
            return False
    return True


cpdef object checked_hosts(object allowed_hosts):
    """Return the allowed hosts for is_safe_redirect in a form that can be read more than once: a list, a tuple or a
    PatternSet.

    TypeError: an entry is not a str. ValueError: an entry is invalid. These errors do not depend on the target.
    """
    cdef tuple texts
    if are_readable(allowed_hosts):
        return allowed_hosts
    if allowed_hosts is None:
        return ()
    if not are_built_in(allowed_hosts):
        if published(&url_set) == NULL:
            from urlsm.security.verdict import UrlSet
            publish(&url_set, UrlSet)
        if isinstance(allowed_hosts, <object>published(&url_set)):
            return allowed_hosts
    texts = texts_of(allowed_hosts, "allowed_hosts")
    host_list(texts, False)
    if len(texts) + len(readable) > MOST_READABLE:
        readable.clear()
    if len(texts) <= MOST_READABLE:
        readable.update(texts)
    return texts


cdef inline bint are_built_in(object entries) noexcept:
    """Return whether the entries are an exact list, tuple, set or frozenset. Other types may allow only one iteration,
    or run code of their own."""
    return type(entries) is list or type(entries) is tuple or type(entries) is set or type(entries) is frozenset


# --- references and redirects, for targets of a plain grammar on an ordinary base ----------------

cdef enum:
    LONGEST_PORT = 6  # characters with ":" and without leading zeros; a longer port could make an authority too long

    # the flags that path_end sets for a path
    CONTROL = 1      # an escaped control character: some readers drop it, or take it for a line end
    DISGUISE = 2     # an escape of "%" or of an octet beyond ASCII; or a segment that does not begin like a name
    MORE_SLASHES = 4  # an empty segment, or an escaped slash or backslash: some readers see other segments
    FIRST_EMPTY = 8  # the first segment is empty


cdef str ascii_text_of(object url):
    """Return the text of a URL or a str, if it is ASCII and has at most LONG_TEXT characters; otherwise None."""
    if type(url) is URL:
        url = (<URL>url).href
    return url if type(url) is str and is_ascii(url) and len(<str>url) <= LONG_TEXT else None


cdef Py_ssize_t path_end(const uint8_t* p, Py_ssize_t k, Py_ssize_t n, int* seen) noexcept nogil:
    """Return where the path ends: at "?", "#" or n. Return -1 if the path has anything other than RFC 3986's pchar and
    "/". k: where its segments begin, after the first "/" of an absolute path. seen: receives the flags above."""
    cdef bint begins = True  # whether a segment begins here
    cdef int octet
    cdef Py_ssize_t start = k
    seen[0] = 0
    while k < n and not CLASS[p[k]] & (QUESTION | HASH):
        if p[k] == c'/':
            if begins:
                seen[0] |= MORE_SLASHES if k > start else FIRST_EMPTY
            begins = True
            k += 1
            continue
        if p[k] == c'%':
            octet = octet_escaped(p + k, n - k)
            if octet < 0:
                return -1
            if octet < 0x20:
                seen[0] |= CONTROL
            if begins or octet >= 0x7F or octet == c'%':
                seen[0] |= DISGUISE
            k += 3
            begins = octet == c'/' or octet == c'\\'
            if begins:
                seen[0] |= MORE_SLASHES
            continue
        if not CLASS[p[k]] & URL_CODE_POINT:
            return -1
        if begins and (p[k] == c'.' or p[k] == c';' or p[k] == c':'):
            seen[0] |= DISGUISE
        begins = False
        k += 1
    return k


cdef inline bint begins_with_one_slash(int seen) noexcept nogil:
    """Return whether every reader sees exactly one slash at the beginning of a path, before and after dot segments are
    removed and escapes are decoded. seen: the flags that path_end set for the text after the first "/" of an absolute
    path, or for a relative path that is resolved against a base path with none of the flags CONTROL, MORE_SLASHES and
    FIRST_EMPTY.

    Why True is certain: FIRST_EMPTY is not set, so the first segment is not empty. If MORE_SLASHES is not set either,
    no other segment is empty and no slash is escaped, so removing segments cannot bring two slashes together. If
    MORE_SLASHES is set, DISGUISE is not, so no reader removes a segment: each slash that some reader sees is followed
    by a literal octet other than a dot, and decoding leaves that octet there.
    """
    return not seen & (CONTROL | FIRST_EMPTY) and not (seen & MORE_SLASHES and seen & DISGUISE)


cdef bint is_below(const uint8_t* base, Py_ssize_t base_n, const uint8_t* ref, Py_ssize_t n) noexcept nogil:
    """Return whether base is an ordinary link, and ref a relative path, perhaps empty, that certainly stays below it.

    Why True is certain: no reader sees ".." in a segment of base or ref. Each segment begins with a literal octet other
    than ".", ";" and ":", so it is not made of dots. No segment is split, because slashes and backslashes are not
    escaped. Nothing can be decoded twice, because "%" is not escaped, and every "%" begins an escape. Octets beyond
    ASCII are not escaped either, so overlong UTF-8 and NFKC change nothing.
    """
    cdef Authority a
    cdef Py_ssize_t k
    cdef int seen
    if not ordinary_authority(base, base_n, &a) or a.end - a.host_end > LONGEST_PORT:
        return False
    k = a.end + 1 if a.end < base_n and base[a.end] == c'/' else a.end
    if path_end(base, k, base_n, &seen) < 0 or seen:
        return False
    if n and ref[0] == c'/' or (n > 2 and ref[1] == c'%' and ref[2] != c'2'):  # "C%3A" stands for the drive "C:"
        return False
    for k in range(n):
        if CLASS[ref[k]] & (SLASH | QUESTION | HASH):
            break
        if ref[k] == c':':  # perhaps this ":" ends a scheme
            return False
    return path_end(ref, 0, n, &seen) >= 0 and not seen


def joined_plainly(base, ref):
    """Return the result of safe_join if ref certainly stays below base (is_below); otherwise None."""
    cdef str home = ascii_text_of(base), text = ascii_text_of(ref)
    if home is None or text is None or not is_below(ascii_data(home), len(home), ascii_data(text), len(text)):
        return None
    return resolve(text, base=home)


# --- redirects -----------------------------------------------------------------------------------

cdef inline int port_of(const Authority* a) noexcept nogil:
    return a.port if a.has_port else <int>listed_port(a.kind)


cdef inline bint same_name(const uint8_t* p, Py_ssize_t n, const uint8_t* q, Py_ssize_t m) noexcept nogil:
    """Return whether two ASCII strings are equal, ignoring case."""
    cdef Py_ssize_t k
    if n != m:
        return False
    for k in range(n):
        if lower(p[k]) != lower(q[k]):
            return False
    return True


cdef int names(object entry, const uint8_t* p, const Authority* a) except -2:
    """Return whether an entry of allowed_hosts names this host and port, or -1 if only the long way can tell. The long
    way is needed unless the entry is a name or four decimal numbers, perhaps with a port, and cannot be another form of
    an address."""
    cdef const uint8_t* q
    cdef Py_ssize_t n, k, colon, label = 0, size = a.host_end - a.host
    cdef uint32_t ipv4
    cdef int port = 0
    if type(entry) is not str or not is_ascii(entry):
        return -1
    q, n = ascii_data(entry), len(<str>entry)
    colon = n
    for k in range(n):
        if q[k] == c':':
            if colon < n:  # the entry may be an IPv6 address
                return -1
            colon = k
        elif colon < n:
            if not CLASS[q[k]] & DIGIT or k - colon > 5:
                return -1
            port = 10 * port + q[k] - c'0'
        elif q[k] == c'.':
            if k == label:
                return -1
            if k + 1 < n:
                label = k + 1
        elif not is_label(q[k]):
            return -1
    if colon == n - 1 or colon == 0:
        return -1
    if port_of(a) != (port if colon < n else <int>listed_port(a.kind)):
        return False
    if same_name(q, colon - (q[colon - 1] == c'.'), p + a.host, size):
        return True
    return -1 if CLASS[q[label]] & DIGIT and not read_ipv4(q, colon, &ipv4) else False


cdef int are_named(object allowed_hosts, const uint8_t* p, const Authority* a) except -2:
    """Return whether one of the entries names this host and port, or -1 if only the long way can tell. Entries after
    the first one that decides are not read."""
    cdef int found
    if not are_built_in(allowed_hosts):
        return -1
    for entry in allowed_hosts:
        found = names(entry, p, a)
        if found:
            return found
    return False


cdef inline bint ordinary_target(const uint8_t* p, Py_ssize_t n, const Authority* home,
                                 Authority* there) noexcept nogil:
    """Return whether p[0:n] is an ordinary link, or begins with "//" and becomes one with the scheme of home before
    it."""
    if n < 2 or p[0] != c'/' or p[1] != c'/':
        return ordinary_authority(p, n, there)
    there.kind = home.kind
    return ordinary_host(p, n, 2, there)


cdef inline bint holds_colon(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return whether p[0:n] has a ":", or an escape that may stand for one."""
    cdef Py_ssize_t k
    for k in range(n):
        if p[k] == c':' or (p[k] == c'%' and k + 1 < n and p[k + 1] == c'3'):
            return True
    return False


cpdef object is_plainly_safe(object target, object base, object allowed_hosts):
    """Return the result of is_safe_redirect if the grammar decides it, or None if only the long way can tell.

    The grammar decides under these conditions. base and an absolute target are ordinary links, so every reader sees the
    same scheme, host and port, in normal form. The same is true of a target that begins with "//", after base's scheme
    is put before it. If the target's origin is not base's, and no entry of allowed_hosts names it, the answer is False,
    and the rest of target does not matter. In a relative target, no reader can see a scheme or an authority: its path
    is empty, begins with a single "/", or has no ":" in its first segment, even after decoding (in no segment at all if
    one may be a dot segment). So such a target has base's scheme and authority. A path that is not empty begins with
    one slash for every reader (begins_with_one_slash), and so does base's path if target is resolved against it. The
    path has neither a backslash nor a character that some reader drops. The rest of target is visible ASCII.
    """
    cdef Authority home, there
    cdef str text = ascii_text_of(target), base_text = ascii_text_of(base)
    cdef const uint8_t* p
    cdef const uint8_t* q
    cdef Py_ssize_t n, m, k = 0, end = 0
    cdef int seen, named
    cdef bint is_relative = False
    if text is None or base_text is None:
        return None
    p, n, q, m = ascii_data(text), len(text), ascii_data(base_text), len(base_text)
    if not ordinary_authority(q, m, &home) or not HTTP <= home.kind <= HTTPS or home.end - home.host_end > LONGEST_PORT:
        return None
    if n and p[0] == c'/' and not (n > 1 and p[1] == c'/'):
        k = 1
    elif ordinary_target(p, n, &home, &there):
        if not HTTP <= there.kind <= HTTPS or there.end - there.host_end > LONGEST_PORT:
            return None
        if there.kind != home.kind or port_of(&there) != port_of(&home) or not same_name(
                p + there.host, there.host_end - there.host, q + home.host, home.host_end - home.host):
            named = are_named(allowed_hosts, p, &there)
            if named <= 0:  # the target leads to another host, so the rest of it does not matter
                return False if named == 0 else None
        k = there.end + 1 if there.end < n and p[there.end] == c'/' else there.end
    elif n and not CLASS[p[0]] & (QUESTION | HASH):
        while end < n and not CLASS[p[end]] & (SLASH | QUESTION | HASH):
            end += 1
        if holds_colon(p, end):
            return None
        is_relative = True
        end = home.end + 1 if home.end < m and q[home.end] == c'/' else home.end
        if path_end(q, end, m, &seen) < 0 or seen & (CONTROL | MORE_SLASHES | FIRST_EMPTY):
            return None
    end = path_end(p, k, n, &seen)
    if end < 0 or not begins_with_one_slash(seen):
        return None
    if is_relative and seen & DISGUISE and holds_colon(p, end):
        return None
    for k in range(end, n):
        if CLASS[p[k]] & (ENC_C0 | C0_OR_SPACE):
            return None
    return True


# --- Gate: the plain answers of urlsm.guard.Policy -------------------------------------------------

@cython.binding(False)
@cython.auto_pickle(False)  # (Cython's code to unpickle reads past the end of a state that is too short)
cdef class Gate:
    """The base class of Policy. If the answer needs no closer look (a plain answer), its methods return a verdict that
    they have ready. Otherwise they call Policy's methods _check_at_length and _address_at_length.

    A link has a plain answer only if

    - its host is ordinary: all readers see the same scheme, host and port;
    - the host is not a single label, and no label begins with "xn--";
    - the table has no row about the host;
    - the port is the scheme's default, and the policy allows it.

    The parser cannot refuse such a link: nothing after an ordinary host is fatal, and IDNA only matters for labels with
    "xn--". If the policy allows all public addresses, neither networks nor prefixes of NAT64 change the answer:
    networks can only allow more, and such prefixes are about IPv6 addresses, while the host is a name or an IPv4
    address. Only a list of hosts can still refuse the link. A policy that denies something gives no plain answers.

    The table's verdict on an address is the answer if nothing can change it. Prefixes of NAT64 can change it for IPv6
    addresses, and networks can change a refusal.
    """
    cdef tuple _rows
    cdef object _public, _unallocated, _name, _only, _other
    cdef bint _public_open, _more_open, _has_prefixes, _http, _https

    def _set_answers(self, answers):
        """Store the verdicts of a PlainAnswers."""
        self._rows, self._public, self._unallocated, self._name = answers[:4]
        self._other, self._only, self._public_open, self._more_open, self._has_prefixes = answers[4:9]
        self._http, self._https = [self._public_open and is_open for is_open in answers[9:]]

    def _of_table(self, str address not None):
        """Return the table's verdict on an address in canonical form; None for any other text."""
        cdef int row = address_row(ascii_data(address), len(address)) if is_ascii(address) else UNREAD
        if row == NONE:
            return self._public
        if row == UNALLOCATED:
            return self._unallocated
        return None if row == UNREAD or self._rows is None else self._rows[row]

    def check_address(self, address):
        """Check whether a client may connect to an IP address.

        An IPv6 address that represents an IPv4 address is checked as that IPv4 address: mapped, compatible and
        translated addresses, 64:ff9b::/96, 6to4, ISATAP and `nat64_prefixes`. IPv6 addresses with a zone or not
        allocated by IANA are blocked, and so are IPv4 addresses that programs read differently ("010.8.8.8").

        Args:
            address: str or bytes, in any form that is allowed in a URL's host (an IPv6 address also without brackets or
                with a zone), or an address from `ipaddress`.

        Returns:
            A final Verdict.

        Raises:
            TypeError: `address` has the wrong type.

        Example:
            >>> Policy().check_address("10.0.0.1").codes
            ('private-address',)
            >>> bool(Policy().check_address("8.8.8.8"))
            True
        """
        if plain_lane and self._public_open and type(address) is str:
            verdict = self._of_table(address)
            if verdict is not None and (not self._more_open or verdict is self._public) and \
                    (not self._has_prefixes or ":" not in <str>address):
                return verdict
        return self._address_at_length(address)

    def check(self, url):
        """Check a URL without looking up its host.

        For a host name that the policy allows, the Verdict is allowed but not final, and therefore false, because a
        name may resolve to any address. After this check, pass the URL only to a client that enforces the policy.

        Args:
            url: str, bytes or URL, as for urlsm.parse.

        Returns:
            A Verdict. It is final if the URL is blocked, or if its host is an address.

        Raises:
            TypeError: `url` has the wrong type.

        Example:
            >>> Policy().check("http://0x7f.1/").codes
            ('ambiguous', 'loopback-address')
            >>> verdict = Policy().check("https://example.com/")
            >>> verdict.allowed, verdict.final
            (True, False)
        """
        cdef Authority a
        cdef const uint8_t* p
        cdef Py_ssize_t n
        cdef uint32_t ipv4
        if plain_lane and type(url) is str and is_ascii(url) and len(<str>url) <= MAX_LENGTH:
            p = ascii_data(url)
            if ordinary_authority(p, len(<str>url), &a) and \
                    ((self._https and a.kind == HTTPS) or (self._http and a.kind == HTTP)) and \
                    (not a.has_port or a.port == <int>default_port(a.kind)):
                p += a.host
                n = a.host_end - a.host
                if not has_a_label(p, n) and canonical_row(p, n) == NONE:
                    verdict = None
                    if CLASS[p[n - 1]] & DIGIT and read_ipv4(p, n, &ipv4):
                        verdict = self._public
                    elif memchr(p, c'.', n - 1) != NULL:  # a name of one label belongs to the local network
                        verdict = self._name
                    if verdict is not None:
                        return verdict if self._only is None or url in self._only else self._other
        return self._check_at_length(url)


stay_all(globals())
