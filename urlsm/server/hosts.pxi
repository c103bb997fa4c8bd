"""Included by requests: the value of a Host header, and the hosts that a server answers for."""

cdef enum Fault:             # the rows of errors.TABLE
    NO_FAULT
    HOST_MISSING
    HOST_REPEATED
    HOST_INVALID
    USERINFO_NOT_ALLOWED
    IP_LITERAL_INVALID
    IPV4_INVALID
    PORT_INVALID
    HOST_NOT_ALLOWED
    TARGET_FORM_INVALID
    CHARACTER_NOT_ALLOWED
    SCHEME_INVALID
    SCHEME_MISDIRECTED
    DOT_SEGMENTS

cdef enum:                   # the bits of an entry (entries.py); below them, the port
    WHOLE = 1 << 16          # the host itself
    BELOW = 1 << 17          # what lies below it
    ANY_PORT = 1 << 18
    DEFAULT_PORTS = 1 << 19  # none, 80 and 443
    MAPPED = 1 << 20         # IPv4 within IPv6, whose key is that of IPv4

cdef struct Field:           # the value of a Host header, or the authority of a target
    uint32_t end             # of the host
    int32_t port             # -1: none, or an empty one
    bint is_name             # not an address
    bint rooted              # a name with a dot at its end
    uint32_t at              # where a fault is


cdef Fault read_host(const uint8_t* p, uint32_t n, Field* f) noexcept nogil:
    """Read uri-host [ ":" port ] (RFC 9110 section 7.2), as far as every reader finds the same host in it.

    The grammar would also allow escapes and sub-delims, which no name of a server has: servers join two Hosts by a
    comma. Labels are of letters, digits, "-" and "_", and none is empty but the root's. If the last one is a number
    for the URL Standard ("127.1", "0x7f.1"), the host has to be four decimal numbers as it writes them. So in a URL
    the host ends where it ends here, and is the same but for case; ToASCII may still refuse it ("xn--a").
    """
    cdef uint32_t k = 0, label = 0, ipv4
    cdef uint8_t[16] address
    f.at, f.port, f.is_name, f.rooted = 0, -1, False, False
    if n == 0:
        return HOST_MISSING
    if p[0] == c'[':
        while k < n and p[k] != c']':
            k += 1
        if k == n or not read_ipv6(p, k + 1, address):
            return IP_LITERAL_INVALID
        k += 1
    else:
        while k < n and (CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c'-' or p[k] == c'_' or p[k] == c'.'):
            if p[k] == c'.':
                if k == label:
                    f.at = k
                    return HOST_INVALID
                label = k + 1
            k += 1
    f.end = k
    if k < n and (p[k] != c':' or memchr(p + k, c'@', n - k) != NULL or memchr(p + k + 1, c':', n - k - 1) != NULL):
        return fault_from(p, k, n, f)
    if k == 0:
        return HOST_MISSING
    if p[0] != c'[':
        f.rooted = label == k
        f.is_name = not ends_in_a_number(p, k)
        if k - f.rooted > LONGEST_NAME:
            return HOST_INVALID
        if not f.is_name and (f.rooted or not read_ipv4(p, k, &ipv4)):
            return IPV4_INVALID
    return NO_FAULT if k == n else read_port(p, k + 1, n, f)


cdef inline Fault fault_from(const uint8_t* p, uint32_t k, uint32_t n, Field* f) noexcept nogil:
    """Return why p[k:n] cannot stand behind a host."""
    cdef const uint8_t* at = <const uint8_t*>memchr(p + k, c'@', n - k)
    f.at = k
    if at != NULL:
        f.at = <uint32_t>(at - p)
        return USERINFO_NOT_ALLOWED
    return IP_LITERAL_INVALID if p[k] == c':' and p[0] != c'[' else HOST_INVALID


