"""The matcher: finds the rules that match a URL, and the one that decides.

All tables are words of 32 bits in one block. The place of an entry is the index of its first word, and a source is the
host of the page that makes a request. These are the tables:

    rules    for each rule, the number of its pattern and the place of its demand. Rules are numbered by rank: of those
             that match, the one with the highest number decides. Policies only affect this order
    demands  what has to be true besides the host and the beginning of the text. A demand says whether the rule is for
             the host itself or for hosts below it, where the text has to end, and whether the rule allows. It has the
             places of schemes, ports, checks and conditions on the request (0: any). Many rules can share one
    roots    the roots of tries: two for rules of any host, one of which is for beginnings of the target, the other for
             beginnings of the whole URL; one for each entry of the table of hosts; one for each entry of the table of
             sources
    nodes    the nodes of tries. Each has a label (its start and length in the pool), rules, and children
    edges    a hash table: (node, next byte) -> node, for nodes with more than one child, and (branch, token) -> rules

A trie holds the bytes that a target (path and query) has to begin with for a rule to match, so only rules with the
right beginning are tried. Few rules of a node are a list, from the highest rank, so a search can leave the list when no
other rule could win. Many rules of a node are a branch: each of them is found by one token, a text that the URL must
have (tokens.pxd). Where many rules have the same token, they are a branch again. So the number of rules that are tried
does not grow with the number of rules, if they differ in their literals.
"""
cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy, memset
from urlsm.crawler.labels cimport dots_of, label_start
from urlsm.crawler.sites cimport (
    NO_SITE, Section, PublicSuffixList, is_name, site_start, suffix_start, suffixes_or_default,
)
from urlsm.machine.driver cimport BY_LANE, IPV4_TOO, LONG_TEXT
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.machine.reading cimport Reading, read
from urlsm.machine.special cimport FILE, NOT_SPECIAL, listed_port
from urlsm.octets.buffer cimport (
    MAX_LENGTH, Buffer, ascii_data, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve,
    buffer_start, is_ascii,
)
from urlsm.octets.text cimport Octets, octet_escaped, octets_of
from urlsm.patterns.opcodes cimport (
    CASED_TARGET, HOSTNAME, HREF, PASSWORD, PATH, PORT, PROTOCOL, QUERY, SEARCH, TARGET, USERNAME, WHOLE,
)
from urlsm.patterns.hosts cimport NO_ENTRY, Hosts, HostTable, Walk, begin_walk, next_entry
from urlsm.patterns.programs cimport holds
from urlsm.patterns.tables cimport (
    ALLOWS, ALONE, ANY_TARGET, ANY_WHOLE, BEHIND_TOO, BRANCH_WORDS, EDGE_WORDS, END_BIT, HOW_BIT, OF_HOST,
    RULE_WORDS, UNROOTED, Tables, branch_bit, may_have, slot_of,
)
from urlsm.patterns.tokens cimport (
    GRAM, GRAMS, SEGMENTS, SHORT_GRAMS, gram_at, segment_end, segment_hash, short_gram_at,
)
from urlsm.security.plain cimport Authority, ordinary_authority
from urlsm.url.normal cimport offsets_of_plain
from urlsm.url.parser cimport write_url
from urlsm.url.spans cimport (
    end_of_path, end_of_query, fragment_span, host_span, password_span, path_span, port_span, query_span, username_span,
)
from urlsm.url.structs cimport GIVEN, REFUSED, Failure, Offsets
from urlsm.url.value cimport URL
from urlsm.patterns import rule as rule_py
from urlsm.url.value import try_parse

cdef uint32_t UNKNOWN = rule_py.UNKNOWN, FIRST_PARTY = rule_py.FIRST_PARTY, THIRD_PARTY = rule_py.THIRD_PARTY
cdef uint32_t SAME_HOST = rule_py.SAME_HOST, OTHER_HOST = rule_py.OTHER_HOST
cdef uint32_t BOTH_PARTIES = FIRST_PARTY | THIRD_PARTY, BOTH_HOSTS = SAME_HOST | OTHER_HOST
cdef uint32_t ALL_PARTIES = BOTH_PARTIES | BOTH_HOSTS
cdef HostTable NO_HOSTS = HostTable([])


# --- the texts of a URL that checks are for -----------------------------------------------------------

