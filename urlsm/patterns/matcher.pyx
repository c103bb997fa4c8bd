"""The matcher: finds the rules that match a URL, and the one that decides.

All tables are words of 32 bits in one block:

    rules    the pattern of each, and the place of its demand. Rules are numbered by rank: of those that match, the one
             with the highest number decides. This number is all that is left of a policy
    demands  what many rules have in common: whether they are for this host or for hosts below it, where the text has to
             end, whether they allow; and the places of schemes, ports and checks (0: any)
    roots    of the tries: of rules for any host, by the beginning of the target, or of the whole URL; of each entry of
             the host table
    nodes    of the tries: label (start and length, in the pool), its rules, its children
    edges    a table of (node, next octet) -> node, open-addressed, for nodes with more than one child

A trie holds the octets with which a target (path and query) has to begin for a rule to match. So only rules with the
right beginning are looked at. The rules of a node are listed with the highest rank first, so the search leaves the list
once no other rule can win.
"""
cimport cython
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset
from urlsm.machine.driver cimport BY_LANE, IPV4_TOO, LONG_TEXT
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.reading cimport Reading, read
from urlsm.machine.special cimport FILE, NOT_SPECIAL, listed_port
from urlsm.octets.buffer cimport (
    MAX_LENGTH, Buffer, ascii_data, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start, is_ascii,
)
from urlsm.octets.text cimport octet_escaped
from urlsm.octets.text cimport Octets, octets_of
from urlsm.patterns.hosts cimport NO_ENTRY, HostTable, Walk, begin_walk, next_entry
from urlsm.patterns.program cimport Block, Work, holds
from urlsm.security.plain cimport Authority, ordinary_authority
from urlsm.url.normal cimport offsets_of_plain
from urlsm.url.parser cimport write_url
from urlsm.url.structs cimport GIVEN, REFUSED, Failure, Offsets
from urlsm.url.value cimport URL
from urlsm.patterns.rule import TEXTS

cdef enum Kind:              # in the order of TEXTS
    TARGET
    PATH
    HREF
    WHOLE
    PROTOCOL
    USERNAME
    PASSWORD
    HOSTNAME
    PORT
    SEARCH
    HASH
    QUERY

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

cdef tuple SPECIAL = ("", "http", "https", "ws", "wss", "ftp", "file")
cdef dict NUMBERS = {name: number for number, name in enumerate(TEXTS)}


# --- the texts of a URL --------------------------------------------------------------------------

cdef inline uint32_t end_of_path(const View* v) noexcept nogil:
    if v.o.query_start != ABSENT:
        return v.o.query_start
    return v.o.fragment_start if v.o.fragment_start != ABSENT else v.n


cdef inline uint32_t end_of_query(const View* v) noexcept nogil:
    return v.o.fragment_start if v.o.fragment_start != ABSENT else v.n


cdef const uint8_t* text_of(const View* v, uint32_t kind, uint32_t* n) noexcept nogil:
    """Return one text of a URL: search and hash without "?" and "#", empty if they are absent; query with its "?"."""
    cdef uint32_t start = 0, end = 0
    if kind == TARGET:
        start, end = v.o.path_start, end_of_query(v)
    elif kind == PATH:
        start, end = v.o.path_start, end_of_path(v)
    elif kind == HREF:
        end = end_of_query(v)
    elif kind == WHOLE:
        end = v.n
    elif kind == PROTOCOL:
        end = v.o.scheme_end
    elif kind == USERNAME:
        if v.o.username_end > v.o.scheme_end + 3:
            start, end = v.o.scheme_end + 3, v.o.username_end
    elif kind == PASSWORD:
        if v.o.host_start > v.o.username_end + 1:
            start, end = v.o.username_end + 1, v.o.host_start - 1
    elif kind == HOSTNAME:
        start, end = v.o.host_start, v.o.host_end
    elif kind == PORT:
        if v.o.port >= 0:
            start, end = v.o.host_end + 1, v.o.path_start
            if v.p[end - 1] == c'.':  # never: a URL with a port has a host, so no "/." before its path
                end -= 2
    elif kind == SEARCH:
        if v.o.query_start != ABSENT:
            start, end = v.o.query_start + 1, end_of_query(v)
    elif kind == QUERY:
        if v.o.query_start != ABSENT:
            start, end = v.o.query_start, end_of_query(v)
    elif v.o.fragment_start != ABSENT:
        start, end = v.o.fragment_start + 1, v.n
    n[0] = end - start
    return v.p + start


