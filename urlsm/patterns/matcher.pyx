"""The matcher: finds the rules that match a URL, and the one that decides.

All tables are words of 32 bits in one block:

    rules    the pattern of each, and the place of its demand. Rules are numbered by rank: of those that match, the one
             with the highest number decides. This number is all that is left of a policy
    demands  what many rules have in common: whether they are for this host or for hosts below it, where the text has to
             end, whether they allow; and the places of schemes, ports, checks and what they ask of a request (0: any)
    roots    of the tries: of rules for any host, by the beginning of the target, or of the whole URL; of each entry of
             the host table; of each entry of the table of sources
    nodes    of the tries: label (start and length, in the pool), its rules, its children
    edges    a table of (node, next octet) -> node, open-addressed, for nodes with more than one child
    grams    a table of four octets -> rules, open-addressed, of rules without a host and a beginning

A trie holds the octets with which a target (path and query) has to begin for a rule to match. So only rules with the
right beginning are looked at. The rules of a node are listed with the highest rank first, so the search leaves the list
once no other rule can win.
"""
cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset
from os import urandom
from urlsm.machine.driver cimport BY_LANE, IPV4_TOO, LONG_TEXT
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.machine.reading cimport Reading, read
from urlsm.machine.special cimport FILE, NOT_SPECIAL, listed_port
from urlsm.octets.buffer cimport (
    MAX_LENGTH, Buffer, ascii_data, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve,
    buffer_start, is_ascii,
)
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport Octets, octet_escaped, octets_of
from urlsm.patterns.hosts cimport NO_ENTRY, Hosts, HostTable, Walk, begin_walk, next_entry, plain_name
from urlsm.patterns.opcodes cimport (
    CASED_TARGET, GREEDY, HOSTNAME, HREF, PASSWORD, PATH, PORT, PROTOCOL, QUERY, SEARCH, TARGET, USERNAME, WHOLE,
)
from urlsm.patterns.program cimport Block, holds
from urlsm.security.plain cimport Authority, ordinary_authority
from urlsm.url.normal cimport offsets_of_plain
from urlsm.crawler.sites cimport NO_SITE, Section, Suffixes, is_name, site_start, suffix_start, suffixes_or_default
from urlsm.url.parser cimport write_url
from urlsm.url.spans cimport (
    end_of_path, end_of_query, fragment_span, host_span, password_span, path_span, port_span, query_span, username_span,
)
from urlsm.url.structs cimport GIVEN, REFUSED, Failure, Offsets
from urlsm.url.value cimport URL
from urlsm.crawler.labels cimport dots_of, label_start
from urlsm.patterns import rule as rule_py
from urlsm.patterns.opcodes import TEXTS
from urlsm.url.value import try_parse

cdef enum:
    RULE_WORDS = 2
    NODE_WORDS = 4           # the last two: 0 for nothing; ALONE and a number; the place of a list (1: see edges)
    EDGE_WORDS = 3           # node, octet, child
    ALLOWS = 1               # bits of a demand's first word: it puts a URL into the list
    BEHIND = 2               # it matches what is behind a prefix or a "*" of a path
    BEHIND_TOO = ALLOWS | BEHIND
    HOW_BIT = 2              # 0, or EXACT, BELOW, BOTH and 1
    END_BIT = 4              # 0, or 2 * kind of text + 1: the trie's octets lie within it; + 2: they are all of it

cdef extern from *:
    """
    #define URLSM_ALONE 0x80000000u  /* not an enumerator: those are of type int */
    """
    const uint32_t ALONE "URLSM_ALONE"

cdef uint32_t UNKNOWN = rule_py.UNKNOWN, FIRST_PARTY = rule_py.FIRST_PARTY, THIRD_PARTY = rule_py.THIRD_PARTY
cdef uint32_t SAME_HOST = rule_py.SAME_HOST, OTHER_HOST = rule_py.OTHER_HOST
cdef uint32_t BOTH = rule_py.BOTH
cdef uint32_t BOTH_PARTIES = FIRST_PARTY | THIRD_PARTY, BOTH_HOSTS = SAME_HOST | OTHER_HOST
cdef uint32_t ALL_PARTIES = BOTH_PARTIES | BOTH_HOSTS
cdef tuple SPECIAL = ("", "http", "https", "ws", "wss", "ftp", "file")
cdef HostTable NO_HOSTS = HostTable([])
cdef dict NUMBERS = {name: number for number, name in enumerate(TEXTS)}


include "views.pxi"
include "rows.pxi"
include "tables.pxi"


cdef inline void begin_search(Search* s) noexcept nogil:
    s.work.steps = 0
    buffer_start(&s.work.b)
    buffer_start(&s.folded)
    buffer_start(&s.met)
    buffer_start(&s.own)
    s.led = False


cdef inline void end_search(Search* s) noexcept nogil:
    buffer_free(&s.work.b)
    buffer_free(&s.folded)
    buffer_free(&s.met)
    buffer_free(&s.own)


# --- matching ------------------------------------------------------------------------------------