cdef inline Fault read_port(const uint8_t* p, uint32_t k, uint32_t n, Field* f) noexcept nogil:
    """Read port = *DIGIT, of five digits at most."""
    cdef uint32_t start = k
    cdef int32_t port = 0
    while k < n and k < start + 5 and CLASS[p[k]] & DIGIT:
        port = 10 * port + p[k] - c'0'
        k += 1
    if k < n or port > 0xFFFF:
        f.at = k if k < n else start
        return PORT_INVALID
    if k > start:
        f.port = port
    return NO_FAULT


cdef object plain(object given):
    """Return a text as an exact str or bytes; TypeError if it is neither."""
    if type(given) is str or type(given) is bytes:
        return given
    if isinstance(given, str):
        return str.__str__(given)
    if isinstance(given, bytes):
        return bytes.__getitem__(given, slice(None))
    raise TypeError(f"expected str or bytes, not {type(given).__name__}")


cdef inline Py_ssize_t octets_in(object given, const uint8_t** p) noexcept:
    """Return the number of octets of an exact str or bytes, and set p to them; -1: it is a str that is not ASCII."""
    if type(given) is bytes:
        p[0] = <const uint8_t*>PyBytes_AS_STRING(given)
        return PyBytes_GET_SIZE(given)
    if not is_ascii(given):
        return -1
    p[0] = ascii_data(given)
    return len(<str>given)


@cython.final
@cython.binding(False)
cdef class Hosts:
    """Hosts(entries, *, flavor=None)
--

    The hosts that a server answers for: whether the value of a Host header names one of them.

    An entry is "example.com" or "=example.com", that name alone; ".example.org", it and all names below;
    "*.example.org", only those; an address, or a network ("10.0.0.0/8"); or "*", every host. It allows the ports 80 and
    443, or the one behind it ("example.com:8080"), or any ("localhost:*"). Case and a dot at the end of a name do not
    matter. Names beyond ASCII are those that the URL Standard makes of them. An IPv6 address is the same in every
    spelling; one that stands for an IPv4 address is not that address.

    flavor="django" reads the entries as ALLOWED_HOSTS, flavor="starlette" as TrustedHostMiddleware's, and both check
    as these do, with every port.

    Raises ValueError if an entry cannot be read, TypeError if one is not a str. RFC 9110 sections 7.2 and 7.4.
    """
    cdef HostTable table
    cdef bytes words         # where the bits of each key begin, then the bits
    cdef tuple entries
    cdef bint any            # "*" is an entry
    cdef bint slow           # only the long way of the flavor reads one of the entries
    cdef bint named          # not all entries are networks
    cdef readonly object flavor

    def __cinit__(self, entries, *, flavor=None):  # so that it never changes
        cdef dict rules = {}
        if flavor is not None and flavor not in FLAVORS:
            raise ValueError(f"{flavor!r} is not a flavor; there are {', '.join(FLAVORS)}")
        if isinstance(entries, (str, bytes)):
            raise TypeError("entries is a list of texts, not one text")
        self.entries, self.flavor = tuple(entries), flavor
        for entry in self.entries:
            if not isinstance(entry, str):
                raise TypeError(f"an entry is str, not {type(entry).__name__}")
            if entry == ALL:
                self.any = self.named = True
                continue
            found = read_entry(entry, flavor)
            if found is None:
                self.slow = self.named = True
            else:
                self.named = self.named or found[0][0] >= 8 or not found[1] & DEFAULT_PORTS
                rules.setdefault(found[0], []).append(found[1])
        self.table = HostTable(list(rules))
        self.words = packed(rules.values())

    def check(self, header):
        """Return the Verdict on the value of a Host header (str, bytes or None): true if it names one of the hosts.

        codes has one code: "host-missing", "host-invalid", "userinfo-not-allowed", "ip-literal-invalid",
        "ipv4-invalid", "port-invalid" or "host-not-allowed". TypeError: header has another type.
        """
        return verdict(self, header)

    def __contains__(self, header):
        return verdict(self, header) is <object>VERDICTS[NO_FAULT]

    def __reduce__(self):
        return _made, (self.entries, self.flavor)

    def __repr__(self):
        return f"Hosts({list(self.entries)!r}{'' if self.flavor is None else f', flavor={self.flavor!r}'})"