cdef int view_octets(View* v, const uint8_t* p, size_t n) except -1:
    """Set a view of octets that are not a URL: they are the target, and there is nothing else."""
    memset(v, 0, sizeof(View))
    if n > MAX_LENGTH:
        raise ValueError("the text is too long")
    v.p, v.n = p, <uint32_t>n
    v.o.query_start = v.o.fragment_start = ABSENT
    return 0


include "tables.pxi"


# --- matching ------------------------------------------------------------------------------------

cdef inline uint32_t slot_of(uint32_t node, uint32_t octet) noexcept nogil:
    return (node * 0x9E3779B1u + octet * 0x85EBCA6Bu) >> 8


@cython.final
@cython.binding(False)
cdef class Matcher:
    """Compiled rules. order: the indices of the rules in tables, the weakest first; None: the first is the strongest.
    """

    def __cinit__(self, Tables tables not None, order=None):
        if order is None:
            order = range(<Py_ssize_t>tables.count - 1, -1, -1)
        tables.finish(self, order)
        self.hosts, self.count = HostTable(list(tables.keys)), tables.count
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

    cdef int search(self, const View* v, Search* s) except -1 nogil:
        """Search for the rule that decides. The caller has started s."""
        cdef Walk walk
        cdef bint whole = False
        cdef uint32_t entry
        cdef const uint32_t* roots = self.w + self.roots
        if roots[ANY_TARGET]:
            self.descend(roots[ANY_TARGET], v, TARGET, True, s)
        if roots[ANY_WHOLE]:
            self.descend(roots[ANY_WHOLE], v, WHOLE, True, s)
        if not v.o.has_host:
            return 0
        begin_walk(&walk, v.p + v.o.host_start, v.o.host_end - v.o.host_start)
        while True:
            entry = next_entry(&self.hosts.hosts, &walk, &whole)
            if entry == NO_ENTRY:
                return 0
            self.descend(roots[OF_HOST + entry], v, TARGET, whole, s)

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
            slot = slot_of(node, p[at]) & self.edge_mask
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
        if not self.fits(self.w + self.w[self.rules + RULE_WORDS * rule + 1], v, at, whole, &s.work):
            return True
        if not s.all:
            s.rank = rule + 1
            return False
        buffer_reserve(&s.found.b, 4)
        memcpy(s.found.b.p + s.found.b.n, &rule, 4)
        s.found.b.n += 4
        return True

    cdef bint fits(self, const uint32_t* demand, const View* v, uint32_t at, bint whole, Work* work) except -1 nogil:
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
                if not holds(self.w + part[2 * k + 2], self.w, self.octets, text, n, NULL, work):
                    return False
        return True

    def decides(self, URL url not None):
        """Return the number of the rule that decides; -1 if no rule matches."""
        cdef View v
        cdef Search s
        v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
        return self.decided(&v, &s)

    cdef Py_ssize_t decided(self, const View* v, Search* s) except -2 nogil:
        """Return the number of the rule that decides; -1 if no rule matches."""
        s.rank, s.all, s.work.steps = 0, False, 0
        buffer_start(&s.work.b)
        try:
            self.search(v, s)
        finally:
            buffer_free(&s.work.b)
        return <Py_ssize_t>s.rank - 1

    def all(self, URL url not None):
        """Return the numbers of all rules that match, in order."""
        cdef View v
        v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
        return self.fitting(&v)

    cdef list fitting(self, const View* v):
        cdef Search s
        cdef size_t k
        s.rank, s.all, s.work.steps = 0, True, 0
        buffer_start(&s.work.b)
        buffer_start(&s.found.b)
        try:
            self.search(v, &s)
            return sorted([(<uint32_t*>s.found.b.p)[k] for k in range(s.found.b.n // 4)])
        finally:
            buffer_free(&s.work.b)
            buffer_free(&s.found.b)

    def decides_text(self, bytes text not None):
        """Return what decides does, for octets that are not a URL: they are the target, and there is nothing else."""
        cdef View v
        cdef Search s
        view_octets(&v, text, len(text))
        return self.decided(&v, &s)

    def all_of_text(self, bytes text not None):
        """Return what all does, for octets that are not a URL."""
        cdef View v
        view_octets(&v, text, len(text))
        return self.fitting(&v)

    def steps(self, URL url not None):
        """Return the number of steps that decides takes: instructions, rules, nodes, octets searched."""
        cdef View v
        cdef Search s
        v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
        self.decided(&v, &s)
        return s.work.steps


def fits(rule, URL url not None):
    """Return whether a Rule matches a URL."""
    cdef Tables tables = Tables()
    tables.add(rule)
    return Matcher(tables).decides(url) >= 0


include "lookup.pxi"
include "paths.pxi"