cdef inline uint32_t slot_of(uint32_t node, uint32_t octet, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of an edge, as gram_slot makes one."""
    return <uint32_t>((node * key[0] + octet * key[1] + key[2]) >> 32)


@cython.final
@cython.binding(False)
cdef class Matcher:
    """Compiled rules. order: the indices of the rules in tables, the weakest first; None: the first is the strongest.
    folds: whether URLs are compared in lower case.
    """

    def __cinit__(self, Tables tables not None, order=None, bint folds=False):
        cdef bytes chance = urandom(sizeof(self.key))
        memcpy(self.key, <const uint8_t*>chance, sizeof(self.key))
        if order is None:
            order = range(<Py_ssize_t>tables.count - 1, -1, -1)
        if tables.leads:  # a rule asks for names below any suffix
            self.suffixes = suffixes_or_default(None)
        tables.finish(self, order)
        self.hosts = HostTable(list(tables.keys)) if tables.keys else NO_HOSTS
        self.sources = HostTable(list(tables.source_keys)) if tables.source_keys else NO_HOSTS
        self.count, self.folds = tables.count, folds
        self.w = tables.block.copied(&self.octets)
        self.size = <uint32_t>(tables.block.b.n + tables.block.literals.n)

    def __dealloc__(self):
        free(self.w)

    def __sizeof__(self):
        """Return the number of octets of all tables."""
        return self.size + len(self.hosts.keys[0]) + 4 * (self.hosts.hosts.mask + 1) + 12 * self.hosts.count

    def pattern_of(self, uint32_t rule):
        """Return the number of the pattern with which the rule was added."""
        if rule >= self.count:
            raise IndexError(rule)
        return self.whose(rule)

    cdef uint32_t whose(self, uint32_t rule) noexcept nogil:
        return self.w[self.rules + RULE_WORDS * rule]

    cdef uint32_t traits(self, uint32_t rule) noexcept nogil:
        return self.w[self.w[self.rules + RULE_WORDS * rule + 1]]

    def allows(self, Py_ssize_t rule):
        """Return whether the rule puts a URL into the list. A number below 0 is not a rule."""
        return 0 <= rule < self.count and self.traits(rule) & ALLOWS != 0

    def allows_behind(self, Py_ssize_t rule):
        """Return whether the rule puts a URL into the list, also what is behind a prefix or a "*"."""
        return 0 <= rule < self.count and self.traits(rule) & BEHIND_TOO == BEHIND_TOO

    cdef int search(self, const View* given, Search* s) except -1 nogil:
        """Search for the rule that decides. The caller has started s."""
        cdef Walk walk
        cdef View folded
        cdef const View* v = given
        cdef bint whole = False
        cdef uint32_t entry, k
        cdef const uint32_t* roots = self.w + self.roots
        if self.folds:
            buffer_copy_lower(&s.folded, given.p, given.n)
            folded = given[0]
            folded.p = s.folded.p
            v = &folded
        if s.request != NULL:
            for k in range(s.request.count):
                entry = roots[OF_HOST + self.hosts.count + s.request.sources[k]]
                if entry:
                    self.descend(entry, v, WHOLE, True, s)
        if self.grams:
            self.sift(v, s)
        if roots[ANY_TARGET]:
            self.descend(roots[ANY_TARGET], v, TARGET, True, s)
        if roots[ANY_WHOLE]:
            self.descend(roots[ANY_WHOLE], v, WHOLE, True, s)
        if not v.o.has_host:
            return 0
        begin_walk(&walk, &self.hosts.hosts, v.p + v.o.host_start, v.o.host_end - v.o.host_start)
        while True:
            entry = next_entry(&self.hosts.hosts, &walk, &whole)
            if entry == NO_ENTRY:
                return 0
            if roots[OF_HOST + entry]:
                self.descend(roots[OF_HOST + entry], v, TARGET, whole, s)

    cdef int sift(self, const View* v, Search* s) except -1 nogil:
        """Try the rules of each gram that the URL has, once."""
        cdef const uint32_t* bits = self.w + self.gram_bits
        cdef const uint32_t* entries = self.w + self.grams
        cdef uint32_t k, j, gram, hash, slot, place
        s.work.steps += v.n
        for k in range(v.n - (GRAM - 1) if v.n >= GRAM else 0):
            gram = gram_at(v.p + k)
            hash = gram_hash(gram)
            if not bits[hash >> 5] >> (hash & 31) & 1:
                continue
            slot = gram_slot(gram, self.key) & self.gram_mask
            while entries[2 * slot + 1] and entries[2 * slot] != gram:
                slot = (slot + 1) & self.gram_mask
            place = entries[2 * slot + 1]
            if place == 0:
                continue
            if s.met.n == 0:
                buffer_reserve(&s.met, self.gram_mask // 8 + 1)
                s.met.n = self.gram_mask // 8 + 1
                memset(s.met.p, 0, s.met.n)
            if s.met.p[slot >> 3] >> (slot & 7) & 1:
                continue
            s.met.p[slot >> 3] |= 1 << (slot & 7)
            if place & ALONE:
                self.consider(place ^ ALONE, v, 0, True, s)
                continue
            for j in range(1, self.w[place] + 1):
                if not self.consider(self.w[place + j], v, 0, True, s):
                    break
        return 0

    cdef int descend(self, uint32_t node, const View* v, uint32_t kind, bint whole, Search* s) except -1 nogil:
        """Try the rules with whose beginning the text begins."""
        cdef uint32_t n, at = 0, slot, k
        cdef const uint8_t* p = text_of(v, kind, &n)
        cdef const uint32_t* here
        cdef const uint32_t* edge
        while True:
            here = self.w + node
            s.work.steps += 1
            if n - at < here[1] or memcmp(p + at, self.octets + here[0], here[1]) != 0:
                return 0
            at += here[1]
            if here[2] & ALONE:
                self.consider(here[2] ^ ALONE, v, at, whole, s)
            elif here[2]:
                for k in range(1, self.w[here[2]] + 1):
                    if not self.consider(self.w[here[2] + k], v, at, whole, s):
                        break
            if not here[3] or at == n:
                return 0
            if here[3] & ALONE:
                node = here[3] ^ ALONE
                continue
            slot = slot_of(node, p[at], self.key) & self.edge_mask
            while True:
                edge = self.w + self.edges + EDGE_WORDS * slot
                if edge[2] == 0:
                    return 0
                if edge[0] == node and edge[1] == p[at]:
                    break
                slot = (slot + 1) & self.edge_mask
            node = edge[2]

    cdef bint consider(self, uint32_t rule, const View* v, uint32_t at, bint whole, Search* s) except -1 nogil:
        """Try a rule, of which the trie has found `at` octets. Return False if no rule of a lower rank can decide."""
        s.work.steps += 1
        if not s.all and rule < s.rank:
            return False
        if not self.fits(self.w + self.w[self.rules + RULE_WORDS * rule + 1], v, at, whole, s):
            return True
        if not s.all:
            s.rank = rule + 1
            return False
        buffer_reserve(&s.found.b, 4)
        memcpy(s.found.b.p + s.found.b.n, &rule, 4)
        s.found.b.n += 4
        return True

    cdef bint fits(self, const uint32_t* demand, const View* v, uint32_t at, bint whole, Search* s) except -1 nogil:
        """Return whether the rest of what a rule demands is true. The host and the trie's octets were checked before.
        """
        cdef const uint32_t* part
        cdef const uint8_t* text
        cdef uint32_t k, n, end = demand[0] >> END_BIT, how = demand[0] >> HOW_BIT & 3
        cdef int port
        cdef bint found
        if how and how != 3 and (how == 1) != whole:
            return False
        if end:
            text_of(v, (end - 1) >> 1, &n)
            if at > n or (end & 1 == 0 and at != n):
                return False
        if demand[4]:
            part = self.w + demand[4]
            if part[1] & ALL_PARTIES != ALL_PARTIES:  # otherwise the party does not count
                self.tell(s.request, v)
            if not is_asked(&part, s.request):
                return False
            if part[0] or part[part[0] + 1]:
                self.lead(v, s)
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

    cdef void tell(self, Request* request, const View* v) noexcept nogil:
        """Tell whether the URL is of the source's site, and of its host."""
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

    cdef int lead(self, const View* v, Search* s) except -1 nogil:
        """Look up the URL's host among the sources, once for a search: rules may ask where the request goes."""
        cdef const uint8_t* p = v.p + v.o.host_start
        cdef uint32_t n = v.o.host_end - v.o.host_start
        if s.led:
            return 0
        s.led, s.own_count = True, 0
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
        return self.decided(&v, &s)

    cdef Py_ssize_t decided(self, const View* v, Search* s) except -2 nogil:
        """Return the number of the rule that decides; -1 if no rule matches."""
        s.rank, s.all = 0, False
        begin_search(s)
        try:
            self.search(v, s)
        finally:
            end_search(s)
        return <Py_ssize_t>s.rank - 1

    def all(self, URL url not None):
        """Return the numbers of all rules that match, in order."""
        cdef View v
        view_url(&v, url)
        return self.fitting(&v, NULL)

    cdef list fitting(self, const View* v, Request* request):
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
        """Return what decides does, for octets that are not a URL: they are the target, and there is nothing else."""
        cdef View v
        cdef Search s
        view_octets(&v, text, len(text))
        s.request = NULL
        return self.decided(&v, &s)

    def all_of_text(self, bytes text not None):
        """Return what all does, for octets that are not a URL."""
        cdef View v
        view_octets(&v, text, len(text))
        return self.fitting(&v, NULL)

    def steps(self, URL url not None):
        """Return the number of steps that decides takes: instructions, rules, nodes, octets searched."""
        cdef View v
        cdef Search s
        view_url(&v, url)
        s.request = NULL
        self.decided(&v, &s)
        return s.work.steps


def fits(rule, URL url not None):
    """Return whether a Rule matches a URL."""
    cdef Tables tables = Tables()
    tables.add(rule)
    return Matcher(tables).decides(url) >= 0


include "grams.pxi"
include "requests.pxi"
include "lookup.pxi"
include "robots.pxi"
include "paths.pxi"