def _made(entries, flavor):
    return Hosts(entries, flavor=flavor)


cdef object verdict(Hosts hosts, object header):
    return VERDICTS[judged(hosts, header)]


cdef int judged(Hosts hosts, object header) except -1:
    """Return the Fault of a Host header."""
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n
    cdef Field f
    cdef Fault fault
    if hosts.any and hosts.flavor == "starlette":
        return NO_FAULT
    if header is None:
        return HOST_MISSING
    header = plain(header)
    n = octets_in(header, &p)
    if n < 0 or n > LONGEST_FIELD:
        return HOST_INVALID if hosts.flavor is None else judged_by_flavor(hosts, header)
    fault = read_host(p, <uint32_t>n, &f)
    if hosts.flavor is not None and (
            hosts.slow or fault != NO_FAULT or not f.is_name or (f.end < n and f.port < 0)
            or (f.rooted and hosts.flavor == "starlette") or memchr(p, c'_', n) != NULL):
        return judged_by_flavor(hosts, header)
    if fault != NO_FAULT or hosts.any:
        return fault
    return NO_FAULT if holds(hosts, p, &f) else HOST_NOT_ALLOWED


cdef int judged_by_flavor(Hosts hosts, object header) except -1:
    code = allows(header if type(header) is str else header.decode("latin-1"), hosts.entries, hosts.flavor)
    return HOST_NOT_ALLOWED if code == "host-not-allowed" else HOST_INVALID if code else NO_FAULT


cdef bint holds(Hosts hosts, const uint8_t* p, const Field* f) noexcept:
    """Return whether an entry names this host, with this port."""
    cdef uint8_t[LONGEST_NAME + 9] octets  # a hash reads words of eight
    cdef Walk walk
    cdef const uint32_t* words = <const uint32_t*>PyBytes_AS_STRING(hosts.words)
    cdef uint32_t k, entry, bits
    cdef bint whole, mapped
    if f.end > LONGEST_NAME + 1:
        return False
    for k in range(f.end):
        octets[k] = lower(p[k])
    begin_walk(&walk, &hosts.table.hosts, octets, f.end)
    mapped = p[0] == c'[' and walk.bits == 32  # as a host it is another one than the IPv4 address
    while True:
        entry = next_entry(&hosts.table.hosts, &walk, &whole)
        if entry == NO_ENTRY:
            return False
        for k in range(words[entry], words[entry + 1]):
            bits = words[k]
            if bits & (WHOLE if whole else BELOW) and mapped == (bits & MAPPED != 0) and fits_port(bits, f.port):
                return True


cdef inline bint fits_port(uint32_t bits, int32_t port) noexcept nogil:
    if bits & ANY_PORT:
        return True
    return port in (-1, 80, 443) if bits & DEFAULT_PORTS else port == <int32_t>(bits & 0xFFFF)


cdef bint names_network(Hosts hosts, str node) except -1:
    """Return whether the address, with brackets or without, lies in a network of these. A name never does."""
    cdef Walk walk
    cdef bint whole
    cdef bytes octets
    cdef uint32_t ipv4
    node = node.partition("%")[0]  # the zone of a link-local address
    if ":" in node and node[:1] != "[":
        node = f"[{node}]"
    if not node.isascii() or len(node) > LONGEST_NAME:
        return False
    octets = node.encode()
    begin_walk(&walk, &hosts.table.hosts, octets, <uint32_t>len(octets))
    # the walk takes "010.0.0.1" for 10.0.0.1, as others do not
    if walk.bits < 0 or (octets[0] != c'[' and not read_ipv4(octets, len(octets), &ipv4)):
        return False
    return next_entry(&hosts.table.hosts, &walk, &whole) != NO_ENTRY
