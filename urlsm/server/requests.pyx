"""Builds the URL of a request from its target and Host header, an ASGI scope or a WSGI environ; and the class Hosts.

The text of the URL is put together from a scheme, an authority that read_host has accepted, and a path that begins with
"/". Then it is parsed once. No octet of such an authority can end it or hide another authority in it, so the host of
the URL is the one that read_host has read. RFC 9112 section 3, RFC 9110 section 7.
"""
cimport cython
from functools import partial
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, C0_OR_SPACE, CLASS, DIGIT, ENC_C0, HASH, NON_ASCII, QUESTION, SLASH, lower,
)
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport (
    Quoting, UNRESERVED, keep_octets, quoting_at, write_decoded, write_encoded, write_quoted,
)
from urlsm.patterns.hosts cimport HostTable, NO_ENTRY, Walk, begin_walk, next_entry, read_brackets
from urlsm.security.plain cimport LONGEST_NAME, read_ipv4
from urlsm.url.slots cimport add_member, set_name
from urlsm.url.value cimport URL
from urlsm.url.write.host cimport ends_in_a_number
from urlsm.server.entries import ALL, FLAVORS, pack, read_entry, refusal_of
from urlsm.server.errors import VERDICTS as _VERDICTS, error_of
from urlsm.url.value import try_parse

cdef enum:
    LONGEST_FIELD = 0x2000   # octets; a Host or an authority may not be longer

cdef tuple VERDICTS = _VERDICTS
cdef tuple SCHEMES = ("http", "https", "ws", "wss")
# the characters that stay unescaped when a decoded path is encoded: pchar without "%", and "/"
cdef Quoting PATH_OCTETS = quoting_at(UNRESERVED)[0]
keep_octets(&PATH_OCTETS, b"!$&'()*+,;=:@/", 14)


# --- the value of a Host header, and the hosts that a server answers for -------------------------

cdef enum Fault:             # the numbers of the rows in errors.TABLE
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

cdef extern from *:
    """
    #define URLSM_FLAVOR_AT(hosts) URLSM_OFFSET(hosts, flavor)
    """
    Py_ssize_t offset_of_flavor "URLSM_FLAVOR_AT"(Hosts hosts) noexcept

cdef enum:                   # the bits of an entry (entries.py); the bits below them are the port
    WHOLE = 1 << 16          # the host itself
    BELOW = 1 << 17          # the hosts below it
    ANY_PORT = 1 << 18
    DEFAULT_PORTS = 1 << 19  # no port, 80 or 443
    MAPPED = 1 << 20         # an IPv4-mapped IPv6 address or network, whose key is that of the IPv4 address or network

cdef struct Field:           # the value of a Host header, or the authority of a target
    uint32_t end             # where the host ends
    int32_t port             # -1 if there is no port, or an empty one
    bint is_name             # whether the host is a name, not an address
    bint rooted              # whether the host is a name with a dot at its end
    uint32_t at              # where the fault is, if there is one


cdef Fault read_host(const uint8_t* p, uint32_t n, Field* f) noexcept nogil:
    """Read uri-host [ ":" port ] (RFC 9110 section 7.2), and accept it only if every parser finds the same host in it.

    The grammar would also allow escapes and sub-delims. They are refused: no server has a name with them, and some
    servers join two Host fields by a comma. Labels consist of letters, digits, "-" and "_", and only the root's label
    is empty. If the URL Standard takes the last label for a number ("127.1", "0x7f.1"), the host has to be four decimal
    numbers as the URL Standard writes them. So in a URL the host ends at the same place, and only its case may change;
    ToASCII may still refuse it ("xn--a").
    """
    cdef uint32_t k = 0, label = 0, ipv4
    cdef uint8_t[16] address
    f.at, f.port, f.is_name, f.rooted = 0, -1, False, False
    if n == 0:
        return HOST_MISSING
    if p[0] == c'[':
        while k < n and p[k] != c']':
            k += 1
        if k == n or not read_brackets(p, k + 1, address):
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
    """Return the fault of p[k:n], the text after a host."""
    cdef const uint8_t* at = <const uint8_t*>memchr(p + k, c'@', n - k)
    f.at = k
    if at != NULL:
        f.at = <uint32_t>(at - p)
        return USERINFO_NOT_ALLOWED
    return IP_LITERAL_INVALID if p[k] == c':' and p[0] != c'[' else HOST_INVALID