cdef const uint8_t* text_of(const View* v, uint32_t kind, uint32_t* n) noexcept nogil:
    """Return the text of a URL that checks of this kind compare, and set n to its length. For SEARCH and HASH, the text
    has no "?" or "#", and is empty if the component is absent; for QUERY, it includes the "?"."""
    cdef Span lies
    if kind >= CASED_TARGET:
        lies = Span(v.o.path_start if kind == CASED_TARGET else 0, end_of_query(&v.o, v.n))
        n[0] = lies.end - lies.start
        return v.cased + lies.start
    if kind == TARGET:
        lies = Span(v.o.path_start, end_of_query(&v.o, v.n))
    elif kind == PATH:
        lies = path_span(&v.o, v.n)
    elif kind == HREF:
        lies = Span(0, end_of_query(&v.o, v.n))
    elif kind == WHOLE:
        lies = Span(0, v.n)
    elif kind == PROTOCOL:
        lies = Span(0, v.o.scheme_end)
    elif kind == USERNAME:
        lies = username_span(&v.o)
    elif kind == PASSWORD:
        lies = password_span(&v.o)
    elif kind == HOSTNAME:
        lies = host_span(&v.o)
    elif kind == PORT:
        lies = port_span(&v.o)
    elif kind == SEARCH:
        lies = query_span(&v.o, v.n)
    elif kind == QUERY:
        lies = query_span(&v.o, v.n)
        lies.start -= lies.start != ABSENT
    else:
        lies = fragment_span(&v.o, v.n)
    if lies.start == ABSENT:
        n[0] = 0
        return v.p
    n[0] = lies.end - lies.start
    return v.p + lies.start


cdef int view_octets(View* v, const uint8_t* p, size_t n) except -1:
    """Set v to a view of bytes that are not a URL. The bytes are the view's target; all its other texts are empty."""
    memset(v, 0, sizeof(View))
    if n > MAX_LENGTH:
        raise ValueError("the text is too long")
    v.p, v.cased, v.n = p, p, <uint32_t>n
    v.o.query_start = v.o.fragment_start = ABSENT
    return 0


cdef inline void view_url(View* v, URL url) noexcept:
    v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
    v.cased = v.p


# --- requests: some syntaxes have rules that depend on who requests a URL, and as what ----------------

cdef bint is_asked(const uint32_t** wanted, const Request* request) noexcept nogil:
    """Return whether a request fits a rule.

    wanted: points to these words: bits of types, bits of parties, number of sources, the sources, number of excluded
    sources, the excluded sources. If the result is True, `wanted` then points to the words after these, which are the
    conditions on the URL's own host.
    """
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
    """Return whether one of the entries is in a list. listed[0] is the length of the list; the entries after it are
    sorted."""
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
    """Add the entries of the table that a host lies in."""
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
                           PublicSuffixList suffixes, Buffer* b) except? 0xFFFFFFFF nogil:
    """Put "*" in the place of a host's public suffix, and add the entries that the result lies in. b: receives the host
    with the "*". Return where the site of the host begins, or 0 if the host has none."""
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


cdef inline uint32_t site_at(const uint8_t* p, uint32_t n, PublicSuffixList suffixes) noexcept nogil:
    """Return where the site of a host begins. Return 0 if the host has no site, like an address."""
    cdef uint32_t start = site_start(p, n, suffixes, True) if n and is_name(p, n) else NO_SITE
    return 0 if start == NO_SITE else start


# --- matching -----------------------------------------------------------------------------------------

cdef inline void begin_search(Search* s) noexcept nogil:
    s.work.steps = 0
    buffer_start(&s.work.b)
    s.misses = s.met_count = 0
    s.is_folded = s.knows_tokens = s.knows_own = False
    buffer_start(&s.folded)
    buffer_start(&s.tokens)
    buffer_start(&s.met_bits)
    buffer_start(&s.own)


cdef inline void end_search(Search* s) noexcept nogil:
    buffer_free(&s.work.b)
    buffer_free(&s.folded)
    buffer_free(&s.tokens)
    buffer_free(&s.met_bits)
    buffer_free(&s.own)


