# What a set answers without a URL: of a text's octets, where they prove as much as the long way would find.

cdef inline bint read_view(View* v, const uint8_t* p, uint32_t n, const Offsets* o, Buffer* b) except -1 nogil:
    """Read p[0:n], or take its offsets, which are not NULL where it is in normal form. b: for a text that has to be
    written; the caller has started it. False: it is not a URL."""
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
    """A matcher, and what is refused before it decides. PatternSet has the long way, _decides_at_length."""

    def _look_up(self, Matcher matcher not None, *, bint refuses, bint blocks, bint otherwise, bint of_urls,
                 bint takes_paths_out):
        """Set the matcher. refuses: what readers disagree on. blocks: it is a list of what is kept out. otherwise: is a
        URL in it where no pattern matches? of_urls: patterns are held to URLs, and not to a text that the syntax
        makes."""
        self._matcher, self.refuses, self.blocks, self.otherwise = matcher, refuses, blocks, otherwise
        self.of_urls, self.takes_paths_out = of_urls, takes_paths_out

    cdef Py_ssize_t rule_of(self, const uint8_t* p, uint32_t n, const Offsets* o, Search* s, Buffer* b) except -4 nogil:
        """The number of the rule that decides on the URL that p[0:n] is, or NO_RULE, REFUSED_URL, UNSURE. o: its
        offsets if it is in normal form; NULL: it is to be read. s, b: of the caller, who has started b."""
        cdef View v
        cdef Authority a
        cdef Py_ssize_t rule
        if not read_view(&v, p, n, o, b):
            return REFUSED_URL
        # an ordinary authority is read alike by all (security/plain)
        if self.refuses and NOT_SPECIAL < v.o.kind <= FILE and not ordinary_authority(p, n, &a):
            return UNSURE
        rule = self._matcher.decided(&v, s)
        if rule >= 0 and self.refuses and not self.blocks \
                and (self.takes_paths_out or self._matcher.traits(<uint32_t>rule) & BEHIND_TOO == BEHIND_TOO) \
                and may_climb(v.p + v.o.path_start, end_of_path(&v) - v.o.path_start):
            return UNSURE
        return rule

    cdef Py_ssize_t number_of(self, object url) except -4:
        """The number of the rule that decides; NO_RULE; REFUSED_URL."""
        cdef Search s
        cdef Buffer b
        cdef Octets octets
        cdef Py_ssize_t rule = UNSURE, n
        cdef const uint8_t* p
        cdef const Offsets* o = NULL
        if not self.of_urls:  # nor has one that was never set up a matcher
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
        """Is a URL in the set, of which this rule decides?"""
        if rule >= 0:
            return self._matcher.traits(<uint32_t>rule) & ALLOWS
        return self.blocks if rule == REFUSED_URL else self.otherwise

    cdef inline bint puts_in(self, Py_ssize_t rule) noexcept nogil:
        """Does a rule put it there?"""
        return rule >= 0 and self._matcher.traits(<uint32_t>rule) & ALLOWS

    def _decides(self, url):
        """The number of the rule that decides; -1: none matches; -2: it is no URL, or readers disagree."""
        return self.number_of(url)

    def __contains__(self, url):
        return self.says(self.number_of(url))

    def filter(self, urls):
        """Those that are in the set, in order."""
        return [url for url in urls if self.says(self.number_of(url))]

    def match(self, url):
        """The pattern that puts the URL into the set; None: it is not in it, or no pattern is why."""
        cdef Py_ssize_t rule = self.number_of(url)
        return self._match(self._matcher.whose(<uint32_t>rule), url) if self.puts_in(rule) else None

    def match_many(self, urls):
        """match of each."""
        return [self.match(url) for url in urls]


cdef bint may_climb(const uint8_t* p, uint32_t n) noexcept nogil:
    """May some reader find a segment ".." in a path in normal form, with a NUL in it, or escapes of escapes?

    False is certain (security/disguise's climbs). Then each "%" begins an escape of a printable ASCII octet, which is
    not ".", "%", "/" or a backslash: one decoding takes all escapes away, no new segment begins, nothing is left that
    a reader drops or folds. So a segment reads ".." only if it begins with two dots as written: none does."""
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
    """What URLPattern is made of: one rule for a URL's own octets. It has the long way, _test_at_length."""
    cdef Matcher asked

    def _ask(self, Matcher matcher not None):
        """Set the matcher, of one rule."""
        self.asked = matcher

    def test(self, input=None, base_url=None):
        """test(input=None, base_url=None)
--

        Does a URL match? input: a text, a URL, or a mapping of components. What is no URL does not.

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