cdef inline Fault read_port(const uint8_t* p, uint32_t k, uint32_t n, Field* f) noexcept nogil:
    """Read port = *DIGIT. It may have at most five digits."""
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


cdef object exact_text(object given):
    """Return a text as an exact str or bytes; TypeError if it is neither."""
    if type(given) is str or type(given) is bytes:
        return given
    if isinstance(given, str):
        return str.__str__(given)
    if isinstance(given, bytes):
        return bytes.__getitem__(given, slice(None))
    raise TypeError(f"the host, the target and headers must be str or bytes, not {type(given).__name__}")


cdef inline Py_ssize_t octets_in(object given, const uint8_t** p) noexcept:
    """Set p to the octets of an exact str or bytes, and return their number. Return -1 for a str that is not ASCII."""
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

    The hosts a server accepts, to check a Host header against.

    An entry is "example.com" (only that name), ".example.com" (that name and all its subdomains), "*.example.com" (only
    its subdomains), an IP address or network, or "*" (every host). It allows the ports 80 and 443, or else the port
    written after it ("example.com:8080"), or any port ("localhost:*"). Case and a final "." are ignored. Threads can
    share the object.

    Args:
        entries: the hosts to accept.
        flavor: "django" reads entries and hosts like Django's ALLOWED_HOSTS; "starlette" reads them like Starlette's
            TrustedHostMiddleware.

    Raises:
        HostEntryError: an entry is invalid.
        ValueError: the flavor is invalid.
        TypeError: `entries` is a single str, or an entry is not a str.

    Example:
        >>> hosts = urlsm.server.Hosts([".example.com", "localhost:*"])
        >>> "www.example.com" in hosts, "evil.example" in hosts, b"localhost:8000" in hosts
        (True, False, True)

    RFC 9110 sections 7.2 and 7.4
    """
    cdef HostTable table
    cdef bytes words         # where the bits of each key begin, then all bits
    cdef tuple entries
    cdef bint any            # whether "*" is an entry
    cdef bint slow           # whether some entry can be read by the framework's own check alone
    cdef bint named          # whether some entry is neither an address nor a network, or has a port
    cdef object flavor

    def __cinit__(self, entries, *, flavor=None):  # not __init__, so that no second call can change the object
        cdef dict rules = {}
        if flavor is not None and flavor not in FLAVORS:
            raise ValueError(f"flavor must be 'django', 'starlette' or None, not {flavor!r}")
        if isinstance(entries, (str, bytes)) or not hasattr(entries, "__iter__"):
            raise TypeError(f"entries must be an iterable of str, not {type(entries).__name__}")
        self.entries, self.flavor = tuple(entries), flavor
        for entry in self.entries:
            if not isinstance(entry, str):
                raise TypeError(f"each entry must be str, not {type(entry).__name__}")
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
        self.words = pack(rules.values())

    def check(self, header):
        """Check a Host header.

        Args:
            header: the value of the header, or None if the request has no Host header.

        Returns:
            A Verdict, which is true if the host is accepted. Otherwise `codes` contains one of "host-missing",
            "host-invalid", "userinfo-not-allowed", "ip-literal-invalid", "ipv4-invalid", "port-invalid" and
            "host-not-allowed".

        Raises:
            TypeError: the header has the wrong type.

        Example:
            >>> urlsm.server.Hosts(["example.com"]).check("evil.example").codes
            ('host-not-allowed',)
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
    return VERDICTS[fault_of(hosts, header)]


cdef int fault_of(Hosts hosts, object header) except -1:
    """Return the Fault for a Host header; NO_FAULT if it names one of the hosts."""
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n
    cdef Field f
    cdef Fault fault
    if hosts.any and hosts.flavor == "starlette":
        return NO_FAULT
    if header is None:
        return HOST_MISSING
    header = exact_text(header)
    n = octets_in(header, &p)
    if n < 0 or n > LONGEST_FIELD:
        return HOST_INVALID if hosts.flavor is None else fault_by_flavor(hosts, header)
    fault = read_host(p, <uint32_t>n, &f)
    if hosts.flavor is not None and (
            hosts.slow or fault != NO_FAULT or not f.is_name or (f.end < n and f.port < 0)
            or (f.rooted and hosts.flavor == "starlette") or memchr(p, c'_', n) != NULL):
        return fault_by_flavor(hosts, header)
    if fault != NO_FAULT or hosts.any:
        return fault
    return NO_FAULT if holds(hosts, p, &f) else HOST_NOT_ALLOWED


