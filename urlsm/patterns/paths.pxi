# The paths of robots.txt, put in normal form and looked up without a URL object.

cdef enum:
    MOST_AGENTS = 64         # agents whose compiled rules are kept

cdef bytes AS_IT_IS = bytes([  # unreserved and reserved octets, except "%", those with a meaning in rules, and "'",
    # which the URL Standard escapes in a query: what it parsed has "%27" there
    octet in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:/?#[]@!&()+,;=-"
    for octet in range(256)])
cdef bytes UNRESERVED = bytes([
    octet in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" for octet in range(256)])
cdef const uint8_t* as_it_is = AS_IT_IS
cdef const uint8_t* unreserved = UNRESERVED


cdef int write_folded(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append octets in the form in which rules and paths are compared (RFC 9309 section 2.2.2)."""
    cdef size_t k = 0, end
    cdef int octet
    while k < n:
        end = k
        while end < n and as_it_is[p[end]]:
            end += 1
        buffer_copy(b, p + k, end - k)
        k = end
        if k == n:
            break
        octet = octet_escaped(p + k, n - k) if p[k] == c'%' else -1
        if octet >= 0 and unreserved[octet]:
            buffer_put(b, <uint8_t>octet)
        else:
            write_escape(b, p[k] if octet < 0 else <uint8_t>octet)
        k += 3 if octet >= 0 else 1
    return 0


cdef inline int write_escape(Buffer* b, uint8_t octet) except -1 nogil:
    cdef const uint8_t* digits = <const uint8_t*>b"0123456789ABCDEF"
    buffer_put(b, c'%')
    buffer_put(b, digits[octet >> 4])
    return buffer_put(b, digits[octet & 15])


def folded(bytes path not None):
    """Return a path and query in the form in which rules and paths are compared (RFC 9309 section 2.2.2): escapes of
    unreserved octets are decoded, others are in upper case; "*", "$" and what a URI cannot hold are encoded."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_folded(&b, path, len(path))
        return b.p[:b.n]
    finally:
        buffer_free(&b)


cdef bint write_target(Buffer* b, object url) except -1:
    """Append the path and query with which rules are compared; return False if only the long way can tell.

    A text that begins with one "/" is read behind a host: if the lane takes that, the text holds no backslash, tab or
    newline, so as a reference it means the same path."""
    cdef Reading r
    cdef Offsets o
    cdef const uint8_t* p
    cdef Py_ssize_t n
    cdef Buffer rooted
    if type(url) is URL:
        p, n, o = ascii_data((<URL>url).href), len((<URL>url).href), (<URL>url).o
        return write_part(b, p, n, &o)
    if type(url) is not str or not is_ascii(url):
        return False
    p, n = ascii_data(url), len(<str>url)
    if n > LONG_TEXT:
        return False
    if n == 0 or p[0] != c'/':
        if not read(&r, p, <uint32_t>n, NULL, BY_LANE | IPV4_TOO) or r.at.root_missing:
            return False
        offsets_of_plain(&r.at, &o)
        return write_part(b, p, n, &o)
    if n > 1 and p[1] == c'/':
        return False
    buffer_start(&rooted)
    try:
        buffer_copy(&rooted, <const uint8_t*>b"https://h", 9)
        buffer_copy(&rooted, p, n)
        if not read(&r, rooted.p, <uint32_t>rooted.n, NULL, BY_LANE):
            return False
        offsets_of_plain(&r.at, &o)
        return write_part(b, rooted.p, rooted.n, &o)
    finally:
        buffer_free(&rooted)


cdef bint write_part(Buffer* b, const uint8_t* p, size_t n, const Offsets* o) except -1 nogil:
    """Append the path, which begins with "/", and the query."""
    cdef size_t end = end_of_query(o, <uint32_t>n)
    if o.path_start == end or p[o.path_start] != c'/':
        buffer_put(b, c'/')
    write_folded(b, p + o.path_start, end - o.path_start)
    return True


@cython.binding(False)
cdef class Paths:
    """The base of Robots: agents and their rules. Robots adds the long ways, _target_of and _rules_for."""
    cdef dict asked          # agent, or (agent, True) for a header -> Matcher
    cdef readonly bytes _text
    cdef Buffer lines        # a PathLine of each Allow and Disallow

    def __cinit__(self):
        self.asked, self._text = {}, b""
        buffer_start(&self.lines)

    def __dealloc__(self):
        buffer_free(&self.lines)

    def _read(self, bytes text not None):
        """Read the file; return (key, value, number of paths before it) of each line but those of Allow and Disallow,
        and the number of all paths."""
        self.lines.n, self._text = 0, text
        return read_lines(text, &self.lines), self.lines.n // sizeof(PathLine)

    def _paths(self, size_t start, size_t stop):
        """Return (whether it allows, path) of these lines of Allow and Disallow, without those that say nothing."""
        cdef const PathLine* line = <const PathLine*>self.lines.p
        cdef size_t k
        cdef list found = []
        for k in range(start, min(stop, self.lines.n // sizeof(PathLine))):
            if line[k].n:
                found.append((bool(line[k].allow), self._text[line[k].at:line[k].at + line[k].n]))
        return found

    def _compiled(self, list spans not None, path_rules):
        """Return the matcher of the lines of Allow and Disallow in these spans: (the first, behind the last)."""
        return compiled_paths(self._text, &self.lines, spans, path_rules)

    def allows(self, url, agent, *, header=False):
        """allows(url, agent, *, header=False)
--

        Return whether the agent may fetch the URL.

        Args:
            url: str, bytes or URL; a text that begins with one "/" is a path and query. A text that is not a URL may
                not be fetched. agent: the product token; what follows its letters, "_" and "-" does not count.
            header: agent is a User-Agent header: the first of its words that the file names counts.

        Raises:
            TypeError: url or agent is not a text.
        """
        cdef Matcher rules
        cdef View v
        cdef Search s
        cdef Buffer b
        cdef Py_ssize_t rule
        cdef bytes target
        key = (agent, True) if header else agent
        found = self.asked.get(key)
        if found is None:
            found = self._rules_for(agent, header)
            if found is None:
                raise TypeError("an agent has rules")
            if len(self.asked) >= MOST_AGENTS:
                self.asked.clear()  # and not a new dict: another thread may be reading this one
            self.asked[key] = found
        rules = found
        buffer_start(&b)
        try:
            if not write_target(&b, url):
                target = self._target_of(url)
                if target is None:
                    return False
                b.n = 0
                buffer_copy(&b, target, len(target))
            if b.n == 11 and memcmp(b.p, b"/robots.txt", 11) == 0:
                return True
            view_octets(&v, b.p, b.n)
            s.request = NULL
            rule = rules.decided(&v, &s)
            return rule < 0 or rules.traits(<uint32_t>rule) & ALLOWS != 0
        finally:
            buffer_free(&b)