@cython.final
@cython.binding(False)
cdef class Matcher:
    """Compiled rules. order: the indices of the rules in tables, the weakest first. None means that the first rule is
    the strongest. folds: whether case is ignored."""

    def __cinit__(self, Tables tables not None, order=None, bint folds=False):
        if order is None:
            order = range(<Py_ssize_t>tables.count - 1, -1, -1)
        if tables.leads:  # some rule has a key like "example.*": "example" below any public suffix
            self.suffixes = suffixes_or_default(None)
        tables.finish(&self.at, order)
        self.hosts = HostTable(list(tables.keys)) if tables.keys else NO_HOSTS
        self.sources = HostTable(list(tables.source_keys)) if tables.source_keys else NO_HOSTS
        self.count, self.folds, self.unindexed = tables.count, folds, tables.unindexed
        self.w = tables.block.copy_words(&self.octets)
        self.size = <uint32_t>(tables.block.b.n + tables.block.literals.n)

    def __dealloc__(self):
        free(self.w)

    def __sizeof__(self):
        """Return the size of all tables in bytes."""
        return self.size + len(self.hosts.keys[0]) + 4 * (self.hosts.hosts.mask + 1) + 12 * self.hosts.count

    def pattern_of(self, uint32_t rule):
        """Return the number of the pattern that a rule comes from."""
        if rule >= self.count:
            raise IndexError(rule)
        return self.whose(rule)

    cdef uint32_t whose(self, uint32_t rule) noexcept nogil:
        return self.w[self.at.rules + RULE_WORDS * rule]

    cdef uint32_t traits(self, uint32_t rule) noexcept nogil:
        return self.w[self.w[self.at.rules + RULE_WORDS * rule + 1]]

    def allows(self, Py_ssize_t rule):
        """Return whether a rule includes URLs in the list. Return False for a number below 0, because it is not the
        number of a rule."""
        return 0 <= rule < self.count and self.traits(rule) & ALLOWS != 0

    def allows_behind(self, Py_ssize_t rule):
        """Return whether a rule includes URLs in the list, and its path is a prefix or contains a "*", so that any text
        may follow."""
        return 0 <= rule < self.count and self.traits(rule) & BEHIND_TOO == BEHIND_TOO

    cdef int search(self, const View* given, Search* s) except -1 nogil:
        """Search for the rule that decides, or for all rules that match. The caller has initialised s."""
        cdef Walk walk
        cdef View folded
        cdef const View* v = given
        cdef bint whole = False
        cdef uint32_t entry, k
        cdef const uint32_t* roots = self.w + self.at.roots
        if self.folds:
            buffer_copy_lower(&s.folded, given.p, given.n)
            folded = given[0]
            folded.p = s.folded.p
            v = &folded
            s.is_folded = True
        if s.request != NULL:
            for k in range(s.request.count):
                entry = roots[OF_HOST + self.hosts.count + s.request.sources[k]]
                if entry:
                    self.descend(entry, v, WHOLE, WHOLE_HOST, s)
        if roots[ANY_TARGET]:
            self.descend(roots[ANY_TARGET], v, TARGET, WHOLE_HOST, s)
        if roots[ANY_WHOLE]:
            self.descend(roots[ANY_WHOLE], v, WHOLE, WHOLE_HOST, s)
        if not v.o.has_host:
            return 0
        begin_walk(&walk, &self.hosts.hosts, v.p + v.o.host_start, v.o.host_end - v.o.host_start)
        while True:
            entry = next_entry(&self.hosts.hosts, &walk, &whole)
            if entry == NO_ENTRY:
                return 0
            if roots[OF_HOST + entry]:
                self.descend(roots[OF_HOST + entry], v, TARGET, whole * WHOLE_HOST | walk.rooted * ROOTED, s)

    cdef int descend(self, uint32_t node, const View* v, uint32_t kind, uint32_t how, Search* s) except -1 nogil:
        """Descend in a trie, and try the rules whose bytes the text begins with."""
        cdef uint32_t n, at = 0, slot
        cdef const uint8_t* p = text_of(v, kind, &n)
        cdef const uint32_t* here
        cdef const uint32_t* edge
        while True:
            here = self.w + node
            s.work.steps += 1
            if n - at < here[1] or memcmp(p + at, self.octets + here[0], here[1]) != 0:
                return 0
            at += here[1]
            if here[2]:
                self.try_rules(here[2], v, at, how, s)
            if not here[3] or at == n:
                return 0
            if here[3] & ALONE:
                node = here[3] ^ ALONE
                continue
            slot = slot_of(node, p[at], self.at.key) & self.at.edge_mask
            while True:
                edge = self.w + self.at.edges + EDGE_WORDS * slot
                if edge[2] == 0:
                    return 0
                if edge[0] == node and edge[1] == p[at]:
                    break
                slot = (slot + 1) & self.at.edge_mask
            node = edge[2]

    cdef int try_rules(self, uint32_t place, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil:
        """Try rules (Tables.rules_of). at: how many bytes of the text the trie has compared. how: WHOLE_HOST,
        ROOTED."""
        cdef uint32_t k
        if place & ALONE:
            self.consider(place ^ ALONE, v, at, how, s)
            return 0
        if self.w[place] & ALONE:
            return self.try_branch(place, v, at, how, s)
        for k in range(1, self.w[place] + 1):
            if not self.consider(self.w[place + k], v, at, how, s):
                break
        return 0

    cdef int try_branch(self, uint32_t place, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil:
        """Try the rules of a branch whose tokens the URL has, and those that have no token."""
        cdef const uint32_t* here = self.w + place
        cdef uint64_t bits
        cdef uint32_t k, token
        if not s.all and here[1] < s.rank:
            return 0
        for k in range(here[0] ^ ALONE):
            if not self.consider(here[BRANCH_WORDS + k], v, at, how, s):
                break
        if not s.knows_tokens:
            self.find_tokens(v, s)
            s.knows_tokens = True
        bits = here[2] | <uint64_t>here[3] << 32
        for k in range(<uint32_t>(s.tokens.n // 4)):
            token = (<uint32_t*>s.tokens.p)[k]
            if bits >> branch_bit(token) & 1:
                self.take(place, token, v, at, how, s)
        return 0

    cdef int find_tokens(self, const View* v, Search* s) except -1 nogil:
        """Find the tokens of a URL, except those that certainly no branch has."""
        cdef const uint8_t* p
        cdef uint32_t* found
        cdef const uint32_t* filter = self.w + self.at.filter
        cdef uint32_t k = 0, n = v.n, end, kinds = self.at.kinds, shift = self.at.filter_shift
        cdef size_t count = 0
        if not s.is_folded:
            buffer_copy_lower(&s.folded, v.p, n)
            s.is_folded = True
        p = s.folded.p
        s.work.steps += n
        # a token is written at the end of the list, but only counts if some branch may have it
        buffer_reserve(&s.tokens, 4 * (3 * <size_t>n + 1))
        found = <uint32_t*>s.tokens.p
        while kinds & SEGMENTS and k < n:
            end = segment_end(p, k, n)
            if end > k:
                found[count] = segment_hash(p + k, end - k, p + n, self.at.key)
                count += may_have(filter, shift, found[count])
            k = end + 1
        for k in range(n - (GRAM - 1) if kinds & GRAMS and n >= GRAM else 0):
            found[count] = gram_at(p + k)
            count += may_have(filter, shift, found[count])
        for k in range(n - (GRAM - 2) if kinds & SHORT_GRAMS and n >= GRAM - 1 else 0):
            found[count] = short_gram_at(p + k)
            count += may_have(filter, shift, found[count])
        s.tokens.n = 4 * count
        return 0

    cdef int take(self, uint32_t branch, uint32_t token, const View* v, uint32_t at, uint32_t how,
                  Search* s) except -1 nogil:
        """Try the rules that have a token, once in a search."""
        cdef uint32_t slot = slot_of(branch, token, self.at.key) & self.at.edge_mask
        cdef const uint32_t* edge
        while True:
            edge = self.w + self.at.edges + EDGE_WORDS * slot
            if edge[2] == 0:
                return 0
            if edge[0] == branch and edge[1] == token:
                return 0 if self.is_met(slot, s) else self.try_rules(edge[2], v, at, how, s)
            slot = (slot + 1) & self.at.edge_mask

    cdef bint is_met(self, uint32_t slot, Search* s) except -1 nogil:
        """Return whether the search has taken an edge before; from now on, it has."""
        cdef int k
        cdef uint8_t bit
        for k in range(min(s.met_count, FEW_MET)):
            if s.met[k] == slot:
                return True
        if s.met_count < FEW_MET:
            s.met[s.met_count] = slot
            s.met_count += 1
            return False
        if s.met_bits.n == 0:
            buffer_reserve(&s.met_bits, self.at.edge_mask // 8 + 1)
            s.met_bits.n = self.at.edge_mask // 8 + 1
            memset(s.met_bits.p, 0, s.met_bits.n)
        bit = <uint8_t>(1 << (slot & 7))
        if s.met_bits.p[slot >> 3] & bit:
            return True
        s.met_bits.p[slot >> 3] |= bit
        return False

    cdef bint consider(self, uint32_t rule, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil:
        """Try a rule whose first `at` bytes agree with the text. Return False if no rule of a lower rank can decide
        any more."""
        s.work.steps += 1
        if not s.all and rule < s.rank:
            return False
        if not self.fits(self.w + self.w[self.at.rules + RULE_WORDS * rule + 1], v, at, how, s):
            s.misses += 1
            return True
        if not s.all:
            s.rank = rule + 1
            return False
        buffer_reserve(&s.found.b, 4)
        memcpy(s.found.b.p + s.found.b.n, &rule, 4)
        s.found.b.n += 4
        return True

    cdef bint fits(self, const uint32_t* demand, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil:
        """Return whether a demand is met. The caller has already compared the host's entry and the bytes of the
        trie."""
        cdef const uint32_t* part
        cdef const uint8_t* text
        cdef uint32_t k, n, end = demand[0] >> END_BIT, wanted = demand[0] >> HOW_BIT & 3
        cdef int port
        cdef bint found
        if wanted and wanted != 3 and (wanted == 1) != (how & WHOLE_HOST):
            return False
        if demand[0] & UNROOTED and how & ROOTED:
            return False
        if end:
            text_of(v, (end - 1) >> 1, &n)
            if at > n or (end & 1 == 0 and at != n):
                return False
        if demand[4]:
            part = self.w + demand[4]
            if part[1] & ALL_PARTIES != ALL_PARTIES:  # if a rule accepts all parties, the party need not be known
                self.set_party(s.request, v)
            if not is_asked(&part, s.request):
                return False
            if part[0] or part[part[0] + 1]:
                self.find_own_host(v, s)
                if part[0] and not is_among(part, s.own_entries, s.own_count):
                    return False
                part += part[0] + 1
                if is_among(part, s.own_entries, s.own_count):
                    return False
        if demand[1]:
            part = self.w + demand[1]
            found = part[0] >> v.o.kind & 1 if NOT_SPECIAL < v.o.kind <= FILE else False
            if not NOT_SPECIAL < v.o.kind <= FILE:
                for k in range(part[1]):
                    if part[2 * k + 3] == v.o.scheme_end \
                            and memcmp(self.octets + part[2 * k + 2], v.p, v.o.scheme_end) == 0:
                        found = True
            if not found:
                return False
        if demand[2]:
            part, found = self.w + demand[2], False
            port = v.o.port
            if port < 0:
                port = <int>listed_port(v.o.kind)
                if port == 0:
                    port = -1
            for k in range(part[0]):
                if <int>part[2 * k + 1] <= port <= <int>part[2 * k + 2]:
                    found = True
            if not found:
                return False
        if demand[3]:
            part = self.w + demand[3]
            for k in range(part[0]):
                text = text_of(v, part[2 * k + 1], &n)
                if not holds(self.w + part[2 * k + 2], self.w, self.octets, text, n, NULL, &s.work):
                    return False
        return True

    cdef void set_party(self, Request* request, const View* v) noexcept nogil:
        """Set request.parties: whether the URL is on the site of the source, and whether both have the same host."""
        cdef const uint8_t* p = v.p + v.o.host_start
        cdef uint32_t n = v.o.host_end - v.o.host_start, start, size
        if request == NULL or request.n == 0 or request.parties != ALL_PARTIES:
            return
        if n and p[n - 1] == c'.':
            n -= 1
        start, size = site_at(p, n, self.suffixes), request.n - request.site
        request.parties = THIRD_PARTY
        if n - start == size and memcmp(p + start, request.host + request.site, size) == 0:
            request.parties = FIRST_PARTY
        request.parties |= SAME_HOST if n == request.n and memcmp(p, request.host, n) == 0 else OTHER_HOST

    cdef int find_own_host(self, const View* v, Search* s) except -1 nogil:
        """Look up the URL's own host in the table of sources, for rules about the host that a request goes to. This is
        done once in a search."""
        cdef const uint8_t* p = v.p + v.o.host_start
        cdef uint32_t n = v.o.host_end - v.o.host_start
        if s.knows_own:
            return 0
        s.knows_own, s.own_count = True, 0
        if n and p[n - 1] == c'.':
            n -= 1
        if n:
            add_sources(s.own_entries, &s.own_count, &self.sources.hosts, p, n)
            if self.suffixes is not None:
                add_entities(s.own_entries, &s.own_count, &self.sources.hosts, p, n, self.suffixes, &s.own)
        return 0

    def decides(self, URL url not None):
        """Return the number of the rule that decides; -1 if no rule matches."""
        cdef View v
        cdef Search s
        view_url(&v, url)
        s.request = NULL
        return self.deciding_rule(&v, &s)

    cdef Py_ssize_t deciding_rule(self, const View* v, Search* s) except -2 nogil:
        """Return the number of the rule that decides; -1 if no rule matches."""
        s.rank, s.all = 0, False
        begin_search(s)
        try:
            self.search(v, s)
        finally:
            end_search(s)
        return <Py_ssize_t>s.rank - 1

    def all(self, URL url not None):
        """Return the numbers of all rules that match, in ascending order."""
        cdef View v
        view_url(&v, url)
        return self.matching_rules(&v, NULL)

    cdef list matching_rules(self, const View* v, Request* request):
        cdef Search s
        cdef size_t k
        s.rank, s.all, s.request = 0, True, request
        begin_search(&s)
        buffer_start(&s.found.b)
        try:
            self.search(v, &s)
            return sorted([(<uint32_t*>s.found.b.p)[k] for k in range(s.found.b.n // 4)])
        finally:
            end_search(&s)
            buffer_free(&s.found.b)

    def decides_text(self, bytes text not None):
        """Return the result of `decides` for bytes that are not a URL. They are compared as the target."""
        cdef View v
        cdef Search s
        view_octets(&v, text, len(text))
        s.request = NULL
        return self.deciding_rule(&v, &s)

    def all_of_text(self, bytes text not None):
        """Return the result of `all` for bytes that are not a URL. They are compared as the target."""
        cdef View v
        view_octets(&v, text, len(text))
        return self.matching_rules(&v, NULL)

    def steps(self, URL url not None):
        """Return the number of steps that `decides` takes: instructions run, rules tried, nodes visited and bytes
        searched."""
        cdef View v
        cdef Search s
        view_url(&v, url)
        s.request = NULL
        self.deciding_rule(&v, &s)
        return s.work.steps

    def misses(self, URL url not None):
        """Return how many rules `decides` tries that do not match."""
        cdef View v
        cdef Search s
        view_url(&v, url)
        s.request = NULL
        self.deciding_rule(&v, &s)
        return s.misses

    def misses_in_text(self, bytes text not None):
        """Return how many rules `decides_text` tries that do not match."""
        cdef View v
        cdef Search s
        view_octets(&v, text, len(text))
        s.request = NULL
        self.deciding_rule(&v, &s)
        return s.misses


def fits(rule, URL url not None):
    """Return whether a Rule matches a URL."""
    cdef Tables tables = Tables(single=True)
    tables.add(rule)
    return Matcher(tables).decides(url) >= 0


# --- Lookup: finds the rule for a URL without making a URL object, if the octets suffice --------------

cdef bint read_view(View* v, const uint8_t* p, uint32_t n, const Offsets* o, Buffer* b) except -1 nogil:
    """Set v to a view of the URL p[0:n]. o: the URL's offsets if the text is in normal form; NULL if the text has to be
    parsed. b: receives the normal form if it differs from the text; the caller has initialised b. Return False if the
    text is not a URL."""
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
    """The base of PatternSet: a matcher, and checks whether the bytes of a URL suffice for a decision. PatternSet adds
    _decides_at_length, which decides if they do not."""

    def _set_matcher(self, Matcher matcher not None, *, bint refuses, bint blocks, bint otherwise, bint of_urls,
                     bint takes_paths_out, bint takes_queries_out=False, dict types=None, bint has_prover=False):
        """Set the matcher. refuses: whether URLs on which readers disagree are rejected. blocks: whether the set is a
        block list. otherwise: whether a URL is in the set if no pattern matches. of_urls: whether patterns are compared
        with URLs; if not, they are compared with texts that the syntax makes of URLs. takes_paths_out,
        takes_queries_out: whether some rule excludes URLs because of their path, or of their query. types: maps the
        name of a type of request to its bit; a name that is missing has the bit of "other". has_prover: whether
        _match_proved decides, because rules only select patterns."""
        self._matcher, self.refuses, self.blocks, self.otherwise = matcher, refuses, blocks, otherwise
        self.of_urls, self.types, self.has_prover = of_urls, types, has_prover
        self.takes_paths_out, self.takes_queries_out = takes_paths_out or takes_queries_out, takes_queries_out

    cdef Py_ssize_t rule_of(self, const uint8_t* p, uint32_t n, const Offsets* o, Search* s, Buffer* b) except -4 nogil:
        """Return the number of the rule that decides on the URL p[0:n], or NO_RULE, REFUSED_URL or UNSURE. o: the URL's
        offsets if the text is in normal form; NULL if the text must be parsed. s and b belong to the caller, who has
        initialised b."""
        cdef View v
        cdef Authority a
        cdef Py_ssize_t rule
        cdef const uint8_t* path
        cdef uint32_t size
        if not read_view(&v, p, n, o, b):
            return REFUSED_URL
        # ordinary_authority (security/plain.pyx) proves that all readers agree on the authority
        if self.refuses and NOT_SPECIAL < v.o.kind <= FILE and not ordinary_authority(p, n, &a):
            return UNSURE
        rule = self._matcher.deciding_rule(&v, s)
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
        """Return the number of the rule that decides on a URL, or NO_RULE or REFUSED_URL."""
        cdef Search s
        cdef Request request
        cdef Buffer b, host
        cdef Octets octets
        cdef Py_ssize_t rule = UNSURE, n
        cdef const uint8_t* p
        cdef const Offsets* o = NULL
        if not self.of_urls:  # this is also the case in an object whose matcher was never set
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
                    self.begin_request(&request, &host, source, type_)
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

    cdef int begin_request(self, Request* request, Buffer* host, object source, object type_) except -1:
        """Set the fields of a request that do not depend on the URL. host: receives the source's host, then that host
        with "*" in place of its public suffix; the caller has initialised this buffer. TypeError: the syntax does not
        use a source or a type, or one of them is not a text."""
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
                raise TypeError(f"a type must be str, not {type(type_).__name__}")
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
        # `suffixes` is set only once, because other threads may be reading it
        with cython.critical_section(self._matcher):
            if self._matcher.suffixes is None:
                self._matcher.suffixes = suffixes_or_default(None)
        n = o.host_end - o.host_start
        buffer_reserve(host, 2 * <size_t>n + 1)  # room for both texts, so that the first one does not move
        buffer_copy(host, p + o.host_start, n)
        if host.p[n - 1] == c'.':
            n -= 1
        request.host, request.n, request.site = host.p, n, 0
        add_sources(request.sources, &request.count, &self._matcher.sources.hosts, host.p, n)
        request.site = add_entities(request.sources, &request.count, &self._matcher.sources.hosts, host.p, n,
                                    self._matcher.suffixes, host)
        return 0

    def _rules_for_request(self, URL url not None, source, type, bint all):
        """Return the number of the rule that decides on a request or, with `all`, a list of the numbers of all rules
        that match."""
        cdef View v
        cdef Search s
        cdef Request request
        cdef Buffer host
        view_url(&v, url)
        buffer_start(&host)
        try:
            self.begin_request(&request, &host, source, type)
            if all:
                return self._matcher.matching_rules(&v, &request)
            s.request = &request
            return self._matcher.deciding_rule(&v, &s)
        finally:
            buffer_free(&host)

    cdef inline bint says(self, Py_ssize_t rule) noexcept nogil:
        """Return whether a URL is in the set if this rule decides."""
        if rule >= 0:
            return self._matcher.traits(<uint32_t>rule) & ALLOWS
        return self.blocks if rule == REFUSED_URL else self.otherwise

    cdef inline bint puts_in(self, Py_ssize_t rule) noexcept nogil:
        """Return whether this is the number of a rule that puts URLs into the set."""
        return rule >= 0 and self._matcher.traits(<uint32_t>rule) & ALLOWS

    def _decides(self, url, source=None, type=None):
        """Return the number of the rule that decides; -1 if no rule matches; -2 if the text is not a URL, or readers
        disagree about it."""
        return self.number_of(url, source, type)

    def _says(self, Py_ssize_t rule):
        """Return whether a URL is in the set if this rule decides."""
        return self.says(rule)

    def __contains__(self, url):
        return self.says(self.number_of(url))

    def filter(self, urls):
        """Return the URLs that are in the set, in order.

        Args:
            urls: an iterable of URLs.

        Raises:
            TypeError: `urls` is a single str or bytes.

        Example:
            >>> PatternSet(["example.com"]).filter(["https://www.example.com/", "https://example.org/"])
            ['https://www.example.com/']
        """
        check_several(urls)
        return [url for url in urls if self.says(self.number_of(url))]

    def match(self, url, *, source=None, type=None):
        """Return the pattern that includes a URL in the set, or None.

        Args:
            url: the URL.
            source: for "adblock", the URL of the page that makes the request. If it is missing, filters that need it do
                not match.
            type: for "adblock", the type of the request, such as "script". If it is missing, filters that need it do
                not match.

        Returns:
            A PatternMatch, or None. The result is also None if the URL is in the set although no pattern mentions it,
            for example in a robots.txt file.

        Example:
            >>> found = PatternSet(["example.com"]).match("https://www.example.com/")
            >>> found and found.pattern
            'example.com'
        """
        cdef Py_ssize_t rule
        if self.has_prover:
            return self._match_proved(url)
        rule = self.number_of(url, source, type)
        return self._match(self._matcher.whose(<uint32_t>rule), url) if self.puts_in(rule) else None

    def match_many(self, urls, *, source=None, type=None):
        """Return a list with the result of match() for each URL.

        Args:
            urls: an iterable of URLs.
            source: as for match().
            type: as for match().

        Raises:
            TypeError: `urls` is a single str or bytes.

        Example:
            >>> PatternSet(["example.com"]).match_many(["https://www.example.com/", "https://example.org/"])[1] is None
            True
        """
        check_several(urls)
        return [self.match(url, source=source, type=type) for url in urls]


cdef int check_several(object urls) except -1:
    """Raise TypeError for a single URL, because its characters would be mistaken for URLs."""
    if isinstance(urls, (str, bytes)) or not hasattr(urls, "__iter__"):
        raise TypeError(f"urls must be an iterable of URLs, not {type(urls).__name__}")
    return 0


cdef bint has_other_spelling(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether some reader may read a path as another path, because it has an escape or an empty segment."""
    cdef uint32_t k
    for k in range(n):
        if p[k] == c'%' or (p[k] == c'/' and k + 1 < n and p[k + 1] == c'/'):
            return True
    return False


cdef bint may_climb(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether some reader may find a segment "..", a NUL or escapes of escapes in a path in normal form.

    False is certain: the function `climbs` (security/disguise.pyx) would find nothing. A path in normal form consists
    of printable ASCII (https://url.spec.whatwg.org/#path-percent-encode-set). If the result is False, each
    "%" begins an escape of a printable ASCII byte other than ".", "%", "/" and the backslash. One decoding removes all
    escapes, no new segment begins, and nothing is left that a reader drops or maps. A segment could only be read as
    ".." if it began with two literal dots, and no segment does.
    """
    cdef const uint8_t* end = p + n
    cdef const uint8_t* at = <const uint8_t*>memchr(p, c'.', n)
    cdef int octet
    while at != NULL:
        if at + 1 < end and at[1] == c'.' and (at == p or (at - 1)[0] in b'/\\'):
            return True
        at = <const uint8_t*>memchr(at + 1, c'.', end - at - 1)
    at = <const uint8_t*>memchr(p, c'%', n)
    while at != NULL:
        octet = octet_escaped(at, end - at)
        if not 0x20 <= octet <= 0x7E or octet == c'.' or octet == c'%' or octet == c'/' or octet == c'\\':
            return True
        at = <const uint8_t*>memchr(at + 1, c'%', end - at - 1)
    return False