cdef int fault_by_flavor(Hosts hosts, object header) except -1:
    code = refusal_of(header if type(header) is str else header.decode("latin-1"), hosts.entries, hosts.flavor)
    return HOST_NOT_ALLOWED if code == "host-not-allowed" else HOST_INVALID if code else NO_FAULT


cdef bint holds(Hosts hosts, const uint8_t* p, const Field* f) noexcept:
    """Return whether an entry allows this host with this port."""
    cdef uint8_t[LONGEST_NAME + 9] octets  # eight octets more than the name, because a hash reads words of eight octets
    cdef Walk walk
    cdef const uint32_t* words = <const uint32_t*>PyBytes_AS_STRING(hosts.words)
    cdef uint32_t k, entry, bits
    cdef bint whole, mapped
    if f.end > LONGEST_NAME + 1:
        return False
    for k in range(f.end):
        octets[k] = lower(p[k])
    begin_walk(&walk, &hosts.table.hosts, octets, f.end)
    mapped = p[0] == c'[' and walk.bits == 32  # an IPv4 address within IPv6 is another host than the IPv4 address
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
    """Return whether an address, with or without brackets, belongs to one of the networks in hosts. Return False for a
    name."""
    cdef Walk walk
    cdef bint whole
    cdef bytes octets
    cdef uint32_t ipv4
    node = node.partition("%")[0]  # remove the zone of a link-local address
    if ":" in node and node[:1] != "[":
        node = f"[{node}]"
    if not node.isascii() or len(node) > LONGEST_NAME:
        return False
    octets = node.encode()
    begin_walk(&walk, &hosts.table.hosts, octets, <uint32_t>len(octets))
    # the walk ignores a dot at the end, but a text with that dot is not an address
    if walk.bits < 0 or (octets[0] != c'[' and not read_ipv4(octets, len(octets), &ipv4)):
        return False
    return next_entry(&hosts.table.hosts, &walk, &whole) != NO_ENTRY


# --- the target ----------------------------------------------------------------------------------

cdef Fault target_fault(const uint8_t* p, uint32_t n, uint32_t* at) noexcept nogil:
    """Return the reason why p[0:n], a path with a query, must not be a request target. at: receives the position of the
    fault.

    Control characters, white space and "#" are rejected, and so are backslashes in the path, because programs read them
    differently. The grammar forbids other bytes as well, but clients do send them; in the URL, they are percent-encoded
    as the URL Standard says.
    """
    cdef uint32_t refused = C0_OR_SPACE | HASH | BACKSLASH, k
    for k in range(n):
        if CLASS[p[k]] & (refused | QUESTION):
            if CLASS[p[k]] & refused:
                at[0] = k
                return CHARACTER_NOT_ALLOWED
            refused &= ~<uint32_t>BACKSLASH
        elif p[k] == 0x7F:
            at[0] = k
            return CHARACTER_NOT_ALLOWED
    return NO_FAULT


cdef bint has_dots(const uint8_t* p, uint32_t n, uint32_t* at) noexcept nogil:
    """Return whether the path at the start of p[0:n] has a dot segment of the URL Standard. at: receives the position
    where it begins.

    "A single-dot URL path segment is a URL path segment that is "." or an ASCII case-insensitive match for "%2e"."
    """
    cdef uint32_t k = 0, end, number
    while k < n and p[k] != c'?':
        if p[k] == c'/':
            end, number = k + 1, 0
            while number < 3:
                if end < n and p[end] == c'.':
                    end += 1
                elif end + 2 < n and p[end] == c'%' and p[end + 1] == c'2' and p[end + 2] | 0x20 == c'e':
                    end += 3
                else:
                    break
                number += 1
            if 0 < number < 3 and (end == n or p[end] == c'/' or p[end] == c'?'):
                at[0] = k + 1
                return True
        k += 1
    return False


cdef uint32_t absolute_start(const uint8_t* p, uint32_t n, bint* secure) noexcept nogil:
    """Return where the authority of a target in absolute form begins; 0 if the target is not an http or https URL."""
    cdef uint32_t k = 0
    while k < n and k < 5 and p[k] | 0x20 == (<const uint8_t*>b"https")[k]:
        k += 1
    secure[0] = k == 5
    if k < 4 or k + 3 > n or memcmp(p + k, b"://", 3) != 0:
        return 0
    return k + 3


