# The answers of a set without a URL object: from a text's octets, if they prove what the long way would find.

cdef inline bint read_view(View* v, const uint8_t* p, uint32_t n, const Offsets* o, Buffer* b) except -1 nogil:
    """Read p[0:n], or take its offsets o, which are not NULL if it is in normal form. b: for a text that has to be
    written; the caller has started it. Return False if the text is not a URL."""
    cdef Reading r
    cdef Failure failure
    cdef int outcome
    v.p, v.n = p, n
    if o != NULL:
        v.o = o[0]
    elif read(&r, p, n, NULL, BY_LANE | IPV4_TOO) and not r.at.root_missing:
        offsets_of_plain(&r.at, &v.o)
    else:
        outcome = write_url(b, &v.o, &failure, p, n, NULL, NULL, NULL)
        if outcome == REFUSED:
            return False
        if outcome != GIVEN:
            v.p, v.n = b.p, <uint32_t>b.n
    return True


@cython.binding(False)
cdef class Lookup:
    """A matcher, and what is refused before it decides. PatternSet adds the long way, _decides_at_length."""

    def _look_up(self, Matcher matcher not None, *, bint refuses, bint blocks, bint otherwise, bint of_urls,
                 bint takes_paths_out):
        """Set the matcher. refuses: whether URLs on which readers disagree are refused. blocks: whether it is a block
        list. otherwise: whether a URL is in the set if no pattern matches. of_urls: whether patterns are compared with
        URLs, not with a text that the syntax makes."""
        self._matcher, self.refuses, self.blocks, self.otherwise = matcher, refuses, blocks, otherwise
        self.of_urls, self.takes_paths_out = of_urls, takes_paths_out

    cdef Py_ssize_t rule_of(self, const uint8_t* p, uint32_t n, const Offsets* o, Search* s, Buffer* b) except -4 nogil:
        """Return the number of the rule that decides on the URL p[0:n], or NO_RULE, REFUSED_URL, UNSURE. o: its offsets
        if it is in normal form; NULL: it has to be read. s, b: the caller's; it has started b."""
        cdef View v
        cdef Authority a
        cdef Py_ssize_t rule
        if not read_view(&v, p, n, o, b):
            return REFUSED_URL
        # all readers agree on an ordinary authority (security/plain)
        if self.refuses and NOT_SPECIAL < v.o.kind <= FILE and not ordinary_authority(p, n, &a):
            return UNSURE
        rule = self._matcher.decided(&v, s)
        if rule >= 0 and self.refuses and not self.blocks \
                and (self.takes_paths_out or self._matcher.traits(<uint32_t>rule) & BEHIND_TOO == BEHIND_TOO) \
                and may_climb(v.p + v.o.path_start, end_of_path(&v) - v.o.path_start):
            return UNSURE
        return rule

    cdef Py_ssize_t number_of(self, object url) except -4:
        """Return the number of the rule that decides, or NO_RULE, or REFUSED_URL."""
        cdef Search s
        cdef Buffer b
        cdef Octets octets
        cdef Py_ssize_t rule = UNSURE, n
        cdef const uint8_t* p
        cdef const Offsets* o = NULL
        if not self.of_urls:  # also if the object was never set up, and does not have a matcher
            return self.at_length(url)
        if type(url) is str and is_ascii(url):
            p, n = ascii_data(url), len(<str>url)
        elif type(url) is URL:
            p, n, o = ascii_data((<URL>url).href), len((<URL>url).href), &(<URL>url).o
        else:
            octets = octets_of(url, False)
            p, n = octets.p, MAX_LENGTH + 1 if octets.too_long else octets.n
        if n <= MAX_LENGTH:
            buffer_start(&b)
            try:
                rule = self.rule_of(p, <uint32_t>n, o, &s, &b)
            finally:
                buffer_free(&b)
        return self.at_length(url) if rule == UNSURE else rule

    cdef Py_ssize_t at_length(self, object url) except -4:
        cdef Py_ssize_t rule = self._decides_at_length(url)
        if not REFUSED_URL <= rule < (0 if self._matcher is None else <Py_ssize_t>self._matcher.count):
            raise IndexError(rule)
        return rule

    cdef inline bint says(self, Py_ssize_t rule) noexcept nogil:
        """Return whether a URL is in the set if this rule decides."""
        if rule >= 0:
            return self._matcher.traits(<uint32_t>rule) & ALLOWS
        return self.blocks if rule == REFUSED_URL else self.otherwise

    cdef inline bint puts_in(self, Py_ssize_t rule) noexcept nogil:
        """Return whether this is a rule, and it puts a URL into the set."""
        return rule >= 0 and self._matcher.traits(<uint32_t>rule) & ALLOWS

    def _decides(self, url):
        """Return the number of the rule that decides; -1 if none matches; -2 if the text is not a URL, or readers
        disagree."""
        return self.number_of(url)

    def __contains__(self, url):
        return self.says(self.number_of(url))

    def filter(self, urls):
        """Return the URLs that are in the set, in order."""
        return [url for url in urls if self.says(self.number_of(url))]

    def match(self, url):
        """Return the pattern that puts the URL into the set; None if it is not in the set, or not by a pattern."""
        cdef Py_ssize_t rule = self.number_of(url)
        return self._match(self._matcher.whose(<uint32_t>rule), url) if self.puts_in(rule) else None

    def match_many(self, urls):
        """Return match of each URL, in a list."""
        return [self.match(url) for url in urls]


