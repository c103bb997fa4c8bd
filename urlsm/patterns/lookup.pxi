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
    v.cased = v.p
    return True


@cython.binding(False)
cdef class Lookup:
    """A matcher, and what is refused before it decides. PatternSet adds the long way, _decides_at_length."""

    def _look_up(self, Matcher matcher not None, *, bint refuses, bint blocks, bint otherwise, bint of_urls,
                 bint takes_paths_out, bint takes_queries_out=False, dict types=None):
        """Set the matcher. refuses: whether URLs on which readers disagree are refused. blocks: whether it is a block
        list. otherwise: whether a URL is in the set if no pattern matches. of_urls: whether patterns are compared with
        URLs, not with a text that the syntax makes. types: the bits of types of requests, by name; "other" is that of
        all other names."""
        self._matcher, self.refuses, self.blocks, self.otherwise = matcher, refuses, blocks, otherwise
        self.of_urls, self.types = of_urls, types
        self.takes_paths_out, self.takes_queries_out = takes_paths_out or takes_queries_out, takes_queries_out

    cdef Py_ssize_t rule_of(self, const uint8_t* p, uint32_t n, const Offsets* o, Search* s, Buffer* b) except -4 nogil:
        """Return the number of the rule that decides on the URL p[0:n], or NO_RULE, REFUSED_URL, UNSURE. o: its offsets
        if it is in normal form; NULL: it has to be read. s, b: the caller's; it has started b."""
        cdef View v
        cdef Authority a
        cdef Py_ssize_t rule
        cdef const uint8_t* path
        cdef uint32_t size
        if not read_view(&v, p, n, o, b):
            return REFUSED_URL
        # all readers agree on an ordinary authority (security/plain)
        if self.refuses and NOT_SPECIAL < v.o.kind <= FILE and not ordinary_authority(p, n, &a):
            return UNSURE
        rule = self._matcher.decided(&v, s)
        if rule >= 0 and self.refuses and not self.blocks \
                and (self.takes_paths_out or self._matcher.traits(<uint32_t>rule) & BEHIND_TOO == BEHIND_TOO):
            path, size = v.p + v.o.path_start, end_of_path(&v.o, v.n) - v.o.path_start
            if may_climb(path, size) or self.takes_paths_out and has_other_spelling(path, size):
                return UNSURE
            if self.takes_queries_out and v.o.query_start != ABSENT:
                path, size = v.p + v.o.query_start, end_of_query(&v.o, v.n) - v.o.query_start
                if memchr(path, c'%', size) != NULL or memchr(path, c'+', size) != NULL:
                    return UNSURE
        return rule

    cdef Py_ssize_t number_of(self, object url, object source=None, object type_=None) except -4:
        """Return the number of the rule that decides, or NO_RULE, or REFUSED_URL."""
        cdef Search s
        cdef Request request
        cdef Buffer b, host
        cdef Octets octets
        cdef Py_ssize_t rule = UNSURE, n
        cdef const uint8_t* p
        cdef const Offsets* o = NULL
        if not self.of_urls:  # also if the object was never set up, and does not have a matcher
            return self.at_length(url, source, type_)
        if type(url) is str and is_ascii(url):
            p, n = ascii_data(url), len(<str>url)
        elif type(url) is URL:
            p, n, o = ascii_data((<URL>url).href), len((<URL>url).href), &(<URL>url).o
        else:
            octets = octets_of(url, False)
            p, n = octets.p, MAX_LENGTH + 1 if octets.too_long else octets.n
        if n <= MAX_LENGTH:
            buffer_start(&b)
            buffer_start(&host)
            s.request = NULL
            try:
                if source is not None or type_ is not None:
                    self.begin(&request, &host, source, type_)
                    s.request = &request
                rule = self.rule_of(p, <uint32_t>n, o, &s, &b)
            finally:
                buffer_free(&b)
                buffer_free(&host)
        return self.at_length(url, source, type_) if rule == UNSURE else rule

    cdef Py_ssize_t at_length(self, object url, object source=None, object type_=None) except -4:
        cdef Py_ssize_t rule
        if source is None and type_ is None:
            rule = self._decides_at_length(url)
        else:
            rule = self._decides_at_length(url, source, type_)
        if not REFUSED_URL <= rule < (0 if self._matcher is None else <Py_ssize_t>self._matcher.count):
            raise IndexError(rule)
        return rule

    cdef int begin(self, Request* request, Buffer* host, object source, object type_) except -1:
        """Begin a request with what does not depend on the URL. host: for the source's, with a "*" for its suffix; the
        caller has started it. TypeError: the syntax does not ask, or not a text."""
        cdef Reading r
        cdef Offsets o
        cdef const uint8_t* p = NULL
        cdef uint32_t n
        if self.types is None:
            raise TypeError("this syntax does not ask for a source or a type")
        request.types = request.parties = UNKNOWN
        request.n = request.count = 0
        if type_ is not None:
            if not isinstance(type_, str):
                raise TypeError(f"a type is str, not {type(type_).__name__}")
            request.types = self.types.get(type_, self.types["other"])
        if source is None:
            return 0
        request.parties = ALL_PARTIES
        if type(source) is str and is_ascii(source) and len(<str>source) <= LONG_TEXT \
                and read(&r, ascii_data(source), <uint32_t>len(<str>source), NULL, BY_LANE | IPV4_TOO):
            offsets_of_plain(&r.at, &o)
            p = ascii_data(source)
        else:
            source = source if type(source) is URL else try_parse(source)
            if source is None:
                return 0
            p, o = ascii_data((<URL>source).href), (<URL>source).o
        if o.host_end == o.host_start:
            return 0
        with cython.critical_section(self._matcher):  # set once, so that others may read it
            if self._matcher.suffixes is None:
                self._matcher.suffixes = suffixes_or_default(None)
        n = o.host_end - o.host_start
        buffer_reserve(host, 2 * <size_t>n + 1)  # all that is written here, so nothing moves
        buffer_copy(host, p + o.host_start, n)
        if host.p[n - 1] == c'.':
            n -= 1
        request.host, request.n, request.site = host.p, n, 0
        add_sources(request.sources, &request.count, &self._matcher.sources.hosts, host.p, n)
        request.site = add_entities(request.sources, &request.count, &self._matcher.sources.hosts, host.p, n,
                                    self._matcher.suffixes, host)
        return 0

    def _plainly(self, URL url not None, source, type, bint all):
        """Return the number of the rule that decides on a request, or (all) the numbers of all rules that match."""
        cdef View v
        cdef Search s
        cdef Request request
        cdef Buffer host
        view_url(&v, url)
        buffer_start(&host)
        try:
            self.begin(&request, &host, source, type)
            if all:
                return self._matcher.fitting(&v, &request)
            s.request = &request
            return self._matcher.decided(&v, &s)
        finally:
            buffer_free(&host)

    cdef inline bint says(self, Py_ssize_t rule) noexcept nogil:
        """Return whether a URL is in the set if this rule decides."""
        if rule >= 0:
            return self._matcher.traits(<uint32_t>rule) & ALLOWS
        return self.blocks if rule == REFUSED_URL else self.otherwise

    cdef inline bint puts_in(self, Py_ssize_t rule) noexcept nogil:
        """Return whether this is a rule, and it puts a URL into the set."""
        return rule >= 0 and self._matcher.traits(<uint32_t>rule) & ALLOWS

    def _decides(self, url, source=None, type=None):
        """Return the number of the rule that decides; -1 if none matches; -2 if the text is not a URL, or readers
        disagree."""
        return self.number_of(url, source, type)

    def _says(self, Py_ssize_t rule):
        """Return whether a URL is in the set if this rule decides."""
        return self.says(rule)

    def __contains__(self, url):
        return self.says(self.number_of(url))

    def filter(self, urls):
        """Return the URLs that are in the set, in order."""
        return [url for url in urls if self.says(self.number_of(url))]

    def match(self, url, source=None, type=None):
        """match(url, source=None, type=None)
--

        Return the pattern that puts the URL into the set; None if it is not in the set, or not by a pattern.

        source, type: (of "adblock") the URL of the page that asks for it, and the type of the request, like "script".
        A pattern that needs one of them does not match without it.
        """
        cdef Py_ssize_t rule = self.number_of(url, source, type)
        return self._match(self._matcher.whose(<uint32_t>rule), url) if self.puts_in(rule) else None

    def match_many(self, urls):
        """Return match of each URL, in a list."""
        return [self.match(url) for url in urls]