cdef object refuse_host(Fault fault, object text, uint32_t at):
    raise error_of(<int>fault, "host", at, text)


cdef object refuse_target(Fault fault, object text, uint32_t at):
    raise error_of(<int>fault, "request-target", at, text)


cdef Py_ssize_t host_in(object host, const uint8_t** h, Field* f) except -1:
    """Read an exact str or bytes as the value of Host. Set h to the octets, and return their number."""
    cdef Py_ssize_t n = octets_in(host, h)
    cdef Fault fault = HOST_INVALID
    f.at = 0
    if 0 <= n <= LONGEST_FIELD:
        fault = read_host(h[0], <uint32_t>n, f)
    if fault != NO_FAULT:
        refuse_host(fault, host, f.at)
    return n


cdef URL target_url(object target, object host, str scheme, object method, bint resolve):
    """Return the URL of a request. target: str or bytes. host: the value of Host, or None. scheme: one of SCHEMES.
    resolve: whether dot segments are resolved; otherwise they are rejected."""
    cdef const uint8_t* p = NULL
    cdef const uint8_t* h = NULL
    cdef Py_ssize_t n, m = 0
    cdef Field f
    cdef Fault fault
    cdef uint32_t start = 0, end = 0, at = 0
    cdef bint secure = False
    if host is not None:
        m = host_in(host, &h, &f)
    original = target = exact_text(target)
    if type(target) is str and not is_ascii(target):
        target = octets_of_target(target)
    n = octets_in(target, &p)
    if n == 0 or n > MAX_TARGET:
        refuse_target(TARGET_FORM_INVALID, original, 0)
    if method == "CONNECT":
        end = <uint32_t>n
    elif p[0] == c'*' and n == 1 and method == "OPTIONS":
        start = end = 1
    elif p[0] != c'/':
        start = absolute_start(p, <uint32_t>n, &secure)
        if start == 0:
            refuse_other_form(p, <uint32_t>n, original)
        if secure != (scheme == "https" or scheme == "wss"):
            refuse_target(SCHEME_MISDIRECTED, original, 0)
        end = start
        while end < n and not CLASS[p[end]] & (SLASH | BACKSLASH | QUESTION | HASH):
            end += 1
    if end > start or (start and p[0] != c'*'):
        # "the origin server MUST ignore the received Host header field" (RFC 9112 section 3.2.2)
        h, m = p + start, end - start
        if m > LONGEST_FIELD:
            refuse_target(HOST_INVALID, original, start)
        fault = read_host(h, <uint32_t>m, &f)
        if fault == NO_FAULT and start == 0 and f.port < 0:
            fault, f.at = PORT_INVALID, <uint32_t>m  # authority-form = uri-host ":" port
        if fault != NO_FAULT:
            refuse_target(fault, original, start + f.at)
    elif host is None:
        refuse_host(HOST_MISSING, "", 0)
    fault = target_fault(p + end, <uint32_t>n - end, &at)
    if fault != NO_FAULT:
        refuse_target(fault, original, end + at)
    if not resolve and has_dots(p + end, <uint32_t>n - end, &at):
        refuse_target(DOT_SEGMENTS, original, end + at)
    return assemble(scheme, h, <uint32_t>m, &f, p + end, <uint32_t>n - end)


cdef enum:
    # octets; a URL with such a target, a scheme and a host is still shorter than the parser's limit
    MAX_TARGET = 0x3FFF0000


cdef object octets_of_target(str target):
    """Return a non-ASCII target as UTF-8; reject lone surrogates, which cannot be sent."""
    for place, char in enumerate(target):
        if "\ud800" <= char <= "\udfff":
            refuse_target(CHARACTER_NOT_ALLOWED, target, place)
    return target.encode()


cdef object refuse_other_form(const uint8_t* p, uint32_t n, object given):
    """Reject a target that is neither a path nor an http or https URL."""
    cdef uint32_t k = 0
    while k < n and (CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c'+' or p[k] == c'-' or p[k] == c'.'):
        k += 1
    if 0 < k and k + 3 <= n and memcmp(p + k, b"://", 3) == 0:
        refuse_target(SCHEME_INVALID, given, 0)
    refuse_target(TARGET_FORM_INVALID, given, 0)


