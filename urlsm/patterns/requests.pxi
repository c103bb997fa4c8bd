# Who asks for a URL, and for what: the part of a question that only some syntaxes have.

cdef bint is_asked(const uint32_t* part, const Request* request) noexcept nogil:
    """Return whether a request is as a rule wants it: [bits of types, bits of parties, number of sources, the sources,
    number of sources that it is not for, these]."""
    cdef uint32_t types = UNKNOWN if request == NULL else request.types
    cdef uint32_t parties = UNKNOWN if request == NULL else request.parties
    if not part[0] & types or not part[1] & parties:
        return False
    if part[2] and (request == NULL or not is_among(part + 2, request)):
        return False
    part += 3 + part[2]
    return part[0] == 0 or request == NULL or not is_among(part, request)


cdef bint is_among(const uint32_t* listed, const Request* request) noexcept nogil:
    """Return whether the source lies in one of listed[0] entries, which are sorted."""
    cdef uint32_t k, low, high, middle
    for k in range(request.count):
        low, high = 1, listed[0] + 1
        while low < high:
            middle = (low + high) // 2
            if listed[middle] < request.sources[k]:
                low = middle + 1
            else:
                high = middle
        if low <= listed[0] and listed[low] == request.sources[k]:
            return True
    return False


cdef void add_sources(Request* request, const Hosts* hosts, const uint8_t* p, uint32_t n) noexcept nogil:
    """Add the entries in which a host lies."""
    cdef Walk walk
    cdef bint whole
    cdef uint32_t entry
    begin_walk(&walk, p, n)
    while request.count < MOST_SOURCES:
        entry = next_entry(hosts, &walk, &whole)
        if entry == NO_ENTRY:
            break
        request.sources[request.count] = entry
        request.count += 1


cdef inline uint32_t site_at(const uint8_t* p, uint32_t n, Suffixes suffixes) noexcept nogil:
    """Return where the site of a host begins; 0 if the host, like an address, does not have one."""
    cdef uint32_t start = site_start(p, n, suffixes, True) if n and is_name(p, n) else NO_SITE
    return 0 if start == NO_SITE else start