cdef bint has_other_spelling(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether some reader may take a path for another one: it has an escape, or an empty segment."""
    cdef uint32_t k
    for k in range(n):
        if p[k] == c'%' or (p[k] == c'/' and k + 1 < n and p[k + 1] == c'/'):
            return True
    return False


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
    cdef PyObject* asked     # the Matcher of the first test, which stays: threads may make several

    def __dealloc__(self):
        Py_XDECREF(self.asked)

    def _ask(self, Matcher matcher not None):
        """Set the matcher, which has one rule, unless another thread has been faster."""
        publish(&self.asked, matcher)

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
        cdef PyObject* asked = published(&self.asked)
        if asked == NULL or base_url is not None or not (type(input) is URL or (
                type(input) is str and is_ascii(input) and len(<str>input) <= MAX_LENGTH)):
            return self._test_at_length(input, base_url)
        buffer_start(&b)
        s.request = NULL
        try:
            if type(input) is URL:
                read_view(&v, ascii_data((<URL>input).href), <uint32_t>len((<URL>input).href), &(<URL>input).o, &b)
            elif not read_view(&v, ascii_data(input), <uint32_t>len(<str>input), NULL, &b):
                return False
            return (<Matcher>asked).decided(&v, &s) == 0
        finally:
            buffer_free(&b)