cdef URL assemble(str scheme, const uint8_t* host, uint32_t n, const Field* f, const uint8_t* rest, uint32_t m):
    """Return the URL of a scheme, an authority that read_host has accepted, and a path with a query that target_fault
    has accepted. If rest does not begin with a path, the path is "/"."""
    cdef Buffer b
    cdef URL made
    cdef str text
    cdef uint32_t k
    cdef uint32_t start = len(scheme) + 3
    buffer_start(&b)
    try:
        buffer_copy(&b, ascii_data(scheme), len(scheme))
        buffer_copy(&b, <const uint8_t*>b"://", 3)
        buffer_copy_lower(&b, host, n if f.port >= 0 else f.end)
        if m == 0 or rest[0] != c'/':
            buffer_put(&b, c'/')
        for k in range(m):
            if CLASS[rest[k]] & NON_ASCII:
                write_encoded(&b, rest, m, ENC_C0)  # the octets of rest need not be UTF-8
                break
        else:
            buffer_copy(&b, rest, m)
        text = ascii_text(b.p, b.n)
        made = try_parse(text)
        if made is None or made.o.host_start != start or (host[0] != c'[' and (
                made.o.host_end - start != f.end or memcmp(ascii_data(made.href) + start, b.p + start, f.end) != 0)):
            refuse_host(HOST_INVALID, ascii_text(host, n), 0)  # ToASCII refuses the host, or maps it to another name
        return made
    finally:
        buffer_free(&b)


# --- the three constructors ----------------------------------------------------------------------

cdef PyObject* believe = NULL  # the function `believe` of forwarded.py, which few requests need


cdef tuple claims_of(tuple proxies):
    """Return the scheme and the host that trusted proxies name; each is None if they do not name it. proxies: (family,
    headers, peer, trusted_proxies)."""
    if published(&believe) == NULL:
        from urlsm.server.forwarded import believe as function
        publish(&believe, function)
    return (<object>published(&believe))(*proxies, membership)


cdef bint resolves(object dots) except -1:
    """Return whether the argument `dots` says that dot segments are resolved."""
    if dots == "refuse" or dots == "resolve":
        return dots == "resolve"
    raise ValueError(f"dots must be 'refuse' or 'resolve', not {dots!r}")


cdef URL request_url(object target, object host, object scheme, object method, tuple proxies, bint resolve):
    """Return the URL of a request. proxies: the argument of claims_of, or None if no proxy is trusted."""
    cdef const uint8_t* h = NULL
    cdef Field f
    cdef str name
    if scheme not in SCHEMES:
        raise ValueError(f"scheme must be http, https, ws or wss, not {scheme!r}")
    name = scheme
    if host is not None:
        host = exact_text(host)
    if proxies is not None:
        said, named = claims_of(proxies)
        if said is not None:
            name = said if name[0] == "h" else "wss" if said == "https" else "ws"
        if named is not None:
            if host is not None:
                host_in(host, &h, &f)  # Host must be valid even if the proxies name another host
            host = named
    return target_url(target, host, name, method, resolve)


cdef int check_proxies(object given) except -1:
    """Raise TypeError if this cannot be the argument trusted_proxies, for example a str."""
    if type(given) is tuple or isinstance(given, (Hosts, int)):
        return 0
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise TypeError(f"trusted_proxies must be a Hosts, an iterable of str or an int, not {type(given).__name__}")
    return 0


cdef object value_at(object given, str key, str name):
    """Return a value that every scope (ASGI) or environ (WSGI) has. ValueError: it is missing. name: the argument."""
    if key not in given:
        raise ValueError(f"{name} has no {key!r}")
    return given[key]


