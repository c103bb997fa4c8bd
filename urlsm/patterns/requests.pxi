# Who asks for a URL, and for what: the part of a question that only some syntaxes have.

cdef bint is_asked(const uint32_t** wanted, const Request* request) noexcept nogil:
    """Return whether a request is as a rule wants it: [bits of types, bits of parties, number of sources, the sources,
    number of sources that it is not for, these]. Then wanted is what follows: what it asks of the URL's own host."""
    cdef const uint32_t* part = wanted[0]
    cdef uint32_t types = UNKNOWN if request == NULL else request.types
    cdef uint32_t parties = UNKNOWN if request == NULL else request.parties
    if not part[0] & types:
        return False
    parties &= part[1]
    if not parties & UNKNOWN and not (parties & BOTH_PARTIES and parties & BOTH_HOSTS):
        return False
    part += 2
    if part[0] and (request == NULL or not is_among(part, request.sources, request.count)):
        return False
    part += part[0] + 1
    if part[0] and request != NULL and is_among(part, request.sources, request.count):
        return False
    wanted[0] = part + part[0] + 1
    return True


cdef bint is_among(const uint32_t* listed, const uint32_t* entries, uint32_t count) noexcept nogil:
    """Return whether one of the entries is among the listed[0] ones behind listed, which are sorted."""
    cdef uint32_t k, low, high, middle
    for k in range(count if listed[0] else 0):
        low, high = 1, listed[0] + 1
        while low < high:
            middle = (low + high) // 2
            if listed[middle] < entries[k]:
                low = middle + 1
            else:
                high = middle
        if low <= listed[0] and listed[low] == entries[k]:
            return True
    return False


cdef void add_sources(uint32_t* entries, uint32_t* count, const Hosts* hosts, const uint8_t* p,
                      uint32_t n) noexcept nogil:
    """Add the entries in which a host lies."""
    cdef Walk walk
    cdef bint whole
    cdef uint32_t entry
    begin_walk(&walk, hosts, p, n)
    while count[0] < MOST_SOURCES:
        entry = next_entry(hosts, &walk, &whole)
        if entry == NO_ENTRY:
            break
        entries[count[0]] = entry
        count[0] += 1


cdef uint32_t add_entities(uint32_t* entries, uint32_t* count, const Hosts* hosts, const uint8_t* p, uint32_t n,
                           Suffixes suffixes, Buffer* b) except? 0xFFFFFFFF nogil:
    """Add the entries in which a host with "*" instead of its public suffix lies. b: for that text. Return where the
    site of the host begins; 0 if it does not have one."""
    cdef Section section
    cdef uint64_t dots
    cdef uint32_t suffix
    if not n or not is_name(p, n):
        return 0
    dots = dots_of(p, n)
    suffix = suffix_start(suffixes, p, n, dots, True, &section)
    if not suffix:
        return 0
    buffer_copy(b, p, suffix)
    buffer_put(b, c'*')
    add_sources(entries, count, hosts, b.p + b.n - suffix - 1, suffix + 1)
    return label_start(p, suffix - 1, dots)


cdef inline uint32_t site_at(const uint8_t* p, uint32_t n, Suffixes suffixes) noexcept nogil:
    """Return where the site of a host begins; 0 if the host, like an address, does not have one."""
    cdef uint32_t start = site_start(p, n, suffixes, True) if n and is_name(p, n) else NO_SITE
    return 0 if start == NO_SITE else start