cdef bint may_climb(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether some reader may find a segment "..", a NUL or escapes of escapes in a path in normal form.

    False is certain (security/disguise's climbs). Then each "%" begins an escape of a printable ASCII octet other than
    ".", "%", "/" and the backslash: one decoding removes all escapes, no new segment begins, and nothing is left that a
    reader drops or maps. So a segment is read as ".." only if it is written with two dots at its start: none is."""
    cdef uint32_t k
    cdef int octet
    for k in range(n):
        if p[k] == c'.':
            if k + 1 < n and p[k + 1] == c'.' and (k == 0 or p[k - 1] == c'/' or p[k - 1] == c'\\'):
                return True
        elif p[k] == c'%':
            octet = octet_escaped(p + k, n - k)
            if not 0x20 <= octet <= 0x7E or octet == c'.' or octet == c'%' or octet == c'/' or octet == c'\\':
                return True
        elif p[k] < 0x20 or p[k] >= 0x7F:
            return True
    return False


@cython.binding(False)
cdef class Tested:
    """The base of URLPattern: one rule for a URL's own octets. URLPattern adds the long way, _test_at_length."""
    cdef Matcher asked

    def _ask(self, Matcher matcher not None):
        """Set the matcher, which has one rule."""
        self.asked = matcher

    def test(self, input=None, base_url=None):
        """test(input=None, base_url=None)
--

        Return whether a URL matches. input: a text, a URL, or a mapping of components. A text that is not a URL does
        not match.

        TypeError: a mapping and a base. https://urlpattern.spec.whatwg.org/#dom-urlpattern-test
        """
        cdef View v
        cdef Search s
        cdef Buffer b
        if self.asked is None or base_url is not None or not (type(input) is URL or (
                type(input) is str and is_ascii(input) and len(<str>input) <= MAX_LENGTH)):
            return self._test_at_length(input, base_url)
        buffer_start(&b)
        try:
            if type(input) is URL:
                read_view(&v, ascii_data((<URL>input).href), <uint32_t>len((<URL>input).href), &(<URL>input).o, &b)
            elif not read_view(&v, ascii_data(input), <uint32_t>len(<str>input), NULL, &b):
                return False
            return self.asked.decided(&v, &s) == 0
        finally:
            buffer_free(&b)