def from_request_target(target, *, host, scheme, method, peer=None, headers=(), trusted_proxies=(), forwarded=None,
                        dots="refuse"):
    """Return the URL of a request, given its request line and its Host header.

    Proxies are counted from the right, because each proxy appends one element to a header. A target that begins with
    "//" is a path: no host is read from it. Never decide access by the path of this URL, because a router may read
    "/%61dmin", "//admin" and "/x/..%2fadmin" as "/admin".

    Args:
        target: the request target (str or bytes): a path with a query; an absolute http or https URL, whose host takes
            precedence over `host`; "host:port" for CONNECT; or "*" for OPTIONS. For the last two, the path of the URL
            is "/".
        host: the value of the Host header; None if the request has no Host header.
        scheme: the scheme of the connection: "http", "https", "ws" or "wss".
        method: the method, in upper case.
        peer: the IP address of the client or proxy that opened the connection, or None.
        headers: all headers, as pairs of name and value.
        trusted_proxies: the proxies to trust: their networks ("10.0.0.0/8") as a Hosts object or an iterable, or the
            number of proxies in front of this server. A Hosts object is faster for many requests. Without `forwarded`,
            this has no effect. If a header has fewer elements than that number, Forwarded is ignored, several elements
            of X-Forwarded raise RequestError, and a single one counts.
        forwarded: the headers that these proxies write: "forwarded" (Forwarded, RFC 7239) or "x-forwarded"
            (X-Forwarded-For, -Proto and -Host). All other headers are ignored; None ignores these, too.
        dots: "refuse" raises RequestError for a path with a dot segment ("..", "%2e"), because most routers match it
            unresolved. "resolve" removes it, as browsers do.

    Raises:
        RequestError: the host, the target or a header of a trusted proxy is missing, invalid or contradictory.
        ValueError: `scheme`, `forwarded`, `dots` or a network is invalid.
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.URL.from_request_target("/a?b", host="ex.com:8000", scheme="http", method="GET")
        URL('http://ex.com:8000/a?b')

    RFC 9112 section 3.3
    """
    if not isinstance(method, str):
        raise TypeError(f"method must be str, not {type(method).__name__}")
    if peer is not None and not isinstance(peer, str):
        raise TypeError(f"peer must be str or None, not {type(peer).__name__}")
    if isinstance(headers, (str, bytes)) or not hasattr(headers, "__iter__"):
        raise TypeError(f"headers must be an iterable of pairs, not {type(headers).__name__}")
    headers = list(headers)
    hosts = [value for name, value in headers if is_host(name)]
    if len(hosts) > 1 or (hosts and octets(hosts[0]) != (None if host is None else octets(host))):
        refuse_host(HOST_REPEATED, hosts[len(hosts) - 1], 0)
    check_proxies(trusted_proxies)
    proxies = None if forwarded is None else (forwarded, headers, peer, trusted_proxies)
    return request_url(target, host, scheme, method, proxies, resolves(dots))


cdef bytes octets(object value):
    """Return a text as bytes. Lone surrogates represent bytes that a server could not decode."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)


cdef bint is_host(object name) except -1:
    cdef const uint8_t* p = NULL
    if type(name) is not bytes:
        name = exact_text(name)
    if octets_in(name, &p) != 4:
        return False
    return p[0] | 0x20 == c'h' and p[1] | 0x20 == c'o' and p[2] | 0x20 == c's' and p[3] | 0x20 == c't'


def from_scope(scope, *, trusted_proxies=(), forwarded=None, dots="refuse"):
    """Return the URL of a request, given the scope of an ASGI application, for HTTP or a WebSocket.

    Escapes are kept as they were sent if `raw_path` decodes to `path`; otherwise `path` is percent-encoded. `root_path`
    is put before a path that does not begin with it. The peer is `client`. A request without a Host header gets the
    host `server`, except in HTTP/1.1, which requires the header.

    Args:
        scope: the ASGI scope.
        trusted_proxies: as for from_request_target.
        forwarded: as for from_request_target.
        dots: as for from_request_target; it also applies to `root_path`.

    Raises:
        RequestError: the host, the target or a header of a trusted proxy is missing, invalid or contradictory.
        ValueError: `forwarded`, `dots`, the scheme or a network is invalid, or a key of the scope is missing.
        TypeError: the scope is not a dict, or is for neither HTTP nor a WebSocket.

    Example:
        >>> scope = {"type": "http", "path": "/a", "query_string": b"b", "headers": [(b"host", b"ex.com")]}
        >>> urlsm.URL.from_scope(scope)
        URL('http://ex.com/a?b')

    https://asgi.readthedocs.io/en/latest/specs/www.html
    """
    cdef bint resolve = resolves(dots)
    cdef object host = None
    if not hasattr(scope, "keys"):
        raise TypeError(f"scope must be dict, not {type(scope).__name__}")
    cdef dict d = scope if type(scope) is dict else dict(scope)
    cdef object kind = d.get("type", "http")
    if kind != "http" and kind != "websocket":
        raise TypeError(f"scope['type'] must be 'http' or 'websocket', not {kind!r}")
    cdef object headers = value_at(d, "headers", "scope")
    if type(headers) is not list:
        headers = list(headers)
    for name, value in headers:
        if is_host(name):
            if host is not None:
                refuse_host(HOST_REPEATED, value, 0)
            host = value
    if host is None:
        host = host_of_server(d.get("server"), d.get("http_version", "1.1"))
    client = d.get("client") if forwarded is not None else None
    scheme = d.get("scheme")
    if scheme is None:
        scheme = "ws" if kind == "websocket" else "http"
    peer = None if client is None else client[0]
    check_proxies(trusted_proxies)
    proxies = None if forwarded is None else (forwarded, headers, peer, trusted_proxies)
    return request_url(target_in_scope(d, resolve), host, scheme, d.get("method", "GET"), proxies, resolve)


cdef object host_of_server(object server, object version):
    """Return the address of a server as the host of a request without a Host header. Return None for HTTP/1.1, which
    requires the header, and if the address or its port is unknown."""
    # if there is no port, the server's address is the path of a socket
    if server is None or server[1] is None or version == "1.1":
        return None
    name, port = server
    return f"[{name}]:{port}" if ":" in name and name[:1] != "[" else f"{name}:{port}"


cdef bytes target_in_scope(dict scope, bint resolve):
    cdef bytes raw = scope.get("raw_path") or b""
    cdef bytes query = scope.get("query_string") or b""
    cdef bytes root = root_of(scope.get("root_path") or "", resolve)
    cdef object path = scope.get("path") if raw else value_at(scope, "path", "scope")
    if b"?" in raw:
        raw = raw.partition(b"?")[0]
    if not raw or (path is not None and not is_decoded(raw, root, path)):
        raw = octets(path)
        if not is_form_of(raw, scope.get("method", "GET")):
            if raw[:1] not in b"/":  # raw was decoded, so it is not certain which host it names
                refuse_target(TARGET_FORM_INVALID, raw, 0)
            raw = quoted_path(raw)
    if root and raw[:1] in b"/":
        raw = with_root(raw, root)
    return with_query(raw or b"/", query)


cdef bytes root_of(object text, bint resolve):
    """Return root_path or SCRIPT_NAME, with a "/" at its start and none at its end. Dot segments are rejected unless
    `resolve` is true."""
    cdef uint32_t at = 0
    cdef bytes root = octets(text).rstrip(b"/")
    if root and root[:1] != b"/":
        root = b"/" + root
    if not resolve and len(root) < MAX_TARGET and has_dots(root, <uint32_t>len(root), &at):
        refuse_target(DOT_SEGMENTS, root, at)
    return root


cdef bint is_decoded(bytes raw, bytes root, object path) except -1:
    """Return whether a server gets path by decoding raw_path, with or without root_path before it. The server decodes
    UTF-8, and replaces bytes that are not UTF-8 by U+FFFD."""
    cdef bytes said = octets(path), decoded
    if raw == said:
        return True
    decoded = decoded_path(raw)
    if decoded == said or decoded == root + said:
        return True
    decoded = decoded.decode("utf-8", "replace").encode()
    return decoded == said or decoded == root + said


cdef bytes with_query(bytes path, bytes query):
    """Return the target that consists of a path and a query, which may be empty."""
    cdef Py_ssize_t n = len(path), m = len(query)
    cdef bytes made
    cdef char* out
    if m == 0:
        return path
    made = PyBytes_FromStringAndSize(NULL, n + 1 + m)
    out = PyBytes_AS_STRING(made)
    memcpy(out, PyBytes_AS_STRING(path), n)
    out[n] = c'?'
    memcpy(out + n + 1, PyBytes_AS_STRING(query), m)
    return made


cdef bytes with_root(bytes raw, bytes root):
    """Return a path with root_path before it, unless the path already begins with root_path."""
    decoded = decoded_path(raw)
    if decoded.startswith(root) and decoded[len(root):len(root) + 1] in b"/":
        return raw
    return quoted_path(root) + raw


cdef bint is_form_of(bytes path, object method) except -1:
    """Return whether a server's "path" is in fact the target of a CONNECT or OPTIONS request, which has no path."""
    return (method == "CONNECT" and path[:1] != b"/") or (method == "OPTIONS" and path == b"*")


cdef bytes decoded_path(bytes path):
    cdef Buffer b
    buffer_start(&b)
    try:
        write_decoded(&b, <const uint8_t*>PyBytes_AS_STRING(path), PyBytes_GET_SIZE(path))
        return b.p[:b.n]
    finally:
        buffer_free(&b)


cdef bytes quoted_path(bytes path):
    """Return the percent-encoded form of a decoded path."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_quoted(&b, <const uint8_t*>PyBytes_AS_STRING(path), PyBytes_GET_SIZE(path), &PATH_OCTETS)
        return b.p[:b.n]
    finally:
        buffer_free(&b)


def from_environ(environ, *, trusted_proxies=(), forwarded=None, dots="refuse"):
    """Return the URL of a request, given the environ of a WSGI application.

    The path is SCRIPT_NAME and PATH_INFO, percent-encoded, because servers do not report which characters were escaped.
    The peer is REMOTE_ADDR. A request without a Host header gets the host SERVER_NAME, except in HTTP/1.1, which
    requires the header.

    Args:
        environ: the WSGI environ.
        trusted_proxies: as for from_request_target.
        forwarded: as for from_request_target.
        dots: as for from_request_target; it also applies to SCRIPT_NAME.

    Raises:
        RequestError: the host, the target or a header of a trusted proxy is missing, invalid or contradictory.
        ValueError: `forwarded`, `dots`, the scheme or a network is invalid, or a key of the environ is missing.
        TypeError: the environ is not a dict.

    Example:
        >>> environ = {"HTTP_HOST": "ex.com", "PATH_INFO": "/a", "wsgi.url_scheme": "https"}
        >>> urlsm.URL.from_environ(environ)
        URL('https://ex.com/a')

    PEP 3333, "URL Reconstruction"
    """
    cdef bint resolve = resolves(dots)
    cdef object get = getattr(environ, "get", None)
    if get is None:
        raise TypeError(f"environ must be dict, not {type(environ).__name__}")
    cdef object host = get("HTTP_HOST"), method = get("REQUEST_METHOD", "GET")
    cdef bytes path, query
    if host is None:
        name, port = value_at(environ, "SERVER_NAME", "environ"), value_at(environ, "SERVER_PORT", "environ")
        host = host_of_server((name, port), get("SERVER_PROTOCOL", "").removeprefix("HTTP/"))
    path = latin_octets(get("SCRIPT_NAME") or "")
    root_of(path, resolve)
    path += latin_octets(get("PATH_INFO") or "")
    query = latin_octets(get("QUERY_STRING") or "")
    if not path:
        path = b"/"
    elif path[:1] == b"/":
        path = quoted_path(path)
    elif not is_form_of(path, method):
        refuse_target(TARGET_FORM_INVALID, path, 0)
    check_proxies(trusted_proxies)
    proxies = None if forwarded is None else (forwarded, fields_of(environ), get("REMOTE_ADDR"), trusted_proxies)
    scheme = value_at(environ, "wsgi.url_scheme", "environ")
    return request_url(with_query(path, query), host, scheme, method, proxies, resolve)


cdef bytes latin_octets(str text):
    """Return the octets of a text of environ, in which each character stands for one octet (PEP 3333, "A Note on String
    Types")."""
    for place, char in enumerate(text if not is_ascii(text) else ""):
        if char > "\xff":
            refuse_target(CHARACTER_NOT_ALLOWED, text, place)
    return text.encode("latin-1")


cdef list fields_of(object environ):
    """Return the fields Forwarded and X-Forwarded-For, -Proto and -Host as a list of pairs of name and value."""
    return [(name[5:].replace("_", "-"), environ[name]) for name in (
        "HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST") if name in environ]


from_request_target = staticmethod(from_request_target)
from_scope = staticmethod(from_scope)
from_environ = staticmethod(from_environ)


def lies_in(hosts, str node not None):
    """Return whether an address belongs to one of the networks in a Hosts object."""
    return names_network(<Hosts?>hosts, node)


def membership(entries):
    """Return the function that tells whether an address belongs to one of these networks. entries: a Hosts object, or
    its entries.

    ValueError: an entry is neither an address nor a network, or has a port.
    """
    cdef Hosts made = entries if type(entries) is Hosts else Hosts(entries)
    if made.named:
        raise ValueError("trusted_proxies must be IP addresses or networks, without names and ports")
    return partial(lies_in, made)


set_name(Hosts, "urlsm.server.Hosts")
add_member(Hosts, "flavor", offset_of_flavor(Hosts(())), """The framework whose rules apply, or None.

Example:
    >>> urlsm.server.Hosts(["*.example.com"], flavor="starlette").flavor
    'starlette'
""")
